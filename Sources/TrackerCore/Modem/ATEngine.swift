/// Speaks AT: one command at a time, and knows which of a modem's lines answer it.
///
/// A modem answers in the order in which it was asked, but not always: it may be off, booting, or
/// mute. A command without an answer in time is over, and the engine is *out of step*: an answer
/// may still come, and must not be taken for the next one's. An answer that has a line of its own
/// (`+CSQ:`) tells itself apart; before any other command a question with such an answer is put
/// first, one to which no answer is owed.
struct ATEngine: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `waiting`.
    case idle
    /// `isTold`: the line of its own has come. Exits: `idle`, `waiting`.
    case waiting(ModemCommand, giveUpAt: Instant, isTold: Bool)
  }

  /// What a line, or the lack of one, means.
  enum Outcome: Sendable, Equatable {
    case nothing
    case done(ModemCommand)
    /// Answered with an error; `code` is that of `+CME ERROR`.
    case failed(ModemCommand, code: Int32?)
    /// No answer in time.
    case silent(ModemCommand)
    /// A fact, asked for or not.
    case told(ModemLine)
  }

  private(set) var state = State.idle
  /// What was not answered in time and may be yet.
  private(set) var owed = CommandSet()
  /// Waits until the engine is in step again.
  private(set) var held: ModemCommand?
  /// Commands in a row without an answer.
  private(set) var silences: Int32 = 0
  /// It repeats what it is told, which is not wanted.
  private(set) var hasEcho = false

  var isIdle: Bool { state == .idle }
  var isInStep: Bool { owed.isEmpty }
  /// Out of step, and no question is left that could bring it back: each has gone unanswered.
  var isAtALoss: Bool { !isInStep && question == nil }

  /// The command whose answer may be coming.
  var awaited: ModemCommand? {
    if case .waiting(let command, _, _) = state { command } else { nil }
  }

  var deadline: Instant? {
    if case .waiting(_, let giveUpAt, _) = state { giveUpAt } else { nil }
  }

  // MARK: Commands

  /// Sends a command, or first what brings the engine into step. One that is in flight is given up.
  mutating func send(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    abandon()
    guard command != .attention, command.answer != .named, !isInStep, let question else {
      return put(command, at: now, into: &sink)
    }
    held = command
    put(question, at: now, into: &sink)
  }

  /// Sends a command whose answer nobody waits for.
  mutating func order(_ command: ModemCommand, into sink: inout some EffectSink & ~Copyable) {
    abandon()
    owed.insert(command)
    sink.send(command)
  }

  /// Sends a command now, in step or not; an answer that was owed may be taken for its own.
  mutating func insist(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    abandon()
    put(command, at: now, into: &sink)
  }

  private mutating func put(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if command == .attention { hasEcho = false }
    state = .waiting(command, giveUpAt: now + command.limit, isTold: false)
    sink.send(command)
  }

  /// A question whose answer cannot be one that is owed.
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

  /// The modem has been started anew, or its line has: nothing is owed any more.
  mutating func restart() { self = ATEngine() }

  /// The modem has said its first words. It has heard nothing of what it was told before, but may
  /// have heard the command that is in flight.
  mutating func modemBegins() {
    let inFlight = awaited
    restart()
    if let inFlight { owed.insert(inFlight) }
  }

  /// Somebody else has been speaking to the modem: what of that is still to come, nobody knows.
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
      // That of the command that switches it off comes before the switch.
      if awaited != .attention { hasEcho = true }
      return .nothing
    case .other: return .nothing
    case .digits:
      guard isInStep, let awaited, awaited.answer == .digits else { return .nothing }
    case .sim, .pinTries, .registration, .signal, .supply, .begins, .ready, .simGone: break
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
    guard case .waiting(let command, _, let isTold) = state else { return .nothing }
    // Without a line of its own this may belong to something earlier.
    let isOwn = isTold || command.answer == .plain || isInStep
    if !isOwn && (!isError || held != nil) { return .nothing }
    silences = 0
    if isTold && !owed.contains(command) { owed = CommandSet() }
    state = .idle
    if let held {
      self.held = nil
      put(held, at: now, into: &sink)
      return .nothing
    }
    let isEmpty = !isTold && command.answer != .plain
    return isError || isEmpty ? .failed(command, code: code) : .done(command)
  }

  /// No answer has come in time.
  mutating func deadlineReached(at now: Instant) -> Outcome {
    guard case .waiting(let command, let giveUpAt, _) = state, now >= giveUpAt else {
      return .nothing
    }
    let asked = held ?? command
    abandon()
    silences += 1
    return .silent(asked)
  }
}

extension ModemLine {
  /// Whether this is the line of its own that a command is answered with.
  fileprivate func isAnswer(to command: ModemCommand) -> Bool {
    switch self {
    case .sim, .simGone: command == .simStatus
    case .pinTries: command == .pinTries
    case .registration: command == .registration
    case .signal: command == .signal
    case .supply: command == .supply
    case .digits: command.answer == .digits
    case .ok, .error, .equipmentError, .begins, .ready, .echo, .other: false
    }
  }
}
