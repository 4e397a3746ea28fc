import CaptureStore
import LinuxHost
import Testing
import TrackerCore
import Uplink

@Suite struct PatienceTests {
  static let again: Comment = "repeat with: swift test --filter PatienceTests"

  /// What came of a delivery from a store with so many captures: report, requests, waits.
  static func deliver(
    _ count: UInt32, _ dialogue: ScriptedDialogue
  ) throws -> (report: DeliveryReport, works: [String], waits: [Int64], store: CaptureStore) {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    try Walk.fill(store, count)
    var works: [String] = []
    var waits: [Int64] = []
    var delivery = Delivery(
      store, dialogue, now: { Walk.start }, wait: { waits.append($0.count) },
      perform: { request in
        works.append(request.url)
        return (.unreachable, nil)
      })
    let report = try delivery.run()
    return (report, works, waits, store)
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
    let seen = Log()
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
    let store = try CaptureStore.open(.memory, at: Walk.start)
    var delivery = Delivery(
      store, ScriptedDialogue(Self.taken), now: { Walk.start }, wait: { _ in },
      perform: { _ in (.unreachable, nil) })
    let report = try delivery.run()
    #expect(report.requests == 0 && report.end == .empty, Self.again)
  }

  @Test func `A busy server gets smaller requests, longer waits, and an end`() throws {
    let run = try Self.deliver(
      250,
      ScriptedDialogue { _ in
        UplinkResult(outcome: .upload(.busy(status: 503, retryAfter: nil)), problem: "edit: 503")
      })
    let sizes = [100, 50, 25, 12, 6, 3]
    #expect(run.works == ["check"] + sizes.map { "upload \($0)" }, Self.again)
    #expect(run.waits == [1000, 2000, 4000, 8000, 16_000], Self.again)
    #expect(run.report.end == .gaveUp && run.report.left == 250, Self.again)
    #expect(run.report.problem == "edit: 503", Self.again)
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
    let asked = Array(repeating: "reconcile 100", count: 5)
    #expect(run.works == ["check", "upload 100"] + asked, Self.again)
    #expect(run.report.end == .gaveUp && run.report.left == 250, Self.again)
  }

  @Test func `One capture that spoils a request is found and set aside, the rest arrive`() throws {
    let run = try Self.deliver(
      250,
      ScriptedDialogue { sequences in
        guard sequences.contains(7) else { return Self.taken(sequences) }
        return UplinkResult(
          outcome: .upload(
            .refused(code: 400, first: sequences[0], count: UInt32(sequences.count))))
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
        let count = UInt32(sequences.count)
        guard byName else {
          return UplinkResult(
            outcome: .upload(.refused(code: 400, first: sequences[0], count: count)))
        }
        var result = UplinkResult(
          outcome: .upload(
            .answered(
              acknowledged: 0, refused: count, firstRefused: sequences[0], code: 1000)))
        result.refused = sequences.map { Refusal(key: $0, code: 1000) }
        return result
      })
    #expect(run.report.end == .gaveUp && run.report.setAside <= 6, Self.again)
    #expect(run.report.left >= 244 && run.works.count == 13, Self.again)
  }

  @Test func `An unsuitable layer and a wrong password end it before anything is sent`() throws {
    let ends = [UploadOutcome.refused(code: -1, first: 0, count: 0), .unauthorised]
    for outcome in ends {
      var dialogue = ScriptedDialogue(Self.taken)
      dialogue.check = .notReady(outcome)
      let run = try Self.deliver(5, dialogue)
      #expect(run.works == ["check"] && run.report.end == .unsuitable, Self.again)
      #expect(run.report.problem == "layer: no" && run.report.left == 5, Self.again)
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

  @Test func `Captures from a file go device by device, each batch once more until it is taken`() {
    let devices = [UniqueID(high: 1, low: 1), UniqueID(high: 1, low: 2)]
    let captures = devices.flatMap { device in
      (1...250 as ClosedRange<UInt32>).reversed().map {
        OutgoingCapture(Walk.capture($0), device: device)
      }
    }
    let queue = HandedCaptures(captures)
    let first = queue.batch(.freshest(limit: 100), at: Walk.start)
    #expect(first.map(\.capture.sequence) == Array(1...100), Self.again)
    #expect(!first.contains { $0.wasSent }, Self.again)
    #expect(queue.take(Self.taken([3, 4, 101]), at: Walk.start) == 2, Self.again)
    let second = queue.batch(.oldest(limit: 50), at: Walk.start)
    #expect(second.prefix(3).map(\.capture.sequence) == [1, 2, 5], Self.again)
    #expect(second.allSatisfy { $0.wasSent } && second.count == 50, Self.again)
    var seen: [UniqueID] = []
    while let batch = Optional(queue.batch(.oldest(limit: 100), at: Walk.start)), !batch.isEmpty {
      seen += batch.map(\.device)
      _ = queue.take(Self.taken(batch.map(\.key)), at: Walk.start)
    }
    #expect(seen.count { $0 == devices[0] } == 248 && seen.count == 498, Self.again)
    #expect(seen.firstIndex(of: devices[1]) == 248, Self.again)
    #expect(queue.waiting == 0 && queue.refused == 0, Self.again)
  }
}
