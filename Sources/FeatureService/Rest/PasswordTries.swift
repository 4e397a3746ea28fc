import Synchronization
import TrackerCore

/// Counts wrong passwords, of each client address and of all together, and lets nobody guess.
///
/// Addresses that have given the right password count by themselves only, so that others who guess
/// do not lock out the trackers.
final class PasswordTries: Sendable {
  /// Wrong ones since a moment, by the user's name that they were given with.
  private struct Count {
    /// At most as many names as tries, which are few.
    var wrongOf: [String: Int] = [:]
    var since: Milliseconds

    var wrong: Int { wrongOf.values.reduce(0, +) }

    /// Forgets those of before the window.
    mutating func renew(_ uptime: Milliseconds) {
      if uptime - since >= Bounds.triesWindow { self = Count(since: uptime) }
    }
  }

  private struct State {
    var clients: [String: Count] = [:]
    var strangers = Count(since: 0)
    /// When each of them last gave the right password.
    var known: [String: Milliseconds] = [:]
  }

  private let state = Mutex(State())

  /// How many addresses the tables have.
  var addresses: Int { state.withLock { $0.clients.count + $0.known.count } }

  /// Whether a client may try now. The try counts as wrong until `succeed`, so that many at once do
  /// not slip through.
  ///
  /// - Parameters:
  ///   - client: its address.
  ///   - user: the name that it gives.
  /// - Returns: how long it must wait; `nil`: it may try.
  func begin(_ client: String, as user: String, at uptime: Milliseconds) -> Milliseconds? {
    state.withLock { state in
      let isKnown = state.known[client] != nil
      state.strangers.renew(uptime)
      if !isKnown, state.strangers.wrong >= Bounds.triesOfStrangers {
        return state.strangers.since + Bounds.triesWindow - uptime
      }
      Self.makeRoom(in: &state.clients) { $0.since }
      var count = state.clients[client] ?? Count(since: uptime)
      count.renew(uptime)
      defer { state.clients[client] = count }
      if count.wrong >= Bounds.triesOfClient { return count.since + Bounds.triesWindow - uptime }
      count.wrongOf[user, default: 0] += 1
      if !isKnown { state.strangers.wrongOf["", default: 0] += 1 }
      return nil
    }
  }

  /// The try that has begun was right. Wrong ones of other users stay: one known password must not
  /// give more tries at another.
  func succeed(_ client: String, as user: String, at uptime: Milliseconds) {
    state.withLock { state in
      state.clients[client]?.wrongOf[user] = nil
      if state.known[client] == nil {
        state.strangers.wrongOf[""] = max(0, state.strangers.wrong - 1)
        Self.makeRoom(in: &state.known) { $0 }
      }
      state.known[client] = uptime
    }
  }

  /// Drops the oldest entry of a full table.
  private static func makeRoom<Entry>(
    in table: inout [String: Entry], _ time: (Entry) -> Milliseconds
  ) {
    guard table.count >= Bounds.clientsRemembered else { return }
    if let oldest = table.min(by: { time($0.value) < time($1.value) })?.key { table[oldest] = nil }
  }
}
