internal import SystemCalls
internal import TrackerCore
internal import Wording

/// Prevents a second tracker from using a store: an flock on a file beside it, held as long as this
/// value exists.
///
/// SQLite's exclusive mode is not used, because a technician may read the store while the tracker
/// runs. The lock ends with the process, however that ends. The file stays: removing it would let
/// two processes lock two files of the same name. Its existence also shows that the file beside it
/// was a store, and its content (`StoreMark`) that devices have captured into it.
struct StoreLock: ~Copyable {
  private let file: Descriptor
  private let path: String
  /// Whether the file existed before.
  let wasThere: Bool
  private(set) var mark: StoreMark

  init(store: String) throws(StoreError) {
    let path = store + ".lock"
    let wasThere = may(.exist, path)
    let file: Descriptor
    do throws(SystemError) {
      // Following a symbolic link could make root create a file anywhere.
      file = try Descriptor(
        opening: path, [.readWrite, .create, .noFollow], mode: StoreAccess.mode)
    } catch {
      throw StoreError(store, code: error.code)
    }
    if !wasThere { StoreAccess.give(file, path, like: store) }
    let isOurs: Bool
    do throws(SystemError) { isOurs = try Self.lock(file) } catch {
      throw StoreError(store, code: error.code)
    }
    guard isOurs else { throw StoreError(.inUse, path: store) }
    self.path = path
    self.wasThere = wasThere
    mark = StoreMark(Self.content(of: file))
    self.file = file
  }

  /// Takes the lock.
  ///
  /// - Returns: `false`: another process has it.
  private static func lock(_ file: borrowing Descriptor) throws(SystemError) -> Bool {
    for attempt in 0..<StoreBounds.lockTries {
      if attempt > 0 { pause(StoreBounds.lockPause) }
      if try file.lock() { return true }
    }
    return false
  }

  /// Whether no process holds the lock of a store at this moment.
  static func isFree(store: String) -> Bool {
    do throws(SystemError) {
      return try Descriptor(opening: store + ".lock", .read).lock()
    } catch {
      return error.code == Errno.noSuchFile
    }
  }

  // MARK: The mark

  private static func content(of file: borrowing Descriptor) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: StoreBounds.markBytes)
    let number = file.number
    let count = bytes.withUnsafeMutableBytes { Descriptor.read(number, at: 0, into: $0) }
    return Array(bytes.prefix(count))
  }

  /// The mark of a store that another process may be using; an empty one if it cannot be read.
  static func mark(ofStore path: String) -> StoreMark {
    let options: OpenOptions = [.read, .noFollow, .nonBlocking]
    guard let file = try? Descriptor(opening: path + ".lock", options) else {
      return StoreMark([])
    }
    return StoreMark(content(of: file))
  }

  /// Records devices durably, the current one last, before the numbers below their `reservedBelow`
  /// are given.
  ///
  /// A failure does not keep captures from being stored: then the mark only says that there was a
  /// store, which takes no room, and it is written again the next time.
  mutating func remember(_ devices: [DeviceIdentity]) {
    guard let change = mark.change(adding: devices) else { return }
    let isWritten = write(change.text, isNew: change.replacesAll)
    if !isWritten { try? file.truncate(to: 1) }
    mark.apply(change, isWritten: isWritten)
  }

  private func write(_ text: String, isNew: Bool) -> Bool {
    do throws(SystemError) {
      if isNew { try file.truncate(to: 0) }
      let end = try file.seekEnd()
      try file.writeAll(Array(text.utf8))
      try file.synchronise()
      if end == 0 { try synchroniseDirectory(directory(of: path)) }
    } catch {
      return false
    }
    return true
  }

  /// Removes the file: the store that it locked no longer exists.
  func remove() { try? removeFile(path) }

  /// Removes the file if this value created it: the store was refused, so nothing should change.
  func undo() { if !wasThere { try? removeFile(path) } }
}

/// The permissions of a store's files: their owner may read and write, their group may read.
enum StoreAccess {
  static let mode: UInt32 = 0o640

  /// Sets mode and owner regardless of the umask. A file that root creates gets the owner of the
  /// other file, or else of the directory, so that a tracker running as another user is not locked
  /// out. The group is the same one's, if the process may set it.
  static func give(_ file: borrowing Descriptor, _ path: String, like other: String? = nil) {
    try? file.setPermissions(mode)
    let model = other.flatMap { try? FileStatus($0) } ?? (try? FileStatus(directory(of: path)))
    guard let model else { return }
    try? file.setOwner(effectiveUser == 0 ? model.owner : nil, group: model.group)
  }

  /// Removes the permissions for everybody that an earlier version set. A file with the process's
  /// own group, as SQLite creates them, gets its directory's group; any other group was set by a
  /// person.
  static func settle(_ path: String) {
    guard let status = try? FileStatus(path) else { return }
    if status.permissions & 0o777 & ~mode != 0 {
      try? setPermissions(status.permissions & mode, of: path)
    }
    guard status.group == effectiveGroup, let folder = try? FileStatus(directory(of: path)),
      folder.group != effectiveGroup
    else { return }
    try? setOwner(nil, group: folder.group, of: path)
  }
}

/// Holds up the calling thread.
func pause(_ time: Milliseconds) { pause(milliseconds: time.count) }

extension StoreError {
  /// For an `errno`.
  init(_ path: String, code: Int32) {
    let kind: Kind =
      switch code {
      case Errno.readOnlyFileSystem, Errno.accessDenied, Errno.notPermitted: .readOnly
      case Errno.noSpace, Errno.overQuota: .diskFull
      case Errno.inputOutput: .inputOutput
      default: .cannotOpen
      }
    self.init(kind, path: path, detail: SystemReason.texts(of: code))
  }
}

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
        let blocks = (part.count + StoreBounds.markLineBytes - 1) / StoreBounds.markLineBytes
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
    if isSame, isWhole, lines <= StoreBounds.markLines { return nil }
    let replacesAll = !isWhole || lines + new.count > StoreBounds.markLines
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
      clamping: UInt64(reservedBelow) + UInt64(blocks) * UInt64(StoreBounds.reservation))
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
