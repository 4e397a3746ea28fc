public import CaptureStore
public import TrackerCore
public import Uplink

/// Where a delivery takes captures from, and where it writes what became of them.
///
/// One batch is under way at a time. Keys are unique in a queue.
public protocol DeliveryQueue: AnyObject {
  /// Captures that nobody has yet, also those under way.
  var waiting: Int { get }
  /// Captures that a server would not have.
  var refused: Int { get }
  /// The next batch; empty when nothing waits. What is left of the one before waits again.
  func batch(_ selection: Selection, at now: UTC) throws(StoreError) -> [OutgoingCapture]
  /// Takes in what a server said of the batch.
  ///
  /// - Returns: how many it has now and was not known to have before.
  func take(_ result: UplinkResult, at now: UTC) throws(StoreError) -> Int
  /// Stops trying with captures of the batch.
  func refuse(_ keys: [CaptureKey], code: Int32, at now: UTC) throws(StoreError)
  /// The batch is over: what is left of it waits again.
  func endBatch(at now: UTC) throws(StoreError)
}

extension CaptureStore: DeliveryQueue {
  public var waiting: Int { tally.pending }
  public var refused: Int { tally.setAside }

  public func batch(
    _ selection: Selection, at now: UTC
  ) throws(StoreError) -> [OutgoingCapture] {
    try select(selection, at: now).map(OutgoingCapture.init)
  }

  public func refuse(_ keys: [CaptureKey], code: Int32, at now: UTC) throws(StoreError) {
    try setAside(keys, code: code, at: now)
  }

  public func endBatch(at now: UTC) throws(StoreError) { try release(at: now) }
}
