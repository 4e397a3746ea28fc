public import TrackerCore

/// Why a request had no answer.
public enum ModemFailure: UInt8, Sendable, Equatable {
  /// Certainly nothing of it left the modem for the server.
  case unreachable
  /// It was sent, wholly or in part.
  case lost
}

/// What to do for a `ModemPosting`.
public enum ModemPostingStep: Sendable {
  case wait
  /// Send this, and CR.
  case say(StaticString)
  /// Send `ModemWebWords.address`, the address of the next request, a quotation mark and CR.
  case sayAddress
  /// Send `ModemWebWords.authority`, the name of its file, a quotation mark and CR.
  case sayAuthority
  /// Send `ModemWebWords.read`, "0," and this number, and CR.
  case sayRead(Int32)
  /// The request was answered. Call `proceed`.
  ///
  /// - Parameter isPage: the body begins as a web page does, or with blanks only.
  case judge(status: Int32, isPage: Bool)
  /// The modem is free; `nil`: each request had an answer. Otherwise the last one had none.
  case over(ModemFailure?)
}

/// One request after the other by a modem's own HTTP commands (SIM7600, A76XX), without a body:
/// what `ModemDialogues.ModemHTTP` does on Linux, without an allocator. Of an answer it looks at no
/// more than tells a web page.
///
/// While it is active all bytes from the modem go to it, and nothing else may be sent to the modem.
/// It ends within `ModemWebBounds.closeLimit` after the time that it is given, with the modem's
/// service closed; at once if the modem restarts or loses its SIM.
public struct ModemPosting: Sendable {
  enum Step: UInt8, Sendable {
    case idle
    /// Echo off. Exits: `signal`, `closing`.
    case quiet
    /// A query whose answer is identifiable: earlier answers cannot come after it. Exits: `sim`,
    /// `opening`, `closing`.
    case signal
    /// Another one, for a modem that refuses the first. Exits: `opening`, `closing`.
    case sim
    /// Exits: `setting`, `clearing`, `closing`.
    case opening
    /// Closing a service that was left open. Exits: `reopening`, `closing`.
    case clearing
    /// Exits: `setting`, `closing`.
    case reopening
    /// Exits: `setting`, `addressing`, `closing`.
    case setting
    /// Exits: `acting`, `closing`.
    case addressing
    /// The request is being sent. Exits: `reading`, `judging`, `closing`.
    case acting
    /// Exits: `judging`, `closing`.
    case reading
    /// The caller decides. Exits: `addressing`, `closing`.
    case judging
    /// Exits: `idle`.
    case closing
  }

  /// How a server is told from whoever else could take captures and acknowledge them.
  public enum Security: UInt8, Sendable, Equatable {
    case none
    /// By TLS, and the authority whose certificate is in the modem's files.
    case authority
  }

  private let family: ModemFamily
  private var step = Step.idle
  private var until = Instant.start
  private var giveUpAt = Instant.start
  private var security = Security.none
  private var line = ModemLineBuffer()
  /// Whether the query at the beginning was answered.
  private var isTold = false
  private var setting: UInt8 = 0
  private var status: Int32 = 0
  /// Bytes of the body that are still to come.
  private var bodyLeft: Int32 = 0
  private var isBodyOver = false
  /// `nil`: nothing that decides has come yet.
  private var isPage: Bool?
  /// There may be more of the body than is looked at.
  private var hasMore = false
  /// How much has come of what may be in front of the body: the end of the line, and a report.
  private var prefix = Prefix.none
  private var failure: ModemFailure?
  /// The modem has reported that it has no network: pass `linkChanged(isUp: false)` to the tracker.
  public private(set) var isNetworkLost = false

  private enum Prefix: UInt8 {
    /// The line feed of the line before the body comes first.
    case lineFeed
    case none
    case carriageReturn
    case both
    case report
  }

  /// `nil` when modems of the family have no such commands.
  public init?(family: ModemFamily) {
    guard family.words.http != nil else { return nil }
    self.family = family
  }

  public var isActive: Bool { step != .idle }

  public var nextDeadline: Instant? {
    switch step {
    case .idle: nil
    case .closing: until
    case .quiet, .signal, .sim, .opening, .clearing, .reopening, .setting, .addressing, .acting,
      .reading, .judging:
      min(until, giveUpAt)
    }
  }

  /// Begins requests.
  @inline(never) public mutating func begin(
    _ security: Security, at now: Instant
  ) -> ModemPostingStep {
    self.security = security
    giveUpAt = now + ModemWebBounds.taskLimit
    line = ModemLineBuffer()
    bodyLeft = 0
    failure = nil
    isNetworkLost = false
    return say(family.words.attention, .quiet, for: Bounds.slowestAnswer, at: now)
  }

