import FirmwareHost
import Foundation
import TestSupport
import Testing
import TrackerCore

/// The firmware of boards/lm3s6965evb in an emulator, its receiver behind a UART and somebody at
/// its console.
@Suite(
  .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"),
  .enabled(if: Firmware.emulator != nil, "needs qemu-system-arm"),
  // An emulator that waits for its line takes a whole processor.
  .serialized, .blocking)
struct WholeTrackerTests {
  static let board = "lm3s6965evb"

  /// All seven take a minute.
  @Test(arguments: Share.of(EmulatorTests.traces, atOnce: 2))
  func `It takes the captures that tracker-sim takes`(_ trace: String) throws {
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    let folder = try ScratchFolder()
    var world = try PacedWorld.ofTrace(trace, in: folder)
    let export = try ProgramResult(
      "trackerctl", ["export", "--store", folder.path("store"), "--format", "csv"])
    // Nobody carries requests yet.
    let expected = export.output.replacing(",acknowledged,", with: ",pending,")

    world.type("proof")
    world.type("status", after: .seconds(5))
    world.type("captures", after: .seconds(5))
    // In the emulator the card's bus takes minutes for a whole race.
    let isRecording = trace != "race" || Share.chosen == "all"
    if isRecording { world.record() }
    try world.insertCard(in: folder)
    let run = try world.run(Self.board, in: folder)
    let again = "repeat with: swift test --filter FirmwareTests.WholeTrackerTests"
    #expect(run.code == 0, "\(run.errors)\(again)")
    let table = run.output.firstRange(of: "uuid,").map { run.output[$0.lowerBound...] } ?? ""
    let card = try ProgramResult(
      "trackerctl", ["export", "--store", folder.path("card"), "--format", "csv"])
    let (rows, wanted) = (CaptureRows(card.output), CaptureRows(expected))
    #expect(rows.others == wanted.others, "\(trace): \(card.errors)\(again)")
    #expect(rows.isCharged(as: wanted), "\(trace): \(rows.charges) \(wanted.charges) \(again)")
    #expect(table.hasPrefix(card.output), "\(trace): \(run.output)\(again)")
    // What a technician asks, in the words of trackerctl.
    let proof = try ProgramResult("trackerctl", ["proof", "--store", folder.path("card")])
    #expect(proof.output.contains("complete: none is missing"), "\(proof)")
    let words = proof.output.replacing(" (earlier)", with: "").replacing("\n", with: "\r\n")
    #expect(run.output.contains(words), "\(trace): \(words)\(run.output.prefix(4000))\(again)")
    #expect(run.output.contains(/\r\n(GO|WAIT|NO-GO).*\r\nup:/), "\(run.output.prefix(4000))")
    if isRecording {
      try Self.expectReplay(of: folder.path("card"), taken: rows.others.count, again)
    }
    let stack = try #require(
      run.output.firstMatch(of: /stack ([0-9]+)/).flatMap { Int($0.1) }, "\(run.output)")
    #expect(stack <= (try Firmware.stackBound(Self.board) ?? 0), "\(trace): \(stack); \(again)")
  }
}

extension WholeTrackerTests {
  /// Replays all recordings on a card, whose effects must be the firmware's.
  static func expectReplay(of card: String, taken: Int, _ again: String) throws {
    let replay = try ProgramResult("tracker-sim", ["replay", card, "--events", card + ".events"])
    #expect(replay.code == 0, "\(replay.errors)\(again)")
    #expect(replay.output.contains("identical"), "\(replay.output)\(again)")
    let events = try String(contentsOfFile: card + ".events", encoding: .utf8)
    let stored = events.matches(of: /\$PTRKI,[0-9]+,stored,/).count
    // The last one is written with what comes after it.
    #expect(stored == taken || stored == taken - 1, "\(stored) of \(taken) captures; \(again)")
  }
}

/// The firmware with its own clock, in real time.
@Suite(
  .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"),
  .enabled(if: Firmware.emulator != nil, "needs qemu-system-arm"), .blocking)
