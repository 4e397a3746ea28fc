import CardStore
import FirmwareHost
import Foundation
import TestSupport
import Traces
import TrackerCore

/// What comes over the lines of a board in an emulator, and when: what `Tests/Firmware/paced.c`
/// reads, and what goes through the emulated UARTs.
struct PacedWorld {
  private typealias Said = (at: Instant, what: What)
  private enum What {
    case bytes([UInt8], MachinePort)
    /// What the battery's converter shows.
    case battery(UInt16)
    case button(isPressed: Bool)
  }

  private var said: [Said] = []
  private var settings: FirmwareSettings

  /// Plays a recorded world: the receiver's bytes when they came, and what its script ordered, as
  /// typed on the console.
  init(of recording: [UInt8]) throws {
    var reader = RecordingReader(.strict)
    var position = 0
    var said: [Said] = []
    while let recorded = try reader.next(in: recording, from: &position) {
      switch recorded.content {
      case .bytes(let chunk, .receiver):
        said.append((recorded.at, .bytes(Array(chunk), .receiver)))
      case .event(.batteryMeasured(let reading)):
        said.append((recorded.at, .battery(Self.shown(reading.millivolts))))
      case .event(.commandGiven(.stop, _)):
        said.append((recorded.at, .bytes(Array("stop\r".utf8), .console)))
      case .bytes, .event, .settings, .effect, .digest, .gap, .end: break
      }
    }
    guard let header = reader.beginning else { throw Problem("the recording has no header") }
    settings = FirmwareSettings(header)
    settings.batteryRange = Self.batteryRange
    self.said = said
  }

  private static let batteryRange: Int32 = 12_090

  /// What a converter shows so that exactly this is measured.
  private static func shown(_ millivolts: Int32) -> UInt16 {
    UInt16(clamping: ((millivolts << 16) + batteryRange - 1) / batteryRange)
  }

  /// What tracker-sim's world says in a trace; the simulated tracker's store is in the folder.
  static func ofTrace(_ trace: String, in folder: ScratchFolder) throws -> PacedWorld {
    let recorded = try ProgramResult(
      "tracker-sim",
      [
        "--trace", Built.repository.appendingPathComponent("traces/\(trace).nmea").path,
        "--board",
        Built.repository.appendingPathComponent("boards/\(WholeTrackerTests.board)").path,
        "--record", folder.path("recording"), "--store", folder.path("store"),
      ])
    guard recorded.code == 0 else { throw Problem(recorded.errors) }
    return try PacedWorld(
      of: [UInt8](Data(contentsOf: folder.url.appendingPathComponent("recording"))))
  }

  /// Whatever the receiver says, somebody then has a capture taken, and a state written.
  func writingMuch() -> PacedWorld {
    var world = self
    world.said = said.flatMap {
      [$0, ($0.at, .bytes(Array("capture\rstop\rstart\r".utf8), .console))]
    }
    return world
  }

  /// From time to time somebody has a capture taken, and all sent.
  func sending(every count: Int) -> PacedWorld {
    var world = self
    world.said = said.enumerated().flatMap { index, what in
      index % count == 0
        ? [what, (what.at, .bytes(Array("capture\rsend\r".utf8), .console))] : [what]
    }
    return world
  }

  /// How many things are said.
  var count: Int { said.count }

  /// As they lie in the flash.
  static func settings(_ values: FirmwareSettings) -> Data {
    var data = Data()
    values.write { data.append($0) }
    return data
  }

  private var end: Instant { said.last?.at ?? .start }

  /// Types a line after all that was said before.
  mutating func type(_ words: String, after pause: Milliseconds = .seconds(1)) {
    said.append((end + pause, .bytes(Array((words + "\r").utf8), .console)))
  }

  /// Types a line so many milliseconds after the start.
  mutating func type(_ words: String, at moment: Milliseconds) {
    say(.bytes(Array((words + "\r").utf8), .console), at: .start + moment)
  }

  private mutating func say(_ what: What, at: Instant) {
    said.insert((at, what), at: said.firstIndex { $0.at > at } ?? said.endIndex)
  }

  /// Somebody holds the button for so long, so many milliseconds after the start.
  mutating func press(for length: Milliseconds, at start: Milliseconds) {
    say(.button(isPressed: true), at: .start + start)
    say(.button(isPressed: false), at: .start + start + length)
  }

  /// Captures are to be delivered there, by the modem in the folder (`ModemPeer`).
  mutating func deliver(to address: String) {
    settings.server.address = InlineText(Array(address.utf8).span)
  }

  /// What comes to the tracker is recorded on its card.
  mutating func record() { settings.isRecording = true }

  /// Puts a card into the slot that the tracker has formatted and never used.
  func insertCard(in folder: ScratchFolder) throws {
    try CardImage.make(folder.path("card"), of: settings.core.identity.device)
  }

