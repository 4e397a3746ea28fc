import TrackerCore
import Wording

// Answers with a success status.
extension ArcGISDialogue {
  mutating func receiveToken(_ operation: Operation, _ body: [UInt8], at now: UTC) -> UplinkStep {
    guard let answer = Answer.decode(TokenAnswer.self, from: body) else {
      return fail(operation, .unreachable, Self.foreign(body, .notTokenAnswer))
    }
    if let error = answer.error {
      return failed(operation, error.value, at: now)
    }
    guard let text = answer.token?.value ?? answer.accessToken?.value, !text.isEmpty else {
      return fail(operation, .unreachable, .noToken)
    }
    token = Token(secret: Secret(text), renewAt: Self.renewal(answer, at: now))
    return proceed(operation, at: now)
  }

  /// Five minutes before it expires, or halfway through a shorter lifetime. An expiry in the past
  /// means that a clock is wrong: the default lifetime is assumed.
  private static func renewal(_ answer: TokenAnswer, at now: UTC) -> UTC {
    var life = UplinkBounds.tokenLife.count
    if let end = answer.expires?.value, end > now.milliseconds {
      life = end.subtractingReportingOverflow(now.milliseconds).partialValue
    } else if let seconds = answer.expiresIn?.value, seconds > 0 {
      life = Milliseconds.seconds(seconds).count
    }
    if life <= 0 || life > UplinkBounds.longestTokenLife.count {
      life = UplinkBounds.longestTokenLife.count
    }
    return now + Milliseconds(max(life - UplinkBounds.tokenMargin.count, life / 2))
  }

  mutating func receiveLayer(_ operation: Operation, _ body: [UInt8], at now: UTC) -> UplinkStep {
    guard let description = Answer.decode(LayerDescription.self, from: body) else {
      return fail(operation, .unreachable, Self.foreign(body, .notFeatureServer))
    }
    if let error = description.error {
      return failed(operation, error.value, at: now)
    }
    do {
      layer = try Layer(description, configuration.fields)
    } catch {
      return fail(operation, .misdirected(code: Self.unsuitableLayer), error.texts)
    }
    return proceed(operation, at: now)
  }

  /// Describes an answer that is not the requested JSON.
  private static func unreadable(_ body: [UInt8]) -> UplinkPhrase {
    ForeignAnswer.isPage(body) ? .portalPage : .notWholeJSON
  }

  /// Describes an answer that is not what the server was expected to be.
  private static func foreign(_ body: [UInt8], _ expected: UplinkPhrase) -> UplinkPhrase {
    ForeignAnswer.isPage(body) ? .portalPage : expected
  }

  /// Our own code for a layer that cannot take captures.
  static var unsuitableLayer: Int32 { -1 }

  mutating func receiveQuery(_ operation: Operation, _ body: [UInt8], at now: UTC) -> UplinkStep {
    var operation = operation
    guard let layer, let answer = Answer.decode(QueryAnswer.self, from: body) else {
      return fail(operation, .unclear, Self.unreadable(body))
    }
    if let error = answer.error {
      return failed(operation, error.value, at: now)
    }
    guard let features = answer.features?.value else {
      return fail(operation, .unclear, .noFeatures)
    }
    let asked = Array(operation.unasked.prefix(layer.queryLimit))
    let rows = QueriedRows(
      features, layer: layer, code: configuration.deviceCode, isInMetres: answer.isInMetres)
    let missing = asked.filter { rows.verdict(on: $0) == nil }
    let there = asked.filter { rows.verdict(on: $0) == .ours }
    operation.acknowledge(there)
    operation.found += there.map(\.key)
    for capture in there { doubts.remove(capture.id) }
    operation.yield(asked.filter { rows.verdict(on: $0) == .another })
    guard !asked.contains(where: { rows.verdict(on: $0) == .untold }) else {
      return fail(operation, .unclear, .rowsUntold)
    }
    // Only a complete answer to this very query shows that a capture is missing.
    let wanted = Set(asked.map(\.id))
    let isWhole =
      answer.exceededTransferLimit?.value != true
      && rows.identifiers.allSatisfy { $0.map { wanted.contains($0) } ?? false }
    operation.unasked.removeFirst(asked.count)
    guard missing.isEmpty || isWhole else {
      return fail(operation, .unclear, .queryMismatch)
    }
    return proceed(operation, at: now)
  }

  mutating func receiveEdit(_ operation: Operation, _ body: [UInt8], at now: UTC) -> UplinkStep {
    guard let layer, let answer = Answer.decode(EditAnswer.self, from: body) else {
      return fail(operation, .unclear, Self.unreadable(body))
    }
    guard let items = answer.addResults?.value else {
      guard let error = answer.error else {
        return fail(operation, .unclear, .noResults)
      }
      return failed(operation, error.value, at: now)
    }
    guard answer.error == nil,
      let verdict = EditVerdict(items, of: operation.unsent, layer: layer)
    else { return fail(operation, .unclear, .resultsMismatch) }
    return proceed(take(verdict, of: layer, into: operation), at: now)
  }

  private mutating func take(
    _ verdict: EditVerdict, of layer: Layer, into operation: Operation
  ) -> Operation {
    var operation = operation
    let sent = operation.unsent
    operation.hasEdited = true
    operation.acknowledge(verdict.acknowledged.map { sent[$0] })
    if !layer.canBeQueried, layer.usesGlobalIDs {
      // It has the GlobalID of a capture that was sent to it before.
      let there = verdict.colliding.map { sent[$0] }.filter {
        operation.sentBefore.contains($0.key)
      }
      operation.acknowledge(there)
      operation.found += there.map(\.key)
    }
    let disputed =
      verdict.refused + verdict.colliding.map { (place: $0, code: EditVerdict.collision) }
    operation.disputed = disputed.map { Refusal(key: sent[$0.place].key, code: $0.code) }
      .filter { !operation.found.contains($0.key) }
    operation.rolledBack = verdict.rolledBack.map { sent[$0].key }
    operation.unasked = disputed.map { sent[$0.place] }
    // A single capture that is rolled back is to blame itself, or is there already.
    if sent.count == 1, !verdict.rolledBack.isEmpty { operation.unasked = sent }
    operation.unclear = verdict.unclear.map { sent[$0].key }
    if let words = verdict.words { operation.problem = line(words) }
    let settled = verdict.acknowledged + verdict.refused.map(\.place) + verdict.rolledBack
    for place in settled { doubts.remove(sent[place].id) }
    return operation
  }
}
