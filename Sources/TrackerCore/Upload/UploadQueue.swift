/// The state of the queue as last reported by the host.
struct UploadQueue: Sendable, Equatable {
  private(set) var pending: UInt32
  /// Pending captures that were sent, with an unknown outcome.
  private(set) var held: UInt32 = 0
  /// When the server may be asked about the first of the held captures.
  private(set) var askAt = Instant.start

  init(pending: UInt32) { self.pending = pending }

  /// What may be sent.
  var sendable: UInt32 { pending - min(pending, held) }

  func canAsk(at now: Instant) -> Bool { held > 0 && now >= askAt }

  mutating func take(_ counts: QueueCounts, at now: Instant) {
    pending = counts.pending
    held = counts.held
    askAt = now + counts.heldFor
  }

  /// Removes captures that are being set aside; the following `queueChanged` confirms it.
  mutating func remove(_ count: UInt32) { pending -= min(pending, count) }
}
