/// Why a run of the loop ends.
public enum Ending: Sendable, Equatable {
  /// A signal asked for it.
  case told
  /// A new start would mend the store.
  case storeCanBeMended(StoreWatch.Finding)
}
