import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import FirmwareHost

/// `trackerctl firmware`, as whoever builds a unit uses it.
@Suite struct FirmwareFileTests {
  private static let configuration = """
    {
      team: "Els Senglars", bearer: "modem", apn: "internet", transmit: { interval: "20 min" },
      server: { kind: "osmand", address: "http://t.example.org:5055/" },
    }
    """

  private static func run(
    _ board: String, to output: String, in folder: ScratchFolder,
    _ configuration: String = configuration, options: [String] = []
  ) throws -> ProgramResult {
    try ProgramResult(
      "trackerctl",
      [
        "firmware", "--board", Built.repository.appendingPathComponent("boards/\(board)").path,
        "--config", folder.write("config.json5", configuration), "--output", folder.path(output),
      ] + options)
  }

  /// Writes the settings of a unit.
  static func write(_ board: String, to output: String, in folder: ScratchFolder) throws {
    let run = try run(board, to: output, in: folder)
    guard run.code == 0 else { throw Problem(run.errors) }
  }

  /// The bytes of a file, and where they go: read as its format is defined, without our writer.
  private static func read(_ hex: String) throws -> (address: UInt32, bytes: [UInt8]) {
    var (upper, start): (UInt32, UInt32?) = (0, nil)
    var bytes: [UInt8] = []
    var hasEnded = false
    for line in hex.split(separator: "\r\n") {
      try #require(line.first == ":" && line.count % 2 == 1 && !hasEnded, "\(line)")
      let digits = Array(line.dropFirst())
      let record = try stride(from: 0, to: digits.count, by: 2).map {
        try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16), "\(line)")
      }
      try #require(record.count == Int(record[0]) + 5 && record.reduce(0, &+) == 0, "\(line)")
      let content = record[4..<record.count - 1]
      switch record[3] {
      case 0:
        let place = upper << 16 | UInt32(record[1]) << 8 | UInt32(record[2])
        start = start ?? place
        try #require(place == start! + UInt32(bytes.count), "\(line)")
        bytes += content
      case 1: hasEnded = true
      case 4: upper = UInt32(content[4]) << 8 | UInt32(content[5])
      default: throw Problem("\(line)")
      }
    }
    try #require(hasEnded)
    return (try #require(start), bytes)
  }

  private static let boards: [(name: String, place: UInt32)] = [
    ("lm3s6965evb", 0x3F000), ("nucleo-l476rg", 0x80F_F000),
  ]

  @Test(arguments: boards)
  func `The file has the settings, at the place where the firmware looks for them`(
    _ board: (name: String, place: UInt32)
  ) throws {
    let folder = try ScratchFolder()
    let run = try Self.run(board.name, to: "settings.hex", in: folder)
    #expect(run.code == 0, "\(run)")
    let place = "0x" + String(board.place, radix: 16, uppercase: true)
    #expect(
      run.output == "\(folder.path("settings.hex")): the settings of 'Els Senglars' for "
        + "\(board.name), at \(place) of its flash\n")
    let file = try Self.read(String(contentsOfFile: folder.path("settings.hex"), encoding: .utf8))
    #expect(file.address == board.place)
    try file.bytes.withUnsafeBytes { flash in
      guard case .settings(let found) = FirmwareSettings.find(at: flash.baseAddress!) else {
        throw Problem("no settings")
      }
      let settings = found.pointee
      #expect(settings.core.identity.team == InlineText("Els Senglars"))
      #expect(settings.core.configuration.transmitInterval == .minutes(20))
      #expect(settings.core.configuration.bearer == .modem)
      #expect(settings.core.board.modem.family == .a7670 && settings.core.board.hasLight)
      #expect(settings.batteryRange > 12_000)
      #expect(settings.server.address == InlineText("http://t.example.org:5055/"))
      #expect(settings.core.identity.device != UniqueID(high: 0, low: 0))
    }
  }

  @Test(
    .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"), arguments: boards)
  func `That place is the image's`(_ board: (name: String, place: UInt32)) throws {
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    let symbols = try ProgramResult(
      executable: #require(Firmware.toolchain).appendingPathComponent("llvm-nm"),
      [Firmware.image(board.name).path])
    let line = symbols.output.split(separator: "\n").first { $0.hasSuffix(" settings_start") }
    let digits = try #require(line?.split(separator: " ").first, "\(symbols.errors)")
    #expect(UInt32(digits, radix: 16) == board.place)
  }

  @Test func `Only its owner can read the file, whose address may be a key`() throws {
    let folder = try ScratchFolder()
    try Self.write("lm3s6965evb", to: "settings.hex", in: folder)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("settings.hex"))
    #expect(attributes[.posixPermissions] as? Int == 0o600, "\(attributes)")
  }

  @Test func `What a team will miss is a warning`() throws {
    let folder = try ScratchFolder()
    // Nobody who has read a call for help can say so by OsmAnd.
    let run = try Self.run("lm3s6965evb", to: "settings.hex", in: folder)
    #expect(run.code == 0 && run.errors.contains("warning"), "\(run)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
    let without = Self.configuration.replacing("apn:", with: "emergency: false, apn:")
    let quiet = try Self.run("lm3s6965evb", to: "settings.hex", in: folder, without)
    #expect(quiet.code == 0 && quiet.errors.isEmpty, "\(quiet)")
  }

  @Test func `It records if it is told to`() throws {
    let folder = try ScratchFolder()
    for (options, isRecording) in [([], false), (["--record"], true)] {
      let run = try Self.run("lm3s6965evb", to: "settings.hex", in: folder, options: options)
      #expect(run.code == 0, "\(run)")
      let file = try Self.read(
        String(contentsOfFile: folder.path("settings.hex"), encoding: .utf8))
      try file.bytes.withUnsafeBytes { flash in
        guard case .settings(let found) = FirmwareSettings.find(at: flash.baseAddress!) else {
          throw Problem("no settings")
        }
        #expect(found.pointee.isRecording == isRecording)
      }
    }
  }

  @Test func `No two units have the same identifier for their cards`() throws {
    let folder = try ScratchFolder()
    var files: Set<String> = []
    for name in ["a.hex", "b.hex"] {
      try Self.write("lm3s6965evb", to: name, in: folder)
      files.insert(try String(contentsOfFile: folder.path(name), encoding: .utf8))
    }
    #expect(files.count == 2)
  }

  static let refused = [
    ("pi-zero-2w-sim7600", configuration, "is no controller with firmware"),
    ("lm3s6965evb", "{ bearer: 'modem' }", "config.json5: server: is missing"),
    (
      "lm3s6965evb", configuration.replacing("apn:", with: "store: '/a', apn:"),
      "store: a controller keeps its captures on its card; remove it"
    ),
    (
      "lm3s6965evb", configuration.replacing("apn:", with: "finish: '2020-01-01T00:00Z', apn:"),
      "finish"
    ),
  ]

  @Test(arguments: refused)
  func `What a controller cannot do is refused in a line, and nothing is written`(
    _ board: String, _ configuration: String, _ error: String
  ) throws {
    let folder = try ScratchFolder()
    let run = try Self.run(board, to: "settings.hex", in: folder, configuration)
    #expect(run.code == 2 && run.errors.contains(error), "\(run)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(try folder.names() == ["config.json5"])
  }
}
