import LeanUplink
public import TrackerCore
public import Uplink
public import Wording

/// The result of a request by a modem's own HTTP commands.
public struct ModemHTTPResult: Sendable, Equatable {
  /// `unreachable`, `tooLarge` and `stalled` only if certainly nothing of the request left the
  /// modem for the server.
  public var reply: HTTPReply
  /// One line for the log, free of secrets; `nil` when there is an answer.
  public var problem: Texts?
  /// The cause of the problem; `nil`: the modem did not say.
  public var cause: FailureCause?
  /// The modem reports that it has no network: pass `linkChanged(isUp: false)` to the tracker.
  public var isNetworkLost = false
}

/// Sends requests, one at a time, by a modem's own HTTP commands (SIM7600, A76XX), without I/O.
///
/// While it is active, all bytes from the modem go to it, and nothing else may be sent to the
/// modem. It returns what to send and its next deadline, and finally a result:
///
///     send(http.begin(request, at: now))
///     …  send(http.receive(bytes, at: now))  …  send(http.deadlineReached(at: now))  …
///     if let result = http.takeResult() { … }
///
/// It switches the echo off first, and ends within `ModemBounds.closeLimit` after the time that it
/// is given, with the modem's service closed; at once if the modem restarts or loses its SIM. The
/// modem may follow redirects itself.
public struct ModemHTTP: ModemDialogue {
  enum Step: Sendable, Equatable {
    /// Echo off. Exits: `greeting`, `closing`.
    case quiet
    /// A query whose answer is identifiable: earlier answers cannot come after it. Exits:
    /// `opening`, `closing`.
    case greeting(Greeting, isTold: Bool)
    /// Exits: `setting`, `clearing`, `closing`.
    case opening(isSecond: Bool)
    /// Closing a service that was left open. Exits: `opening`, `closing`.
    case clearing
    /// Exits: `offering`, `acting`, `closing`.
    case setting(Int)
    /// Exits: `pouring`, `closing`.
    case offering
    /// Exits: `acting`, `closing`.
    case pouring
    /// The request is being sent. Exits: `heading`, `reading`, `closing`.
    case acting
    /// Exits: `reading`, `closing`.
    case heading
    /// Exits: `closing`.
    case reading
    /// With the result. Exits: `over`.
    case closing(ModemHTTPResult)
  }

  /// The queries that it begins with: the second for a modem that refuses the first.
  enum Greeting: Sendable {
    case signal
    case sim

    var answer: String { self == .signal ? "+CSQ:" : "+CPIN:" }
  }

  enum State: Sendable, Equatable {
    case idle
    case active(Step, until: Instant)
    case over(ModemHTTPResult)
  }

  let words: ModemStrings
  let httpWords: ModemHTTPStrings
  let trust: ModemTrust
  private(set) var state = State.idle
  var stream = ModemStream()
  private(set) var request: ModemHTTPRequest?
  /// From then on nothing is left but closing the service.
  private(set) var giveUpAt = Instant.start
  /// Whether the modem's own limits could outlast that.
  private var isLate = false
  /// `giveUpAt` of the last request that was answered: others with the same belong to one task, and
  /// the server was reached lately.
  private var reached: Instant?
  /// What was said last, and how long the modem took for an answer.
  private var saidAt = Instant.start
  private var pace = Milliseconds(0)
  var answer = ModemHTTPAnswer()

  /// `nil` when modems of the family have no HTTP commands.
  public init?(family: ModemFamily, trust: ModemTrust) {
    words = family.words
    guard let http = family.words.http else { return nil }
    httpWords = http
    self.trust = trust
  }

  public var isActive: Bool { if case .active = state { true } else { false } }

  var nextDeadline: Instant? {
    guard case .active(let step, let until) = state else { return nil }
    if case .closing = step { return until }
    return min(until, giveUpAt)
  }

  /// The result, once.
  mutating func takeResult() -> ModemHTTPResult? {
    guard case .over(let result) = state else { return nil }
    state = .idle
    return result
  }

  /// Begins a request. An active one is dropped without a result.
  ///
  /// - Parameter giveUpAt: when it has to be over, but for closing the service.
  /// - Returns: what to send; nothing if the request cannot be sent and the result is available.
  mutating func begin(
    _ request: HTTPRequest, until giveUpAt: Instant, at now: Instant
  ) -> [UInt8] {
    stream = ModemStream()
    answer = ModemHTTPAnswer()
    self.giveUpAt = giveUpAt
    isLate = giveUpAt - now < ModemBounds.ownConnectLimit && reached != giveUpAt
    guard giveUpAt - now >= ModemBounds.leastTime else { return conclude(Self.tooSlow) }
    do throws(ModemHTTPError) {
      self.request = try ModemHTTPRequest(request, words: httpWords, trust: trust)
      self.request?.limit(to: giveUpAt - now)
    } catch {
      return conclude(
        ModemHTTPResult(reply: error.isSize ? .tooLarge : .unreachable, problem: error.texts))
    }
    return say(words.attention.text, .quiet, for: Bounds.slowestAnswer, at: now)
  }

  /// A smaller upload may be in time.
  private static let tooSlow = ModemHTTPResult(
    reply: .stalled, problem: ModemPhrase.tooSlow.texts)

