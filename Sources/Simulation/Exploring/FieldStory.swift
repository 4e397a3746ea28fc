import FeatureService
public import Traces
public import TrackerCore

/// What a recording tells of the world that it was made in: a trace and a scenario. So what went
/// wrong at a race can be played again, and made small.
///
/// The receiver is repeated to the byte. Of the network, the server, the modem and the disk only
/// what the tracker noticed is known: a hole in the coverage begins when it was told of, and an
/// answer that was missing counts as one that was lost.
public struct FieldStory {
  public private(set) var scenario = Scenario()
  /// What the receiver sent.
  public private(set) var trace: [UInt8] = []
  /// When a run that plays the trace begins.
  private var start: Instant?
  /// How long that run has gone on.
  private var last = Milliseconds(0)
  private var requestAt = Milliseconds(0)
  /// When a server did last what it should.
  private var answeredAt = Milliseconds(-1)
  /// Why nothing can be sent, and since when.
  private var silence: (reason: String, since: Milliseconds)?
  private var fullSince: Milliseconds?
  private var bootsAt: Instant?

  public init() {}

  /// A recording begins; all after the first one are of the same tracker, started again.
  public mutating func begin(at instant: Instant) {
    defer { bootsAt = instant }
    guard bootsAt != nil, let start else { return }
    endSilence(at: last)
    // The clock goes on while the machine runs.
    let pause = instant - (start + last)
    let isKill = pause >= 0 && pause < .hours(24)
    let time = isKill ? max(.seconds(1), pause) : Milliseconds.minutes(1)
    scenario.restarts.append(
      Restart(at: last, outage: isKill ? .kill : .powerCut, time: time))
    if !isKill { self.start = instant + (0 - (last + time + Outage.bootTime)) }
  }

  public mutating func take(_ recorded: Recorded) {
    if case .bytes(_, .receiver) = recorded.content, start == nil { start = recorded.at }
    last = max(last, recorded.at - (start ?? recorded.at))
    switch recorded.content {
    case .bytes(let bytes, .receiver): trace += bytes
    case .event(let event): happened(event)
    case .effect(let fields): done(String(decoding: fields, as: UTF8.self))
    case .settings, .bytes(_, .modem), .digest, .gap, .end: break
    }
  }

  public mutating func end() {
    endSilence(at: last)
    if let fullSince { add(to: &scenario.store, from: fullSince, .full) }
    fullSince = nil
    // Nobody knows when a server was back that was not heard of again.
    if let trouble = scenario.server.last?.to, trouble > answeredAt {
      scenario.server[scenario.server.count - 1].to = nil
    }
  }

  private mutating func happened(_ event: Event) {
    switch event {
    case .commandGiven(let command, _):
      if command.isInScenarios {
        scenario.commands.append(TimedCommand(at: last, command: command))
      }
    case .storeFailed: fullSince = fullSince ?? last
    case .captureStored:
      if let fullSince { add(to: &scenario.store, from: fullSince, .full) }
      fullSince = nil
    case .uploadFinished(_, let outcome, _): ended(outcome)
    case .reconcileFinished(_, .failed(let status), _):
      add(
        to: &scenario.server, from: requestAt,
        Fault(status > 0 ? .http(status: status, retryAfter: nil) : .cutAnswer, .always, on: .all))
    case .reconcileFinished: answeredAt = last
    case .deadlineReached, .batteryMeasured, .batteryLost, .fetchFinished,
      .queueChanged, .linkChanged, .textFinished, .textsRead, .haltRefused, .lineChanged,
      .pinChanged:
      break
    }
  }

  private mutating func ended(_ outcome: UploadOutcome) {
    let kind: Fault.Kind
    switch outcome {
    case .answered(1..., 0, _, _):
      answeredAt = last
      return
    case .answered(_, 1..., let first, _):
      answeredAt = last
      // Rows of a store count as the sequence numbers do, unless captures were salvaged into it.
      scenario.badCaptures = Set(scenario.badCaptures + [first.number]).sorted()
      return
    case .busy(let status, let wait): kind = .http(status: status, retryAfter: wait)
    case .unauthorised: kind = .unauthorised
    case .refused(let code, _, _): kind = .rejectRequest(code: code)
    case .unreachable: kind = .refuse
    case .ambiguous: kind = .loseAcknowledgement
    case .answered, .stalled, .empty: return
    }
    add(to: &scenario.server, from: requestAt, Fault(kind, .always, on: .all))
  }

  private mutating func done(_ fields: String) {
    if ["upload,", "reconcile,", "fetch,"].contains(where: fields.hasPrefix) { requestAt = last }
    let sending = "note,sending,"
    guard fields.hasPrefix(sending) else { return }
    endSilence(at: last)
    silence = (String(fields.dropFirst(sending.count)), last)
  }

  /// A search of two minutes is none of a modem that has just been switched on.
  private mutating func endSilence(at end: Milliseconds) {
    guard let (reason, since) = silence else { return }
    silence = nil
    let isLong = end - since > .minutes(2)
    switch reason {
    case "searching": if isLong { add(to: &scenario.coverage, from: since, .noService) }
    case "noBearer": if isLong { add(to: &scenario.coverage, from: since, .noBearer) }
    case "registrationDenied": add(to: &scenario.coverage, from: since, .denied)
    case "noSIM": add(to: &scenario.modem, from: since, .noSIM)
    case "simLocked": add(to: &scenario.modem, from: since, .simLocked)
    case "modemSilent": add(to: &scenario.modem, from: since, .mute)
    default: break
    }
  }

  /// Until now; what is the same as before goes on, unless a server has answered meanwhile.
  private func add<Content>(
    to track: inout [Window<Content>], from begin: Milliseconds, _ content: Content
  ) {
    let end = last + 1
    if let before = track.last, before.content == content, before.to ?? end > answeredAt {
      track[track.count - 1].to = end
      return
    }
    let from = max(begin, track.last?.to ?? 0)
    if from < end { track.append(Window(from: from, to: end, content: content)) }
  }
}

extension Command {
  /// Whether a scenario has a name for it.
  fileprivate var isInScenarios: Bool {
    switch self {
    case .start, .stop, .captureNow, .sendNow, .unsetTeam, .raiseEmergency, .withdrawEmergency,
      .askForCall, .endCallRequest, .setTeam, .tryPIN:
      true
    case .test: false
    }
  }
}
