/// Sends AT commands, one at a time, and matches a modem's lines to them.
///
/// A modem answers commands in order, but it may not answer at all: it may be off, booting, or
/// mute. After a timeout the engine is *out of step*: the answer may still come, and must not be
/// taken for that of the next command. An answer with a line that names its command (`+CSQ:`) can
/// be identified. Before any other command the engine therefore first sends a query with such an
/// answer, one to which no late answer can come.
///
/// It measures how long the modem takes, and waits longer for one that is slow.
struct ATEngine: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `waiting`.
    case idle
    /// `isTold`: its named line has come. Exits: `idle`, `waiting`.
    case waiting(ModemCommand, giveUpAt: Instant, isTold: Bool)
  }

  /// The meaning of a line, or of a timeout.
  enum Outcome: Sendable, Equatable {
    case nothing
    case done(ModemCommand)
    /// Answered with an error; `code` is that of `+CME ERROR`.
    case failed(ModemCommand, code: Int32?)
    /// The command has timed out.
    case silent(ModemCommand)
    /// Information, requested or not.
    case told(ModemLine)
  }

  private(set) var state = State.idle
  /// Commands that have timed out and may still be answered.
  private(set) var owed = CommandSet()
  /// Waits until the engine is in step again.
  private(set) var held: ModemCommand?
  /// Commands in a row without an answer.
  private(set) var silences: Int32 = 0
  /// How long the modem took for its last answer, milliseconds.
  private var pace: Int32 = 0
  /// Commands that it may still be busy with.
  private var backlog: Int32 = 0
  /// When it could begin with the oldest of these.
  private var busySince = Instant.start
  private var sentAt = Instant.start
  /// The modem echoes commands, which is not wanted.
  private(set) var hasEcho = false

  var isIdle: Bool { state == .idle }
  var isInStep: Bool { owed.isEmpty }
  /// Out of step, and no query is left that could resynchronise it: each has gone unanswered.
  var isAtALoss: Bool { !isInStep && question == nil }

  /// The command whose answer may be coming.
  var awaited: ModemCommand? {
    if case .waiting(let command, _, _) = state { command } else { nil }
  }

  /// Its answers take much of the time that is usually left for them, or more.
  var isSlow: Bool { Milliseconds(Int64(pace) * 2) > Bounds.answerLimit }

  /// How long the answer to a command may take.
  func limit(of command: ModemCommand) -> Milliseconds {
    guard isSlow else { return command.limit }
    let pace = Milliseconds(Int64(pace))
    let limit = command.isAttention ? pace + Bounds.attentionInterval : pace + pace
    return max(command.limit, min(limit, Bounds.slowestAnswer))
  }

  var deadline: Instant? {
    if case .waiting(_, let giveUpAt, _) = state { giveUpAt } else { nil }
  }

  // MARK: Commands

  /// Sends a command, or first a query to get back in step. A command in flight is abandoned.
  mutating func send(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    abandon()
    // If it is asked again, the number of tries left must not be taken for unknown because of
    // another command's OK.
    let isNamed = command.answer == .named && !(command == .pinTries && owed.contains(command))
    guard !command.isAttention, !isNamed, !isInStep, let question else {
      return put(command, at: now, into: &sink)
    }
    held = command
    put(question, at: now, into: &sink)
  }

  /// Sends a command without waiting for its answer.
  mutating func order(_ command: ModemCommand, into sink: inout some EffectSink & ~Copyable) {
    abandon()
    owed.insert(command)
    sink.send(command)
  }

  /// Sends a command now, in step or not; a late answer to an earlier one may be taken for its
  /// answer.
  mutating func insist(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    abandon()
    put(command, at: now, into: &sink)
  }

  private mutating func put(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if command.isAttention { hasEcho = false }
    // A modem that is starting has not heard the ones before.
    if backlog == 0 || command.isAttention || now - busySince > Bounds.slowestAnswer {
      busySince = now
    }
    backlog = min(backlog + 1, 100)
    sentAt = now
    state = .waiting(command, giveUpAt: now + limit(of: command), isTold: false)
    sink.send(command)
  }

  /// A query whose answer cannot be a late one.
  private var question: ModemCommand? {
    if !owed.contains(.signal) { return .signal }
    if !owed.contains(.supply) { return .supply }
    return owed.contains(.simStatus) ? nil : .simStatus
  }

  private mutating func abandon() {
    if let awaited { owed.insert(awaited) }
    held = nil
    state = .idle
  }

  /// The modem or its line has been restarted: no late answers can come.
  mutating func restart() {
    let pace = pace
    self = ATEngine()
    self.pace = pace
  }

  /// The modem has sent its first line after power-on. It has not received any earlier commands,
  /// except perhaps the one in flight.
  mutating func modemBegins() {
    let inFlight = awaited
    restart()
    if let inFlight { owed.insert(inFlight) }
  }

  /// The host has been talking to the modem itself: an unknown late answer may still come.
  mutating func doubt() { owed.insert(.powerOff) }

  // MARK: Answers

  mutating func hear(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    switch line {
    case .ok: return end(nil, isError: false, at: now, into: &sink)
    case .error: return end(nil, isError: true, at: now, into: &sink)
    case .equipmentError(let code): return end(code, isError: true, at: now, into: &sink)
    case .echo:
      // The echo of `ATE0` itself comes before it takes effect.
      if awaited?.isAttention != true { hasEcho = true }
      return .nothing
    case .other: return .nothing
    case .numeric: return awaited?.isAttention == true ? .told(line) : .nothing
    case .digits:
      guard isInStep, let awaited, awaited.answer == .digits else { return .nothing }
    case .sim, .pinTries, .registration, .signal, .supply, .networkOperator, .begins, .ready,
      .simGone, .delivery:
      break
    }
    if case .waiting(let command, let giveUpAt, _) = state, line.isAnswer(to: command) {
      state = .waiting(command, giveUpAt: giveUpAt, isTold: true)
    }
    return .told(line)
  }

  /// OK or an error: of the command in flight, or late.
  private mutating func end(
    _ code: Int32?, isError: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    guard case .waiting(let command, let giveUpAt, let isTold) = state else {
      measure(at: now)
      return .nothing
    }
    // Without its named line this may belong to an earlier command.
    let isOwn = isTold || command.answer == .plain || isInStep
    if isOwn { busySince = max(busySince, sentAt) }
    // An earlier command's answer would make a slow modem seem fast.
    let isCertain = !isOwn || isTold || isInStep || command.isAttention
    measure(isCertain: isCertain, at: now)
    if !isOwn && (!isError || held != nil) {
      guard isSlow else { return .nothing }
      // It works, and is still busy with what it was told before.
      silences = 0
      let limit = max(giveUpAt, now + limit(of: command))
      state = .waiting(command, giveUpAt: limit, isTold: isTold)
      return .nothing
    }
    silences = 0
    if isTold && !owed.contains(command) { owed = CommandSet() }
    if isInStep { backlog = 0 }
    state = .idle
    if let held {
      self.held = nil
      put(held, at: now, into: &sink)
      return .nothing
    }
    let isEmpty = !isTold && command.answer != .plain
    guard isError || isEmpty else { return .done(command) }
    // An OK alone says no more of the SIM than that it is busy: it may be an earlier command's.
    let isBusy = command == .simStatus && !isError
    return .failed(command, code: isBusy ? SIMAccess.busy : code)
  }

  /// A command was answered.
  ///
  /// - Parameter isCertain: it is known how long that took.
  private mutating func measure(isCertain: Bool = true, at now: Instant) {
    guard backlog > 0 else { return }
    backlog -= 1
    defer { busySince = now }
    guard isCertain else { return }
    pace = Int32(max(0, min(now - busySince, Bounds.slowestAnswer)).count)
  }

  /// Checks whether the command in flight has timed out.
  mutating func deadlineReached(at now: Instant) -> Outcome {
    guard case .waiting(let command, let giveUpAt, let isTold) = state, now >= giveUpAt else {
      return .nothing
    }
    let asked = held ?? command
    abandon()
    // Some modems leave out the OK while their SIM is locked.
    if isTold && asked == .simStatus {
      silences = 0
      backlog = 0
      return .done(asked)
    }
    silences += 1
    return .silent(asked)
  }
}

extension ModemLine {
  /// Whether this is the line that answers a command.
  fileprivate func isAnswer(to command: ModemCommand) -> Bool {
    switch self {
    case .sim, .simGone: command == .simStatus
    case .pinTries: command == .pinTries
    case .registration: command.asksForRegistration
    case .signal: command == .signal
    case .supply: command == .supply
    case .networkOperator: command == .networkOperator
    case .digits: command.answer == .digits
    case .ok, .error, .equipmentError, .begins, .ready, .delivery, .numeric, .echo, .other: false
    }
  }
}
