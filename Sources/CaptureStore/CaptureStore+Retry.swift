public import TrackerCore

/// Which of the captures that were set aside somebody means: `17`, `6F1C:17` or `all`.
public enum CapturePick: Sendable, Equatable {
  case all
  /// By the number of the device: the present one, or the one whose identifier begins with these
  /// four digits, in small letters.
  case one(device: String?, sequence: UInt32)

  /// What to write instead of a text that names nothing.
  public static let wanted =
    "write the number of a capture, such as 17, or all; of another device 6F1C:17, with the first "
    + "four digits of its identifier"

  /// `nil`: the text names nothing.
  public init?(_ text: String) {
    if text == "all" {
      self = .all
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, last.allSatisfy({ $0.isASCII && $0.isNumber }),
      let sequence = UInt32(last), sequence > 0
    else { return nil }
    switch parts.count {
    case 1: self = .one(device: nil, sequence: sequence)
    case 2:
      guard parts[0].utf8.count == 4, parts[0].allSatisfy(\.isHexDigit) else { return nil }
      self = .one(device: parts[0].lowercased(), sequence: sequence)
    default: return nil
    }
  }
}

extension CaptureStore {
  /// Gives captures that were set aside another chance.
  ///
  /// - Returns: how many.
  @discardableResult
  public func requeue(_ pick: CapturePick, at now: UTC) throws(StoreError) -> Int {
    switch pick {
    case .all: return try requeue(at: now)
    case .one(let prefix, let sequence):
      let keys = try stating { () throws(SQLiteError) in
        let whose = prefix == nil ? "device = ?2" : "lower(substr(device, 1, 4)) = ?2"
        let rows = try database.prepare(
          """
          SELECT key FROM captures WHERE \(StoreStatements.waits) = 'setAside'
          AND sequence = ?1 AND \(whose)
          """)
        try rows.bind(Int64(sequence), at: 1)
        try rows.bind(prefix ?? device.text, at: 2)
        var keys: [CaptureKey] = []
        while try rows.step() { keys.append(CaptureKey(UInt32(clamping: rows.integer(0)))) }
        return keys
      }
      return try requeue(keys, at: now)
    }
  }
}