  /// Handles a byte from the modem.
  @inline(never) public mutating func receive(_ byte: UInt8, at now: Instant) -> ModemPostingStep {
    if step == .idle { return .wait }
    if bodyLeft > 0 {
      take(byte, at: now)
      return .wait
    }
    guard line.append(byte) else { return .wait }
    // What is for the core stays until it is taken.
    if line.begins(withOneOf: family.words.begins) || line.begins(withOneOf: family.words.simGone) {
      return abandon()
    }
    defer { line.clear() }
    if line.matches("OK") { return finish(isOK: true, at: now) }
    if line.matches("ERROR") || line.begins(with: "+CME ERROR") || line.begins(with: "+CMS ERROR") {
      return finish(isOK: false, at: now)
    }
    return learn(at: now)
  }

  /// The caller has judged an answer.
  ///
  /// - Parameter hasNext: whether it has another request.
  @inline(never) public mutating func proceed(
    hasNext: Bool, at now: Instant
  ) -> ModemPostingStep {
    guard step == .judging else { return .wait }
    if hasNext, giveUpAt - now >= ModemWebBounds.leastTime { return address(at: now) }
    return close(at: now)
  }

  @inline(never) public mutating func deadlineReached(at now: Instant) -> ModemPostingStep {
    guard let nextDeadline, now >= nextDeadline else { return .wait }
    if step == .closing { return abandon() }
    return step == .reading && isBodyOver ? judge() : fail(at: now)
  }

  /// Ends at once: the modem is needed for something else.
  @inline(never) public mutating func abandon() -> ModemPostingStep {
    if step != .closing { findFailure() }
    step = .idle
    bodyLeft = 0
    return .over(failure)
  }

  /// The line that the modem has said last, and that is for the core, once.
  public mutating func takeNews() -> InlineText<80> {
    var news = InlineText<80>()
    if step != .idle { return news }
    for index in 0..<line.count { news.append(line[index]) }
    line.clear()
    return news
  }

  // MARK: Lines

  @inline(never) private mutating func finish(isOK: Bool, at now: Instant) -> ModemPostingStep {
    switch step {
    case .idle, .judging: return .wait
    case .quiet: return greet(family.words.signal, .signal, at: now)
    case .signal, .sim:
      if isOK && isTold {
        return say(ModemWebWords.open, .opening, for: ModemWebBounds.openLimit, at: now)
      }
      // It may not report that: some do not while they send. Otherwise it is the answer to an
      // earlier command.
      let isRefused = !isOK && step == .signal && line.begins(with: "+CME")
      return isRefused ? greet(family.words.simStatus, .sim, at: now) : .wait
    case .opening where !isOK:
      return say(ModemWebWords.close, .clearing, for: ModemWebBounds.answerLimit, at: now)
    case .opening: setting = 0
    case .clearing:
      return say(ModemWebWords.open, .reopening, for: ModemWebBounds.openLimit, at: now)
    case .reopening:
      guard isOK else { return fail(at: now) }
      setting = 0
    case .setting:
      // An authority that is not there must not mean that anybody is believed.
      guard isOK || setting < Self.firstNeeded else { return fail(at: now) }
      setting += 1
    case .addressing:
      guard isOK else { return fail(at: now) }
      // All the remaining time is for the server.
      return say(ModemWebWords.get, .acting, for: giveUpAt - now, at: now)
    case .acting: return isOK ? .wait : fail(at: now)
    case .reading:
      if isOK { return .wait }
      return isBodyOver ? judge() : fail(at: now)
    case .closing: return abandon()
    }
    return set(at: now)
  }

  @inline(never) private mutating func learn(at now: Instant) -> ModemPostingStep {
    switch step {
    case .signal, .sim: if line.begins(with: step == .sim ? "+CPIN:" : "+CSQ:") { isTold = true }
    case .acting where line.begins(with: "+HTTPACTION:"):
      guard let report = ModemWebReport(line) else { return fail(at: now) }
      if let code = ModemHTTPCode(report.code) {
        take(code)
        return close(at: now)
      }
      // The real status follows.
      if report.code < 200 { return .wait }
      status = report.code
      isPage = nil
      isBodyOver = false
      hasMore = false
      if status >= 300 || report.length == 0 { return judge() }
      step = .reading
      until = now + ModemWebBounds.pieceLimit
      hasMore = report.length.map { $0 > ModemWebBounds.lookedAt } ?? true
      return .sayRead(min(report.length ?? ModemWebBounds.lookedAt, ModemWebBounds.lookedAt))
    case .reading where line.begins(with: "+HTTPREAD:"):
      // `+HTTPREAD: DATA,57` on a SIM7600, `+HTTPREAD: 57` on an A76XX.
      let start = line.firstComma(after: 10).map { $0 + 1 } ?? 10
      guard let count = line.integer(after: start), count <= ModemWebBounds.lookedAt else {
        return fail(at: now)
      }
      if count == 0 { return isBodyOver ? judge() : fail(at: now) }
      bodyLeft = count
      prefix = .lineFeed
      hasMore = hasMore && count == ModemWebBounds.lookedAt
    // Its own limit was longer than ours: it knows why there was no answer.
    case .closing where failure == .lost && line.begins(with: "+HTTPACTION:"):
      if let report = ModemWebReport(line), let code = ModemHTTPCode(report.code) { take(code) }
    case .idle, .quiet, .opening, .clearing, .reopening, .setting, .addressing, .acting, .reading,
      .judging, .closing:
      break
    }
    return .wait
  }

