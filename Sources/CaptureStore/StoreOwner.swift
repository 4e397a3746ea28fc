internal import SQLite
public import TrackerCore

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

  public init(cause: Cause, before: UniqueID) {
    self.cause = cause
    self.before = before
  }
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
}
