internal import TrackerCore

/// What the lock file says about its store, so that a store whose content is gone is not taken for
/// one that was never begun, and its numbers are not given again: the devices that captured into
/// it, their boards, and below which number each has stayed.
///
/// One line for each change, the newest last, with a checksum. It is written after the device is in
/// the store, and before the store gives a number that the mark does not cover yet.
struct StoreMark: Equatable {
  /// The newest state of each device, the one that captured last at the end.
  private(set) var devices: [DeviceIdentity] = []
  /// Whether the file has content, even if nothing of it can be read.
  private(set) var isThere: Bool
  /// Whether every line is whole. Otherwise the file is written anew.
  private var isWhole = true
  private var lines = 0

  /// More is not read. A line has some 120 bytes, for 4096 captures.
  static let mostBytes = 64 << 10
  /// No line is shorter.
  private static let leastLineBytes = 60
  /// With more lines the file is written anew.
  static let mostLines = 64

  init(_ bytes: [UInt8]) {
    isThere = !bytes.isEmpty
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // What follows the last line is nothing, or a line that was not written to its end.
    if parts.last?.isEmpty ?? false { parts.removeLast() } else { isWhole = bytes.isEmpty }
    lines = parts.count
    for part in parts {
      if let device = DeviceIdentity(markLine: part) {
        put(device)
      } else if !part.isEmpty {
        isWhole = false
        // It may have been about any of them, and may have been several lines.
        let blocks = (part.count + Self.leastLineBytes - 1) / Self.leastLineBytes
        for index in devices.indices { devices[index].reserve(blocks) }
      }
    }
  }

  private mutating func put(_ device: DeviceIdentity) {
    var device = device
    if let index = devices.firstIndex(where: { $0.device == device.device }) {
      let old = devices.remove(at: index)
      device.reservedBelow = max(device.reservedBelow, old.reservedBelow)
    }
    devices.append(device)
  }

  // MARK: Writing

  struct Change {
    fileprivate var devices: [DeviceIdentity]
    var text: String
    /// Whether it takes the place of the whole file.
    var replacesAll: Bool
  }

  /// - Returns: `nil` if the mark says it already.
  func change(adding new: [DeviceIdentity]) -> Change? {
    var next = self
    for device in new { next.put(device) }
    func line(_ device: DeviceIdentity) -> String { device.markLine }
    let isSame = next.devices.map(line) == devices.map(line)
    if isSame, isWhole, lines <= Self.mostLines { return nil }
    let replacesAll = !isWhole || lines + new.count > Self.mostLines
    let known = Set(devices.map(line))
    let written =
      replacesAll
      ? next.devices
      // Those that have not changed are named again only if they come last now.
      : next.devices.filter { !known.contains($0.markLine) || $0.device == new.last?.device }
    return Change(
      devices: next.devices, text: written.map(line).joined(), replacesAll: replacesAll)
  }

  mutating func apply(_ change: Change, isWritten: Bool) {
    devices = change.devices
    isThere = true
    isWhole = isWritten
    let written = change.text.utf8.count { $0 == UInt8(ascii: "\n") }
    lines = change.replacesAll ? written : lines + written
  }
}

extension DeviceIdentity {
  /// As if further blocks of numbers had been reserved.
  fileprivate mutating func reserve(_ blocks: Int) {
    reservedBelow = UInt32(
      clamping: UInt64(reservedBelow) + UInt64(blocks) * UInt64(Schema.reservation))
  }

  /// The device as it goes on where its captures are gone: above all numbers it may have given.
  var continued: DeviceIdentity {
    var next = self
    next.firstSequence = max(next.firstSequence, next.reservedBelow)
    return next
  }

  fileprivate var markLine: String {
    let serials = [board.deviceTree, board.firmware, board.installation].map { serial in
      // An unknown serial is another board's only if something else says so.
      serial.map { $0.utf8.allSatisfy { $0 >= 0x20 } ? $0 : "" } ?? ""
    }
    let fields = ["device", device.text, "\(reservedBelow)", "\(madeAt.milliseconds)"] + serials
    let text = fields.joined(separator: "\t")
    return "\(text)\t\(Self.checksum(Array(text.utf8)[...]))\n"
  }

  fileprivate init?(markLine line: ArraySlice<UInt8>) {
    let tab = UInt8(ascii: "\t")
    guard let end = line.lastIndex(of: tab) else { return nil }
    let fields = line.split(separator: tab, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 8, fields[0] == "device", fields[7] == Self.checksum(line[..<end]),
      let device = UniqueID(text: fields[1]), let reserved = UInt32(fields[2]),
      let madeAt = Int64(fields[3])
    else { return nil }
    self.init(device: device, madeAt: UTC(milliseconds: madeAt), reservedBelow: reserved)
    let serials = fields[4...6].map { $0.isEmpty ? nil : $0 }
    board = BoardSerials(
      deviceTree: serials[0], firmware: serials[1], installation: serials[2])
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    var checksum = RowChecksum()
    bytes.withUnsafeBytes { checksum.add(text: $0) }
    return String(UInt64(bitPattern: checksum.value), radix: 16)
  }
}
