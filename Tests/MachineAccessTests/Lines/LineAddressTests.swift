import MachineAccess
import Testing

/// What settings may say about where a line is.
@Suite struct LineAddressTests {
  static let valid: [(text: String, means: LineAddress)] = [
    ("/dev/ttyAMA0", .serial(.path("/dev/ttyAMA0"), nil)),
    ("/dev/ttyAMA0@9600", .serial(.path("/dev/ttyAMA0"), .fixed(9600))),
    ("/dev/ttyAMA0@auto", .serial(.path("/dev/ttyAMA0"), .search)),
    (
      "/dev/serial/by-path/pci-0@1:2/port0@4800",
      .serial(.path("/dev/serial/by-path/pci-0@1:2/port0"), .fixed(4800))
    ),
    ("/dev/by@id/gps", .serial(.path("/dev/by@id/gps"), nil)),
    (
      "usb:1e0e:9001:2",
      .serial(.usb(vendor: 0x1E0E, product: 0x9001, interface: 2), nil)
    ),
    (
      "usb:1546:01A8@auto",
      .serial(.usb(vendor: 0x1546, product: 0x01A8, interface: nil), .search)
    ),
  ]

  @Test(arguments: valid.indices)
  func `A place of a line is read`(_ index: Int) throws {
    let (text, means) = Self.valid[index]
    let address = try LineAddress(text)
    #expect(address == means, "\(text)")
  }

  static let gpsd: [(text: String, host: String, port: UInt16, device: String?)] = [
    ("gpsd://127.0.0.1", "127.0.0.1", 2947, nil),
    ("gpsd://127.0.0.1:4000/", "127.0.0.1", 4000, nil),
    ("gpsd://localhost/dev/ttyS0", "127.0.0.1", 2947, "/dev/ttyS0"),
    ("gpsd://[::1]:2947/dev/ttyS0", "::1", 2947, "/dev/ttyS0"),
    ("gpsd://[fe80::1]", "fe80::1", 2947, nil),
  ]

  @Test(arguments: gpsd.indices)
  func `An address of a gpsd is read`(_ index: Int) throws {
    let (text, host, port, device) = Self.gpsd[index]
    guard case .gpsd(let address) = try LineAddress(text) else {
      Issue.record("\(text) is no gpsd")
      return
    }
    #expect(address.host == host && address.port == port && address.device == device, "\(text)")
  }

  @Test(arguments: [
    "", "/", "ttyAMA0", "COM3", "dev/ttyS0", "gpsd:127.0.0.1", "http://127.0.0.1:2947",
    "/dev/ttyS0@", "/dev/ttyS0@9601", "/dev/ttyS0@-9600", "/dev/ttyS0@99999999999999999999",
    "usb:", "usb:1e0e", "usb:1e0e:900", "usb:1e0e:9001:", "usb:1e0e:9001:256", "usb:1e0e:9001:2:1",
    "usb:xxxx:9001", "usb:+e0e:9001", "usb:1e0e:9001@fast",
    "gpsd://", "gpsd://gps.example.org", "gpsd://127.0.0.1:0", "gpsd://127.0.0.1:65536",
    "gpsd://127.0.0.1:x", "gpsd://[::1", "gpsd://::1:2947", "gpsd://127.0.0.1/dev/\"",
  ])
  func `A text that means no place is refused with itself and a cure`(_ text: String) {
    do throws(LineError) {
      let address = try LineAddress(text)
      Issue.record("'\(text)' was taken for \(address)")
    } catch {
      let said = error.description
      #expect(said.hasPrefix("\"\(text)\"") && said.contains("; write "), "\(said)")
      #expect(!said.contains("\n"), "\(said)")
    }
  }
}
