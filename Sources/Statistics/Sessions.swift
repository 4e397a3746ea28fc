public import TrackerCore

/// Which captures of a tracker belong to one session.
public enum Sessions {
  /// A session begins with a capture that has the trigger `start`, unless that is so soon after the
  /// one before that the tracker was only restarted (`Bounds.restartLimit`).
  ///
  /// - Parameter captures: of one device, in the order in which they were taken.
  /// - Returns: none of them empty.
  public static func split(_ captures: [Capture]) -> [ArraySlice<Capture>] {
    var sessions: [ArraySlice<Capture>] = []
    var first = 0
    for index in captures.indices.dropFirst() {
      guard captures[index].trigger == .start, let now = captures[index].utc,
        let before = captures[index - 1].utc, now - before > Bounds.restartLimit
      else { continue }
      sessions.append(captures[first..<index])
      first = index
    }
    return captures.isEmpty ? [] : sessions + [captures[first...]]
  }
}
