import FeatureService
import TrackerCore

/// Somebody in the control room: reads an emergency of the tracker some seconds after the server
/// has it, and ends it later. What another device with its code sends is not taken for it.
struct EmergencyDesk {
  /// What the server has stored, until somebody looks.
  final class Inbox {
    var captures: [(capture: TakenCapture, at: Instant)] = []
  }

  private let device: UniqueID
  private let code: String
  private let plan: EmergencyPlan
  let inbox = Inbox()
  private var calls = ShownCalls()
  /// Of the emergency that was read or ended last: captures up to this one were of those before.
  private(set) var read: UInt32?
  private(set) var ended: UInt32?
  private var readAt: Instant?

  init(_ plan: EmergencyPlan, device: UniqueID, code: String) {
    (self.plan, self.device, self.code) = (plan, device, code)
  }

  /// Takes what has arrived.
  ///
  /// - Parameter zero: the server's date at the start of the run.
  /// - Returns: the sequence numbers of emergencies' captures, and when each was stored.
  mutating func look(from zero: UTC) -> [(sequence: UInt32, at: Instant)] {
    var new: [(sequence: UInt32, at: Instant)] = []
    for (capture, at) in inbox.captures {
      let sequences = calls.take([capture], of: device, at: at, utc: zero + (at - .start))
      new += sequences.map { ($0, at) }
    }
    inbox.captures = []
    return new
  }

  /// When somebody next does something, as far as is known.
  var due: Instant? {
    guard let first = calls.present.map(\.at).min() else { return nil }
    if read != calls.over {
      return reachable(max(first, .start + plan.peopleFrom) + plan.answerAfter)
    }
    guard ended != calls.over, let readAt else { return nil }
    return reachable(readAt + plan.endsAfter)
  }

  /// Whose server is down cannot answer either. What only the tracker's path does not carry is no
  /// hindrance to people.
  private func reachable(_ instant: Instant) -> Instant {
    let window = plan.scenario.server.first {
      $0.content.isOutage && $0.contains(instant - .start)
    }
    guard let window, let to = window.to else { return instant }
    return .start + to + .seconds(5)
  }

  /// Does what is due.
  ///
  /// - Returns: what was said; `nil`: nothing is due.
  mutating func act(
    on server: SimulatedServer, at now: Instant, utc: UTC
  ) throws -> TrackerMessage.Kind? {
    guard let due, now >= due else { return nil }
    let kind: TrackerMessage.Kind = read == calls.over ? .ended : .read
    guard var answer = calls.answer(kind, to: code, by: "Núria Puig") else { return nil }
    if kind == .ended { answer.text = "som amb ells" }
    try server.answer(answer, at: utc)
    if kind == .read { (read, readAt) = (calls.over, now) } else { ended = calls.over }
    return kind
  }
}

extension Fault {
  /// Whether it keeps everybody from the server, and not only the tracker.
  var isOutage: Bool {
    switch kind {
    case .http, .refuse, .reset, .timeout, .rejectRequest: occasion == .always
    case .httpAfter, .late, .dead, .loseAcknowledgement, .cutAnswer, .unauthorised, .portal,
      .partial:
      false
    }
  }

  /// Whether the tracker gets nothing from it.
  var isBarrier: Bool { isOutage || kind == .dead }
}

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
