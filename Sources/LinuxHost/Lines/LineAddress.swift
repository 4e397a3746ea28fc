import ModemDialogues
public import TrackerCore

/// How the rate of a serial line is had.
public enum BaudRate: Sendable, Equatable {
  /// Bits per second.
  case fixed(Int)
  /// By trying, until NMEA sentences come.
  case search

  /// What a port is asked for; slower and faster ones are not in use by receivers and modems.
  public static let usual = [
    4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]
}

/// Which serial device.
public enum SerialPlace: Sendable, Equatable {
  /// A device file, or a link to one that stays the same, as those in `/dev/serial/by-id`.
  case path(String)
  /// A USB device by the numbers that `lsusb` shows, whatever name it has got this time; with
  /// several ports, by their interface, else the first of them.
  case usb(vendor: UInt16, product: UInt16, interface: UInt8?)
}

/// Where a receiver or a modem is to be found, as settings have it:
///
/// | text | |
/// |---|---|
/// | `/dev/ttyAMA0` | a device file, at the rate that the board names |
/// | `/dev/ttyAMA0@9600` | at that rate |
/// | `/dev/ttyAMA0@auto` | at the rate at which sentences come, found by trying |
/// | `usb:1e0e:9001:2` | interface 2 of a USB device, `@` as above |
/// | `gpsd://127.0.0.1:2947/dev/ttyS0` | a receiver of gpsd; without it all, without port 2947 |
public enum LineAddress: Sendable, Equatable {
  case serial(SerialPlace, BaudRate?)
  case gpsd(GpsdAddress)

  /// - Throws: the text, what is wrong with it and what to write instead.
  public init(_ text: String) throws(LineProblem) {
    if text.hasPrefix(GpsdAddress.scheme) {
      self = .gpsd(try GpsdAddress(text))
      return
    }
    var place = Substring(text)
    var baud: BaudRate?
    // The last one: a link's name may hold another.
    if let at = text.lastIndex(of: "@"), !text[at...].contains("/") {
      place = text[..<at]
      baud = try Self.baud(text[text.index(after: at)...], of: text)
    }
    if place.hasPrefix("usb:") {
      self = .serial(try Self.usb(place, of: text), baud)
    } else if place.hasPrefix("/"), place.utf8.count > 1, !place.utf8.contains(0) {
      self = .serial(.path(String(place)), baud)
    } else {
      throw LineProblem(
        "\"\(text)\" is no place of a line; write for example \"/dev/ttyAMA0\", "
          + "\"usb:1e0e:9001:2\" or \"gpsd://127.0.0.1:2947\"")
    }
  }

  private static func baud(
    _ word: Substring, of text: String
  ) throws(LineProblem) -> BaudRate {
    if word == "auto" { return .search }
    if let rate = Int(word), BaudRate.usual.contains(rate) { return .fixed(rate) }
    let rates = BaudRate.usual.map { "\($0)" }.joined(separator: ", ")
    throw LineProblem(
      "\"\(text)\" has no usual speed after @; write one of \(rates), or auto to find it")
  }

  private static func usb(_ place: Substring, of text: String) throws(LineProblem) -> SerialPlace {
    let words = place.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    let numbers = words.map { $0.utf8.allSatisfy(isHexadecimal) ? UInt16($0, radix: 16) : nil }
    if (2...3).contains(numbers.count), let vendor = numbers[0], let product = numbers[1],
      words.prefix(2).allSatisfy({ $0.utf8.count == 4 })
    {
      if numbers.count == 2 { return .usb(vendor: vendor, product: product, interface: nil) }
      // An interface is counted, not named: decimal, as everybody says it.
      if let interface = words.last.flatMap({ UInt8($0) }) {
        return .usb(vendor: vendor, product: product, interface: interface)
      }
    }
    throw LineProblem(
      "\"\(text)\" names no USB device; write vendor and product as lsusb shows them, and the "
        + "interface if it has several: \"usb:1e0e:9001:2\"")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// The line to a modem at that place: what the modem answers is read at once, and what is sent
  /// may be a request's whole body.
  public func modemLine(baud usual: Int) -> any ByteLine {
    line(baud: usual, gathering: 0, outgoingBytes: ModemBounds.outgoingBytes)
  }

  /// The line to that place; it opens itself when it is tended.
  ///
  /// - Parameters:
  ///   - usual: the rate where the address says none, bits per second.
  ///   - gathering: how long a burst may gather before it is read; zero: not at all.
  ///   - outgoingBytes: what may wait to be sent; `nil`: commands.
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
