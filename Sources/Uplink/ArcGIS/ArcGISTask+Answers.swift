import LeanUplink
import TrackerCore
import Wording

extension ArcGISTask {
  /// Takes the reply to the request in flight.
  mutating func receive(
    _ reply: HTTPReply, _ access: inout ArcGISAccess, at now: UTC
  ) -> UplinkStep {
    switch reply {
    case .response(_, _, let bytes) where bytes.count > answerBytes:
      return fail(.unclear, UplinkPhrase.answerTooLong.texts("\(answerBytes)"), &access)
    case .unreachable: return fail(.unreachable, .noConnection, &access)
    case .tooLarge: return fail(.tooLarge, .tooLarge, &access)
    case .stalled: return fail(.stalled, .stalled, &access)
    case .lost: return fail(.unclear, .lost, &access)
    case .response(let status, let headers, let body):
      if let failure = Failure(status: status, headers: headers, at: now) {
        let address = address(access.configuration)
        cause = ForeignAnswer.cause(status, headers, from: address)
        let words = ForeignAnswer.describe(status, headers, from: address)
        return refused(failure, words, status: status, body: body, &access, at: now)
      }
      // ArcGIS Online says 429 with status 200, an error in the body, and the header.
      retryAfter = RetryAfter.wait(in: headers, at: now)
      do throws(UnusableAnswer) {
        switch purpose {
        case .token: return try receiveToken(body, &access, at: now)
        case .layer: return try receiveLayer(body, &access, at: now)
        case .query: return try receiveQuery(body, &access, at: now)
        case .edit: return try receiveEdit(body, &access, at: now)
        }
      } catch {
        switch error {
        case .unclear(let failure, let words): return fail(failure, words, &access)
        case .refused(let error): return refused(error, &access, at: now)
        }
      }
    }
  }

  private func address(_ configuration: ArcGISConfiguration) -> String {
    switch purpose {
    case .token: return configuration.tokenURL ?? ""
    case .layer, .query, .edit:
      switch stage {
      case .fetching, .confirming: return configuration.mailAddress ?? ""
      case .noting: return configuration.noteAddress ?? ""
      case .recounting: return configuration.historyAddress ?? ""
      case .checking, .reconciling, .preparing, .asking, .adding, .settling, .reading:
        return configuration.address.layer
      }
    }
  }

  // MARK: Answers with a success status

  private mutating func receiveToken(
    _ body: [UInt8], _ access: inout ArcGISAccess, at now: UTC
  ) throws(UnusableAnswer) -> UplinkStep {
    let answer = try TokenAnswer.read(body, else: .unreachable, .notTokenAnswer)
    guard let text = answer.token?.value ?? answer.accessToken?.value, !text.isEmpty else {
      throw .unclear(.unreachable, .noToken)
    }
    access.token = Token(secret: Secret(text), renewAt: answer.renewal(at: now))
    return proceed(&access, at: now)
  }

  private mutating func receiveLayer(
    _ body: [UInt8], _ access: inout ArcGISAccess, at now: UTC
  ) throws(UnusableAnswer) -> UplinkStep {
    let description = try LayerDescription.read(body, else: .unreachable, .notFeatureServer)
    do throws(LayerError) {
      if case .reading = stage {
        access.readable = try ReadableLayer(description, access.configuration.fields)
      } else {
        access.layer = try Layer(description, access.configuration.fields)
      }
    } catch {
      return fail(.misdirected(code: Self.unsuitableLayer), error.texts, &access)
    }
    return proceed(&access, at: now)
  }

  /// Our own code for a layer that cannot take captures.
  static var unsuitableLayer: Int32 { -1 }

