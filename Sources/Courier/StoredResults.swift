public import CaptureStore
import TrackerCore
public import Uplink

// Conversions between a store and a dialogue.
extension OutgoingCapture {
  /// A capture from a store. If it was handed out before it may have arrived.
  public init(_ stored: StoredCapture) {
    self.init(
      stored.capture, key: stored.key, device: stored.device, id: stored.id,
      wasSent: stored.attempts > 1)
  }
}

extension CaptureStore {
  /// Sets aside captures that a server refused individually, each with its code.
  func setAside(_ refusals: [Refusal], at now: UTC) throws(StoreError) {
    // In the order of the codes, so that the same answers give the same file.
    for code in Set(refusals.map(\.code)).sorted() {
      try setAside(refusals.filter { $0.code == code }.map(\.key), code: code, at: now)
    }
  }
}
