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

  @Test(arguments: [
    ("", ""), ("Els Senglars", "Els Senglars"), (" a", "\" a\""), ("a ", "\"a \""),
    ("a,\"b\"", "\"a,\"\"b\"\"\""), ("=1+1", "'=1+1"),
  ])
  func `A team's name is a field of its own, whatever it is`(_ name: String, _ field: String) {
    #expect(team(InlineText(Array(name.utf8).span)) == Substring(field))
  }
}
