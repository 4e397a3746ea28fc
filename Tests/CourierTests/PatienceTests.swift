import CaptureStore
import Courier
import TestSupport
import Testing
import TrackerCore
import Uplink
import Wording

@Suite struct PatienceTests {
  static let again: Comment = "repeat with: swift test --filter PatienceTests"

  /// What came of a delivery from a store with so many captures: report, requests, waits.
  static func deliver(
    _ count: UInt32, _ dialogue: ScriptedDialogue, bounds: DeliveryBounds = DeliveryBounds()
  ) throws -> (report: DeliveryReport, works: [String], waits: [Int64], store: CaptureStore) {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    if count > 0 { try Walk.fill(store, count) }
    var works: [String] = []
    var waits: [Int64] = []
    var now = HostTime(utc: Walk.start, uptime: .hours(1))
    let environment = DeliveryEnvironment(
      now: { now }, boot: "one",
      wait: { time in
        now.uptime = now.uptime + time
        if time > 0 { waits.append(time.count) }
      },
      perform: { request in
        works.append(request.url)
        return (.unreachable, nil)
      })
    var delivery = Delivery(store, dialogue, bounds: bounds, environment: environment)
    return (try delivery.run(), works, waits, store)
  }

  static func refused(_ sequences: [CaptureKey], _ code: Int32 = 400) -> UplinkResult {
    UplinkResult(
      outcome: .upload(
        .refused(code: code, first: sequences[0], count: UInt32(sequences.count))),
      problem: "edit: status \(code)".texts)
  }

  static func taken(_ keys: [CaptureKey]) -> UplinkResult {
    var result = UplinkResult(
      outcome: .upload(
        .answered(
          acknowledged: UInt32(keys.count), refused: 0, firstRefused: 0, code: 0)))
    result.acknowledged = keys
    return result
  }

  @Test func `The freshest go first, then the oldest on`() throws {
    let seen = KeyLog()
    let run = try Self.deliver(
      250,
      ScriptedDialogue { sequences in
        seen.add(sequences.min() ?? 0)
        return Self.taken(sequences)
      })
    #expect(run.works == ["check", "upload 100", "upload 100", "upload 50"], Self.again)
    #expect(seen.keys == [151, 1, 101], Self.again)
    #expect(run.report.pushed == 250 && run.report.left == 0, Self.again)
  }

  @Test func `An empty store asks no server`() throws {
    let run = try Self.deliver(0, ScriptedDialogue(Self.taken))
    #expect(run.report.requests == 0 && run.report.end == .empty, Self.again)
  }

  @Test func `A busy server gets smaller requests, longer waits, and an end`() throws {
    let run = try Self.deliver(
      250,
      ScriptedDialogue { _ in
        UplinkResult(
          outcome: .upload(.busy(status: 503, retryAfter: nil)), problem: "edit: 503".texts)
      })
    let sizes = [100, 50, 25, 12, 6, 3]
    #expect(run.works == ["check"] + sizes.map { "upload \($0)" }, Self.again)
    #expect(run.waits == [1000, 2000, 4000, 8000, 16_000], Self.again)
    #expect(run.report.end == .gaveUp && run.report.left == 250, Self.again)
    #expect(run.report.problem == "edit: 503".texts, Self.again)
  }

  @Test func `A server's own wait is kept to, within reason`() throws {
    for (asked, waited) in [(Int64(30_000), Int64(30_000)), (86_400_000, 60_000)] {
      let run = try Self.deliver(
        5,
        ScriptedDialogue { _ in
          UplinkResult(
            outcome: .upload(.busy(status: 429, retryAfter: Milliseconds(asked))))
        })
      #expect(run.waits.first == waited, Self.again)
    }
  }

  @Test func `What is ambiguous is asked for before anything is sent again`() throws {
    var dialogue = ScriptedDialogue { _ in UplinkResult(outcome: .upload(.ambiguous)) }
    dialogue.reconcile = .failed(status: 0)
    let run = try Self.deliver(250, dialogue)
    let asked = Array(repeating: "reconcile 100", count: 6)
    #expect(run.works == ["check", "upload 100"] + asked, Self.again)
    #expect(run.report.end == .gaveUp && run.report.left == 250, Self.again)
  }

