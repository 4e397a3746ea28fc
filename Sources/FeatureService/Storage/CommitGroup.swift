import SQL
import SystemCalls
import TrackerCore

/// Edits that only add captures share transactions: while one waits for the disk, those that come
/// meanwhile are collected for the next.
final class CommitGroup: Sendable {
  typealias Outcome = Result<EditResults, any Error>

  struct Member: Sendable {
    var edit: Edit
    /// When its captures are said to have arrived.
    var now: UTC
  }

  private struct State {
    var last = 0
    /// In the order in which they came.
    var waiting: [(number: Int, member: Member)] = []
    var isAtWork = false
    var outcomes: [Int: Outcome] = [:]
  }

  private enum Turn {
    case isDone(Outcome)
    case commits([(number: Int, member: Member)])
  }

  private let state = Monitor(State())

  /// Edits that wait for the next transaction.
  var waiting: Int { state.change(waking: .none) { $0.waiting.count } }

  /// Returns when the edit is on disk.
  ///
  /// - Parameter commit: carries out several in one transaction; is called by one thread at a time.
  func perform(
    _ edit: Edit, at now: UTC, _ commit: ([Member]) -> [Outcome]
  ) throws -> EditResults {
    let own = state.change(waking: .none) { state in
      state.last += 1
      state.waiting.append((state.last, Member(edit: edit, now: now)))
      return state.last
    }
    while true {
      switch state.wait({ Self.turn(of: own, &$0) }) {
      case .isDone(let outcome): return try outcome.get()
      case .commits(let group):
        let outcomes = commit(group.map(\.member))
        state.change { state in
          state.isAtWork = false
          for (place, one) in group.enumerated() { state.outcomes[one.number] = outcomes[place] }
        }
      }
    }
  }

  private static func turn(of own: Int, _ state: inout State) -> Monitor<State>.Step<Turn> {
    if let outcome = state.outcomes.removeValue(forKey: own) { return .done(.isDone(outcome)) }
    if state.isAtWork { return .wait(until: nil) }
    state.isAtWork = true
    var captures = 0
    let group = state.waiting.prefix { one in
      defer { captures += one.member.edit.adds.count }
      return captures < Bounds.capturesInCommit
    }
    state.waiting.removeFirst(group.count)
    return .done(.commits(Array(group)))
  }
}

extension Edit {
  /// Whether it can share a transaction: nothing of it can undo the rest.
  var onlyAddsCaptures: Bool {
    updates.isEmpty && deletes.isEmpty && confirmations == nil && notes == nil && history == nil
      && (!isAllOrNothing || adds.count <= 1)
  }
}

extension FeatureStore {
  /// Carries out edits that only add captures, in one transaction.
  func add(_ group: [CommitGroup.Member]) -> [CommitGroup.Outcome] {
    do {
      var results = try withEngine { engine in
        try engine.database.transaction { () throws(SQLError) in
          let features = group.flatMap { member in
            member.edit.adds.map { $0.map { $0.arrived(by: member.now) } }
          }
          let results = try Self.add(features, insertion, engine)
          try engine.database.tell(FeatureServer.captures)
          return results[...]
        }
      }
      return group.map { member in
        let own = results.prefix(member.edit.adds.count)
        results = results.dropFirst(own.count)
        return .success(EditResults(adds: Array(own)))
      }
    } catch {
      // What one of them cannot have, the others may.
      let isPassing = (error as? SQLError)?.kind.isPassing ?? false
      if group.count > 1, !isPassing { return group.flatMap { add([$0]) } }
      return group.map { _ in .failure(error) }
    }
  }
}
