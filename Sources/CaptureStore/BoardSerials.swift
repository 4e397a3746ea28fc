internal import SQLite

/// Identifies a board, by sources from the most to the least reliable.
///
/// A store remembers it with its device: a card that was copied or moved to another board must not
/// keep its identity, or two trackers would assign the same GlobalIDs.
public struct BoardSerials: Sendable, Equatable {
  /// The board's serial number in the device tree, as a Raspberry Pi has it.
  public var deviceTree: String?
  /// The product's UUID or serial number in the firmware's tables (SMBIOS), as a PC has it.
  public var firmware: String?
  /// The installation's `/etc/machine-id`; the least reliable, as it is copied with the card.
  public var installation: String?

  /// A value that cannot be read is `nil`, which counts as unknown, not as another board.
  public init(deviceTree: String? = nil, firmware: String? = nil, installation: String? = nil) {
    self.deviceTree = deviceTree
    self.firmware = firmware
    self.installation = installation
  }

  /// Whether `other` is certainly another board: the most reliable source that both have decides.
  public func differs(from other: BoardSerials) -> Bool {
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

  // MARK: In the table

  static let columns = "deviceTreeSerial, firmwareSerial, installationID"

  init(_ row: borrowing SQLiteStatement, from first: Int32) {
    func text(_ column: Int32) -> String? { row.isNull(column) ? nil : row.text(column) }
    self.init(
      deviceTree: text(first), firmware: text(first + 1), installation: text(first + 2))
  }

  func bind(to row: borrowing SQLiteStatement, from first: Int32) throws(SQLiteError) {
    for (place, source) in Self.sources.enumerated() {
      try row.bind(self[keyPath: source], at: first + Int32(place))
    }
  }
}
