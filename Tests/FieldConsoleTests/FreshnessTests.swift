import CaptureStore
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// What is old, unknown or nobody's is not shown as if it were current.
@Suite struct FreshnessTests {
  private let again: Comment = "repeat with: swift test --filter FreshnessTests"

  private func status(_ change: (inout TrackerFacts) -> Void) -> String {
    var facts = TrackerFacts.healthy
    (facts.receiver.satellitesUsed, facts.receiver.satellitesSeen, facts.receiver.hdopHundredths) =
      (9, 12, 90)
    (
      facts.receiver.bytesPerMinute, facts.receiver.sentencesPerMinute,
      facts.receiver.rejectedPerMinute
    ) = (9000, 120, 0)
    change(&facts)
    return StatusScreen.page(of: facts, in: .english).text()
  }

  @Test func `The sky of a receiver that is silent, or only noise, is not shown`() {
    #expect(status { _ in }.contains("9 of 12 satellites, HDOP 0.9"), again)
    let silent = status { ($0.receiver.isSilent, $0.receiver.heard) = (true, 34_000) }
    #expect(!silent.contains("satellites") && !silent.contains("HDOP"), "\(silent); \(again)")
    #expect(silent.contains("nothing for 34 s"), "\(silent); \(again)")
    let noise = status {
      ($0.receiver.sentencesPerMinute, $0.receiver.rejectedPerMinute) = (1, 200)
    }
    #expect(!noise.contains("satellites") && !noise.contains("HDOP"), "\(noise); \(again)")
  }

  @Test func `Satellites that no sentence mentions are not made up`() {
    let text = status { $0.receiver.satellitesSeen = nil }
    #expect(text.contains("9 satellites used") && !text.contains(" of "), "\(text); \(again)")
  }

  @Test func `A network that the modem has lost is shown with its age`() {
    let now = status {
      ($0.modem.isPresent, $0.modem.phase, $0.modem.network) = (true, .attached, "Movistar")
      ($0.modem.signal, $0.modem.registered) = (-83, 0)
    }
    #expect(now.contains("attached, Movistar, signal -83 dBm\n"), "\(now); \(again)")
    let old = status {
      ($0.modem.isPresent, $0.modem.phase, $0.modem.network) = (true, .off, "Movistar")
      ($0.modem.signal, $0.modem.registered) = (-83, 2_760_000)
    }
    #expect(old.contains("off, Movistar, signal -83 dBm, 46 min ago"), "\(old); \(again)")
  }

  // MARK: A tracker that does not answer

  private func dead(_ kept: String?) -> Console<FakeBackend> {
    var backend = FakeBackend()
    backend.known.identity.presence = .dead
    backend.known.identity.device = "3f2a0000-0000-0000-0000-000000000001"
    let time = MachineTime(
      boot: "b", now: .start, sinceBoot: .minutes(90), date: UTC(milliseconds: 0))
    backend.kept = kept.map { ($0, time) }
    return Console(backend, language: .english)
  }

  /// It captured, looked for a network, and was cut off half an hour ago.
  private var kept: String {
    var memory = EventMemory()
    memory.add(.captured, "17", at: .start)
    memory.capturing(.notDue, at: .start)
    memory.sending(.searching, at: .start)
    let device = UniqueID(high: 0x3F2A_0000_0000_0000, low: 1)
    let time = MachineTime(
      boot: "b", now: .start + .minutes(10), sinceBoot: .minutes(60), date: UTC(milliseconds: 0))
    return memory.kept(for: device, date: nil, isOrderly: false, at: time)
  }

  @Test func `why and events of a dead tracker come from what it has kept`() {
    var console = dead(kept)
    let why = console.answer(line: "why")
    #expect(why.text.hasPrefix("now: NO-GO"), "\(why.text); \(again)")
    #expect(why.text.contains("75 %  switched off"), "\(why.text); \(again)")
    #expect(why.text.contains("25 %  searching"), "\(why.text); \(again)")
    let events = console.answer(line: "events")
    #expect(events.text.hasPrefix("NO-GO"), "\(events.text); \(again)")
    #expect(events.text.contains("40 min ago  capture 17"), "\(events.text); \(again)")
    #expect(!events.text.contains("started again"), "\(events.text); \(again)")
    #expect(console.backend.asked.isEmpty, again)
  }

  @Test(arguments: [nil, "", "trackerd events 1\nsum 0\n"])
  func `Without a memory that is whole, why gives the verdict and events says why not`(
    _ text: String?
  ) {
    var console = dead(text)
    #expect(console.answer(line: "why").text.hasPrefix("now: NO-GO"), again)
    let events = console.answer(line: "events")
    #expect(events.isRefusal && events.exitCode == 2, "\(events.text); \(again)")
  }

  // MARK: Small answers

  @Test func `What is mistyped is answered with what may be typed, in the tracker's language`() {
    var backend = FakeBackend()
    backend.known.identity.language = .catalan
    var console = Console(backend, fallback: .english)
    #expect(console.answer(line: "captures snet").text.hasPrefix("escriviu: captures"), again)
    #expect(console.answer(line: "captures 0").text.contains("1000"), again)
  }

  @Test func `A capture that is not set aside is not said to be put back`() {
    var backend = FakeBackend()
    backend.answers = ["retry 99": "0\n", "retry all": "0\n"]
    var console = Console(backend, language: .english)
    let one = console.answer(line: "retry 99")
    #expect(one.isRefusal && one.text.hasPrefix("capture 99 is not set aside"), "\(one.text)")
    #expect(console.answer(line: "retry all").text == "0 put back", again)
  }
}
