public import TrackerCore

/// How much space a recording may take, and how often it is flushed.
public struct RecordingBounds: Sendable, Equatable {
  /// Beyond this size the next file begins.
  public var partBytes: Int64
  /// For all files together; the oldest are removed. A race of 32 hours at seven sentences a second
  /// takes some 70 MB.
  public var totalBytes: Int64
  /// The largest number of files besides the current one: each start of the daemon begins a new
  /// one.
  public var olderFiles: Int
  /// Space to leave free on the disk, for captures.
  public var freeBytes: Int64
  /// What a power cut may lose: the file is flushed after this many bytes or this time.
  public var syncBytes: Int64
  public var syncInterval: Milliseconds
  /// Writing is retried after this when it has failed.
  public var retryInterval: Milliseconds

  public init(
    partBytes: Int64 = 8 << 20, totalBytes: Int64 = 256 << 20, olderFiles: Int = 99,
    freeBytes: Int64 = 32 << 20, syncBytes: Int64 = 64 << 10,
    syncInterval: Milliseconds = .seconds(10), retryInterval: Milliseconds = .seconds(30)
  ) {
    self.partBytes = partBytes
    self.totalBytes = totalBytes
    self.olderFiles = max(1, olderFiles)
    self.freeBytes = freeBytes
    self.syncBytes = syncBytes
    self.syncInterval = syncInterval
    self.retryInterval = retryInterval
  }
}
