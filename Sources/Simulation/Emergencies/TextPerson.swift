import TrackerCore

/// Somebody whose telephone gets the calls for help, and who answers each with `OK`. The service
/// centre keeps an answer until the tracker's modem is registered.
struct TextPerson {
  private static let answer = "OK Pau"

  private let answerAfter: Milliseconds
  /// When the call that came last is answered; `nil`: none waits for an answer.
  private(set) var due: Instant?
  /// When those that the centre has were sent.
  private var waiting: [UTC] = []

  init(answersAfter time: Milliseconds) { answerAfter = time }

  /// A call has come.
  mutating func called(at now: Instant) { due = due ?? now + answerAfter }

  /// Answers what is due. Returns whether something was.
  ///
  /// - Parameter utc: of `now`, by the network's clock.
  mutating func act(at now: Instant, utc: UTC) -> Bool {
    guard let due, now >= due else { return false }
    self.due = nil
    waiting.append(utc)
    return true
  }

  /// The modem is registered.
  ///
  /// - Parameter number: the telephone's.
  mutating func deliver(to modem: inout ModemEmulator, from number: PhoneNumber) {
    waiting.removeAll { modem.deliver(Self.answer, from: number.string, sent: $0) }
  }
}
