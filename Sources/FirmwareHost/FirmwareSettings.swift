public import TrackerCore

/// What a tracker is made from, as it lies in a controller's flash.
///
/// A program on a computer writes these values as they lie in its memory: they are made of integers
/// of fixed width alone, so that they lie there alike on 32 and 64 bits. The header tells whether
/// that program was made from the same core.
public struct FirmwareSettings: Sendable {
  public var board: Board
  public var configuration: Configuration
  public var identity: Identity

  public init(board: Board, configuration: Configuration, identity: Identity) {
    self.board = board
    self.configuration = configuration
    self.identity = identity
  }

  /// Before the values.
  public struct Header: Sendable, Equatable {
    private let mark: UInt32 = 0x4B52_5431  // "1TRK"
    private let size: UInt32
    private let checksum: UInt64

    /// - Parameter bytes: the values, as they lie in memory.
    public init(of bytes: Span<UInt8>) {
      size = UInt32(truncatingIfNeeded: bytes.count)
      // FNV-1a.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for index in bytes.indices {
        hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
      }
      checksum = hash
    }
  }

  /// - Returns: `nil`: there are none at this place, or those of another core.
  public static func find(at place: UnsafeRawPointer) -> UnsafePointer<FirmwareSettings>? {
    let values = place + MemoryLayout<Header>.size
    let size = MemoryLayout<FirmwareSettings>.size
    let bytes = UnsafeBufferPointer(
      start: values.assumingMemoryBound(to: UInt8.self), count: size
    ).span
    guard place.load(as: Header.self) == Header(of: bytes) else { return nil }
    return values.assumingMemoryBound(to: FirmwareSettings.self)
  }
}
