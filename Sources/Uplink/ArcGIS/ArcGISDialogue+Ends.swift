import TrackerCore
import Wording

// How an operation ends.
extension ArcGISDialogue {
  /// The server's own error in a body.
  mutating func failed(_ operation: Operation, _ error: ServerError?, at now: UTC) -> UplinkStep {
    // Token services refuse with their own codes (OAuth with a string).
    let code = error?.code ?? (operation.phase == .token ? 400 : 0)
    var words = UplinkPhrase.error.texts("\(code)")
    // The server's own words, as they came.
    if let message = error?.message { words = words.colon(message) }
    if let cure = cure(code) { words = words.semicolon(cure.texts) }
    return decide(operation, .of(code: code, retryAfter: operation.retryAfter), words, at: now)
  }

  /// What a person can do about an error of the server.
  private func cure(_ code: Int32) -> UplinkPhrase? {
    guard code == 498 || code == 499 else { return nil }
    return configuration.credentials == .none ? .requiresSecrets : .checkToken
  }

  /// A status other than success. The body may show that it is about the token.
  mutating func failed(
    _ operation: Operation, _ failure: Failure, _ words: Texts, status: Int32, body: [UInt8],
    at now: UTC
  ) -> UplinkStep {
    let error = Answer.decode(EditAnswer.self, from: body)?.error?.value
    let quoted = error?.message.map { words.colon($0) } ?? words
    let isAboutToken = error?.code == 498 || error?.code == 499 || status == 401
    let what = isAboutToken && operation.phase != .token ? Failure.tokenRefused : failure
    return decide(operation, what, quoted, at: now)
  }

  /// Gets a new token once if that may help.
  private mutating func decide(
    _ operation: Operation, _ failure: Failure, _ words: Texts, at now: UTC
  ) -> UplinkStep {
    if case .refused(let code) = failure, mayBeThere(operation) {
      var operation = operation
      operation.problem = line(UplinkPhrase.edit.texts.colon(words))
      operation.hasEdited = true
      operation.refusal = code
      operation.unasked = operation.unsent
      return proceed(operation, at: now)
    }
    guard failure == .tokenRefused else { return fail(operation, failure, words) }
    if configuration.tokenURL != nil { token = nil }
    guard configuration.tokenURL != nil, operation.phase != .token, !operation.hasRenewedToken
    else {
      return fail(operation, .unauthorised, words)
    }
    var operation = operation
    operation.hasRenewedToken = true
    return proceed(operation, at: now)
  }

  /// Whether the layer has to be queried after a request was refused as a whole: a single capture
  /// may be set aside for it, and the server may refuse captures because it has them already.
  private func mayBeThere(_ operation: Operation) -> Bool {
    operation.kind == .upload && operation.phase == .edit
      && (operation.unsent.count == 1 || !operation.sentBefore.isEmpty)
  }

  mutating func fail(
    _ operation: Operation, _ failure: Failure, _ phrase: UplinkPhrase
  ) -> UplinkStep {
    var operation = operation
    operation.cause = phrase.cause
    return fail(operation, failure, phrase.texts)
  }

  /// Ends an operation that failed.
  mutating func fail(_ operation: Operation, _ failure: Failure, _ words: Texts) -> UplinkStep {
    var operation = operation
    let problem = line(Self.name(operation.phase).texts.colon(words))
    operation.problem = problem
    if case .busy = failure { operation.cause = operation.cause ?? .busy }
    let outcome = outcome(of: failure, in: operation)
    switch failure {
    case .unclear, .busy(_, _, mayHaveApplied: true):
      if operation.phase == .edit { operation.unclear = operation.unsent.map(\.key) }
    case .misdirected:
      layer = nil
      clearDoubts(of: operation)
    case .unreachable, .stalled, .tokenRefused, .unauthorised, .busy, .refused:
      clearDoubts(of: operation)
    }
    switch operation.kind {
    case .check: return end(operation, .notReady(outcome))
    case .upload: return end(operation, .upload(outcome))
    case .reconcile: return end(operation, .reconcile(.failed(status: Self.status(of: failure))))
    }
  }

