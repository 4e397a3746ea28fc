import TrackerCore

// How an errand ends.
extension ArcGISDialogue {
  /// The server's own error in a body.
  mutating func failed(_ errand: Errand, _ error: ServerError?, at now: UTC) -> UplinkStep {
    // A token service says no with codes of its own (an OAuth one with a word).
    let code = error?.code ?? (errand.phase == .token ? 400 : 0)
    let words = error?.message.map { ": \($0)" } ?? ""
    return decide(
      errand, .of(code: code, retryAfter: nil), "error \(code)\(words)\(cure(code))", at: now)
  }

  /// What a person can do about an error of the server.
  private func cure(_ code: Int32) -> String {
    guard code == 498 || code == 499 else { return "" }
    return configuration.credentials == .none
      ? "; the server wants a user and a password, or a token: give secrets"
      : "; check the token, or the user and the password"
  }

  /// A status that is no success. The body is asked too whether it is about the token.
  mutating func failed(
    _ errand: Errand, _ failure: Failure, status: Int32, body: [UInt8], at now: UTC
  ) -> UplinkStep {
    let error = Answer.decode(EditAnswer.self, from: body)?.error?.value
    let words = error?.message.map { ": \($0)" } ?? ""
    let isAboutToken = error?.code == 498 || error?.code == 499 || status == 401
    let what = isAboutToken && errand.phase != .token ? Failure.tokenRefused : failure
    return decide(errand, what, "status \(status)\(words)", at: now)
  }

  /// Gets a new token once, where that may help.
  private mutating func decide(
    _ errand: Errand, _ failure: Failure, _ words: String, at now: UTC
  ) -> UplinkStep {
    if case .refused(let code) = failure, mayBeThere(errand) {
      var errand = errand
      errand.problem = line("\(Self.name(.edit)): \(words)")
      errand.hasEdited = true
      errand.refusal = code
      errand.unasked = errand.unsent
      return proceed(errand, at: now)
    }
    guard failure == .tokenRefused else { return fail(errand, failure, words) }
    if configuration.tokenURL != nil { token = nil }
    guard configuration.tokenURL != nil, errand.phase != .token, !errand.hasRenewedToken else {
      return fail(errand, .unauthorised, words)
    }
    var errand = errand
    errand.hasRenewedToken = true
    return proceed(errand, at: now)
  }

  /// Whether a request that is refused as a whole has to be asked about: a single capture may be
  /// set aside for it, and what was sent before may be what the server objects to.
  private func mayBeThere(_ errand: Errand) -> Bool {
    errand.kind == .upload && errand.phase == .edit
      && (errand.unsent.count == 1 || errand.wasSent)
  }

  /// Ends an errand that failed.
  mutating func fail(_ errand: Errand, _ failure: Failure, _ words: String) -> UplinkStep {
    var errand = errand
    let problem = line("\(Self.name(errand.phase)): \(words)")
    errand.problem = problem
    let outcome = outcome(of: failure, in: errand)
    switch failure {
    case .unclear, .busy(_, _, mayHaveApplied: true):
      if errand.phase == .edit { errand.unclear = errand.unsent.map(\.key) }
    case .misdirected:
      layer = nil
      clearDoubts(of: errand)
    case .unreachable, .stalled, .tokenRefused, .unauthorised, .busy, .refused:
      clearDoubts(of: errand)
    }
    switch errand.kind {
    case .check: return end(errand, .notReady(outcome))
    case .upload: return end(errand, .upload(outcome))
    case .reconcile: return end(errand, .reconcile(.failed(status: Self.status(of: failure))))
    }
  }

  /// The request that failed did nothing. Those before it are another matter.
  private mutating func clearDoubts(of errand: Errand) {
    guard errand.phase == .edit else { return }
    for capture in errand.unsent { doubts.remove(capture.id) }
  }

  private func outcome(of failure: Failure, in errand: Errand) -> UploadOutcome {
    let isBefore = errand.phase == .token || errand.phase == .layer
    switch failure {
    case .unreachable: return .unreachable
    case .stalled: return .stalled
    // Before anything was sent, a lost answer is as good as none.
    case .unclear: return isBefore && errand.kind != .reconcile ? .unreachable : .ambiguous
    case .tokenRefused, .unauthorised: return .unauthorised
    case .busy(let status, let wait, _): return .busy(status: status, retryAfter: wait)
    case .misdirected(let code): return .refused(code: code, first: .none, count: 0)
    case .refused(let code):
      // A token service that refuses does not know us.
      if errand.phase == .token { return .unauthorised }
      guard errand.phase == .edit, let first = errand.unsent.first else {
        return .refused(code: code, first: .none, count: 0)
      }
      return refused(code, first.key, errand.unsent.count)
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

  /// Ends an upload that the server answered.
  mutating func endUpload(_ errand: Errand) -> UplinkStep {
    var errand = errand
    // What the server does not have, it has refused.
    errand.refused += errand.disputed
    let gone = Set(errand.disputed.map(\.key))
    for capture in errand.captures where gone.contains(capture.key) {
      doubts.remove(capture.id)
    }
    if !errand.unclear.isEmpty {
      errand.problem = line("some of the results cannot be believed")
      return end(errand, .upload(.ambiguous))
    }
    if errand.acknowledged.isEmpty, errand.refused.isEmpty {
      // Refused or undone as a whole, and none named: a smaller request may show which one it is.
      if let code = errand.refusal, let first = errand.unsent.first {
        return end(errand, .upload(refused(code, first.key, errand.unsent.count)))
      }
      if let first = errand.rolledBack.first {
        return end(
          errand, .upload(refused(EditVerdict.rollback, first, errand.rolledBack.count)))
      }
    }
    let outcome = UploadOutcome.answered(
      acknowledged: UInt32(clamping: errand.acknowledged.count),
      refused: UInt32(clamping: errand.refused.count),
      firstRefused: errand.refused.first?.key ?? .none, code: errand.refused.first?.code ?? 0)
    return end(errand, .upload(outcome))
  }

  private func refused(_ code: Int32, _ first: CaptureKey, _ count: Int) -> UploadOutcome {
    .refused(code: code, first: first, count: UInt32(clamping: count))
  }

  mutating func end(_ errand: Errand, _ outcome: UplinkOutcome) -> UplinkStep {
    self.errand = nil
    var result = UplinkResult(outcome: outcome, problem: errand.problem)
    result.acknowledged = errand.acknowledged
    result.found = errand.found
    result.refused = errand.refused
    result.displaced = errand.displaced
    result.doubtful = errand.unclear
    return .done(result)
  }

  private static func name(_ phase: Errand.Phase) -> String {
    switch phase {
    case .token: "token service"
    case .layer: "layer"
    case .query: "query"
    case .edit: "edit"
    }
  }

  /// One line without secrets, for the log.
  func line(_ words: String) -> String {
    LogLine.make(words, hiding: configuration.secrets + [token?.secret.text].compactMap { $0 })
  }
}