  private mutating func take(_ code: ModemHTTPCode) {
    failure = code.isBeforeSending ? .unreachable : .lost
    isNetworkLost = code.isNetworkLost
  }

  // MARK: The body

  /// A report may come between the mark and the data: CR, LF and a sign; a body of a server does
  /// not begin so.
  private mutating func take(_ byte: UInt8, at now: Instant) {
    var count: Int32 = 1
    switch (prefix, byte) {
    case (.lineFeed, 0x0A):
      prefix = .none
      return
    case (.none, 0x0D) where isPage == nil && bodyLeft > 1:
      prefix = .carriageReturn
      return
    case (.carriageReturn, 0x0A) where bodyLeft > 2:
      prefix = .both
      return
    case (.both, 0x2A), (.both, 0x2B), (.both, 0x5E):
      prefix = .report
      return
    case (.report, _):
      if byte == 0x0A { prefix = .none }
      return
    case (.carriageReturn, _): count = 2
    case (.both, _): count = 3
    case (.lineFeed, _), (.none, _): break
    }
    prefix = .none
    bodyLeft -= count
    if isPage == nil { isPage = LeanUplink.isPage(beginningWith: byte) }
    guard bodyLeft <= 0 else { return }
    bodyLeft = 0
    isBodyOver = true
    // The end of the piece is still to be reported.
    until = now + ModemWebBounds.restLimit
  }

  // MARK: Steps

  @inline(never) private mutating func say(
    _ words: StaticString, _ step: Step, for limit: Milliseconds, at now: Instant
  ) -> ModemPostingStep {
    self.step = step
    until = now + limit
    return .say(words)
  }

  private mutating func greet(
    _ question: StaticString, _ step: Step, at now: Instant
  ) -> ModemPostingStep {
    isTold = false
    return say(question, step, for: ModemWebBounds.answerLimit, at: now)
  }

  private static let firstNeeded: UInt8 = 6

  private mutating func set(at now: Instant) -> ModemPostingStep {
    let words: StaticString
    switch (setting, security) {
    case (0, _): words = "AT+HTTPPARA=\"CONNECTTO\",30"
    case (1, _): words = "AT+HTTPPARA=\"RECVTO\",60"
    case (2, .authority): words = ModemWebWords.tlsVersion
    case (3, .authority): words = ModemWebWords.serverName
    case (4, .authority): words = ModemWebWords.useTLS
    case (5, .authority): words = ModemWebWords.ignoreDate
    case (Self.firstNeeded, .authority):
      _ = say("", .setting, for: ModemWebBounds.answerLimit, at: now)
      return .sayAuthority
    case (7, .authority): words = ModemWebWords.verify
    default: return address(at: now)
    }
    return say(words, .setting, for: ModemWebBounds.answerLimit, at: now)
  }

  private mutating func address(at now: Instant) -> ModemPostingStep {
    _ = say("", .addressing, for: ModemWebBounds.answerLimit, at: now)
    return .sayAddress
  }

  private mutating func judge() -> ModemPostingStep {
    step = .judging
    return .judge(status: status, isPage: isPage ?? hasMore)
  }

  /// Before `acting` nothing was sent to the server.
  private mutating func findFailure() {
    switch step {
    case .judging: failure = nil
    case .acting, .reading: failure = .lost
    case .idle, .quiet, .signal, .sim, .opening, .clearing, .reopening, .setting, .addressing,
      .closing:
      failure = .unreachable
    }
  }

  @inline(never) private mutating func fail(at now: Instant) -> ModemPostingStep {
    findFailure()
    return close(at: now)
  }

  private mutating func close(at now: Instant) -> ModemPostingStep {
    let last = giveUpAt + ModemWebBounds.closeLimit
    bodyLeft = 0
    return say(
      ModemWebWords.close, .closing, for: min(ModemWebBounds.closeLimit, last - now), at: now)
  }
}