  private mutating func receiveQuery(
    _ body: [UInt8], _ access: inout ArcGISAccess, at now: UTC
  ) throws(UnusableAnswer) -> UplinkStep {
    if case .noting(let task) = stage { return try receiveNotes(body, task, &access) }
    if case .recounting(let task) = stage { return try receiveHistory(body, task, &access) }
    if case .reading(let question) = stage, question.wantsNumbers {
      guard let page = LayerPage(try NumbersAnswer.read(body), to: question) else {
        throw .unclear(.unclear, .queryMismatch)
      }
      self.page = page
      return end(.ready)
    }
    let answer = try QueryAnswer.read(body)
    let features = try answer.rows()
    if case .fetching(let question) = stage {
      return receiveMail(answer, features, to: question, &access)
    }
    if case .reading(let question) = stage {
      guard answer.isInDegrees, let layer = access.readable,
        let page = LayerPage(features, of: layer, to: question)
      else { throw .unclear(.unclear, .queryMismatch) }
      self.page = page
      return end(.ready)
    }
    guard let layer = access.layer else { throw .unclear(.unclear, .queryMismatch) }
    let asked = Array(unasked.prefix(layer.queryLimit))
    let rows = QueriedRows(
      features, layer: layer, code: access.configuration.deviceCode, isInMetres: answer.isInMetres)
    // After an addition it is asked also about what was sent with that for the first time.
    let isSettling = if case .settling = stage { true } else { false }
    let verdicts = asked.map { rows.verdict(on: $0, wasSent: !isSettling || $0.wasSent) }
    func judged(_ verdict: RowVerdict) -> [OutgoingCapture] {
      zip(asked, verdicts).filter { $0.1 == verdict }.map(\.0)
    }
    find(judged(.ours))
    access.clearDoubts(of: judged(.ours))
    displace(judged(.another))
    guard judged(.untold).isEmpty else {
      throw .unclear(.unclear, .rowsUntold)
    }
    unasked.removeFirst(asked.count)
    // Only a complete answer to this very query shows that a capture is missing.
    let wanted = Set(asked.map(\.id))
    let isWhole =
      answer.exceededTransferLimit?.value != true
      && rows.identifiers.allSatisfy { $0.map { wanted.contains($0) } ?? false }
    guard isWhole || !verdicts.contains(nil) else {
      throw .unclear(.unclear, .queryMismatch)
    }
    return proceed(&access, at: now)
  }

  private mutating func receiveEdit(
    _ body: [UInt8], _ access: inout ArcGISAccess, at now: UTC
  ) throws(UnusableAnswer) -> UplinkStep {
    if case .noting(let task) = stage { return try receiveNotes(body, task, &access) }
    if case .recounting(let task) = stage { return try receiveHistory(body, task, &access) }
    if case .confirming = stage {
      _ = try EditAnswer.read(body)
      return end(.mail(.confirmed))
    }
    guard let layer = access.layer, let addition = adding,
      let answer = Answer.decode(EditAnswer.self, from: body)
    else {
      return fail(.unclear, ForeignAnswer.isPage(body) ? .portalPage : .notWholeJSON, &access)
    }
    guard let items = answer.addResults?.value else {
      guard let error = answer.error else { throw .unclear(.unclear, .noResults) }
      throw .refused(error.value)
    }
    guard answer.error == nil,
      let verdict = EditVerdict(items, of: addition.captures, layer: layer)
    else { throw .unclear(.unclear, .resultsMismatch) }
    if let words = verdict.words { problem = access.line(words) }
    take(verdict, on: addition, of: layer)
    let clear = verdict.acknowledged + verdict.refused.map(\.place) + verdict.rolledBack
    access.clearDoubts(of: clear.map { addition.captures[$0] })
    return proceed(&access, at: now)
  }

  private mutating func take(_ verdict: EditVerdict, on addition: Addition, of layer: Layer) {
    let sent = addition.captures
    let disputed =
      verdict.refused + verdict.colliding.map { (place: $0, code: EditVerdict.collision) }
    var settlement = Settlement(
      unsettled: sent,
      disputed: disputed.map { Refusal(key: sent[$0.place].key, code: $0.code) },
      rolledBack: verdict.rolledBack.map { sent[$0].key })
    if layer.canBeQueried {
      // A single capture that is rolled back is to blame itself, or is there already.
      let isAlone = sent.count == 1 && !verdict.rolledBack.isEmpty
      settlement.unasked = isAlone ? sent : disputed.map { sent[$0.place] }
    }
    stage = .settling(settlement)
    acknowledge(verdict.acknowledged.map { sent[$0] })
    doubtful = verdict.unclear.map { sent[$0].key }
    if !layer.canBeQueried, layer.usesGlobalIDs {
      // It has the GlobalID of a capture that was sent to it before.
      find(verdict.colliding.map { sent[$0] }.filter { addition.sentBefore.contains($0.key) })
    }
  }

  // MARK: Refusals

