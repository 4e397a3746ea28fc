import FeatureService
import TrackerCore

/// A world with people in it: a team that calls for help, and somebody in the control room. It also
/// ends the tracker's program where the plan says so.
struct EmergencyHost: Host, ~Copyable {
  /// A team looks at its tracker this often, and calls again where that does not show its call.
  private static let look = Milliseconds.seconds(30)
  /// Longer than a board without an emergency button asks for.
  private static let press = Milliseconds(6500)
  /// What has happened is noticed this late at most.
  private static let pace = Milliseconds.seconds(5)
  /// More than a full buffer of bytes and all that is due at one instant.
  private static let mostIdleCalls = 100_000
  /// An emergency that is over leaves only a little to see.
  private static let afterEnd = Milliseconds.minutes(2)

  var base: World
  private let plan: EmergencyPlan
  private let first: Identity
  private var desk: EmergencyDesk
  private let other: OtherTracker?
  private var telephone: TextPerson?
  private(set) var log = EmergencyLog()

  /// Where time stands; the world's clock stays at what happened last.
  private var time = Instant.start
  private var actsDone = 0
  private var isCalling = false
  /// The team looks then.
  private var nextLook: Instant?
  /// What the tracker shows; `nil`: no emergency.
  private var shown: EmergencyRecord.Stage?
  private var effects = 0
  private var endsDone = 0
  /// The program is about to end.
  private var dying: EmergencyPlan.End?
  /// Calls since the time went on.
  private var idleCalls = 0
  /// The tracker has asked to be called again and again: the race is broken off.
  private(set) var isStuck = false
  /// Why the race could not be played.
  private(set) var problem: (any Error)?

  init(_ base: consuming World, _ plan: EmergencyPlan, _ first: Identity, code: String) {
    desk = EmergencyDesk(plan, device: first.device, code: code)
    other = plan.hasOther ? OtherTracker(plan, code: code) : nil
    telephone = plan.textAnswerAfter.map { TextPerson(answersAfter: $0) }
    self.base = base
    (self.plan, self.first) = (plan, first)
    let inbox = desk.inbox
    self.base.onStored = { captures, now in
      inbox.captures += captures.map { ($0, now) }
    }
  }

  var now: Instant { base.now }
  var newSettings: NewSettings? { base.newSettings }