  /// The modem does not take a setting that the request could do without.
  ///
  /// - Returns: a result if the request must not be sent now: the line would not be free in time.
  func refused(_ setting: ModemHTTPRequest.Setting) -> ModemHTTPResult? {
    setting.isLimit && isLate ? Self.tooSlow : nil
  }

  /// `nextDeadline` has come. Returns what to send.
  mutating func deadlineReached(at now: Instant) -> [UInt8] {
    guard case .active(let step, _) = state, let nextDeadline, now >= nextDeadline else {
      return []
    }
    return timeIsUp(step, at: now)
  }

  /// Ends at once.
  ///
  /// - Returns: what to send to a modem that may be waiting for the rest of a body, which would
  ///   take the next commands for it.
  mutating func abandon(_ reason: AbandonReason) -> [UInt8] {
    leave(broken(reason.problem))
  }

  mutating func interrupt(_ interruption: ModemInterruption) -> [UInt8] {
    let closing = leave(broken(interruption.problem))
    return interruption == .restart ? [] : closing
  }

  /// Ends at once with a result, unless there is one already.
  private mutating func leave(_ result: ModemHTTPResult) -> [UInt8] {
    guard case .active(let step, _) = state else { return [] }
    switch step {
    case .closing(let result): return conclude(result)
    case .offering, .pouring: return conclude(result) + filling + [0x0D]
    case .quiet, .greeting, .opening, .clearing, .setting, .acting, .heading, .reading:
      return conclude(result)
    }
  }

  /// The line did not accept the last output, and has discarded what it had not sent.
  ///
  /// - Returns: what to send instead.
  mutating func lineRefused(at now: Instant) -> [UInt8] {
    guard case .active(let step, _) = state else { return [] }
    let problem = broken(.acceptsNoData)
    switch step {
    case .offering, .pouring: return closeAfterFilling(problem, at: now)
    // The modem expects a command.
    case .closing(let result): return close(result, at: now)
    case .quiet, .greeting, .opening, .clearing, .setting, .acting, .heading, .reading:
      return close(problem, at: now)
    }
  }

  // MARK: Steps

  /// Enters a step, or continues it with another time limit.
  mutating func enter(_ step: Step, until: Instant) { state = .active(step, until: until) }

  /// A command was answered.
  mutating func measure(at now: Instant) { pace = now - saidAt }

  mutating func conclude(_ result: ModemHTTPResult) -> [UInt8] {
    if case .response = result.reply { reached = giveUpAt }
    state = .over(result)
    return []
  }

  /// Sends a line and waits for its answer.
  mutating func say(
    _ line: String, _ step: Step, for limit: Milliseconds, at now: Instant
  ) -> [UInt8] {
    saidAt = now
    enter(step, until: now + max(limit, min(pace + pace, Bounds.slowestAnswer)))
    return Array("\(line)\r".utf8)
  }

  /// A failure; before `acting` nothing was sent to the server.
  func broken(_ phrase: ModemPhrase) -> ModemHTTPResult {
    var result = broken(phrase.texts)
    result.cause = phrase.cause
    return result
  }

  func broken(_ problem: Texts) -> ModemHTTPResult {
    guard case .active(let step, _) = state else {
      return ModemHTTPResult(reply: .unreachable, problem: problem)
    }
    switch step {
    case .acting, .heading, .reading, .closing:
      return ModemHTTPResult(reply: .lost, problem: problem)
    case .offering, .pouring: return ModemHTTPResult(reply: .stalled, problem: problem)
    case .quiet, .greeting, .opening, .clearing, .setting:
      return ModemHTTPResult(reply: .unreachable, problem: problem)
    }
  }

  mutating func close(_ result: ModemHTTPResult, at now: Instant) -> [UInt8] {
    close(result, for: ModemBounds.closeLimit, at: now)
  }

  private mutating func close(
    _ result: ModemHTTPResult, for limit: Milliseconds, at now: Instant
  ) -> [UInt8] {
    let last = giveUpAt + ModemBounds.closeLimit
    return say(ModemWebWords.close.text, .closing(result), for: min(limit, last - now), at: now)
  }

  /// Pads the body: a modem that is waiting for the rest of it must not take the next command for
  /// it.
  private mutating func closeAfterFilling(
    _ result: ModemHTTPResult, at now: Instant
  ) -> [UInt8] {
    let filling = filling
    let limit = ModemBounds.closeLimit + ModemBounds.pouring(filling.count)
    return filling + close(result, for: limit, at: now)
  }

  /// As many bytes as a modem can still be waiting for.
  private var filling: [UInt8] { [UInt8](repeating: 0x20, count: request?.body.count ?? 0) }

  private mutating func timeIsUp(_ step: Step, at now: Instant) -> [UInt8] {
    switch step {
    case .closing(let result): return conclude(result)
    // The headers are optional.
    case .heading where now < giveUpAt: return read(at: now)
    case .reading where answer.isWhole: return close(answered, at: now)
    case .pouring:
      return closeAfterFilling(broken(.doesNotTake), at: now)
    case .quiet, .greeting, .opening, .clearing, .setting, .offering, .acting, .heading, .reading:
      return close(broken(.silent), at: now)
    }
  }
}
