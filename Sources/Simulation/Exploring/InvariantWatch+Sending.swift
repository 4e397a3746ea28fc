import TrackerCore
import Uplink

// What goes out to the server: the freshest first, and nothing again that may have arrived.
extension InvariantWatch {
  /// How long a server without GlobalIDs may still apply what was sent to it: until then it is not
  /// even asked (`CourierBounds.mayActFor`).
  private static let mayActFor = Milliseconds.minutes(10)

  /// A request with these captures goes out.
  func sends(_ captures: [UniqueID], at now: Instant) {
    // One that two trackers have taken goes out under another identifier.
    if let newest = outgoing.takeExpected(), !isUnaware {
      hit(.freshestSent)
      claim(
        .freshestFirst, captures.contains { newest.isNotAfter($0) }, at: now,
        "a contact begins with \(captures.count) others than the newest")
    }
    if scenario.service.kind == .osmAnd { hit(.positionPosted) }
    // A card that has lost what was sent, or is in two trackers, does not know of it.
    // A server that cannot be asked takes all again.
    if !isUnaware, scenario.service.kind == .featureServer {
      for capture in captures { checkAgain(capture, at: now) }
    }
    if outgoing.isWaiting(besides: captures) { hit(.withheld) }
    outgoing.sent(captures, at: now)
  }

  private func checkAgain(_ capture: UniqueID, at now: Instant) {
    guard let before = outgoing.unknown[capture] else { return }
    if scenario.service.takesGlobalIDs {
      // A second copy would be refused: who calls for help does not ask first.
      claim(
        .askedBefore, isUrgent(at: now), at: now,
        "the server was not asked for what was sent to it at \(clockText(before - .start))")
    } else {
      claim(
        .askedBefore, now - before >= Self.mayActFor, at: now,
        "what was sent at \(clockText(before - .start)), and may still be applied, is sent again")
    }
  }

  /// A request has its reply. A server that answers has told what became of it, unless it has
  /// failed meanwhile.
  func replied(_ reply: HTTPReply) {
    if case .response(let status, _, _) = reply, !leavesOpen(status) { outgoing.isAnswered() }
  }

  /// An upload has ended.
  func sent(_ outcome: UploadOutcome) {
    outgoing.ends()
    switch outcome {
    case .ambiguous: return
    case .busy(let status, _) where leavesOpen(status): return
    case .busy, .answered, .refused, .unauthorised, .unreachable, .stalled, .empty:
      outgoing.isKnown()
    }
  }

  /// Whether what was sent may have been applied. Where a second copy is refused it does not matter
  /// what a server has done before it failed, unless somebody else says so in its place.
  private func leavesOpen(_ status: Int32) -> Bool {
    scenario.service.takesGlobalIDs ? status == 504 : status >= 500 && status != 503
  }
}

/// What was sent, as far as the tracker has to know.
struct SendingWatch {
  struct Newest {
    var device: UniqueID
    var sequence: UInt32
    var id: UniqueID { UniqueID(device: device, sequence: sequence) }

    /// Whether the other one is this one, or newer.
    func isNotAfter(_ other: UniqueID) -> Bool {
      other.sequence(of: device).map { $0 >= sequence } ?? false
    }
  }

  /// The newest capture that is on disk, if it was never sent.
  private var newest: Newest?
  /// What may be announced later.
  private var everSent: Set<UniqueID> = []
  /// An upload has begun and not ended. Its captures may have gone out, as far as the next program
  /// or the next upload knows.
  private var isOpen = false
  /// Nothing was sent in the present contact yet, or there is none.
  private var isNewContact = true
  /// What the next request has to have in it.
  private var expected: Newest?
  /// When each was sent last whose delivery is not known.
  private(set) var unknown: [UniqueID: Instant] = [:]
  /// What the present upload has sent, and the present request of it.
  private var current: [UniqueID] = []
  private var request: [UniqueID] = []

  /// It was announced that this one is on disk. One that is there already may be announced next.
  mutating func stored(_ sequence: UInt32, of device: UniqueID) {
    newest = Newest(device: device, sequence: sequence)
    if everSent.contains(newest?.id ?? device) { newest = nil }
  }

  /// Nothing is sent: between contacts for these reasons only.
  mutating func rests(_ reason: Reason) {
    if reason == .notDue || reason == .nothingPending { isNewContact = true }
  }

  mutating func begins() {
    if isOpen { newest = nil }
    isOpen = true
    expected = isNewContact ? newest : nil
    (isNewContact, current, request) = (false, [], [])
  }

  mutating func ends() { isOpen = false }

  mutating func takeExpected() -> Newest? {
    defer { expected = nil }
    return expected
  }

  /// Whether there is something whose delivery is not known, and that is not sent again now.
  func isWaiting(besides captures: [UniqueID]) -> Bool {
    !unknown.isEmpty && !captures.contains { unknown[$0] != nil }
  }

  mutating func sent(_ captures: [UniqueID], at now: Instant) {
    if let waits = newest, captures.contains(waits.id) { newest = nil }
    everSent.formUnion(captures)
    for capture in captures { unknown[capture] = now }
    current += captures
    request = captures
  }

  /// The server has answered for what the present request has sent.
  mutating func isAnswered() {
    for capture in request { unknown[capture] = nil }
    request = []
  }

  /// The server has answered for what the present upload has sent, or cannot have got it.
  mutating func isKnown() {
    for capture in current { unknown[capture] = nil }
    (current, request) = ([], [])
  }

  /// The server was asked what it has, and has answered.
  mutating func asked() { unknown = [:] }

  /// The next program has only what is on disk.
  ///
  /// - Parameter forgets: also what was sent.
  mutating func restarted(forgets: Bool) {
    if isOpen { newest = nil }
    isOpen = false
    if forgets { unknown = [:] }
    (isNewContact, expected, current, request) = (true, nil, [], [])
  }

  /// A card has lost what was on it.
  mutating func lost() { (newest, expected, unknown) = (nil, nil, [:]) }
}