  mutating func keepStory() { log.keepsStory = true }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    do {
      if let end = dying {
        dying = nil
        try base.end(by: end.outage, for: end.time)
        log.ended(end.outage, from: now, to: base.haltedMachine?.runsAt ?? now)
      }
      while true {
        try act()
        base.pausesAt = min(nextAct, time + Self.pace)
        let before = now
        let arrival = base.wait(until: deadline, filling: &buffer)
        idleCalls = now > before || arrival == .inspection ? 0 : idleCalls + 1
        isStuck = idleCalls > Self.mostIdleCalls
        if isStuck { return .end }
        time = arrival == .inspection ? base.pausesAt : max(time, now)
        notice()
        if arrival != .inspection { return arrival }
      }
    } catch {
      problem = error
      return .end
    }
  }

  mutating func push(_ effect: Effect) {
    guard dying == nil else { return }
    if case .note(let note) = effect { hear(note) }
    base.push(effect)
    count()
  }

  mutating func remember(_ memory: Memory) {
    guard dying == nil else { return }
    base.remember(memory)
    count()
  }

  mutating func restart(_ tracker: inout Tracker) {
    do {
      let identity = try base.successor(of: first)
      shown = identity.memory.emergency.map(\.stage)
      // It may have been killed between its memory and its light.
      if let shown {
        if shown < .withdrawn, isCalling { log.taken(at: now, joules: joules) }
        if shown > .stored { log.shown(shown, at: now, joules: joules) }
      }
      log.add("starts again; remembers \(shown.map { "\($0.name)" } ?? "nothing")", at: now)
      tracker = Tracker(
        board: tracker.board, configuration: tracker.configuration, identity: identity, at: now)
    } catch {
      problem = error
      base.breaksOffAt = now
    }
  }

  // MARK: The tracker

  /// Ends the program at the effect that the plan names.
  private mutating func count() {
    guard log.pressed != nil, endsDone < plan.ends.count else { return }
    effects += 1
    guard effects >= plan.ends[endsDone].afterEffects else { return }
    dying = plan.ends[endsDone]
    endsDone += 1
  }

  private mutating func hear(_ note: Note) {
    switch note {
    case .emergency(let stage):
      shown = stage
      log.shown(stage, at: now, joules: joules)
      if stage == .ended, actsDone == plan.acts.count {
        base.breaksOffAt = min(base.breaksOffAt, now + Self.afterEnd)
      }
    case .modem(let phase): log.add("modem \(phase)", at: now)
    case .textFinished(let wasSent): log.add("text \(wasSent ? "sent" : "not sent")", at: now)
    case .sending(let reason?): log.add("not sending: \(reason)", at: now)
    default: break
    }
  }

  var joules: Double { base.meter.drawnMillijoules / 1000 }

  private mutating func notice() {
    for call in desk.look(from: base.serverUTC(at: .start)) {
      log.stored(call.sequence, at: call.at)
    }
    if log.texts(base.texts, at: time) { telephone?.called(at: time) }
    let isRegistered = base.modem.activity == .registered
    log.registered(isRegistered, at: time)
    if isRegistered, let number = plan.configuration.textTo {
      telephone?.deliver(to: &base.modem, from: number)
    }
  }

  // MARK: People

  private var nextAct: Instant {
    var next = Instant.distantFuture
    if actsDone < plan.acts.count { next = min(next, .start + plan.acts[actsDone].at) }
    if let nextLook { next = min(next, nextLook) }
    if let due = desk.due { next = min(next, due) }
    if let due = other?.due { next = min(next, due) }
    if let due = telephone?.due { next = min(next, due) }
    return max(next, time + Milliseconds(1))
  }

  private mutating func act() throws {
    if actsDone < plan.acts.count, time >= .start + plan.acts[actsDone].at {
      isCalling = plan.acts[actsDone].calls
      actsDone += 1
      // An emergency that somebody has ended is none.
      if shown == .ended { shown = nil }
      // A call that the team could not withdraw is still the same.
      if isCalling, !log.isTaken { log.pressed(at: time, nextSequence: base.store.nextSequence) }
      nextLook = time
    }
    if let nextLook, time >= nextLook { lookAtTracker() }
    let utc = base.serverUTC(at: time)
    if let kind = try desk.act(on: base.server, at: time, utc: utc) {
      log.answered(kind, at: time)
    }
    if telephone?.act(at: time, utc: utc) ?? false { log.answered(.read, byText: true, at: time) }
    try other?.act(on: base.server, at: time, utc: utc)
  }

  /// The team does again what the tracker does not show.
  private mutating func lookAtTracker() {
    nextLook = time + Self.look
    guard base.haltedMachine == nil, shown != .ended else { return }
    let isStanding = shown.map { $0 < .withdrawn } ?? false
    guard isStanding != isCalling else { return }
    if isCalling { log.pressedAgain(at: time) }
    log.add(isCalling ? "the team calls" : "the team withdraws its call", at: time)
    guard plan.usesButton else {
      let command: Command = isCalling ? .raiseEmergency : .withdrawEmergency
      return base.give(.commandGiven(command, from: .console), at: time)
    }
    base.give(.pinChanged(.button, isActive: true, since: 0), at: time)
    base.give(.pinChanged(.button, isActive: false, since: 0), at: time + Self.press)
  }
}

