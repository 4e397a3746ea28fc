/// Why a run of the loop ends.
public enum Ending: Sendable, Equatable {
  /// A signal requested it.
  case told
  /// A restart would repair the store.
  case storeCanBeMended(StoreWatch.Finding)
}
