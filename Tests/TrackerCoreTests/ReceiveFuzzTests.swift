import NMEA
import Testing

@testable import TrackerCore

/// Whatever comes over a serial line, from whichever device: no trap, and no growth (a tracker is
/// one value of fixed size).
@Suite struct ReceiveFuzzTests {
  /// Counts what comes out, so that the work cannot be optimised away.
  private struct Counter: EffectSink {
    var effects = 0
    mutating func push(_ effect: Effect) { effects += 1 }
    mutating func remember(_ memory: Memory) { effects += 1 }
  }

  private static let lines: [[UInt8]] = [
    "$GPRMC,100000.00,A,4210.9320,N,00229.3400,E,2.5,180.0,180426,,,A*59\r\n",
    "$GPGGA,100000.00,4210.9320,N,00229.3400,E,1,08,1.1,443.0,M,49.0,M,,*6A\r\n",
    "$GNGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.9,1.1,1.5*28\r\n",
    "$GPZDA,235960.00,31,12,2026,00,00*6A\r\n",
    "\\s:gnss,c:1776506400123*05\\$GPGLL,4210.9320,N,00229.3400,E,100000.00,A,A*69\r\n",
    "\r\nOK\r\n", "\r\n+CREG: 0,1\r\n\r\nOK\r\n", "\r\n+CME ERROR: 999999999999\r\n",
    "\r\n+CPIN: READY\r\n", "\r\n+CEREG: 2,5,\"FFFF\",\"01\",7\r\n", "RDY\r\n+CREG: ,,,\r\n",
  ].map { Array($0.utf8) }

  @Test func `A million mutated inputs through receive trap nothing`() {
    var random = Jitter(seed: 0x5EED_F00D)
    var tracker = Tracker(
      board: .bench, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText("Fuzz"), seed: 3),
      at: .start)
    var sink = Counter()
    var now: Int64 = 0
    var input: [UInt8] = []
    for round in 0..<1_000_000 {
      let bits = random.next()
      input.removeAll(keepingCapacity: true)
      input += Self.lines[Int(bits % UInt64(Self.lines.count))]
      let place = Int(bits >> 8 & 0xFFFF) % input.count
      switch bits >> 24 & 7 {
      case 0: input[place] ^= 1 << UInt8(bits >> 32 & 7)
      case 1: input.removeSubrange(place...)
      case 2: input[place] = UInt8(truncatingIfNeeded: bits >> 32)
      case 3: input.insert(contentsOf: [0xB5, 0x62, 0x0A, 0x24, 0x5C], at: place)
      case 4: input.append(contentsOf: [UInt8](repeating: 0x41, count: Int(bits >> 32 & 0x3FF)))
      case 5, 6, 7: break
      default: break
      }
      // Mostly forward; now and then the clock of the host stands still.
      now += Int64(bits >> 40 & 0x3FF)
      let role: SerialRole = bits >> 52 & 1 == 0 ? .receiver : .modem
      tracker.receive(input.span, from: role, at: Instant(milliseconds: now), into: &sink)
      if let deadline = tracker.nextDeadline, deadline.milliseconds <= now {
        tracker.handle(.deadlineReached, at: Instant(milliseconds: now), into: &sink)
      }
      if round % 1000 == 0 {
        tracker.handle(
          .batteryMeasured(BatteryReading(millivolts: Int32(truncatingIfNeeded: bits))),
          at: Instant(milliseconds: now), into: &sink)
      }
    }
    let repeated: Comment = "repeat with: swift test --filter ReceiveFuzzTests"
    #expect(sink.effects > 1000, repeated)
    #expect(tracker.fixes.accepted > 1000, "\(tracker.fixes) \(repeated)")
    #expect(tracker.sentences.rejected > 100_000, repeated)
  }
}