  @Test func `One capture that spoils a request is found and set aside, the rest arrive`() throws {
    let run = try Self.deliver(
      250,
      ScriptedDialogue { sequences in
        sequences.contains(7) ? Self.refused(sequences) : Self.taken(sequences)
      })
    #expect(run.report.pushed == 249 && run.report.left == 0, Self.again)
    #expect(run.report.setAside == 1 && run.waits.isEmpty, Self.again)
    let page = try run.store.page(limit: 10, state: .setAside)
    #expect(page.map(\.capture.sequence) == [7] && page.first?.code == 400, Self.again)
  }

  @Test(arguments: [true, false])
  func `A server that refuses everything does not empty the queue`(_ byName: Bool) throws {
    let run = try Self.deliver(
      250,
      ScriptedDialogue { sequences in
        guard byName else { return Self.refused(sequences) }
        let count = UInt32(sequences.count)
        var result = UplinkResult(
          outcome: .upload(
            .answered(
              acknowledged: 0, refused: count, firstRefused: sequences[0], code: 1000)),
          problem: "refused: code 1000".texts)
        result.refused = sequences.map { Refusal(key: $0, code: 1000) }
        return result
      })
    #expect(run.report.end == .gaveUp && run.report.setAside == 0, Self.again)
    #expect(run.report.left == 250 && run.works.count < 30, "\(run.works); \(Self.again)")
    #expect(run.report.problem != nil, Self.again)
  }

  /// The only capture of all: nothing shows whether it or the server is to blame.
  @Test func `A capture that is refused without another that is taken is left for another time`()
    throws
  {
    let run = try Self.deliver(1, ScriptedDialogue { Self.refused($0) })
    #expect(run.report.left == 1 && run.report.setAside == 0, Self.again)
    #expect(run.report.end == .gaveUp && run.report.problem == "edit: status 400".texts, Self.again)
  }

  @Test func `What a server refuses for a while is delivered when that is over`() throws {
    let calls = KeyLog()
    let run = try Self.deliver(
      30,
      ScriptedDialogue { sequences in
        calls.add(CaptureKey(UInt32(sequences.count)))
        return (2...7).contains(calls.keys.count)
          ? Self.refused(sequences) : Self.taken(Array(sequences.prefix(10)))
      })
    #expect(run.report.pushed == 30 && run.report.setAside == 0, "\(run.works); \(Self.again)")
  }

  @Test func `What may have arrived is waited for, then asked about`() throws {
    let isLost = KeyLog()
    var dialogue = ScriptedDialogue { sequences in
      guard isLost.keys.isEmpty else { return Self.taken(sequences) }
      isLost.add(1)
      var result = UplinkResult(outcome: .upload(.ambiguous), problem: "edit: lost".texts)
      result.doubtful = sequences
      return result
    }
    dialogue.mayRepeat = false
    var bounds = DeliveryBounds()
    bounds.mayActFor = .minutes(3)
    let run = try Self.deliver(150, dialogue, bounds: bounds)
    #expect(
      run.works == ["check", "upload 100", "upload 50", "reconcile 100", "upload 100"],
      "\(run.works); \(Self.again)")
    // A second for the failure; the rest until the server cannot act any more.
    #expect(run.waits == [1000, 179_000], "\(run.waits); \(Self.again)")
    #expect(run.report.pushed == 150 && run.report.held == 0, Self.again)
  }

  @Test func `An unsuitable layer and a wrong password end it before anything is sent`() throws {
    let ends = [UploadOutcome.refused(code: -1, first: 0, count: 0), .unauthorised]
    for outcome in ends {
      var dialogue = ScriptedDialogue(Self.taken)
      dialogue.check = .notReady(outcome)
      let run = try Self.deliver(5, dialogue)
      #expect(run.works == ["check"] && run.report.end == .unsuitable, Self.again)
      #expect(run.report.problem == "layer: no".texts && run.report.left == 5, Self.again)
    }
  }

  @Test func `A server that is back at the second look is nothing to complain about`() throws {
    var dialogue = ScriptedDialogue(Self.taken)
    dialogue.check = .notReady(.unreachable)
    dialogue.secondCheck = .ready
    let run = try Self.deliver(5, dialogue)
    #expect(run.works == ["check", "check", "upload 5"] && run.waits == [1000], Self.again)
    #expect(run.report.pushed == 5 && run.report.problem == nil, Self.again)
  }
}
