import TestSupport
import Testing

/// What the receiver is told over its line.
@Suite(.serialized, .blocking) struct ReceiverControlTests {
  /// Waits until that has been said to it.
  private func hear(_ bytes: [UInt8], _ run: DaemonRun) throws {
    var all: [UInt8] = []
    try eventually("\(bytes), not \(all); \(run.command)") {
      all += run.line.heard()
      return all.indices.contains { all[$0...].starts(with: bytes) }
    }
  }

  @Test func `A receiver is told its rate and its sentences at the start`() throws {
    let run = try DaemonRun()
    try run.startAndWait()
    // UBX-CFG-RATE with 1000 ms, and the sentence that switches GSV off (u-blox 6 to M9).
    let rate: [UInt8] = [0xB5, 0x62, 0x06, 0x08, 0x06, 0x00, 0xE8, 0x03]
    try hear(rate + [0x01, 0x00, 0x01, 0x00, 0x01, 0x39], run)
  }

  @Test func `Between captures it is put to sleep, and woken for the next`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.settings["receiver"] = "'dutyCycle'"
    run.settings["capture"] = "{ policy: 'standard', interval: '60 s' }"
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    try hear([0xB5, 0x62, 0x02, 0x41, 0x08, 0x00], run)
    try hear([0xFF], run)
    try run.wait("captured sequence=2")
  }

  @Test func `One that falls silent is reported, and so is one that is heard again`() throws {
    let run = try DaemonRun(["--speed", "100"])
    try run.startAndWait()
    try run.wait("receiver silent")
    run.line.walk(speed: 100)
    try run.wait("receiver heard")
  }
}
