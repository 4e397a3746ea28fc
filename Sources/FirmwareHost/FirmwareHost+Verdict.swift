import CardStore
import TrackerCore

// What a technician asks first: whether a tracker is fit to go, and whether all of its captures are
// there. In the words of trackerctl, which has more causes.
extension FirmwareHost where Device: ~Copyable, Card: ~Copyable {
  /// `GO`, `WAIT` or `NO-GO` with a cause, as the light shows it.
  @inline(never) mutating func sayVerdict(on tracker: borrowing Tracker) {
    let (capturing, sending) = (tracker.captureReason, tracker.sendReason)
    switch light {
    case .working, .waiting, .callAsked:
      if card.pointee.counts.setAside > 0 {
        return say("NO-GO", ConsoleWords.capturesSetAside)
      }
      if case .batteryReserve? = sending { return say("NO-GO", sending) }
      if tracker.pending == 0 { return say("GO") }
      let isLate = undeliveredSince.map { now - $0 >= FirmwareBounds.firstContact } ?? false
      if !hasDelivered {
        if isLate { return say("NO-GO", ConsoleWords.neverReached) }
        say("WAIT", ConsoleWords.firstContact)
      } else if isLate, sending?.properties.subject == .server {
        say("NO-GO", sending)
      } else {
        text.text("GO, ")
        tell(ConsoleWords.waiting, tracker.pending)
      }
    case .noPosition:
      say(now - lightSince < FirmwareBounds.firstFix ? "WAIT" : "NO-GO", capturing)
    case .stopped:
      if case .finished? = capturing { return say("GO", capturing) }
      say("NO-GO", capturing)
    case .storeTrouble: say("NO-GO", .storeFailed)
    case .modemTrouble, .serverTrouble: say("NO-GO", sending)
    case .emergencyAhead, .emergencyRaised, .emergencyDelivered, .emergencyRead:
      say("NO-GO", ConsoleWords.emergency)
    }
  }

  private mutating func say(_ verdict: StaticString, _ reason: Reason?) {
    say(verdict, reason?.words ?? "")
  }

  @inline(never) private mutating func say(_ verdict: StaticString, _ cause: StaticString) {
    text.text(verdict)
    text.text(": ")
    sayCause(cause)
  }

  /// Without what to do about it, which a colon precedes: a controller has no secrets and no shell.
  @inline(never) mutating func sayCause(_ words: StaticString) {
    for index in 0..<words.utf8CodeUnitCount {
      if words.utf8Start[index] == UInt8(ascii: ":") { break }
      text.byte(words.utf8Start[index])
    }
    endLine()
  }

  /// Begins to look at the captures; `wait` goes on.
  @inline(never) mutating func beginProof() {
    guard card.pointee.finding == .mounted else { return say("card: none that can be read") }
    let (oldest, last) = (card.pointee.oldestKey.number, card.pointee.lastKey.number)
    walk = ProofWalk(from: oldest, to: last, before: card.pointee.nextSequence)
    if !walk.isUnderway { sayProof() }
  }

  /// Looks at one more capture, as all of them would hold up the receiver.
  ///
  /// - Returns: `false`: nobody has asked for a proof.
  @inline(never) mutating func goOnWithProof() -> Bool {
    guard walk.isUnderway else { return false }
    let key = CaptureKey(walk.advance())
    if let capture = card.pointee.capture(key) {
      walk.take(capture.sequence, card.pointee.standing(of: key))
    }
    if !walk.isUnderway { sayProof() }
    return true
  }

  @inline(never) private mutating func sayProof() {
    walk.finish()
    say(ConsoleWords.proofHead)
    if walk.found > 0 { sayFound() }
    if walk.missing == 0 { return say(ConsoleWords.proofComplete) }
    tell(ConsoleWords.proofMissing, walk.missing)
  }

