import FeatureService
import TrackerCore

// What must come in time, once nothing is in its way.
extension InvariantWatch {
  /// A search, a wait that a server has asked for and the rest of a contact may come before.
  private static let longestCall = Milliseconds.minutes(15)
  /// A contact that begins at the promised time takes a search and a request.
  private static let longestContact = Milliseconds.minutes(6)

  func checkCall(at now: Instant) {
    guard let called = orders.called, calmFrom < .distantFuture, scenario.badCaptures.isEmpty else {
      return
    }
    let since = now - max(called, max(calmFrom, begun))
    let isHeard = taken[callBegins...].contains { $0.trigger == "\(Trigger.emergency.name)" }
    claim(
      .callSoonHeard, isHeard || since <= Self.longestCall, at: now,
      "nothing is on the server of the call of \(clockText(called - .start))")
  }

  /// Only what was promised after the last trouble. Without a fix there is nothing to send, and a
  /// capture that the server refuses alone is in the way of the others for a while.
  func checkPromise(_ waiting: UInt32, at now: Instant) {
    guard let promise = promises.next, promises.given >= max(calmFrom, begun), promise < now,
      scenario.badCaptures.isEmpty
    else { return }
    guard waiting > 0 else { return promises.forget() }
    claim(
      .promiseKept, now <= promise + Self.longestContact, at: now,
      "\(clockText(promise - .start)) was promised at \(clockText(promises.given - .start))")
  }
}

/// What the uploads have promised of the next one.
struct PromiseWatch {
  /// The date minus the clock of the run.
  private var offset: Int64?
  private var offsets: (first: Int64, most: Int64)?
  /// Of the upload in flight.
  private var offered: Instant?
  /// `nil`: nothing was promised.
  private(set) var next: Instant?
  private(set) var given = Instant.start

  /// By another date it was another time.
  mutating func dated(_ date: UTC, at now: Instant) {
    let offset = date.milliseconds - now.milliseconds
    if let before = self.offset, abs(before - offset) > 2000 { forget() }
    self.offset = offset
    offsets = (offsets?.first ?? offset, max(offsets?.most ?? offset, offset))
  }

  /// How much more time has passed by the dates than in the run.
  var gain: Milliseconds { Milliseconds(offsets.map { $0.most - $0.first } ?? 0) }

  mutating func sent(_ request: UploadRequest) {
    offered = nil
    guard let promise = request.nextContactBy, let offset else { return }
    offered = Instant(milliseconds: promise.milliseconds - offset)
  }

  mutating func heard(at now: Instant) { (next, given) = (offered, now) }

  /// A person's order, or a start, makes other plans.
  mutating func forget() { (offered, next) = (nil, nil) }
}
