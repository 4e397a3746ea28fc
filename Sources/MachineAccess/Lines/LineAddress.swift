public import TrackerCore

/// The baud rate of a serial line.
public enum BaudRate: Sendable, Equatable {
  /// Bits per second.
  case fixed(Int)
  /// Found by trying rates until NMEA sentences arrive.
  case search

  /// The supported rates; receivers and modems do not use slower or faster ones.
  static let usual = [
    4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]
}

/// A serial device.
public enum SerialPlace: Sendable, Equatable {
  /// A device file, or a stable link to one, like those in `/dev/serial/by-id`.
  case path(String)
  /// A USB device by the numbers that `lsusb` shows, whatever its current name; if it has several
  /// ports, that of the given interface, or else the first.
  case usb(vendor: UInt16, product: UInt16, interface: UInt8?)
}

/// The address of a receiver or a modem in settings:
///
/// | text | |
/// |---|---|
/// | `/dev/ttyAMA0` | a device file, at the board's rate |
/// | `/dev/ttyAMA0@9600` | at that rate |
/// | `/dev/ttyAMA0@auto` | at the rate at which sentences arrive, found by trying |
/// | `usb:1e0e:9001:2` | interface 2 of a USB device, `@` as above |
/// | `gpsd://127.0.0.1:2947/dev/ttyS0` | a receiver of gpsd; default: port 2947, all receivers |
public enum LineAddress: Sendable, Equatable {
  case serial(SerialPlace, BaudRate?)
  case gpsd(GpsdAddress)

  /// - Throws: if the text is not valid, with what to write instead.
  public init(_ text: String) throws(LineError) {
    if text.hasPrefix(GpsdAddress.scheme) {
      self = .gpsd(try GpsdAddress(text))
      return
    }
    var place = Substring(text)
    var baud: BaudRate?
    // The last @, because the name of a link may contain another.
    if let at = text.lastIndex(of: "@"), !text[at...].contains("/") {
      place = text[..<at]
      baud = try Self.baud(text[text.index(after: at)...], of: text)
    }
    if place.hasPrefix("usb:") {
      self = .serial(try Self.usb(place, of: text), baud)
    } else if place.hasPrefix("/"), place.utf8.count > 1, !place.utf8.contains(0) {
      self = .serial(.path(String(place)), baud)
    } else {
      throw LineError(
        inAddress: "\"\(text)\" is not a line's address; write for example \"/dev/ttyAMA0\", "
          + "\"usb:1e0e:9001:2\" or \"gpsd://127.0.0.1:2947\"")
    }
  }

  private static func baud(
    _ word: Substring, of text: String
  ) throws(LineError) -> BaudRate {
    if word == "auto" { return .search }
    if let rate = Int(word), BaudRate.usual.contains(rate) { return .fixed(rate) }
    let rates = BaudRate.usual.map { "\($0)" }.joined(separator: ", ")
    throw LineError(
      inAddress: "\"\(text)\" has no valid speed after @; write one of \(rates), or auto to find it"
    )
  }

  private static func usb(_ place: Substring, of text: String) throws(LineError) -> SerialPlace {
    let words = place.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    let numbers = words.map { $0.utf8.allSatisfy(isHexadecimal) ? UInt16($0, radix: 16) : nil }
    if (2...3).contains(numbers.count), let vendor = numbers[0], let product = numbers[1],
      words.prefix(2).allSatisfy({ $0.utf8.count == 4 })
    {
      if numbers.count == 2 { return .usb(vendor: vendor, product: product, interface: nil) }
      // Interface numbers are decimal, as usual.
      if let interface = words.last.flatMap({ UInt8($0) }) {
        return .usb(vendor: vendor, product: product, interface: interface)
      }
    }
    throw LineError(
      inAddress: "\"\(text)\" is not a USB device; write vendor and product as lsusb shows "
        + "them, and the interface if it has several: \"usb:1e0e:9001:2\"")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// The line to a modem at this address: answers are read at once.
  ///
  /// A modem says nothing by itself: at `@auto` its rate is the usual one until the core, which
  /// asks it, tries another.
  ///
  /// - Parameters:
  ///   - usual: the rate if the address has none, bits per second.
  ///   - outgoingBytes: how much output may be queued, such as a whole request body.
  public func modemLine(baud usual: Int, outgoingBytes: Int) -> any ByteLine {
    var address = self
    if case .serial(let place, .search) = self { address = .serial(place, nil) }
    return address.line(baud: usual, gathering: 0, outgoingBytes: outgoingBytes)
  }

  /// The line at this address; `tend(at:)` opens it.
  ///
  /// - Parameters:
  ///   - usual: the rate if the address has none, bits per second.
  ///   - gathering: how long a burst may gather before it is read; zero: not at all.
  ///   - outgoingBytes: how much output may be queued; `nil`: enough for commands.
  public func line(
    baud usual: Int, gathering: Milliseconds, outgoingBytes: Int? = nil
  ) -> any ByteLine {
    switch self {
    case .serial(let place, let baud):
      var configuration = SerialLineConfiguration(place, baud ?? .fixed(usual))
      configuration.firstTried = usual
      configuration.gathering = gathering
      if let outgoingBytes { configuration.outgoingBytes = outgoingBytes }
      return SerialLine(configuration)
    case .gpsd(let address): return GpsdLine(address, gathering: gathering)
    }
  }
}
