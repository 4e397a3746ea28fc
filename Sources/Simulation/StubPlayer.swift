import TrackerCore

public struct TraceError: Error {}
public struct TracePlayer: ~Copyable {
  public var bytesRead: Int64 { 0 }
  public var totalBytes: Int64? { nil }
  public mutating func nextBurst() throws(TraceError) -> Instant? { nil }
  public mutating func read(into buffer: inout MutableSpan<UInt8>) -> Int { 0 }
}
