internal import SQLite
internal import SystemCalls
public import TrackerCore

/// The device that captures into this store, its board, and which numbers may have been given. One
/// row of the table `identities`; the one with the highest number is the current one.
struct DeviceIdentity: Sendable, Equatable {
  /// Counts from 1, in the order in which devices began to use the store.
  var number: Int64 = 1
  var device: UniqueID
  var madeAt: UTC
  /// No sequence number below this is given any more.
  var firstSequence: UInt32 = 1
  /// Every sequence number that was ever given is below this.
  var reservedBelow: UInt32 = 1
  /// The board that it was last used on; empty if unknown.
  var board = BoardSerials()

  enum Column: Int32, StoreColumn {
    case number, device, madeAt, firstSequence, reservedBelow
    case deviceTreeSerial, firmwareSerial, installationID

    static let table = "identities"
  }

  /// All identities of a store, the oldest first, except unreadable ones.
  static func all(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> [DeviceIdentity] {
    let row = try database.prepare("\(Column.query) ORDER BY number")
    var identities: [DeviceIdentity] = []
    while try row.step() { if let identity = DeviceIdentity(row) { identities.append(identity) } }
    return identities
  }

  /// The current identity.
  static func read(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> DeviceIdentity? {
    try all(database).last
  }

  private init?(_ row: borrowing SQLiteStatement) {
    guard let device = UniqueID(text: row.text(Column.device)),
      let first: UInt32 = row.number(Column.firstSequence), first > 0,
      let reserved: UInt32 = row.number(Column.reservedBelow)
    else { return nil }
    self.init(
      device: device, madeAt: UTC(milliseconds: row.integer(Column.madeAt)), firstSequence: first,
      reservedBelow: reserved)
    number = row.integer(Column.number)
    func serial(_ column: Column) -> String? { row.isNull(column) ? nil : row.text(column) }
    board = BoardSerials(
      deviceTree: serial(.deviceTreeSerial), firmware: serial(.firmwareSerial),
      installation: serial(.installationID))
  }

  init(device: UniqueID, madeAt: UTC, firstSequence: UInt32 = 1, reservedBelow: UInt32 = 1) {
    self.device = device
    self.madeAt = madeAt
    self.firstSequence = firstSequence
    self.reservedBelow = reservedBelow
  }

  /// Writes the row, replacing one with the same number.
  func write(to database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let row = try database.prepare(Column.replace)
    try row.bind(number, at: Column.number)
    try row.bind(device.text, at: Column.device)
    try row.bind(madeAt.milliseconds, at: Column.madeAt)
    try row.bind(Int64(firstSequence), at: Column.firstSequence)
    try row.bind(Int64(reservedBelow), at: Column.reservedBelow)
    try row.bind(board.deviceTree, at: Column.deviceTreeSerial)
    try row.bind(board.firmware, at: Column.firmwareSerial)
    try row.bind(board.installation, at: Column.installationID)
    try row.run()
  }

  /// How many sequence numbers are missing between those of the device's captures.
  func missing(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int {
    let rows = try database.prepare(
      "SELECT count(*), min(sequence), max(sequence) FROM captures WHERE device = ?")
    try rows.bind(device.text, at: 1)
    defer { rows.reset() }
    guard try rows.step(), rows.integer(0) > 0 else { return 0 }
    return Int(rows.integer(2) - rows.integer(1) + 1 - rows.integer(0))
  }

  /// The number of the device's next capture.
  func nextSequence(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> UInt32 {
    max(firstSequence, UInt32(clamping: try lastSequence(database) &+ 1))
  }

  /// The highest sequence number of the device's captures still in the store; 0: none.
  func lastSequence(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int64 {
    let last = try database.prepare("SELECT max(sequence) FROM captures WHERE device = ?")
    try last.bind(device.text, at: 1)
    defer { last.reset() }
    return try last.step() ? last.integer(0) : 0
  }
}

/// Identifies a board, by sources from the most to the least reliable.
///
/// A store remembers it with its device: a card that was copied or moved to another board must not
/// keep its identity, or two trackers would assign the same GlobalIDs.
public struct BoardSerials: Sendable, Equatable {
  /// The board's serial number in the device tree, as a Raspberry Pi has it.
  var deviceTree: String?
  /// The product's UUID or serial number in the firmware's tables (SMBIOS), as a PC has it.
  var firmware: String?
  /// The installation's `/etc/machine-id`; the least reliable, as it is copied with the card.
  var installation: String?

  /// A value that cannot be read is `nil`, which counts as unknown, not as another board.
  public init(deviceTree: String? = nil, firmware: String? = nil, installation: String? = nil) {
    self.deviceTree = deviceTree
    self.firmware = firmware
    self.installation = installation
  }

  /// Whether `other` is certainly another board: the most reliable source that both have decides.
  func differs(from other: BoardSerials) -> Bool {
    for source in Self.sources {
      if let ours = self[keyPath: source], let theirs = other[keyPath: source] {
        return ours != theirs
      }
    }
    return false
  }

  /// This value, with its gaps filled from what is already known about the same board.
  func completed(by known: BoardSerials) -> BoardSerials {
    var all = self
    for source in Self.sources where all[keyPath: source] == nil {
      all[keyPath: source] = known[keyPath: source]
    }
    return all
  }

  private static var sources: [WritableKeyPath<BoardSerials, String?>] {
    [\.deviceTree, \.firmware, \.installation]
  }
}

/// Which device captures into a store that is being opened.
public enum StoreOwner: Sendable, Equatable {
  /// The device that did before; a new store gets a random one. For tools that only deliver
  /// captures.
  case whoever
  /// The tracker on this board. If the store remembers another board, a new device begins.
  case board(BoardSerials)
  /// A device chosen by a person, regardless of the board.
  case device(UniqueID)
}

/// Reports that a store has a new device.
public struct OwnerChange: Sendable, Equatable {
  public enum Cause: Sendable, Equatable {
    /// The card was copied or moved to another board.
    case otherBoard
    /// The configuration names another device.
    case chosen
  }

  public var cause: Cause
  /// The device before. Its captures keep their identity and are still delivered.
  public var before: UniqueID
}

extension StoreOwner {
  /// Reads or creates the current identity of a store.
  ///
  /// - Parameter mark: what the lock file says, in case the store itself lacks a device.
  func takeOn(
    _ database: borrowing SQLiteDatabase, _ path: String, _ mark: StoreMark, at now: UTC
  ) throws(SQLiteError) -> (DeviceIdentity, OwnerChange?) {
    let known = try DeviceIdentity.all(database)
    guard var present = known.last else {
      return (try begin(nil, after: nil, database, path, mark, at: now), nil)
    }
    switch self {
    case .whoever: return (present, nil)
    case .board(let serials):
      if serials.differs(from: present.board) {
        let next = try begin(nil, after: present, database, path, mark, at: now)
        return (next, OwnerChange(cause: .otherBoard, before: present.device))
      }
      let complete = serials.completed(by: present.board)
      if complete != present.board {
        present.board = complete
        try present.write(to: database)
      }
      return (present, nil)
    case .device(let device):
      guard device != present.device else { return (present, nil) }
      let earlier = known.first { $0.device == device }
      let next = try begin(earlier, after: present, database, path, mark, at: now)
      return (next, OwnerChange(cause: .chosen, before: present.device))
    }
  }

  /// Makes an identity the current one: a new one, or an earlier one again.
  private func begin(
    _ earlier: DeviceIdentity?, after last: DeviceIdentity?,
    _ database: borrowing SQLiteDatabase, _ path: String, _ mark: StoreMark, at now: UTC
  ) throws(SQLiteError) -> DeviceIdentity {
    var identity: DeviceIdentity
    switch self {
    case .whoever: identity = DeviceIdentity(device: try .made(for: path), madeAt: now)
    case .board(let serials):
      identity = DeviceIdentity(device: try .made(for: path), madeAt: now)
      identity.board = serials
    case .device(let device):
      let marked = mark.devices.first { $0.device == device }?.continued
      identity = earlier ?? marked ?? DeviceIdentity(device: device, madeAt: now)
    }
    try database.transaction { () throws(SQLiteError) in
      if let earlier {
        try database.execute("DELETE FROM identities WHERE number = \(earlier.number)")
      }
      identity.number = (last?.number ?? 0) + 1
      try identity.write(to: database)
      guard last != nil else { return }
      // Of a card that was copied both may deliver what waits: a server that takes no identifiers
      // is asked about it first.
      try database.prepare(
        CaptureColumn.update([("attempts", "1")], where: "attempts = 0")
      ).run()
    }
    return identity
  }
}

extension UniqueID {
  /// A random identifier for the store at `path`.
  static func made(for path: String) throws(SQLiteError) -> UniqueID {
    if let device = random() { return device }
    throw SQLiteError.noRandomBytes(path)
  }

  /// A random identifier (version 4); `nil` when the system provides no random bytes.
  static func random() -> UniqueID? {
    // Reads of up to 256 bytes are never short (random(4)).
    guard let source = try? Descriptor(opening: "/dev/urandom", .read),
      let bytes = try? source.firstBytes(atMost: 16), bytes.count == 16
    else { return nil }
    let (high, low) = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    return UniqueID(high: high & ~0xF000 | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  /// The usual form, in lower case.
  var text: String {
    let characters: InlineArray<36, UInt8> = text()
    return characters.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Its 32 hexadecimal digits in lower case, without hyphens.
  var digits: String { text.filter { $0 != "-" } }

  init?(text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }
}
