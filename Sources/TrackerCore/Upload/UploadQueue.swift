/// How the queue stands, as far as the host has told.
struct UploadQueue: Sendable, Equatable {
  private(set) var pending: UInt32
  /// Of the pending: sent, and of unknown fate.
  private(set) var held: UInt32 = 0
  /// From here on the server may be asked about the first of the held.
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

  /// They are being set aside, and leave the queue with the `queueChanged` that follows.
  mutating func remove(_ count: UInt32) { pending -= min(pending, count) }
}
