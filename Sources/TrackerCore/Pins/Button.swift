/// A push button. A short press counts when it is released, a long one as soon as it is long
/// enough.
struct Button: Sendable, Equatable {
  enum Press: Sendable, Equatable {
    case short
    case long
  }

  private var pressedAt: Instant?
  /// The press has counted as a long one already.
  private var isCounted = false

  /// When a press that goes on becomes a long one.
  var deadline: Instant? { isCounted ? nil : pressedAt.map { $0 + Bounds.longPress } }

  /// Its contacts bounce when it is pressed and when it is released; anything shorter than
  /// `Bounds.contactBounce` is not a press.
  mutating func changed(isPressed: Bool, at now: Instant) -> Press? {
    guard !isPressed else {
      if pressedAt == nil {
        pressedAt = now
        isCounted = false
      }
      return nil
    }
    let press = deadlineReached(at: now)
    defer { pressedAt = nil }
    guard press == nil, !isCounted, let pressedAt else { return press }
    return now - pressedAt >= Bounds.contactBounce ? .short : nil
  }

  mutating func deadlineReached(at now: Instant) -> Press? {
    guard let deadline, now >= deadline else { return nil }
    isCounted = true
    return .long
  }
}
