public import CaptureStore
import Statistics
public import TrackerCore

/// The sessions in a tracker's stores.
public enum StoredSessions {
  private static let pageRows: UInt32 = 1000

  /// - Parameter stores: the tracker's store and, if there is one, its second store.
  /// - Returns: those of the device that took the last capture, in their order; what another device
  ///   has taken is another one's walk.
  public static func all(in stores: [CaptureStore]) throws(StoreError) -> [ArraySlice<Capture>] {
    var captures: [Capture] = []
    var device: UniqueID?
    for store in stores {
      var last = CaptureKey.none
      while true {
        let page = try store.page(after: last, limit: pageRows)
        guard let end = page.last else { break }
        for stored in page {
          if stored.device != device { captures = [] }
          device = stored.device
          captures.append(stored.capture)
        }
        last = end.key
      }
    }
    return Sessions.split(captures)
  }
}