struct FirmwareClockTests {
  private static let again = "repeat with: swift test --filter FirmwareTests.FirmwareClockTests"

  private func started(
    in folder: ScratchFolder, _ options: [String], console: String = "stdio"
  ) throws -> RunningProgram {
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    _ = try folder.write("screen", "")
    let screen = try FileHandle(forWritingTo: folder.url.appendingPathComponent("screen"))
    return try RunningProgram(
      [
        #require(Firmware.emulator).path, "-M", WholeTrackerTests.board, "-display", "none",
        "-monitor", "none", "-serial", console, "-kernel",
        Firmware.image(WholeTrackerTests.board).path,
      ] + options, folder: folder.url, input: .pipe, output: .file(screen))
  }

  private func screen(in folder: ScratchFolder) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent("screen"), encoding: .utf8)
  }

  /// Settings of nobody in particular.
  private static let settings = ["-device", "loader,file=settings,addr=0x3F000,force-raw=on"]

  private func writeSettings(to folder: ScratchFolder) throws {
    try PacedWorld.settings(
      FirmwareSettings(
        board: .none, configuration: Configuration(),
        identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText(), seed: 1))
    ).write(to: folder.url.appendingPathComponent("settings"))
  }

  @Test func `A new card is formatted on a word, and found again`() throws {
    let folder = try ScratchFolder()
    try writeSettings(to: folder)
    let card = try FileHandle(forUpdating: URL(fileURLWithPath: folder.write("card", "")))
    try card.truncate(atOffset: 1 << 26)
    let options = Self.settings + ["-drive", "if=sd,format=raw,file=card"]
    var emulator = try started(in: folder, options)
    func answer(_ words: String, _ wanted: String) throws {
      let before = try screen(in: folder).count
      try eventually("'\(wanted)': \(try screen(in: folder)) \(Self.again)") {
        try emulator.type(words + "\r")
        return try screen(in: folder).dropFirst(before).contains(wanted)
      }
    }
    try answer("status", "card: blank; type format")
    try answer("format", "the card has captures")
    emulator.end()
    emulator = try started(in: folder, options)
    try answer("format", "the card has captures")
  }

  @Test func `Its button, held for three seconds, stops the session`() throws {
    let folder = try ScratchFolder()
    try writeSettings(to: folder)
    // Its monitor, which knows the board's keys, shares the line: Ctrl-A c changes over.
    let emulator = try started(in: folder, Self.settings, console: "mon:stdio")
    try eventually("a session: \(try screen(in: folder)) \(Self.again)") {
      try emulator.type("status\r")
      return try screen(in: folder).contains("session: running")
    }
    // To QEMU it is pressed until it is let go for the first time.
    try emulator.type("\u{1}csendkey ctrl 100\nsendkey ctrl 3500\n\u{1}c")
    try eventually("its end: \(try screen(in: folder)) \(Self.again)") {
      try emulator.type("status\r")
      return try screen(in: folder).contains("no capture: the session is stopped")
    }
    emulator.end()
  }

  @Test func `Its clock goes on while it sleeps, and what is typed wakes it`() throws {
    let folder = try ScratchFolder()
    try writeSettings(to: folder)
    let emulator = try started(in: folder, Self.settings)
    try eventually("its greeting") { try screen(in: folder).contains("trailtracker: ") }
    var seconds: Set<Substring> = []
    try eventually("three different seconds in \(try screen(in: folder)) \(Self.again)") {
      try emulator.type("status\r")
      seconds.formUnion(try screen(in: folder).matches(of: /up: ([0-9]+) s/).map(\.1))
      return seconds.count >= 3
    }
  }

  @Test func `A unit that trackerctl has set up runs, measures its battery and blinks`() throws {
    let folder = try ScratchFolder()
    try FirmwareFileTests.write("lm3s6965evb", to: "settings.hex", in: folder)
    let emulator = try started(
      in: folder, ["-device", "loader,file=settings.hex"], console: "mon:stdio")
    try eventually("a session: \(try screen(in: folder)) \(Self.again)") {
      try emulator.type("status\r")
      return try screen(in: folder).contains("session: running")
    }
    // QEMU's converter shows half of its range, and some noise.
    var shown: Int?
    try eventually("a voltage: \(try screen(in: folder)) \(Self.again)") {
      shown = try screen(in: folder).firstMatch(of: /battery: ([0-9]+) mV/).flatMap { Int($0.1) }
      return shown != nil
    }
    #expect((6045...6128).contains(try #require(shown)), Comment(rawValue: Self.again))
    try seePin("40025004", become: ["0x00000001", "0x00000000"], emulator, in: folder)
    emulator.end()
  }

  /// Waits until a pin has these levels, as QEMU's monitor reads it.
  private func seePin(
    _ place: String, become levels: [String], _ emulator: RunningProgram, in folder: ScratchFolder
  ) throws {
    for level in levels {
      let before = try screen(in: folder).count
      try eventually("\(level) of \(try screen(in: folder)) \(Self.again)") {
        try emulator.type("\u{1}cxp /1wx 0x\(place)\n\u{1}c")
        return try screen(in: folder).dropFirst(before).contains("00000000\(place): \(level)")
      }
    }
  }

  @Test func `The key of a modem that is silent is pressed, and let go`() throws {
    let folder = try ScratchFolder()
    try FirmwareFileTests.write("lm3s6965evb", to: "settings.hex", in: folder)
    try CardImage.make(folder.path("card"), of: UniqueID(high: 1, low: 2))
    _ = try ProgramResult(
      running: ["/bin/sh", "-c", "mkfifo line.in line.out"], folder: folder.url)
    let emulator = try started(
      in: folder,
      [
        "-serial", "pipe:line", "-serial", "null", "-device", "loader,file=settings.hex",
        "-drive", "if=sd,format=raw,file=card",
      ], console: "mon:stdio")
    // A position, so that there is a capture to send.
    let line = try FileHandle(forUpdating: folder.url.appendingPathComponent("line.in"))
    try eventually("a capture: \(try screen(in: folder)) \(Self.again)") {
      try line.write(contentsOf: Data(Self.report(at: Date()).utf8))
      try emulator.type("capture\r")
      return try screen(in: folder).contains("captured ")
    }
    try emulator.type("send\r")
    try seePin("40006040", become: ["0x00000010", "0x00000000"], emulator, in: folder)
    emulator.end()
  }

  /// What a receiver says once a second.
  private static func report(at date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "UTC")
    format.dateFormat = "HHmmss"
    let time = format.string(from: date) + ".00"
    format.dateFormat = "ddMMyy"
    let day = format.string(from: date)
    return [
      "GPRMC,\(time),A,4210.94051,N,00230.00000,E,0.1,0.0,\(day),,,A",
      "GPGGA,\(time),4210.94051,N,00230.00000,E,1,09,0.9,200.0,M,49.0,M,,",
    ].map { text in
      let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return "$\(text)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
    }.joined()
  }

  /// What lies in the flash, and what is said of it.
  @Test(arguments: [
    ("none", [] as [UInt8]), ("for other firmware", [0x31, 0x54, 0x52, 0x4B, 0xFF]),
    ("damaged", [0x31, 0x54, 0x52, 0x4B, 2, 0, 0, 0, 9]),
  ])
  func `Without settings it says so, and again to whoever types`(
    _ what: String, _ flash: [UInt8]
  ) throws {
    let folder = try ScratchFolder()
    try Data(flash + [UInt8](repeating: 0, count: 64))
      .write(to: folder.url.appendingPathComponent("settings"))
    let emulator = try started(in: folder, Self.settings)
    let line = "settings: \(what); write them with trackerctl firmware\r\n"
    try eventually("its complaint: \(try screen(in: folder)) \(Self.again)") {
      try screen(in: folder) == line
    }
    try emulator.type("\r")
    try eventually("its complaint again: \(try screen(in: folder)) \(Self.again)") {
      try screen(in: folder) == line + line
    }
    emulator.end()
  }
}
