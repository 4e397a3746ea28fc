public import TrackerCore

/// How much room a recording may take, and how often it is made safe.
public struct RecordingBounds: Sendable, Equatable {
  /// A file is followed by the next beyond this size.
  public var partBytes: Int64
  /// All files together; the oldest go first. A race of 32 hours at seven sentences a second takes
  /// some 70 MB.
  public var totalBytes: Int64
  /// Files besides the one being written, at the most: each start of the daemon begins another.
  public var olderFiles: Int
  /// Room that the recording leaves on the disk: captures come first.
  public var freeBytes: Int64
  /// What a power cut may cost: it is flushed to the disk after so much or so long.
  public var syncBytes: Int64
  public var syncInterval: Milliseconds
  /// A disk that took nothing is tried again after this.
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
