/// The distance covered, without the noise of a receiver at rest.
struct Odometer: Sendable, Equatable {
  private(set) var millimetres: Int64 = 0
  private var anchor: Coordinate?

  /// Adds the distance to `position` once it is further from the last counted position than its own
  /// accuracy and `Bounds.odometerStepMetres`.
  mutating func move(to position: Coordinate, accuracyMetres: Int32?) {
    guard let anchor else {
      self.anchor = position
      return
    }
    let moved = anchor.distanceMillimetres(to: position)
    let least = max(Bounds.odometerStepMetres, accuracyMetres ?? 0)
    guard moved >= Int64(least) * 1000 else { return }
    millimetres &+= moved
    self.anchor = position
  }
}