  /// Writes what `start` needs.
  private func write(to folder: ScratchFolder) throws {
    var pace: [UInt8] = []
    var lines: [MachinePort: [UInt8]] = [:]
    for (at, what) in said + [(end + .seconds(1), .bytes([], .console))] {
      let (number, count): (Int32, Int32)
      switch what {
      case .bytes(let bytes, let port):
        lines[port, default: []] += bytes
        (number, count) = (Int32(port.rawValue), Int32(bytes.count))
      case .battery(let shown): (number, count) = (3, Int32(shown))
      case .button(let isPressed): (number, count) = (4, isPressed ? 1 : 0)
      }
      withUnsafeBytes(of: at.milliseconds) { pace += $0 }
      withUnsafeBytes(of: number) { pace += $0 }
      withUnsafeBytes(of: count) { pace += $0 }
    }
    for (name, bytes) in [
      ("pace", Data(pace)), ("settings", Self.settings(settings)),
      ("receiver", Data(lines[.receiver] ?? [])), ("console", Data(lines[.console] ?? [])),
    ] {
      try bytes.write(to: folder.url.appendingPathComponent(name))
    }
  }

  /// A part of it, as it is to a tracker that starts when the part begins.
  func part(_ range: Range<Int>) -> PacedWorld {
    var part = self
    let start = said[range.lowerBound].at
    part.said = said[range].map { (.start + ($0.at - start), $0.what) }
    return part
  }

  /// Runs a board's firmware in this world, with the card in the folder, and returns what it writes
  /// to its console.
  func run(_ board: String, in folder: ScratchFolder) throws -> ProgramResult {
    try write(to: folder)
    return try ProgramResult(running: Self.command(board), folder: folder.url)
  }

  /// The same, with the console in the folder's file `screen`.
  func start(_ board: String, in folder: ScratchFolder) throws -> RunningProgram {
    try write(to: folder)
    _ = try folder.write("screen", "")
    return try RunningProgram(
      Self.command(board), folder: folder.url,
      output: .file(FileHandle(forWritingTo: folder.url.appendingPathComponent("screen"))))
  }

  private static func command(_ board: String) -> [String] {
    // A named pipe for each line: QEMU has no other file that it reads from. Nothing is said before
    // the firmware has begun: setting up a UART empties its FIFO. A restart of the firmware ends
    // the run: what was said already would not be said again.
    let script = """
      rm -f line.in line.out typed begun
      mkfifo line.in line.out typed
      say() {
        until [ -e begun ]; do kill -0 $$ || exit; sleep 0.02; done
        cat "$1"
      }
      say receiver >line.in &
      say console >typed &
      modem='-serial null'
      [ -e modem.in ] && modem='-chardev pipe,id=modem,path=modem -serial chardev:modem'
      exec "$0" -M "$1" -kernel "$2" -no-reboot -display none -monitor none -serial stdio \\
        -chardev pipe,id=receiver,path=line -serial chardev:receiver $modem \\
        -device loader,file=settings,addr=0x3F000,force-raw=on \\
        -drive if=sd,format=raw,file=card \\
        -semihosting-config enable=on,target=native <typed
      """
    return [
      "/bin/sh", "-c", script, Firmware.emulator?.path ?? "", board,
      Firmware.image(board, "paced").path,
    ]
  }
}

/// A card's image, as large as QEMU wants one.
struct CardImage: BlockDevice {
  let file: FileHandle
  /// Half of them are for recordings.
  static let usualCount: UInt32 = 2_097_152
  let blockCount: UInt32

  init(_ path: String, blockCount: UInt32 = usualCount) throws {
    file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    self.blockCount = blockCount
  }

  /// One that the tracker has formatted.
  static func make(
    _ path: String, of tracker: UniqueID, blockCount: UInt32 = usualCount
  ) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let card = try CardImage(path, blockCount: blockCount)
    try card.file.truncate(atOffset: UInt64(card.blockCount) * UInt64(Block.size))
    var store = CardStore(card)
    guard store.format(log: 1, of: tracker) else { throw Problem("\(path) cannot be formatted") }
  }

  /// Of all its bytes.
  func sum() throws -> Int {
    try file.seek(toOffset: 0)
    var hasher = Hasher()
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty { hasher.combine(bytes) }
    return hasher.finalize()
  }

  func read(_ number: UInt32, into block: inout Block) -> Bool {
    guard (try? file.seek(toOffset: UInt64(number) * UInt64(Block.size))) != nil,
      let bytes = try? file.read(upToCount: Block.size), bytes.count == Block.size
    else { return false }
    withUnsafeMutableBytes(of: &block.bytes) { $0.copyBytes(from: bytes) }
    return true
  }

  func write(_ block: inout Block, to number: UInt32) -> Bool {
    let bytes = withUnsafeBytes(of: block.bytes) { Data($0) }
    do {
      try file.seek(toOffset: UInt64(number) * UInt64(Block.size))
      try file.write(contentsOf: bytes)
      return true
    } catch { return false }
  }
}
