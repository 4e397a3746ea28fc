/// How long one search may last.
struct SearchTerms: Sendable, Equatable {
  var limit = Bounds.searchLimit
  /// How long the network may refuse the modem.
  var deniedLimit = Bounds.deniedLimit
}

/// Decides how long to search for a network, from how the searches before ended.
///
/// Usually that is `Bounds.searchLimit`. A search that found nothing doubles the limit of the next
/// one, as some networks are only found in one long search; if one was found late, the next search
/// has half as long again. The time beyond the usual limit comes out of a budget, which fills up
/// slowly: most places where no network is found have none.
struct SearchPatience: Sendable, Equatable {
  /// Searches in a row that found nothing.
  private var failures: Int32 = 0
  /// Contacts in a row that the network refused, modulo `Bounds.deniedCycle`.
  private var denials: Int32 = 0
  /// How long the search that found a network took, in the last contact with one.
  private var needed = Milliseconds(0)
  /// The current contact has found a network before.
  private var hasFound = false
  /// What was left of the budget at `budgetAt`.
  private var budget = Bounds.searchBudget
  private var budgetAt: Instant
  /// When the search that is going on began.
  private var began: Instant?
  /// The battery does not pay for more than the usual search.
  var isSparing = false

  init(at now: Instant) { budgetAt = now }

  /// What holds for a search that begins now.
  func terms(at now: Instant) -> SearchTerms {
    var terms = SearchTerms()
    if !isSparing { terms.limit = limit(upTo: Bounds.searchLimit + remaining(at: now)) }
    if denials > 0 { terms.deniedLimit = Bounds.deniedAgainLimit }
    return terms
  }

  /// - Parameter longest: what the budget pays for.
  private func limit(upTo longest: Milliseconds) -> Milliseconds {
    let usual = Bounds.searchLimit
    guard needed > usual else {
      return min(Milliseconds(usual.count << Int64(failures)), longest)
    }
    // A shorter search than the last one needed would probably fail.
    return longest < needed ? usual : min(Milliseconds(needed.count + needed.count / 2), longest)
  }

  private func remaining(at now: Instant) -> Milliseconds {
    let gained = Milliseconds((now - budgetAt).count / Bounds.searchShare)
    return min(budget + gained, Bounds.searchBudget)
  }

  mutating func contactBegins() { hasFound = false }

  mutating func searchBegins(at now: Instant) { began = now }

  /// The modem has registered.
  mutating func found(at now: Instant) {
    guard let took = ends(at: now) else { return }
    needed = hasFound ? max(needed, took) : took
    hasFound = true
    failures = 0
    denials = 0
  }

  /// The search was given up.
  mutating func failed(isDenied: Bool, at now: Instant) {
    guard let took = ends(at: now) else { return }
    if took >= needed { needed = 0 }
    if isDenied {
      denials = (denials + 1) % Bounds.deniedCycle
    } else {
      denials = 0
      failures = min(failures + 1, Bounds.searchDoublings)
    }
  }

  /// A search, if one is going on, ends without a result.
  mutating func abandoned(at now: Instant) { _ = ends(at: now) }

  /// Returns how long the search took; `nil`: none was going on.
  private mutating func ends(at now: Instant) -> Milliseconds? {
    guard let began else { return nil }
    self.began = nil
    let took = now - began
    budget = max(0, remaining(at: now) - max(0, took - Bounds.searchLimit))
    budgetAt = now
    return took
  }
}
