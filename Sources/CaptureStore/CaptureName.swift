internal import SQLite
public import TrackerCore

/// How people refer to a capture: `17` for the current device, `3f2a:17` for the device whose
/// identifier begins with `3f2a`.
public struct CaptureName: Sendable, Equatable, CustomStringConvertible {
  /// The first hexadecimal digits of a device's identifier, in lower case; `nil`: the current
  /// device.
  public var device: String?
  public var sequence: UInt32

  /// The number of digits shown of a device's identifier.
  public static let shownDigits = 4

  /// - Returns: `nil` for any other form than `17` or `3f2a:17`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let number = parts.last, parts.count <= 2, number.utf8.allSatisfy(Self.isDigit),
      let sequence = UInt32(number), sequence > 0
    else { return nil }
    self.sequence = sequence
    guard parts.count == 2 else { return }
    let digits = parts[0].lowercased().filter { $0 != "-" }
    guard (Self.shownDigits...32).contains(digits.utf8.count),
      digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    device = digits
  }

  init(_ stored: StoredCapture, present: UniqueID) {
    sequence = stored.capture.sequence
    if stored.device != present { device = String(stored.device.text.prefix(Self.shownDigits)) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  public var description: String { device.map { "\($0):\(sequence)" } ?? "\(sequence)" }
}

extension CaptureStore {
  /// The name of a capture for people.
  public func name(of stored: StoredCapture) -> CaptureName {
    CaptureName(stored, present: device)
  }

  /// The captures with that name: none, one, or several if two devices begin with the same digits.
  public func captures(named name: CaptureName) throws(StoreError) -> [StoredCapture] {
    try reading { (damaged: inout SetAsideRows) throws(SQLiteError) in
      let query = try database.prepare(
        """
        \(CaptureRow.query) WHERE sequence = ?2 AND replace(device, '-', '') LIKE ?3
        ORDER BY key LIMIT ?1
        """)
      try query.bind(Int64(name.sequence), at: 2)
      try query.bind("\(name.device ?? device.digits)%", at: 3)
      return try read(query, limit: .max, &damaged)
    }
  }

  /// The state of the captures of each device, the current device last.
  public func devices() throws(StoreError) -> [DeviceTally] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT device, min(sequence), max(sequence), count(*),
          sum(state IN ('pending', 'inFlight')), sum(state = 'setAside')
        FROM captures GROUP BY device ORDER BY max(key)
        """)
      var tallies: [DeviceTally] = []
      while try rows.step() {
        guard let device = UniqueID(text: rows.text(0)) else { continue }
        let waiting = StoreTally(
          pending: Int(rows.integer(4)), setAside: Int(rows.integer(5)),
          acknowledged: Int(rows.integer(3) - rows.integer(4) - rows.integer(5)))
        let span = rows.integer(2) - rows.integer(1) + 1
        tallies.append(
          DeviceTally(
            device: device, first: UInt32(clamping: rows.integer(1)),
            last: UInt32(clamping: rows.integer(2)), tally: waiting,
            missing: Int(span - rows.integer(3))))
      }
      if let place = tallies.firstIndex(where: { $0.device == device }) {
        tallies.append(tallies.remove(at: place))
      }
      return tallies
    }
  }
}

/// The captures of one device in a store.
public struct DeviceTally: Sendable, Equatable {
  public var device: UniqueID
  /// The lowest and the highest sequence number in the store.
  public var first: UInt32
  public var last: UInt32
  public var tally: StoreTally
  /// Sequence numbers missing between these; 0 proves that they are complete.
  public var missing: Int
}
