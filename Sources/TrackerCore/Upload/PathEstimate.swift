/// What the path to the server carries and how fast it answers, as far as recent requests tell.
///
/// Some networks swallow large requests, or whatever comes after the first kilobytes of a
/// connection. After a request without an answer the next ones are small and on new connections,
/// and grow while they are answered. If a larger one is lost then, twice in a row, the size is to
/// blame: the largest that was answered stays the limit, and only rarely a larger request is tried.
/// A single loss costs a few small requests.
///
/// Sizes are those of the bodies in bytes, of requests with captures only.
public struct PathEstimate: Sendable, Equatable {
  /// `nil`: requests may have any size. A single capture is always sent.
  private var limit: Int32?
  /// The largest that was answered since the last loss of one that was not larger.
  private var carried: Int32 = 0
  /// How often in a row a larger request than `carried` was lost.
  private var strikes: Int32 = 0
  private var isCertain: Bool { strikes >= Bounds.pathStrikes }
  /// When a larger request is tried, and how long after that the next one.
  private var probeAt = Instant.start
  private var pause = Bounds.pathProbe
  /// Until then a connection is not used twice.
  private var newConnectionsUntil = Instant.start

  /// How long answers took: the longest one, slowly forgotten.
  private var usualAnswer: Milliseconds?
  /// Requests without an answer since the last one.
  private var losses: Int64 = 0

  public init() {}

  // MARK: Questions

  /// Something on the path limits the size of requests to this; `nil`: not that it is known.
  public var knownLimit: Int32? { isCertain ? carried : nil }

  /// The largest request to send now; `nil`: any.
  ///
  /// - Parameter mayProbe: a loss would do little harm now.
  public func limit(mayProbe: Bool, at now: Instant) -> Int32? {
    guard let limit else { return nil }
    return isCertain && mayProbe && now >= probeAt ? limit * 2 : limit
  }

  public func wantsNewConnection(at now: Instant) -> Bool {
    limit != nil || now < newConnectionsUntil
  }

  /// How long to wait for the answer to so many bytes while nothing moves. Every other time after a
  /// loss it is not longer than before: some servers are slow, others leave requests unanswered.
  public func patience(bytes: Int32) -> Milliseconds {
    let usual = usualAnswer.map { Bounds.answerMargin + Milliseconds($0.count * 4) }
    let least = max(usual ?? Bounds.firstAnswer, Bounds.shortestAnswer)
    let doubled = Milliseconds(least.count << (losses % 2 == 0 ? 0 : min(losses, 3)))
    let transfer = Milliseconds(Int64(bytes) / Bounds.slowBytesPerMillisecond)
    return min(doubled + transfer, Bounds.longestAnswer)
  }

  // MARK: News

  /// Any request was answered after so long.
  public mutating func answered(after time: Milliseconds) {
    losses = 0
    let before = usualAnswer ?? 0
    usualAnswer = max(time, Milliseconds(before.count - before.count / 8))
  }

  /// Any request was not.
  public mutating func lost(at now: Instant) {
    losses = min(losses + 1, 100)
    newConnectionsUntil = now + Bounds.pathProbe
  }

  /// A request with captures was answered.
  public mutating func carried(_ bytes: Int32) {
    guard let limit else { return }
    if isLarger(bytes) { strikes = 0 }
    carried = max(carried, bytes)
    guard !isCertain, bytes > limit / 2 else { return }
    let next = max(bytes, limit) * 2
    if next > Bounds.pathBytes { freeSize() } else { self.limit = next }
  }

  /// A request with captures was lost on a new connection.
  public mutating func swallowed(_ bytes: Int32, at now: Instant) {
    guard limit != nil, isLarger(bytes) else {
      freeSize()
      limit = 0
      return
    }
    limit = carried
    strikes = min(strikes + 1, Bounds.pathStrikes)
    guard isCertain else { return }
    probeAt = now + pause
    pause = min(Milliseconds(pause.count * 2), Bounds.longestPathProbe)
  }

  /// Than what was answered: as many captures differ by a few bytes.
  private func isLarger(_ bytes: Int32) -> Bool { carried > 0 && bytes > carried + carried / 8 }

  private mutating func freeSize() {
    limit = nil
    carried = 0
    strikes = 0
    pause = Bounds.pathProbe
  }
}
