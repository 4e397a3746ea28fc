import TrackerCore
import Wording

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
    if case .misdirected = failure { access.layer = nil }
    if case .busy = failure { cause = cause ?? .busy }
    switch stage {
    case .checking: return end(.notReady(outcome))
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
    case .checking: end(.ready)
    case .reconciling:
      end(.reconcile(.settled(confirmed: UInt32(clamping: acknowledged.count))))
    case .preparing: end(.upload(.empty))
    case .asking, .adding: finish(Settlement(unsettled: []), &access)
    case .settling(let settlement): finish(settlement, &access)
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
    return .done(result)
  }
}

extension Failure {
  /// The status that a reconciliation reports; 0: no answer.
  fileprivate var status: Int32 {
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
