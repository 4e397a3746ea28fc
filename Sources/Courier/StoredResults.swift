public import CaptureStore
import TrackerCore
public import Uplink

// Between a store and a dialogue: what goes out, and what becomes of it.
extension OutgoingCapture {
  /// A capture that a store has handed out. One that was handed out before may have arrived.
  public init(_ stored: StoredCapture) {
    self.init(
      stored.capture, key: stored.key, device: stored.device, id: stored.id,
      wasSent: stored.attempts > 1)
  }
}

extension CaptureStore {
  /// Keeps for a person what a server refused by name, each with its code.
  func setAside(_ refusals: [Refusal], at now: UTC) throws(StoreError) {
    // In the order of the codes, so that the file is the same for the same words.
    for code in Set(refusals.map(\.code)).sorted() {
      try setAside(refusals.filter { $0.code == code }.map(\.key), code: code, at: now)
    }
  }
}