  /// Whether the server itself has said twice in turn that it has no such table: a portal's or a
  /// proxy's word does not count.
  func lacksTable(_ failure: Failure, _ refusals: inout Int) -> Bool {
    guard hasServersWord, failure == .refused(code: 400) || failure == .misdirected(code: 404)
    else {
      return false
    }
    refusals += 1
    return refusals > 1
  }

  /// The server's own error in a body.
  mutating func refused(
    _ error: ServerError?, _ access: inout ArcGISAccess, at now: UTC
  ) -> UplinkStep {
    // Token services refuse with their own codes (OAuth with a string).
    let code = error?.code ?? (purpose == .token ? 400 : 0)
    hasServersWord = purpose != .token
    var words = UplinkPhrase.error.texts("\(code)")
    // The server's own words, as they came.
    if let message = error?.message { words = words.colon(message) }
    if code == 498 || code == 499 {
      let cure =
        access.configuration.credentials == .none
        ? UplinkPhrase.requiresSecrets : UplinkPhrase.checkToken
      words = words.semicolon(cure.texts)
    }
    return decide(.of(code: code, retryAfter: retryAfter), words, &access, at: now)
  }

  /// A status other than success. The body may show that it is about the token.
  private mutating func refused(
    _ failure: Failure, _ words: Texts, status: Int32, body: [UInt8],
    _ access: inout ArcGISAccess, at now: UTC
  ) -> UplinkStep {
    let error = Answer.decode(EditAnswer.self, from: body)?.error?.value
    hasServersWord = error?.code != nil && purpose != .token
    let quoted = error?.message.map { words.colon($0) } ?? words
    let isAboutToken = error?.code == 498 || error?.code == 499 || status == 401
    let what = isAboutToken && purpose != .token ? Failure.tokenRefused : failure
    return decide(what, quoted, &access, at: now)
  }

  /// Goes on after a failure if a new token or a query may help.
  private mutating func decide(
    _ failure: Failure, _ words: Texts, _ access: inout ArcGISAccess, at now: UTC
  ) -> UplinkStep {
    // A single capture may be set aside for the refusal of a whole request, and the server may
    // refuse captures because it has them already: the layer is queried first.
    if case .refused(let code) = failure, let addition = adding,
      addition.captures.count == 1 || !addition.sentBefore.isEmpty
    {
      problem = access.line(UplinkPhrase.edit.texts.colon(words))
      stage = .settling(
        Settlement(
          unsettled: addition.captures,
          unasked: access.layer?.canBeQueried == true ? addition.captures : [], refusal: code))
      return proceed(&access, at: now)
    }
    guard failure == .tokenRefused else { return fail(failure, words, &access) }
    let canRenew = access.configuration.tokenURL != nil
    if canRenew { access.token = nil }
    guard canRenew, purpose != .token, !hasRenewedToken else {
      return fail(.unauthorised, words, &access)
    }
    hasRenewedToken = true
    return proceed(&access, at: now)
  }
}

// How a task ends.
extension ArcGISTask {
  mutating func fail(
    _ failure: Failure, _ phrase: UplinkPhrase, _ access: inout ArcGISAccess
  ) -> UplinkStep {
    cause = phrase.cause
    return fail(failure, phrase.texts, &access)
  }

  /// Ends the task with a failure.
  mutating func fail(
    _ failure: Failure, _ words: Texts, _ access: inout ArcGISAccess
  ) -> UplinkStep {
    problem = access.line(purpose.name.texts.colon(words))
    let outcome = outcome(of: failure)
    let sent = adding?.captures ?? []
    switch failure {
    case .unclear, .busy(_, _, mayHaveApplied: true):
      if !sent.isEmpty { doubtful = sent.map(\.key) }
    // The request was not applied. This does not concern earlier ones.
    case .unreachable, .stalled, .tokenRefused, .unauthorised, .busy, .refused, .misdirected:
      access.clearDoubts(of: sent)
    }
    if case .misdirected = failure, !isAboutMail { (access.layer, access.readable) = (nil, nil) }
    if case .busy = failure { cause = cause ?? .busy }
    switch stage {
    case .checking, .reading: return end(.notReady(outcome))
    case .fetching, .confirming: return end(.mail(mailOutcome(of: failure, &access)))
    case .noting: return end(.notes(noteOutcome(of: failure, &access)))
    case .recounting: return end(.history(historyOutcome(of: failure, &access)))
    case .reconciling: return end(.reconcile(.failed(status: failure.status)))
    case .preparing, .asking, .adding, .settling: return end(.upload(outcome))
    }
  }

