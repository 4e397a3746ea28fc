public import TrackerCore
public import Wording

/// Which of the captures that were set aside are meant: `17`, `6F1C:17` or `all`.
public enum CaptureSelection: Sendable, Equatable {
  case all
  case one(CaptureName)

  /// The hint when a text is not valid.
  public static let wanted = StorePhrase.wantedSelection.texts

  /// `nil` when the text is not valid.
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
  /// Makes captures pending again that were set aside.
  ///
  /// - Returns: how many.
  /// - Throws: `ambiguous` if captures of several devices have the name.
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

  /// Names that distinguish captures of several devices; `nil` if there is at most one device.
  private static func moreDigits(_ captures: [StoredCapture]) -> [String]? {
    let devices = Set(captures.map { $0.device.digits })
    guard devices.count > 1, let sequence = captures.first?.capture.sequence else { return nil }
    let count = (CaptureName.shownDigits...32).first { count in
      Set(devices.map { $0.prefix(count) }).count == devices.count
    }
    return devices.sorted().map { "\($0.prefix(count ?? 32)):\(sequence)" }
  }
}
