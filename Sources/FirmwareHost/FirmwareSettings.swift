public import TrackerCore

/// What a tracker is made from, as it lies in a controller's flash.
///
/// `trackerctl firmware` writes these values as they lie in its memory: they are made of integers
/// of fixed width alone, so that they lie there alike on 32 and 64 bits. The header tells whether
/// that program knew the same values in the same places.
public struct FirmwareSettings: Sendable {
  public var core: Core
  public var server = Server()
  /// The battery's voltage at which the converter would show more than it can, millivolts; 0: it is
  /// not measured.
  public var batteryRange: Int32 = 0
  /// Whether what comes to the tracker is recorded on the card.
  public var isRecording = false

  public init(
    board: Board, configuration: Configuration, identity: Identity, server: Server = Server()
  ) {
    core = Core(board: board, configuration: configuration, identity: identity)
    self.server = server
  }

  /// What the core is made from. Recordings begin with it, as it lies in memory.
  public struct Core: Sendable {
    public var board: Board
    public var configuration: Configuration
    public var identity: Identity
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

  /// Says how the values lie in memory. It changes with every change of that: a test knows how.
  public static let layout: UInt32 = 2

  /// Before the values.
  public struct Header: Sendable, Equatable {
    fileprivate var mark: UInt32 = 0x4B52_5431  // "1TRK"
    fileprivate var layout = FirmwareSettings.layout
    fileprivate var checksum: UInt64

    /// - Parameter bytes: the values, as they lie in memory.
    fileprivate init(of bytes: Span<UInt8>) {
      // FNV-1a.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for index in bytes.indices {
        hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
      }
      checksum = hash
    }
  }

  /// What is in the place of the settings.
  public enum Finding {
    case settings(UnsafePointer<FirmwareSettings>)
    /// Nobody has written any.
    case none
    /// Those of firmware in which they lie otherwise.
    case ofOtherFirmware
    /// They were not written as a whole, or the flash has lost some of it.
    case damaged
  }

  public static func find(at place: UnsafeRawPointer) -> Finding {
    let values = place + MemoryLayout<Header>.size
    let bytes = UnsafeBufferPointer(
      start: values.assumingMemoryBound(to: UInt8.self),
      count: MemoryLayout<FirmwareSettings>.size
    ).span
    let header = place.load(as: Header.self)
    let expected = Header(of: bytes)
    if header.mark != expected.mark { return .none }
    if header.layout != expected.layout { return .ofOtherFirmware }
    guard header == expected else { return .damaged }
    return .settings(values.assumingMemoryBound(to: FirmwareSettings.self))
  }

  /// The bytes that `find` looks for, one after the other.
  public func write(_ byte: (UInt8) -> Void) {
    withUnsafeBytes(of: self) { values in
      let header = Header(of: values.bindMemory(to: UInt8.self).span)
      withUnsafeBytes(of: header) { header in for value in header { byte(value) } }
      for value in values { byte(value) }
    }
  }
}
