/// A capture that is on disk, for the log.
public struct TakenCapture: Sendable {
  public var objectID: Int64
  /// The attributes as the client sent them, of up to 100 characters.
  public var device: String?
  public var team: String?
  /// When it was taken, in milliseconds since 1970.
  public var moment: Int64?
}

extension TakenCapture {
  /// - Returns: `nil` if it was refused.
  init?(_ feature: Result<NewFeature, ItemError>, _ result: ItemResult) {
    guard case .success(let new) = feature, case .done(let number) = result.outcome else {
      return nil
    }
    objectID = number
    // In the order of the layer's fields.
    if new.values.count > 0, case .text(let text) = new.values[0] { device = text }
    if new.values.count > 1, case .text(let text) = new.values[1] { team = text }
    if new.values.count > 3, case .integer(let number) = new.values[3] { moment = number }
  }
}
