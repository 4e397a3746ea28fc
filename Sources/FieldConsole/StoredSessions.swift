public import CaptureStore
import Statistics
public import TrackerCore

/// The sessions in a tracker's stores.
public enum StoredSessions {
  /// - Parameter stores: the tracker's store and, if there is one, its second store.
  /// - Returns: those of the device that took the last capture, in their order; what another device
  ///   has taken is another one's walk.
  public static func all(in stores: [CaptureStore]) throws(StoreError) -> [ArraySlice<Capture>] {
    var captures: [Capture] = []
    var device: UniqueID?
    for store in stores {
      for stored in try store.captures() {
        if stored.device != device { captures = [] }
        device = stored.device
        captures.append(stored.capture)
      }
    }
    return Sessions.split(captures)
  }
}
