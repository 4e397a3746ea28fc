import CaptureStore
import CommandLineSupport
import LinuxHost
import TrackerCore
import Uplink

/// The captures of a store as a table, 80 columns wide.
struct CaptureList {
  private let store: CaptureStore
  private static let pageRows: UInt32 = 1000

  init(_ store: CaptureStore) { self.store = store }

  /// Writes the list a page at a time, because a store may not fit in memory.
  func print(_ write: (String) throws -> Void) throws {
    try write(
      Self.line("number", "state", "time (UTC)", "latitude", "longitude", "batt", "code"))
    var last = CaptureKey.none
    while true {
      let page = try store.page(after: last, limit: Self.pageRows)
      guard let end = page.last else { break }
      try write(page.map { Self.line($0, named: store.name(of: $0)) }.joined())
      last = end.key
    }
    let tally = store.tally
    try write(
      "\(tally.rows) captures: \(tally.pending) waiting, \(tally.acknowledged) delivered, "
        + "\(tally.setAside) set aside"
        + (store.damagedRows > 0 ? ", \(store.damagedRows) damaged\n" : "\n"))
    for device in try store.devices() { try write(Self.line(device, present: store.device)) }
  }

  /// A device's captures, and whether the store has all of them.
  private static func line(_ device: DeviceTally, present: UniqueID) -> String {
    let digits = device.device.lowercaseText.prefix(CaptureName.shownDigits)
    let whose = device.device == present ? "this one" : "an earlier one"
    let gaps = device.missing == 0 ? "none missing" : "\(device.missing) missing"
    return "device \(digits), \(whose): \(device.first) to \(device.last), "
      + "\(gaps), \(device.tally.pending) waiting\n"
  }

  private static func line(_ stored: StoredCapture, named name: CaptureName) -> String {
    let capture = stored.capture
    let mark = capture.isTimeTrusted ? "" : "?"
    return line(
      "\(name)", Self.name(stored.state),
      capture.utc.map { CalendarText.text($0) + mark } ?? "unknown",
      degrees(capture.position.latitude), degrees(capture.position.longitude),
      capture.batteryPercent.map { "\($0)%" } ?? "-", stored.code.map { "\($0)" } ?? "")
  }

  private static func line(
    _ number: String, _ state: String, _ time: String, _ latitude: String, _ longitude: String,
    _ battery: String, _ code: String
  ) -> String {
    let start =
      number.rightAligned(in: 8) + "  " + state.leftAligned(in: 9) + "  " + time.leftAligned(in: 20)
    let end =
      latitude.rightAligned(in: 9) + longitude.rightAligned(in: 11) + battery.rightAligned(in: 5)
    return start + " " + end + (code.isEmpty ? "" : code.rightAligned(in: 13)) + "\n"
  }

  private static func name(_ state: CaptureState) -> String {
    switch state {
    case .pending: "waiting"
    case .inFlight: "no answer"
    case .acknowledged: "delivered"
    case .setAside: "set aside"
    }
  }

  /// Degrees with five decimals, about a metre.
  private static func degrees(_ value: Int32) -> String {
    let rounded = (value.magnitude + 50) / 100
    let decimals = "\(rounded % 100_000)"
    let zeros = String(repeating: "0", count: 5 - decimals.count)
    return (value < 0 ? "-" : "") + "\(rounded / 100_000).\(zeros)\(decimals)"
  }
}
