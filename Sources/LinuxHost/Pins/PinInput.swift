import TrackerCore

/// Turns an input's edges and levels into changes. It has no clock of its own; times are
/// milliseconds.
struct PinInput {
  let pin: InputPin
  /// As last reported.
  private var isActive: Bool?
  /// A level that has not held for long enough, and since when it has held.
  private var candidate: (isActive: Bool, since: Int64)?
  private var edgesInWindow = 0
  private var windowBegan: Int64 = 0

  init(_ pin: InputPin) { self.pin = pin }

  /// It changes more often than anything that is connected.
  var isFlooding: Bool { edgesInWindow > HostBounds.pinFlood }

  /// When to call `changes` if no edge comes before.
  var settlesAt: Int64? { candidate.map { $0.since + HostBounds.pinSettling.count } }

  /// - Parameters:
  ///   - edges: since the last call, in order.
  ///   - level: what it is now.
  mutating func changes(
    _ edges: [(isActive: Bool, at: Int64)], level: Bool, at now: Int64
  ) -> [(isActive: Bool, since: Int64)] {
    if now - windowBegan >= HostBounds.pinFloodWindow.count {
      (edgesInWindow, windowBegan) = (0, now)
    }
    edgesInWindow += edges.count
    switch pin {
    case .modemStatus, .powerGood:
      if level == isActive && edges.isEmpty { candidate = nil }
      if !edges.isEmpty || candidate == nil && level != isActive { candidate = (level, now) }
      guard let held = candidate,
        now - held.since >= HostBounds.pinSettling.count || isActive == nil
      else { return [] }
      candidate = nil
      return report(level, since: held.since)
    case .button, .emergency:
      // One that is pressed at the start counts from its next press.
      guard isActive != nil else {
        isActive = level
        return []
      }
      var changes = edges.flatMap { report($0.isActive, since: $0.at) }
      // The kernel had no room for the last change.
      changes += report(level, since: now)
      return changes
    }
  }

  private mutating func report(
    _ isActive: Bool, since: Int64
  ) -> [(isActive: Bool, since: Int64)] {
    guard isActive != self.isActive else { return [] }
    self.isActive = isActive
    return [(isActive, since)]
  }
}