  /// The failed request was not applied. This does not concern earlier ones.
  private mutating func clearDoubts(of operation: Operation) {
    guard operation.phase == .edit else { return }
    for capture in operation.unsent { doubts.remove(capture.id) }
  }

  private func outcome(of failure: Failure, in operation: Operation) -> UploadOutcome {
    let isBefore = operation.phase == .token || operation.phase == .layer
    switch failure {
    case .unreachable: return .unreachable
    case .stalled: return .stalled
    // As no captures have been sent yet, a lost answer counts as no connection.
    case .unclear: return isBefore && operation.kind != .reconcile ? .unreachable : .ambiguous
    case .tokenRefused, .unauthorised: return .unauthorised
    case .busy(let status, let wait, _): return .busy(status: status, retryAfter: wait)
    case .misdirected(let code): return .refused(code: code, first: .none, count: 0)
    case .refused(let code):
      // A token service that refuses does not accept the credentials.
      if operation.phase == .token { return .unauthorised }
      guard operation.phase == .edit, let first = operation.unsent.first else {
        return .refused(code: code, first: .none, count: 0)
      }
      return refused(code, first.key, operation.unsent.count)
    }
  }

  private static func status(of failure: Failure) -> Int32 {
    switch failure {
    case .unreachable, .stalled, .unclear: 0
    case .tokenRefused, .unauthorised: 401
    case .busy(let status, _, _): status
    case .refused(let code), .misdirected(let code): code
    }
  }

  /// Ends an upload that the server has answered.
  mutating func endUpload(_ operation: Operation) -> UplinkStep {
    var operation = operation
    // Disputed captures that the server does not have were refused.
    operation.refused += operation.disputed
    let gone = Set(operation.disputed.map(\.key))
    for capture in operation.captures where gone.contains(capture.key) {
      doubts.remove(capture.id)
    }
    if !operation.unclear.isEmpty {
      operation.problem = line(UplinkPhrase.notCredible.texts)
      return end(operation, .upload(.ambiguous))
    }
    if operation.acknowledged.isEmpty, operation.refused.isEmpty {
      // Refused or rolled back as a whole, without naming a capture: a smaller request may show
      // which one.
      if let code = operation.refusal, let first = operation.unsent.first {
        return end(operation, .upload(refused(code, first.key, operation.unsent.count)))
      }
      if let first = operation.rolledBack.first {
        return end(
          operation, .upload(refused(EditVerdict.rollback, first, operation.rolledBack.count)))
      }
    }
    let outcome = UploadOutcome.answered(
      acknowledged: UInt32(clamping: operation.acknowledged.count),
      refused: UInt32(clamping: operation.refused.count),
      firstRefused: operation.refused.first?.key ?? .none, code: operation.refused.first?.code ?? 0)
    return end(operation, .upload(outcome))
  }

  private func refused(_ code: Int32, _ first: CaptureKey, _ count: Int) -> UploadOutcome {
    .refused(code: code, first: first, count: UInt32(clamping: count))
  }

  mutating func end(_ operation: Operation, _ outcome: UplinkOutcome) -> UplinkStep {
    self.operation = nil
    var result = UplinkResult(outcome: outcome, problem: operation.problem)
    result.cause = operation.cause
    result.acknowledged = operation.acknowledged
    result.found = operation.found
    result.refused = operation.refused
    result.displaced = operation.displaced
    result.doubtful = operation.unclear
    return .done(result)
  }

  private static func name(_ phase: Operation.Phase) -> UplinkPhrase {
    switch phase {
    case .token: .tokenService
    case .layer: .layer
    case .query: .query
    case .edit: .edit
    }
  }

  /// One line without secrets, for the log.
  func line(_ words: Texts) -> Texts {
    LogLine.make(words, hiding: configuration.secrets + [token?.secret.text].compactMap { $0 })
  }
}