/// What happened in a race with an emergency.
struct EmergencyLog {
  var keepsStory = false
  private var story: [(at: Instant, text: String)] = []
  /// The last call: when the team made it, and when the tracker had taken it.
  private(set) var pressed: Instant?
  private(set) var called: Instant?
  /// Of captures of the emergency that was called last.
  private var firstSequence: UInt32 = 0
  private(set) var isTaken = false
  private(set) var server: Instant?
  private(set) var text: Instant?
  private(set) var read: Instant?
  private(set) var readByPerson: Instant?
  /// Whether that person has answered by text message.
  private(set) var isReadByText = false
  private(set) var isForgotten = false
  private(set) var isToldTooEarly = false
  private(set) var outages: [EmergencyOutcome.Barrier] = []
  /// Since when the modem is registered, and until when it was.
  private var registrations: [(from: Instant, to: Instant)] = []
  private var isRegistered = false
  private var textsBefore = 0
  /// Of the first call and of the end.
  private(set) var begun: (at: Instant, joules: Double)?
  private(set) var over: (at: Instant, joules: Double)?

  mutating func add(_ text: @autoclosure () -> String, at now: Instant) {
    if keepsStory { story.append((now, text())) }
  }

  func lines() -> [EmergencyOutcome.Line] {
    story.map { EmergencyOutcome.Line(at: $0.at - (pressed ?? .start), text: $0.text) }
  }

  // MARK: The tracker

  mutating func pressed(at now: Instant, nextSequence: UInt32) {
    (pressed, firstSequence, isTaken) = (now, nextSequence, false)
    (called, server, text, read, readByPerson) = (nil, nil, nil, nil, nil)
  }

  /// The tracker shows nothing of a call.
  mutating func pressedAgain(at now: Instant) {
    if isTaken { isForgotten = true }
  }

  mutating func shown(_ stage: EmergencyRecord.Stage, at now: Instant, joules: Double) {
    add("shows \(stage.name)", at: now)
    switch stage {
    case .raised: taken(at: now, joules: joules)
    case .stored: break
    // Until the tracker has taken the last call it tells of the one before.
    case .delivered, .read:
      guard isTaken else { return }
      if (stage == .read ? readByPerson : server) == nil { isToldTooEarly = true }
      if stage == .read, read == nil { read = now }
    case .withdrawn: isTaken = false
    case .ended: (isTaken, over) = (false, (now, joules))
    }
  }

  /// The tracker remembers the call.
  mutating func taken(at now: Instant, joules: Double) {
    if begun == nil { begun = (now, joules) }
    over = nil
    guard pressed != nil, !isTaken else { return }
    (called, isTaken) = (now, true)
  }

  mutating func ended(_ outage: Outage, from: Instant, to: Instant) {
    add(outage == .kill ? "the program is killed" : "the power is cut", at: from)
    outages.append(.init(kind: .noProgram, from: from, to: to))
  }

  // MARK: What is true

  mutating func stored(_ sequence: UInt32, at now: Instant) {
    guard sequence >= firstSequence, pressed != nil, server == nil else { return }
    add("the server has capture \(sequence)", at: now)
    server = now
  }

  /// - Returns: whether a call has gone out by text message.
  mutating func texts(_ count: Int, at now: Instant) -> Bool {
    defer { textsBefore = count }
    guard count > textsBefore, called != nil else { return false }
    text = text ?? now
    return isTaken
  }

  mutating func registered(_ isRegistered: Bool, at now: Instant) {
    defer { self.isRegistered = isRegistered }
    if isRegistered, !self.isRegistered { registrations.append((now, .distantFuture)) }
    if !isRegistered, self.isRegistered { registrations[registrations.count - 1].to = now }
  }

  mutating func answered(_ kind: TrackerMessage.Kind, byText: Bool = false, at now: Instant) {
    let who = byText ? "whoever has the telephone" : "somebody in the control room"
    add("\(who) says \(kind.rawValue)", at: now)
    if kind == .read, readByPerson == nil { (readByPerson, isReadByText) = (now, byText) }
  }

  /// The first time from `instant` on that the modem was registered.
  func registration(from instant: Instant) -> Instant? {
    registrations.first { $0.to > instant }.map { max($0.from, instant) }
  }
}