  private func outcome(of failure: Failure) -> UploadOutcome {
    switch failure {
    case .unreachable: return .unreachable
    case .stalled: return .stalled
    case .unclear:
      if case .reconciling = stage { return .ambiguous }
      // As no captures have been sent yet, a lost answer counts as no connection.
      return purpose == .token || purpose == .layer ? .unreachable : .ambiguous
    case .tokenRefused, .unauthorised: return .unauthorised
    case .busy(let status, let wait, _): return .busy(status: status, retryAfter: wait)
    case .misdirected(let code): return .refused(code: code, first: .none, count: 0)
    case .refused(let code):
      // A token service that refuses does not accept the credentials.
      if purpose == .token { return .unauthorised }
      let sent = adding?.captures ?? []
      return .refused(
        code: code, first: sent.first?.key ?? .none, count: UInt32(clamping: sent.count))
    }
  }

  /// Ends a task that has nothing left to ask or to send.
  mutating func finish(_ access: inout ArcGISAccess) -> UplinkStep {
    switch stage {
    case .checking:
      if let missing = access.layer?.missing, !missing.isEmpty {
        problem = LayerPhrase.lacks.texts(missing.joined(separator: ", "))
      }
      return end(.ready)
    case .reconciling:
      return end(.reconcile(.settled(confirmed: UInt32(clamping: acknowledged.count))))
    case .preparing: return end(.upload(.empty))
    case .reading: return end(.ready)
    case .fetching, .confirming: return end(.mail(.failed(status: 0)))
    case .noting: return end(.notes(.failed(status: 0)))
    case .recounting: return end(.history(.failed(status: 0)))
    case .asking, .adding: return finish(Settlement(unsettled: []), &access)
    case .settling(let settlement): return finish(settlement, &access)
    }
  }

  private mutating func finish(
    _ settlement: Settlement, _ access: inout ArcGISAccess
  ) -> UplinkStep {
    // Disputed captures that the server does not have were refused.
    refused += settlement.disputed
    let gone = Set(settlement.disputed.map(\.key))
    access.clearDoubts(of: settlement.unsettled.filter { gone.contains($0.key) })
    if !doubtful.isEmpty {
      problem = access.line(UplinkPhrase.notCredible.texts)
      return end(.upload(.ambiguous))
    }
    if acknowledged.isEmpty, refused.isEmpty {
      // Refused or rolled back as a whole, without naming a capture: a smaller request may show
      // which one.
      let open = settlement.unsettled.map(\.key)
      if let code = settlement.refusal, let first = open.first {
        return end(.upload(.refused(code: code, first: first, count: UInt32(open.count))))
      }
      if let first = settlement.rolledBack.first {
        let count = UInt32(settlement.rolledBack.count)
        return end(.upload(.refused(code: EditVerdict.rollback, first: first, count: count)))
      }
    }
    return end(
      .upload(
        .answered(
          acknowledged: UInt32(clamping: acknowledged.count),
          refused: UInt32(clamping: refused.count), firstRefused: refused.first?.key ?? .none,
          code: refused.first?.code ?? 0)))
  }

  func end(_ outcome: UplinkOutcome) -> UplinkStep {
    var result = UplinkResult(outcome: outcome, problem: problem)
    result.cause = cause
    result.acknowledged = acknowledged
    result.found = found
    result.refused = refused
    result.displaced = displaced
    result.doubtful = doubtful
    result.page = page
    return .done(result)
  }
}

extension Failure {
  /// The status that a reconciliation reports; 0: no answer.
  var status: Int32 {
    switch self {
    case .unreachable, .stalled, .unclear: 0
    case .tokenRefused, .unauthorised: 401
    case .busy(let status, _, _): status
    case .refused(let code), .misdirected(let code): code
    }
  }
}

extension ArcGISTask.Purpose {
  fileprivate var name: UplinkPhrase {
    switch self {
    case .token: .tokenService
    case .layer: .layer
    case .query: .query
    case .edit: .edit
    }
  }
}

extension ArcGISAccess {
  /// One line without secrets, for the log.
  func line(_ words: Texts) -> Texts {
    LogLine.make(words, hiding: configuration.secrets + [token?.secret.text].compactMap { $0 })
  }
}
