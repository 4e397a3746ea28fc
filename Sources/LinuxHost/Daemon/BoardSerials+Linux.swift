public import CaptureStore
import SystemCalls

extension BoardSerials {
  /// Reads the board's serial numbers from this machine's files, below `root`.
  ///
  /// Sources: `/proc/device-tree/serial-number` (devicetree.org, specification 0.4 §2.3 and the
  /// Raspberry Pi's firmware), `/sys/class/dmi/id` (SMBIOS; readable by root only), and
  /// `/etc/machine-id` (machine-id(5)).
  public static func read(below root: String = "/") -> BoardSerials {
    let root = root.hasSuffix("/") ? String(root.dropLast()) : root
    return BoardSerials(
      deviceTree: first(["/proc/device-tree/serial-number"], below: root),
      firmware: first(
        ["product_uuid", "product_serial", "board_serial"].map { "/sys/class/dmi/id/\($0)" },
        below: root),
      installation: first(["/etc/machine-id"], below: root))
  }

  private static func first(_ paths: [String], below root: String) -> String? {
    for path in paths { if let text = text(of: root + path) { return text } }
    return nil
  }

  /// The first line; `nil` when it cannot be read, or is a manufacturer's placeholder.
  private static func text(of path: String) -> String? {
    guard let file = try? Descriptor(opening: path, [.read, .nonBlocking]),
      let bytes = try? file.firstBytes(atMost: HostBounds.serialNumberBytes), !bytes.isEmpty
    else { return nil }
    // A property of the device tree ends with a zero byte, a file with a newline.
    let line = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
      .split(separator: " ").joined(separator: " ").lowercased()
    return isPlaceholder(text) ? nil : text
  }

  /// Values on boards without a serial number, identical on thousands of them.
  private static func isPlaceholder(_ text: String) -> Bool {
    let digits = text.filter { $0 != "-" && $0 != " " }
    if Set(digits).count < 2 || digits == "0123456789" || digits == "123456789" { return true }
    return [
      "to be filled by o.e.m.", "default string", "system serial number", "not specified",
      "not applicable", "not available", "none", "n/a", "uninitialized", "unknown",
      "03000200-0400-0500-0006-000700080009",
    ].contains(text)
  }
}
