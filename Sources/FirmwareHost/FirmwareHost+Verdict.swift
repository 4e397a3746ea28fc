import CardStore
import TrackerCore

// What a technician asks first: whether a tracker is fit to go, and whether all of its captures are
// there. In the words of trackerctl, which has more causes.
extension FirmwareHost where Device: ~Copyable, Card: ~Copyable {
  /// `GO`, `WAIT` or `NO-GO` with a cause, as the light shows it.
  @inline(never) mutating func sayVerdict(on tracker: borrowing Tracker) {
    let uptime = now - .start
    let (capturing, sending) = (tracker.captureReason, tracker.sendReason)
    switch light {
    case .working, .waiting, .callAsked:
      if case .batteryReserve? = capturing { return say("NO-GO", capturing) }
      if case .batteryReserve? = sending { return say("NO-GO", sending) }
      if tracker.pending == 0 { return say("GO") }
      if hasDelivered {
        tell("GO, ", tracker.pending)
        say(" waiting")
      } else if uptime < FirmwareBounds.firstContact {
        say("WAIT: waiting for the first contact")
      } else {
        say("NO-GO: no server reached since the start")
      }
    case .noPosition: say(uptime < FirmwareBounds.firstFix ? "WAIT" : "NO-GO", capturing)
    case .stopped:
      if case .finished? = capturing { return say("GO", capturing) }
      say("NO-GO", capturing)
    case .storeTrouble: say("NO-GO", .storeFailed)
    case .modemTrouble, .serverTrouble: say("NO-GO", sending)
    case .emergencyAhead, .emergencyRaised, .emergencyDelivered, .emergencyRead:
      say("NO-GO: EMERGENCY")
    }
  }

  @inline(never) private mutating func say(_ verdict: StaticString, _ reason: Reason?) {
    text.text(verdict)
    text.text(": ")
    say(reason?.words ?? "")
  }

  /// Looks at one more capture, as all of them would hold up the receiver.
  ///
  /// - Returns: `false`: nobody has asked for a proof.
  @inline(never) mutating func goOnWithProof() -> Bool {
    guard walk.isUnderway else { return false }
    let key = CaptureKey(walk.next)
    walk.next += 1
    if let capture = card.pointee.capture(key) {
      walk.take(capture.sequence, card.pointee.standing(of: key))
    }
    if walk.next > walk.last { sayProof() }
    return true
  }

  @inline(never) private mutating func sayProof() {
    walk.end(before: card.pointee.nextSequence)
    say("All captures of this tracker, by its store:")
    text.text("  ")
    let device = card.pointee.tracker.text()
    for index in 0..<4 { text.byte(device[index]) }
    tell(": ", walk.first)
    tell(" to ", walk.expected - 1)
    tell("; captured ", walk.pending + walk.delivered + walk.setAside)
    tell(": ", walk.pending)
    tell(" waiting, ", walk.delivered)
    tell(" delivered, ", walk.setAside)
    tell(" set aside; gaps ", walk.missing)
    endLine()
    if walk.missing == 0 { return say("complete: none is missing") }
    tell("INCOMPLETE: ", walk.missing)
    say(" missing")
  }

  @inline(never) private mutating func tell(_ words: StaticString, _ number: UInt32) {
    text.text(words)
    text.number(number)
  }
}

enum FirmwareBounds {
  // As those of the field console.
  static let firstFix = Milliseconds.minutes(3)
  static let firstContact = Milliseconds.minutes(20)
}

/// A walk along a card's captures, which finds the numbers that are missing.
struct ProofWalk {
  var next: UInt32 = 1
  /// 0: there is none.
  private(set) var last: UInt32 = 0
  private(set) var first: UInt32 = 0
  /// The number that comes next if none is missing.
  private(set) var expected: UInt32 = 0
  private(set) var pending: UInt32 = 0
  private(set) var delivered: UInt32 = 0
  private(set) var setAside: UInt32 = 0
  private(set) var missing: UInt32 = 0

  init() {}

  init(from first: UInt32, to last: UInt32) {
    next = first
    self.last = last
  }

  var isUnderway: Bool { next <= last }

  mutating func take(_ sequence: UInt32, _ standing: CaptureStanding) {
    if expected == 0 {
      first = sequence
      expected = sequence
    }
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

  /// - Parameter next: the number of the tracker's next capture.
  mutating func end(before next: UInt32) {
    if expected > 0, next > expected {
      missing += next - expected
      expected = next
    }
  }
}
