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
  public var server = Server()

  public init(
    board: Board, configuration: Configuration, identity: Identity, server: Server = Server()
  ) {
    self.board = board
    self.configuration = configuration
    self.identity = identity
    self.server = server
  }

  /// Where captures are delivered, as OsmAnd requests.
  public struct Server: Sendable {
    /// `https://host/path`, in ASCII; empty: nowhere. A modem takes 512 characters, and a capture
    /// has 372 of them at the most, without its team.
    public var address = InlineText<136>()
    /// The file in the modem with the certificate of the authority that vouches for the server.
    /// Without it nothing is sent to an address with https.
    public var authority = InlineText<32>()

    public init() {}

    /// Whether the fifth letter is that of https.
    var isSecure: Bool { address[4] | 0x20 == UInt8(ascii: "s") }
    /// Without a certificate nobody knows who answers, and takes the captures.
    var isUsable: Bool { !address.isEmpty && !(isSecure && authority.isEmpty) }
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
