/// The distance covered, without the noise of a receiver at rest.
public struct Odometer: Sendable, Equatable {
  public private(set) var millimetres: Int64 = 0
  private var anchor: Coordinate?

  public init() {}

  /// Adds the distance to `position` once it is further from the last counted position than its own
  /// accuracy and `Bounds.odometerStepMetres`.
  ///
  /// - Returns: whether it was counted, as the first position is.
  @discardableResult
  public mutating func move(to position: Coordinate, accuracyMetres: Int32?) -> Bool {
    guard let anchor else {
      self.anchor = position
      return true
    }
    let moved = anchor.distanceMillimetres(to: position)
    let least = max(Bounds.odometerStepMetres, accuracyMetres ?? 0)
    guard moved >= Int64(least) * 1000 else { return false }
    millimetres &+= moved
    self.anchor = position
    return true
  }
}
