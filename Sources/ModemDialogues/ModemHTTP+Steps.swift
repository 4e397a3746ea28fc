import LeanUplink
import TrackerCore
import Uplink
import Wording

// Handles the modem's answers at each step and sends the next command.
extension ModemHTTP {
  mutating func hear(_ piece: ModemStream.Piece, at now: Instant) -> [UInt8] {
    guard case .active(let step, _) = state else { return [] }
    switch piece {
    case .prompt: return []
    case .bytes(let bytes): return take(bytes, step, at: now)
    case .line(let line):
      if let end = ModemEnd(line) { return finish(step, end, at: now) }
      return learn(line, step, at: now)
    }
  }

  // MARK: Ends of commands

  private mutating func finish(_ step: Step, _ end: ModemEnd, at now: Instant) -> [UInt8] {
    measure(at: now)
    switch (step, end) {
    case (.quiet, _): return greet(words.signal, .signal, at: now)
    case (.greeting(_, isTold: true), .ok): return open(isSecond: false, at: now)
    // It may not report that: some do not while they send.
    case (.greeting(.signal, _), .error(let line)) where line.hasPrefix("+CME"):
      return greet(words.simStatus, .sim, at: now)
    // The answer to an earlier command.
    case (.greeting, _): return []
    case (.opening, .ok): return set(0, at: now)
    case (.opening(isSecond: false), .error):
      return say(ModemWebWords.close.text, .clearing, for: ModemBounds.answerLimit, at: now)
    case (.clearing, _): return open(isSecond: true, at: now)
    case (.setting(let number), .error):
      guard let setting = request?.settings[number], !setting.isNeeded else {
        return close(broken(.refusesParameter), at: now)
      }
      if let result = refused(setting) { return close(result, at: now) }
      return set(number + 1, at: now)
    case (.setting(let number), .ok): return set(number + 1, at: now)
    case (.pouring, .ok): return act(at: now)
    case (.acting, .ok), (.offering, .ok): return []
    // Opening the service activates the bearer.
    case (.opening, .error):
      return close(broken(.opensNothing), at: now)
    case (.offering, .error), (.pouring, .error), (.acting, .error):
      return close(broken(.refuses), at: now)
    case (.heading, _):
      // The OK may come before the header block or after it.
      return answer.headers.isEmpty && end == .ok ? [] : read(at: now)
    case (.reading, .ok):
      guard answer.pieceBytes > 0 else { return [] }
      guard answer.length == nil else { return readOn(at: now) }
      answer.mayBeWhole = true
      enter(.reading, until: now + ModemBounds.restLimit)
      return []
    case (.reading, .error): return close(broken(.lostAnswer), at: now)
    case (.closing(let result), _): return conclude(result)
    }
  }

  private mutating func greet(
    _ question: StaticString, _ greeting: Greeting, at now: Instant
  ) -> [UInt8] {
    say(
      question.text, .greeting(greeting, isTold: false), for: ModemBounds.answerLimit, at: now)
  }

  private mutating func open(isSecond: Bool, at now: Instant) -> [UInt8] {
    say(ModemWebWords.open.text, .opening(isSecond: isSecond), for: ModemBounds.openLimit, at: now)
  }

  private mutating func set(_ number: Int, at now: Instant) -> [UInt8] {
    guard let request else { return close(broken(.noRequest), at: now) }
    guard number < request.settings.count else {
      if request.body.isEmpty { return act(at: now) }
      return say(
        "AT+HTTPDATA=\(request.body.count),\(ModemBounds.bodySeconds)", .offering,
        for: ModemBounds.answerLimit, at: now)
    }
    return say(
      request.settings[number].line, .setting(number), for: ModemBounds.answerLimit, at: now)
  }

  private mutating func act(at now: Instant) -> [UInt8] {
    // All the remaining time is for the server.
    say(
      (request?.isPost == true ? ModemWebWords.post : ModemWebWords.get).text, .acting,
      for: giveUpAt - now, at: now)
  }

  // MARK: Lines

  private mutating func learn(_ line: String, _ step: Step, at now: Instant) -> [UInt8] {
    switch step {
    case .greeting(let greeting, _):
      if line.hasPrefix(greeting.answer), case .active(_, let until) = state {
        enter(.greeting(greeting, isTold: true), until: until)
      }
    case .offering where line.hasPrefix("DOWNLOAD"):
      let body = request?.body ?? []
      // If the modem does not take the body the rest is padded: leave time for that too.
      let pouring = ModemBounds.pouring(body.count)
      let rest: Milliseconds = giveUpAt - now
      let limit = min(ModemBounds.bodyLimit + pouring, rest - pouring)
      enter(.pouring, until: now + limit)
      return body
    case .acting where line.hasPrefix("+HTTPACTION:"):
      return judge(report(in: line), at: now)
    case .heading where line.hasPrefix("+HTTPHEAD:"):
      if let count = count(in: line, limit: ModemBounds.headerBytes) { stream.expect(count) }
    case .reading where line.hasPrefix("+HTTPREAD:"):
      return readPiece(of: count(in: line, limit: answer.left), at: now)
    // Its own limit was longer than ours: it knows why there was no answer.
    case .closing(let result) where result.problem != nil && line.hasPrefix("+HTTPACTION:"):
      guard let report = report(in: line), let failure = failure(report.code),
        case .active(_, let until) = state
      else { return [] }
      enter(.closing(failure), until: until)
    case .quiet, .opening, .clearing, .setting, .offering, .pouring, .acting, .heading, .reading,
      .closing:
      break
    }
    return []
  }

  /// The number of bytes that follow, if plausible: `+HTTPREAD: DATA,57` on a SIM7600, `+HTTPREAD:
  /// 57` on an A76XX.
  private func count(in line: String, limit: Int) -> Int? {
    let field = line.split(whereSeparator: { $0 == ":" || $0 == "," }).last ?? ""
    guard let count = Int(field.filter { !$0.isWhitespace }), count >= 0, count <= limit else {
      return nil
    }
    return count
  }

  /// The server's status, or the modem's error code.
  private mutating func judge(
    _ report: ModemWebReport?, at now: Instant
  ) -> [UInt8] {
    guard let report else { return close(broken(.unreadableReport), at: now) }
    let (code, length) = (report.code, report.length.map { Int($0) })
    if let failure = failure(code) { return close(failure, at: now) }
    // The real status follows.
    if code < 200 { return [] }
    if let length, length > ModemBounds.answerBytes {
      return close(broken(ModemPhrase.answerTooLarge.texts("\(length)")), at: now)
    }
    answer.status = code
    answer.length = length
    // The headers of a refusal may contain Retry-After, those of a redirect name the portal.
    guard code >= 300 else { return read(at: now) }
    return say("AT+HTTPHEAD", .heading, for: ModemBounds.answerLimit, at: now)
  }

  /// What a code in place of a status means; `nil` for a status.
  private func failure(_ number: Int32) -> ModemHTTPResult? {
    guard let code = ModemHTTPCode(number) else { return nil }
    return ModemHTTPResult(
      reply: code.isBeforeSending ? .unreachable : .lost,
      problem: ModemPhrase.code.texts(code.phrase.texts, "\(number)"), cause: code.phrase.cause,
      isNetworkLost: code.isNetworkLost)
  }

  private func report(in line: String) -> ModemWebReport? {
    var buffer = ModemLineBuffer()
    for byte in line.utf8 { _ = buffer.append(byte) }
    return ModemWebReport(buffer)
  }
}
