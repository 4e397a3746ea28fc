import CardStore
import Reports
import Testing
import TrackerCore

@testable import FirmwareHost

/// The table that the console writes, on this machine.
@Suite struct CaptureTableTests {
  private struct Paper: Machine {
    var now = Instant.start
    var text = ""
    let cycles: UInt32 = 0
    func sleep(until deadline: Instant) {}
    func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int { 0 }
    func restart() {}
    func pressPowerKey(for length: Milliseconds) {}
    func readButton() -> Bool { false }
    func setLight(isLit: Bool) {}
    func readBattery() -> UInt16? { nil }
    mutating func send(_ bytes: Span<UInt8>, to port: MachinePort) {
      text += bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func team(_ name: InlineText<64>) -> Substring? {
    let capture = Capture(
      sequence: 1, utc: nil, isTimeTrusted: false, position: nil, team: name, trigger: .interval)
    var (line, paper) = (TextLine(), Paper())
    line.row(capture, .pending, of: UniqueID(high: 1, low: 2), rows: 1)
    line.send(to: .console, of: &paper)
    return paper.text.firstMatch(of: /,1,(.*),,unknown,/)?.1
  }

  /// Each value is there in some, and missing in others.
  private static func capture(_ sequence: UInt32) -> Capture {
    func some<Value>(_ bit: UInt32, _ value: Value) -> Value? {
      sequence >> bit & 1 == 0 ? value : nil
    }
    var capture = Capture(
      sequence: sequence, utc: some(0, UTC(milliseconds: 1_776_499_242_005)),
      isTimeTrusted: sequence % 2 == 0 && sequence % 3 != 0,
      position: some(1, Coordinate(latitude: -418_000_000, longitude: 21_000_003)),
      team: InlineText("Els \"Senglars\""),
      trigger: Trigger(rawValue: UInt8(sequence % 13)) ?? .interval)
    capture.altitudeMillimetres = some(2, -712)
    capture.speedMillimetresPerSecond = some(3, 1400)
    capture.courseMillidegrees = some(4, 271_500)
    capture.accuracyMetres = some(0, 5)
    capture.satellites = some(1, 9)
    capture.batteryPercent = some(2, 77)
    capture.batteryMillivolts = some(3, 3812)
    return capture
  }

  @Test func `It is the table that trackerctl exports and imports`() throws {
    let device = UniqueID(high: 0x0123_4567_89AB_8DEF, low: 0x8123_4567_89AB_CDEF)
    let captures = (1...64).map(Self.capture)
    let standings: [(CaptureStanding, ExportedState)] = [
      (.pending, .pending), (.setAside, .setAside), (.delivered, .acknowledged),
    ]
    let exported = captures.map {
      ExportedCapture($0, device: device, state: standings[Int($0.sequence) % 3].1)
    }
    var (line, paper) = (TextLine(), Paper())
    line.captureColumns()
    line.text("\r\n")
    for capture in captures {
      line.send(to: .console, of: &paper)
      line.row(
        capture, standings[Int(capture.sequence) % 3].0, of: device, rows: Int32(captures.count))
      line.text("\r\n")
    }
    line.send(to: .console, of: &paper)
    let bytes = ExportFormat.csv.bytes(of: exported, creator: "")
    #expect(paper.text == String(decoding: bytes, as: UTF8.self))
    #expect(try CaptureImport.captures(in: Array(paper.text.utf8)) == exported)
  }

  @Test(arguments: [
    ("", ""), ("Els Senglars", "Els Senglars"), (" a", "\" a\""), ("a ", "\"a \""),
    ("a,\"b\"", "\"a,\"\"b\"\"\""), ("=1+1", "'=1+1"),
  ])
  func `A team's name is a field of its own, whatever it is`(_ name: String, _ field: String) {
    #expect(team(InlineText(Array(name.utf8).span)) == Substring(field))
  }
}
