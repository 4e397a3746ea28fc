import FirmwareHost
import Foundation
import TestSupport
import Traces
import TrackerCore

/// What comes over the lines of a board in an emulator, and when: what `Tests/Firmware/paced.c`
/// reads, and what goes through the emulated UARTs.
struct PacedWorld {
  private var pace: [UInt8] = []
  private var lines: [MachinePort: [UInt8]] = [:]
  private var settings = Data()
  private var lastAt = Instant.start

  /// Plays a recorded world: the receiver's bytes when they came, and what its script ordered, as
  /// typed on the console.
  init(of recording: [UInt8]) throws {
    var reader = RecordingReader(.strict)
    var position = 0
    while let recorded = try reader.next(in: recording, from: &position) {
      if settings.isEmpty, let header = reader.beginning {
        settings = Self.settings(FirmwareSettings(header))
      }
      switch recorded.content {
      case .bytes(let chunk, .receiver): say(chunk, over: .receiver, at: recorded.at)
      case .event(.commandGiven(.stop, _)): type("stop", at: recorded.at)
      case .bytes, .event, .effect, .gap, .end: break
      }
    }
  }

  /// As they lie in the flash.
  static func settings(_ values: FirmwareSettings) -> Data {
    var data = Data()
    withUnsafeBytes(of: values) { values in
      let bytes = values.bindMemory(to: UInt8.self).span
      withUnsafeBytes(of: FirmwareSettings.Header(of: bytes)) { data.append(contentsOf: $0) }
      data.append(contentsOf: values)
    }
    return data
  }

  /// Types a line at a time that is not before what was said before.
  mutating func type(_ words: String, at instant: Instant? = nil) {
    say(Array((words + "\r").utf8), over: .console, at: instant ?? lastAt + .seconds(1))
  }

  private mutating func say(_ bytes: [UInt8], over port: MachinePort, at instant: Instant) {
    lines[port, default: []] += bytes
    enter(instant, port, bytes.count)
  }

  private mutating func enter(_ instant: Instant, _ port: MachinePort, _ count: Int) {
    lastAt = instant
    withUnsafeBytes(of: instant.milliseconds) { pace += $0 }
    withUnsafeBytes(of: Int32(port.rawValue)) { pace += $0 }
    withUnsafeBytes(of: Int32(count)) { pace += $0 }
  }

  /// Runs a board's firmware in this world, and returns what it writes to its console.
  mutating func run(_ board: String, in folder: ScratchFolder) throws -> ProgramResult {
    enter(lastAt + .seconds(1), .console, 0)
    for (name, bytes) in [
      ("pace", Data(pace)), ("settings", settings), ("receiver", Data(lines[.receiver] ?? [])),
      ("console", Data(lines[.console] ?? [])),
    ] {
      try bytes.write(to: folder.url.appendingPathComponent(name))
    }
    // A named pipe for each line: QEMU has no other file that it reads from.
    let script = """
      mkfifo line.in line.out
      cat receiver >line.in &
      exec "$0" -M "$1" -kernel "$2" -display none -monitor none -serial stdio \\
        -chardev pipe,id=receiver,path=line -serial chardev:receiver -serial null \\
        -device loader,file=settings,addr=0x3F000,force-raw=on \\
        -semihosting-config enable=on,target=native <console
      """
    let emulator = Firmware.emulator?.path ?? ""
    let image = Firmware.image(board, "paced").path
    return try ProgramResult(
      running: ["/bin/sh", "-c", script, emulator, board, image], folder: folder.url)
  }
}
