import CaptureStore
import Courier
import Foundation
import TestSupport
import Testing
import TrackerCore
import Uplink

/// Messages to the tracker, between its store and a server.
@Suite struct FetchTests {
  private static let again: Comment = "repeat with: swift test --filter FetchTests"
  private static let now = HostTime(utc: Walk.start, uptime: .hours(1))
  private static let id = RequestID(9)

  /// A server with these messages, which it shows until they are confirmed. Its requests tell the
  /// work: `fetch 4`, `confirm 5 6`.
  private struct Mailbox: UplinkDialogue {
    var messages: [ServedMessage]
    var failure: MailOutcome?
    var isConfirmable = true
    let canReconcile = true
    let mayRepeat = true
    private var confirming: [UInt32]?

    init(_ messages: [ServedMessage]) { self.messages = messages }

    mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: .upload(.unreachable)))
    }

    mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
      confirming = nil
      let without = question.exceptions.map { " without \($0.number) \($0.result)" }.joined()
      return .send(
        HTTPRequest(method: .get, url: "fetch \(question.after)\(without)", headers: []))
    }

    mutating func confirm(
      _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
    ) -> UplinkStep {
      confirming = messages.map { UInt32($0.object - 100) }
      let words = messages.map { " \($0.object - 100)" }.joined()
      return .send(HTTPRequest(method: .post, url: "confirm\(words)", headers: []))
    }

    mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
      guard let numbers = confirming else {
        return .done(UplinkResult(outcome: .mail(failure ?? .fetched(messages))))
      }
      guard isConfirmable else { return .done(UplinkResult(outcome: .mail(.failed(status: 0)))) }
      messages.removeAll { numbers.contains($0.number) }
      return .done(UplinkResult(outcome: .mail(.confirmed)))
    }
  }

  private static func message(
    _ number: UInt32, _ kind: ServedMessage.Kind = .message, about sequence: UInt32? = nil,
    isConfirmed: Bool = false
  ) -> ServedMessage {
    ServedMessage(
      object: Int64(number) + 100, number: number, kind: kind, text: "t\(number)", author: "Marta",
      created: Walk.start + .seconds(Int64(number)), sequence: sequence, isConfirmed: isConfirmed)
  }

  private static func answer(
    _ kind: EmergencyAnswer.Kind, _ sequence: UInt32, number: UInt32
  ) -> FetchOutcome {
    .answered(
      EmergencyAnswer(
        kind: kind, sequence: sequence, by: InlineText("Marta"),
        at: Walk.start + .seconds(Int64(number))))
  }

  /// What was requested, and the outcome.
  private func fetch(
    _ courier: inout Courier<Mailbox>, stopAfter most: Int = 9, at now: HostTime = Self.now
  ) throws -> (requests: [String], outcome: FetchOutcome?) {
    var requests: [String] = []
    var step = courier.fetch(Self.id, at: now)
    while case .send(let request) = step {
      requests.append(request.url)
      if requests.count > most { return (requests, nil) }
      step = courier.receive(.lost, at: now)
    }
    guard case .done(let end) = step, case .fetchFinished(Self.id, let outcome) = end.event else {
      throw Problem("\(step)")
    }
    return (requests, outcome)
  }

  /// A store with captures 1 to 20.
  private static func walked() throws -> CaptureStore {
    let store = try CaptureStore.open(.memory, at: now.utc)
    try walk(20, into: store)
    return store
  }

  private static func walk(_ count: UInt32, into store: CaptureStore) throws {
    for sequence in 1...count { try store.append(Walk.capture(sequence), at: now.utc) }
  }

  private func courier(
    _ messages: [ServedMessage], in store: CaptureStore? = nil
  ) throws -> Courier<Mailbox> {
    Courier(try store ?? Self.walked(), Mailbox(messages), boot: "one")
  }

  @Test func `What is newer than the newest message is asked for, whichever came last`() throws {
    func kept(_ number: UInt32, _ minute: Int64) -> KeptMessage {
      KeptMessage(
        number: number, kind: .message, text: "t", author: "Marta",
        created: Walk.start + .minutes(minute))
    }
    let store = try Self.walked()
    for (messages, after) in [
      ([], 0), ([kept(7, 1), kept(9, 3)], 9), ([kept(8, 2)], 9),
      // The server has a new table, whose numbers begin again.
      ([kept(1, 4)], 1),
    ] as [([KeptMessage], UInt32)] {
      try store.keep(messages)
      var courier = try courier([], in: store)
      #expect(try fetch(&courier).requests == ["fetch \(after)"], Self.again)
    }
  }

  @Test func `An answer to another device with this one's code is none`() throws {
    let store = try CaptureStore.open(.memory, at: Self.now.utc)
    for sequence in UInt32(1)...5 { try store.append(Walk.capture(sequence), at: Self.now.utc) }
    let other = UniqueID(high: 8, low: 9)
    func read(_ number: UInt32, _ sequence: UInt32, _ capture: UniqueID) -> ServedMessage {
      var message = Self.message(number, .read, about: sequence)
      message.capture = capture
      return message
    }
    let own = try #require(try store.identifier(ofSequence: 4))
    var courier = try courier(
      [read(1, 4, own), read(2, 5, other), read(3, 403, other)], in: store)
    #expect(try fetch(&courier).outcome == Self.answer(.read, 4, number: 1))
  }

  @Test func `A layer without numbers has its answers found by the capture's UUID`() throws {
    let store = try CaptureStore.open(.memory, at: Self.now.utc)
    for sequence in UInt32(1)...5 { try store.append(Walk.capture(sequence), at: Self.now.utc) }
    func read(_ number: UInt32, _ capture: UniqueID) -> ServedMessage {
      var message = Self.message(number, .read)
      message.capture = capture
      return message
    }
    let own = UniqueID(device: store.device, sequence: 4)
    let later = UniqueID(device: store.device, sequence: 6)
    var courier = try courier(
      [read(1, own), read(2, later), read(3, UniqueID(high: 8, low: 9))],
      in: store)
    let outcome = try fetch(&courier).outcome
    #expect(outcome == Self.answer(.read, 4, number: 1), "6 was not taken yet; \(Self.again)")
  }

  @Test func `An answer about a capture that was never taken is none, and hides no other`() throws {
    var courier = try courier([
      Self.message(1, .read, about: 1_000_000_000), Self.message(2, .read, about: 21),
      Self.message(3, .read, about: 20),
    ])
    #expect(try fetch(&courier).outcome == Self.answer(.read, 20, number: 3), Self.again)
  }

  @Test func `An answer that comes with the captures' own reaches the core`() throws {
    let store = try CaptureStore.open(.memory, at: Self.now.utc)
    try store.append(Walk.capture(1), at: Self.now.utc)
    let server = try PostingConfiguration(format: .json, url: "https://p.example/x")
    var courier = Courier(store, PostingDialogue(server), boot: "one")
    let request = UploadRequest(id: RequestID(1), selection: .oldest(limit: 10))
    guard case .send = courier.upload(request, at: Self.now) else { throw Problem("no request") }
    let own = UniqueID(device: store.device, sequence: 1).lowercaseText
    let body =
      "{\"messages\":[{\"number\":1,\"kind\":\"read\",\"by\":\"Marta\",\"sequence\":1,"
      + "\"capture\":\"\(own)\",\"created\":\"2026-11-21T08:05:09Z\"}]}"
    _ = courier.receive(.response(status: 200, headers: [], body: Array(body.utf8)), at: Self.now)
    guard case .done(let end) = courier.fetch(Self.id, at: Self.now),
      case .fetchFinished(Self.id, .answered(let answer?)) = end.event
    else { throw Problem("no answer") }
    #expect(answer.kind == .read && answer.sequence == 1, Self.again)
    #expect(answer.by == InlineText("Marta"), Self.again)
    #expect(try store.messages().map(\.author) == ["Marta"], Self.again)
  }

  @Test func `Messages are kept, then confirmed, and the core hears the answer`() throws {
    var courier = try courier([Self.message(5, .read, about: 17), Self.message(6)])
    let first = try fetch(&courier)
    #expect(first.requests == ["fetch 0", "confirm 5 6"], Self.again)
    #expect(first.outcome == Self.answer(.read, 17, number: 5), Self.again)
    #expect(try courier.store.messages().map(\.text) == ["t5", "t6"], Self.again)
    let second = try fetch(&courier)
    #expect(second.requests == ["fetch 6"], Self.again)
    #expect(second.outcome == first.outcome, "the core may have missed it; \(Self.again)")
  }

  @Test func `The last word on the latest emergency counts`() throws {
    var courier = try courier([
      Self.message(5, .read, about: 17), Self.message(6, .ended, about: 17),
      Self.message(7, .read, about: 12), Self.message(8, .ended),
    ])
    #expect(try fetch(&courier).outcome == Self.answer(.ended, 17, number: 6), Self.again)
  }

  @Test func `A kill between loses nothing and doubles nothing`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("race.store")
    let messages = [Self.message(5, .read, about: 17), Self.message(6)]
    for most in [0, 1, 9] {
      let store = try CaptureStore.open(.file(path), at: Self.now.utc)
      if most == 0 { try Self.walk(20, into: store) }
      var killed = try courier(messages, in: store)
      // Killed with the question, then with the confirmation, under way.
      _ = try fetch(&killed, stopAfter: most)
      #expect(
        try killed.store.messages().map(\.number) == (most == 0 ? [] : [5, 6]), Self.again)
    }
    let store = try CaptureStore.open(.file(path), at: Self.now.utc)
    var last = try courier([], in: store)
    let end = try fetch(&last)
    #expect(end.requests == ["fetch 6"], Self.again)
    #expect(end.outcome == Self.answer(.read, 17, number: 5), Self.again)
    #expect(try last.store.messages().count == 2, Self.again)
  }

  @Test func `A confirmation that fails is made again with the next question`() throws {
    let store = try Self.walked()
    var dialogue = Mailbox([Self.message(5, .read, about: 17)])
    dialogue.isConfirmable = false
    var courier = Courier(store, dialogue, boot: "one")
    for after in [0, 5] {
      let end = try fetch(&courier)
      #expect(end.requests == ["fetch \(after)", "confirm 5"], Self.again)
      #expect(end.outcome == Self.answer(.read, 17, number: 5), Self.again)
    }
    #expect(try courier.store.messages().count == 1, Self.again)
  }

  @Test func `What another device with the code has had is no answer to this one`() throws {
    let old = Self.message(5, .ended, about: 500, isConfirmed: true)
    var courier = try courier([old])
    let first = try fetch(&courier)
    #expect(first.requests == ["fetch 0"] && first.outcome == .answered(nil), Self.again)
    // From then on a confirmation that is not this tracker's own hides nothing.
    let new = Self.message(6, .read, about: 7, isConfirmed: true)
    courier.use(Mailbox([old, new]), mayActFor: 0)
    #expect(try fetch(&courier).outcome == Self.answer(.read, 7, number: 6), Self.again)
  }

  @Test func `A server without messages, or without an answer, is told apart`() throws {
    for (failure, outcome) in [
      (MailOutcome.unsupported, FetchOutcome.unsupported),
      (.failed(status: 503), .failed(status: 503)), (.fetched([]), .answered(nil)),
    ] {
      var dialogue = Mailbox([])
      dialogue.failure = failure
      let store = try CaptureStore.open(.memory, at: Self.now.utc)
      var courier = Courier(store, dialogue, boot: "one")
      #expect(try fetch(&courier).outcome == outcome, Self.again)
    }
  }

  private static func order(_ number: UInt32, knownAs result: String? = "") -> ServedMessage {
    var order = message(number, .order)
    (order.expires, order.result) = (now.utc + .hours(2), result)
    return order
  }

  @Test func `An order is late when it comes late, not when it is told or answered late`() throws {
    let late = HostTime(utc: Self.now.utc + .hours(3), uptime: .hours(4))
    var dialogue = Mailbox([Self.order(5), Self.order(6)])
    dialogue.isConfirmable = false
    let store = try Self.walked()
    var courier = Courier(store, dialogue, boot: "one")
    _ = try fetch(&courier)
    try store.conclude(try #require(try store.messages().last), OrderOutcome.inForce)
    courier.use(Mailbox([Self.order(5), Self.order(6), Self.order(7)]), mayActFor: 0)
    _ = try fetch(&courier, at: late)
    let outcomes = try store.messages().map(\.outcome)
    #expect(
      outcomes == [nil, OrderOutcome.inForce, OrderOutcome.tooLate],
      "\(outcomes); \(Self.again)")
  }

  @Test func `An order is left out once the server knows that it came, and until it is over`()
    throws
  {
    let store = try Self.walked()
    // A server without the field, and one with a long text in it, which would go along each time.
    let others = [nil, String(repeating: "x", count: 500)]
    let orders =
      [Self.order(5, knownAs: "fetched")]
      + others.indices.map {
        Self.order(6 + UInt32($0), knownAs: others[$0])
      }
    var courier = try courier(orders, in: store)
    #expect(try fetch(&courier).requests == ["fetch 0"], Self.again)
    #expect(try fetch(&courier).requests == ["fetch 7 without 5 fetched"], Self.again)
    courier.use(Mailbox(orders), mayActFor: 0)
    #expect(try fetch(&courier).requests == ["fetch 7"], "another server; \(Self.again)")
    try store.conclude(try #require(try store.messages().first), OrderOutcome.seen)
    #expect(try fetch(&courier).requests == ["fetch 7", "confirm 5"], Self.again)
    #expect(try fetch(&courier).requests == ["fetch 7"], Self.again)
  }

  @Test func `Of ten thousand messages the last hundred are kept`() throws {
    var courier = try courier([])
    for batch in 0..<500 {
      let messages = (1...20).map { Self.message(UInt32(batch * 20 + $0)) }
      courier.use(Mailbox(messages), mayActFor: 0)
      _ = try fetch(&courier)
    }
    let kept = try courier.store.messages()
    #expect(kept.count == 100 && kept.last?.number == 10_000, Self.again)
  }
}
