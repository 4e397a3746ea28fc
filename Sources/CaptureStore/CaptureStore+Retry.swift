public import TrackerCore

/// Which of the captures that were set aside somebody means: `17`, `6F1C:17` or `all`.
public enum CaptureSelection: Sendable, Equatable {
  case all
  case one(CaptureName)

  /// What to write instead of a text that names nothing.
  public static let wanted =
    "write the number of a capture, such as 17, or all; of another device 6F1C:17, with the first "
    + "four or more digits of its identifier"

  /// `nil`: the text names nothing.
  public init?(_ text: String) {
    if text == "all" {
      self = .all
    } else if let name = CaptureName(text) {
      self = .one(name)
    } else {
      return nil
    }
  }
}

extension CaptureStore {
  /// Gives captures that were set aside another chance.
  ///
  /// - Returns: how many.
  /// - Throws: `ambiguous` for a name that captures of several devices have.
  @discardableResult
  public func requeue(_ selection: CaptureSelection, at now: UTC) throws(StoreError) -> Int {
    switch selection {
    case .all: return try requeue(at: now)
    case .one(let name):
      let named = try captures(named: name)
      if let instead = Self.moreDigits(named) {
        throw StoreError(.ambiguous(name: "\(name)", instead: instead), path: database.path)
      }
      return try requeue(named.map(\.key), at: now)
    }
  }

  /// Names that tell captures of several devices apart; `nil` where there is one device at most.
  private static func moreDigits(_ captures: [StoredCapture]) -> [String]? {
    let devices = Set(captures.map { $0.device.digits })
    guard devices.count > 1, let sequence = captures.first?.capture.sequence else { return nil }
    let count = (CaptureName.shownDigits...32).first { count in
      Set(devices.map { $0.prefix(count) }).count == devices.count
    }
    return devices.sorted().map { "\($0.prefix(count ?? 32)):\(sequence)" }
  }
}
