import BoardSupport
import CommandLineSupport
import FirmwareHost
import MachineAccess
import TrackerCore
import Uplink
import Wording

/// `trackerctl firmware`: a controller's settings, as a file that programs for its flash take.
enum FirmwareFile {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let name = arguments.text(.board) ?? ""
    let config = arguments.text(.controllerConfiguration) ?? ""
    let board = try BoardDescription.load(named: name)
    guard let place = board.firmwareSettings else {
      throw UsageError(CommandPhrase.noFirmware.texts(name))
    }
    let settings = try ControllerSettings(FileNode.load(path: config), on: board)
    try settings.core.checkFinish(at: BootClock.date, path: config)
    let output = arguments.text(.output)
    for warning in settings.core.warnings(on: board, path: config) {
      Program.complain(warning)
    }
    // The server's address may be a key.
    let file = try OutputFile(path: output, isPrivate: true)
    let values = bytes(of: settings, on: board, isRecording: arguments.has(.recordsOnCard))
    try file.write(IntelHex.file(of: values, at: place))
    try file.finish()
    guard let output else { return 0 }
    let text = CommandPhrase.firmwareWritten.texts(
      output, settings.core.team.text, board.identifier,
      "0x" + String(place, radix: 16, uppercase: true))
    return try say(text[.chosen(nil)] + "\n")
  }

  private static func bytes(
    of settings: ControllerSettings, on board: BoardDescription, isRecording: Bool
  ) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // A card that the controller formats has an identifier that is made from this one.
    let device = UniqueID(high: generator.next(), low: generator.next())
    var values = FirmwareSettings(
      board: board.board, configuration: settings.core.configuration,
      identity: Identity(device: device, team: settings.core.team, seed: generator.next()))
    values.batteryRange = board.batteryRange
    values.isRecording = isRecording
    values.server.address = InlineText(Array(settings.address.utf8).span)
    values.server.authority = InlineText(Array(settings.authority.utf8).span)
    var bytes: [UInt8] = []
    values.write { bytes.append($0) }
    return bytes
  }
}

/// Intel's hexadecimal object format: lines of bytes, each with its address and a checksum.
///
/// Intel, "Hexadecimal Object File Format Specification", revision A (1988).
enum IntelHex {
  private enum Record {
    static let data: UInt8 = 0
    static let end: UInt8 = 1
    /// The upper 16 bits of the addresses that follow.
    static let upperAddress: UInt8 = 4
  }

  private static let bytesPerLine = 16

  static func file(of bytes: [UInt8], at address: UInt32) -> [UInt8] {
    var text = ""
    var upper: UInt32?
    // A line that begins at a multiple of its length does not cross 64 KB.
    for start in stride(from: 0, to: bytes.count, by: bytesPerLine) {
      let place = address + UInt32(start)
      if upper != place >> 16 {
        upper = place >> 16
        text += line(Record.upperAddress, at: 0, [UInt8(place >> 24), UInt8(place >> 16 & 0xFF)])
      }
      let end = min(start + bytesPerLine, bytes.count)
      text += line(Record.data, at: UInt16(place & 0xFFFF), bytes[start..<end])
    }
    return Array((text + line(Record.end, at: 0, [])).utf8)
  }

  private static func line(_ record: UInt8, at place: UInt16, _ bytes: ArraySlice<UInt8>) -> String
  {
    let head = [UInt8(bytes.count), UInt8(place >> 8), UInt8(place & 0xFF), record]
    let content = head + bytes
    let sum = content.reduce(0, &+)
    return ":" + (content + [0 &- sum]).map(digits).joined() + "\r\n"
  }

  private static func digits(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + text : text
  }
}
