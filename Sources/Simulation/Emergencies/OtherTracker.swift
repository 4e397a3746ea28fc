import FeatureService
import TrackerCore
import Uplink

/// Another device with the tracker's code, as when its card was copied: it delivers captures of its
/// own numbers, and may call for help and be answered before the tracker does.
///
/// A class, since a dialogue changes with each request.
final class OtherTracker {
  /// Between two of its captures.
  private static let interval = Milliseconds.minutes(10)
  /// It has been on the way for longer.
  private static let firstSequence: UInt32 = 400
  /// From its call to the answer.
  private static let answered = Milliseconds.seconds(15)

  private let device = UniqueID(high: 0x4000, low: 1 << 63 | 77)
  private let code: String
  private let calls: Instant?
  private var dialogue: ArcGISDialogue?
  private var sequence = OtherTracker.firstSequence
  private(set) var due: Instant? = .start
  private var arrived: UTC?
  private var isAnswered = false

  init(_ plan: EmergencyPlan, code: String) {
    self.code = code
    calls = plan.otherCalls.map { .start + $0 }
    dialogue = try? SimulatedServer.dialogue(plan.scenario.service, code: code)
  }

  /// Does what is due. It reaches the server in any case.
  func act(on server: SimulatedServer, at now: Instant, utc: UTC) throws {
    guard let due, now >= due else { return }
    if let arrived, !isAnswered {
      isAnswered = true
      // All captures up to now are its own, or older.
      try server.answer(
        AnsweredEmergency(
          device: code, since: arrived, object: .max, refusal: 0, kind: .read, author: "Pere Mas"),
        at: utc)
    } else {
      let isCall = calls.map { now >= $0 } ?? false
      send(isCall ? .emergency : .interval, to: server, at: now, utc: utc)
      if isCall, arrived == nil { arrived = utc }
    }
    let next = arrived != nil && !isAnswered ? now + Self.answered : now + Self.interval
    self.due = calls.map { $0 > now ? min($0, next) : next } ?? next
  }

  private func send(_ trigger: Trigger, to server: SimulatedServer, at now: Instant, utc: UTC) {
    let capture = Capture(
      sequence: sequence, utc: utc, isTimeTrusted: true,
      position: Coordinate(latitude: 421_000_000, longitude: 25_000_000),
      team: InlineText("Els altres"), trigger: trigger)
    sequence += 1
    let task = UplinkTask.upload(
      [OutgoingCapture(capture, key: CaptureKey(sequence), device: device)], nextContactBy: nil,
      silence: .none)
    var step = dialogue?.begin(task, at: utc)
    while case .send(let request)? = step {
      let moment = HostTime(utc: utc, uptime: now - .start)
      let reply = server.answer(ServiceRequest(request), Troubles(), at: moment)
      step = dialogue?.receive(HTTPReply(reply), at: utc)
    }
  }
}
