import Testing
import TrackerCore

/// What has gathered in a hole in the coverage, brought home over a serial line at 115200 by the
/// modem's own HTTP, in virtual time; and for how many seconds the radio is on for that.
@Suite struct HoleTests {
  /// Captures, and the radio's seconds at the most: 12 to switch on, 8 to register, some 2 of
  /// talking and 41 ms a capture on the line.
  static let holes: [(waiting: UInt32, radioSeconds: Int64)] = [
    (1, 25), (2, 25), (3, 25), (20, 25), (200, 37), (5000, 320),
  ]

  @Test(arguments: holes.indices)
  func `Everything is delivered once, in one contact, with the radio on for no longer than it takes`(
    _ number: Int
  ) throws {
    let (waiting, limit) = Self.holes[number]
    var desk = try Desk("sim7600", .sim7600, waiting: waiting, baud: 115_200) {
      $0.bearer = .modem
      $0.startsBySelf = false
    }
    desk.run(seconds: 3600)
    #expect(desk.queue.count == 0, "\(waiting); \(emulatorAgain)")
    let isWhole = desk.received.sorted() == Array(1...waiting)
    #expect(isWhole, "\(waiting); \(emulatorAgain)")
    #expect(desk.modem.boots == 1 && !desk.modem.isOn, "one contact; \(emulatorAgain)")
    #expect(
      desk.radioSeconds <= limit, "\(waiting): on for \(desk.radioSeconds) s; \(emulatorAgain)")
  }

  /// At 9600 baud a hundred captures take 49 s, and the largest of requests has 100.
  @Test func `A slow line delivers too`() throws {
    var desk = try Desk("sim7600", .sim7600, waiting: 200, baud: 9600) {
      $0.bearer = .modem
      $0.startsBySelf = false
    }
    desk.run(seconds: 3600)
    let isWhole = desk.received.sorted() == Array(1...200)
    #expect(isWhole, emulatorAgain)
    #expect(desk.queue.count == 0, emulatorAgain)
  }
}