  private mutating func sayFound() {
    text.text("  ")
    let words = ConsoleWords.proofDevice
    var index = 0
    while index < words.utf8CodeUnitCount {
      let byte = words.utf8Start[index]
      index += 1
      guard byte == UInt8(ascii: "{") else {
        text.byte(byte)
        continue
      }
      switch words.utf8Start[index] {
      case UInt8(ascii: "1"):
        let device = card.pointee.tracker.text()
        for index in 0..<4 { text.byte(device[index]) }
      case UInt8(ascii: "2"): text.number(walk.first)
      case UInt8(ascii: "3"): text.number(walk.expected - 1)
      case UInt8(ascii: "4"): text.number(walk.found)
      case UInt8(ascii: "5"):
        fill(ConsoleWords.waiting, walk.pending, 0)
        text.text(", ")
        fill(ConsoleWords.delivered, walk.delivered, 0)
        text.text(", ")
        fill(ConsoleWords.setAside, walk.setAside, 0)
      default: text.number(walk.missing)
      }
      index += 2
    }
    endLine()
  }

  /// A line of words with numbers.
  @inline(never) mutating func tell(
    _ words: StaticString, _ first: UInt32, _ second: UInt32 = 0
  ) {
    fill(words, first, second)
    endLine()
  }

  /// Words with numbers for their `{1}` and `{2}`.
  @inline(never) private mutating func fill(
    _ words: StaticString, _ first: UInt32, _ second: UInt32
  ) {
    var index = 0
    while index < words.utf8CodeUnitCount {
      if words.utf8Start[index] == UInt8(ascii: "{") {
        text.number(words.utf8Start[index + 1] == UInt8(ascii: "1") ? first : second)
        index += 3
      } else {
        text.byte(words.utf8Start[index])
        index += 1
      }
    }
  }
}

enum FirmwareBounds {
  // As those of the field console.
  static let firstFix = Milliseconds.minutes(3)
  static let firstContact = Milliseconds.minutes(20)
  /// Until a card that could not be mounted is looked at again: one that answers now and then may
  /// take some seconds, in which nothing else is done.
  static let cardRetry = Milliseconds.minutes(1)
}

/// A walk along a card's captures, which finds the numbers that are missing.
struct ProofWalk {
  private(set) var next: UInt32 = 1
  /// 0: there is none.
  private(set) var last: UInt32 = 0
  private(set) var first: UInt32 = 0
  /// The number that comes next if none is missing; 0: nobody knows yet.
  private(set) var expected: UInt32 = 0
  private(set) var pending: UInt32 = 0
  private(set) var delivered: UInt32 = 0
  private(set) var setAside: UInt32 = 0
  private(set) var missing: UInt32 = 0
  /// The number of the tracker's next capture, when the walk began.
  private var end: UInt32 = 0
  private var keys: UInt32 = 0

  init() {}

  /// - Parameters:
  ///   - first: the oldest key that may be on the card.
  ///   - sequence: the number of the tracker's next capture.
  init(from first: UInt32, to last: UInt32, before sequence: UInt32) {
    next = first
    self.last = last
    end = sequence
    keys = last + 1 - first
    // Nothing has been overwritten: the first one has the number 1.
    if first == 1 { expected = 1 }
  }

  var isUnderway: Bool { next <= last }
  var found: UInt32 { pending + delivered + setAside }

  mutating func advance() -> UInt32 {
    next += 1
    return next - 1
  }

  mutating func take(_ sequence: UInt32, _ standing: CaptureStanding) {
    if found == 0 { first = sequence }
    if expected == 0 { expected = sequence }
    // One that was written twice, because its first write seemed to fail.
    guard sequence >= expected else { return }
    missing += sequence - expected
    expected = sequence &+ 1
    switch standing {
    case .pending: pending += 1
    case .setAside: setAside += 1
    case .delivered: delivered += 1
    }
  }

  mutating func finish() {
    // None can be read: as many are missing as there were keys.
    if expected == 0 { expected = end - min(end, keys) }
    if end > expected { missing += end - expected }
    expected = max(expected, end)
  }
}
