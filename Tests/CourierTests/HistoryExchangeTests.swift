import CaptureStore
import Courier
import Foundation
import History
import TestSupport
import Testing
import TrackerCore
import Uplink

/// A history that the control room asks for, between a tracker's store and a server.
@Suite struct HistoryExchangeTests {
  private static let again: Comment = "repeat with: swift test --filter HistoryExchangeTests"
  private static let now = HostTime(utc: Walk.start, uptime: .hours(1))
  private static let id = RequestID(9)
  private static let order = "history 2012-10-06T08:00:00Z 2012-10-06T08:50:00Z 5 s"

  /// A server with orders and a table of histories. Its requests tell the work: `fetch`,
  /// `confirm RESULT`, `ask 2`, `add 4`.
  private final class Room: @unchecked Sendable {
    var orders: [ServedMessage] = []
    var keys: [String] = []
    var results: [String] = []
    var hasTable = true
    /// The next addition is stored, and its answer is lost.
    var losesAnswer = false
    var refuses = false
  }

  private struct RoomDialogue: UplinkDialogue {
    let room: Room
    let canReconcile = true
    let mayRepeat = true
    private var outcome: (@Sendable () -> UplinkOutcome)?

    init(_ room: Room) { self.room = room }

    mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: .upload(.unreachable)))
    }

    mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
      let orders = room.orders.filter { order in
        !question.exceptions.contains { $0.number == order.number && $0.result == order.result }
      }
      return ask("fetch") { .mail(.fetched(orders)) }
    }

    mutating func confirm(
      _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
    ) -> UplinkStep {
      let room = room
      return ask("confirm \(messages.count)") {
        for one in messages {
          let text =
            Mirror(reflecting: one).children.first { $0.label == "result" }
            .flatMap { $0.value as? String } ?? ""
          room.results.append(text)
          for index in room.orders.indices where room.orders[index].object == one.object {
            room.orders[index].result = text
          }
          if text.hasPrefix("sent") || text.hasPrefix("refused") {
            room.orders.removeAll { $0.object == one.object }
          }
        }
        return .mail(.confirmed)
      }
    }

    mutating func exchange(_ notes: NoteTask, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: .notes(.unsupported)))
    }

    mutating func tell(_ history: HistoryTask, at now: UTC) -> UplinkStep {
      let room = room
      switch history {
      case .ask(_, let request):
        return ask("ask \(request)") {
          .history(room.hasTable ? .known(Set(room.keys)) : .unsupported)
        }
      case .add(let parts, _):
        return ask("add \(parts.count)") {
          if room.refuses { return .history(.added(parts.map { _ in false })) }
          room.keys += parts.map(\.key)
          defer { room.losesAnswer = false }
          return .history(room.losesAnswer ? .failed(status: 0) : .added(parts.map { _ in true }))
        }
      }
    }

    private mutating func ask(
      _ words: String, _ outcome: @escaping @Sendable () -> UplinkOutcome
    ) -> UplinkStep {
      self.outcome = outcome
      return .send(HTTPRequest(method: .post, url: words, headers: []))
    }

    mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: outcome?() ?? .mail(.failed(status: 0))))
    }
  }

  private static func message(_ number: UInt32, _ text: String = order) -> ServedMessage {
    var message = ServedMessage(
      object: Int64(number), number: number, kind: .order, text: text, author: "Marta",
      created: Walk.start)
    message.result = ""
    return message
  }

  private func courier(_ room: Room, store path: String) throws -> Courier<RoomDialogue> {
    var courier = Courier(
      try CaptureStore.open(.file(path), at: Self.now.utc), RoomDialogue(room), boot: "one")
    var terms = HistoryTerms()
    (terms.isAllowed, terms.milliwatts) = (true, 2500)
    terms.date = Walk.start + .hours(24)
    courier.historyTerms = terms
    return courier
  }

  private func withScratch(_ body: (String) throws -> Void) throws {
    let folder = try ScratchFolder()
    try body(folder.url.path)
  }

  /// One fetch: what was requested, and what the tracker hears.
  private func fetch(
    _ courier: inout Courier<RoomDialogue>, killedAfter most: Int = 99
  ) throws -> (requests: [String], outcome: FetchOutcome?) {
    var requests: [String] = []
    var step = courier.fetch(Self.id, at: Self.now)
    while case .send(let request) = step {
      requests.append(request.url)
      step = courier.receive(.lost, at: Self.now)
      if requests.count == most { return (requests, nil) }
    }
    guard case .done(let end) = step, case .fetchFinished(Self.id, let outcome) = end.event else {
      throw Problem("\(step)")
    }
    return (requests, outcome)
  }

  /// As the host does between two contacts.
  private func pick(_ courier: inout Courier<RoomDialogue>) throws {
    let open = try #require(courier.openHistory, Self.again)
    var picker = HistoryPicker(open.request)
    for index in 0..<599 {
      picker.see(
        Coordinate(latitude: 418_000_000, longitude: Int32(index)),
        at: open.request.from + .seconds(Int64(index) * 5))
    }
    courier.take(picker.answer, for: open)
  }

  @Test func `The price comes with the first contact, all positions with the second`() throws {
    try withScratch { folder in
      let room = Room()
      room.orders = [Self.message(2)]
      var courier = try courier(room, store: folder + "/store")
      let first = try fetch(&courier)
      #expect(first.requests == ["fetch", "confirm 1"] && first.outcome == .owing(nil), Self.again)
      #expect(room.results.last?.hasPrefix("at most 601 positions, ") ?? false, "\(room.results)")
      try pick(&courier)
      let second = try fetch(&courier)
      #expect(
        second.requests == ["fetch", "ask 2", "add 4", "add 2", "confirm 1"]
          && second.outcome == .answered(nil), "\(second)")
      #expect(room.results.last == "sent 599 of 601; missing: 2 not recorded", "\(room.results)")
      #expect(try fetch(&courier).requests == ["fetch"] && Set(room.keys).count == 6, Self.again)
    }
  }

  @Test(arguments: 1...7)
  func `Killed at any point it is completed, and no part comes twice`(_ point: Int) throws {
    try withScratch { folder in
      let room = Room()
      room.orders = [Self.message(2)]
      var killed = point
      do {
        var courier = try courier(room, store: folder + "/store")
        let first = try fetch(&courier, killedAfter: killed)
        killed -= first.requests.count
        if killed > 0 {
          try pick(&courier)
          _ = try fetch(&courier, killedAfter: killed)
        }
      }
      for _ in 0..<3 where !room.orders.isEmpty {
        var courier = try courier(room, store: folder + "/store")
        if courier.openHistory != nil { try pick(&courier) }
        _ = try fetch(&courier)
      }
      #expect(room.results.last == "sent 599 of 601; missing: 2 not recorded", "\(room.results)")
      #expect(room.keys.count == 6 && Set(room.keys).count == 6, "\(room.keys)")
    }
  }

  @Test func `Parts whose answer was lost are not sent again`() throws {
    try withScratch { folder in
      let room = Room()
      room.orders = [Self.message(2)]
      var courier = try courier(room, store: folder + "/store")
      _ = try fetch(&courier)
      try pick(&courier)
      room.losesAnswer = true
      #expect(try fetch(&courier).outcome == .owing(nil), Self.again)
      #expect(try fetch(&courier).requests == ["fetch", "ask 2", "add 2", "confirm 1"], Self.again)
      #expect(room.keys.count == 6, Self.again)
    }
  }

  @Test func `It never goes before a capture of the contact, nor beside an emergency`() throws {
    try withScratch { folder in
      let room = Room()
      room.orders = [Self.message(2)]
      var courier = try courier(room, store: folder + "/store")
      _ = try fetch(&courier)
      try pick(&courier)
      courier.historyTerms.isUrgent = true
      #expect(try fetch(&courier).requests == ["fetch"], Self.again)
      courier.historyTerms.isUrgent = false
      try Walk.append(courier.store)
      _ = courier.upload(
        UploadRequest(id: Self.id, selection: .freshest(limit: 9)), at: Self.now)
      #expect(try fetch(&courier).requests == ["fetch"], Self.again)
      try courier.store.acknowledge(try courier.store.newest(1).map(\.key), at: Self.now.utc)
      // One that was taken since is for the next contact.
      try Walk.append(courier.store)
      let last = try fetch(&courier)
      #expect(last.requests.contains("ask 2"), Self.again)
      // The order was left out of what came, as there was no more to say of it.
      #expect(last.requests.last == "confirm 1" && room.orders.isEmpty, "\(last); \(Self.again)")
    }
  }

  @Test func `What may not be is refused with its reason, and a flood does no harm`() throws {
    try withScratch { folder in
      let room = Room()
      var courier = try courier(room, store: folder + "/store")
      func results(_ orders: [ServedMessage]) throws -> [String] {
        (room.orders, room.results) = (orders, [])
        _ = try fetch(&courier)
        return room.results
      }
      let future = "history 2100-01-01T00:00:00Z 2100-01-01T00:00:00Z 1 s"
      #expect(
        try results([Self.message(1, "history 2099-01-01T00:00:00Z 2099-01-01T00:00:00Z 1 s")])
          .first?.contains("still to come") ?? false, "\(room.results)")
      #expect(try results([Self.message(2, future)]).first?.contains("write it") ?? false)
      courier.historyTerms.isInReserve = true
      #expect(
        try results([Self.message(3)]) == ["refused: the battery is in its reserve"], Self.again)
      courier.historyTerms.isInReserve = false
      courier.historyTerms.isAllowed = false
      #expect(try results([Self.message(4)]).first?.contains("add it to remote") ?? false)
      courier.historyTerms.isAllowed = true
      for number in stride(from: 5, to: 525, by: 20) {
        _ = try results((0..<20).map { Self.message(UInt32(number + $0)) })
        #expect(room.results.count { $0.hasPrefix("refused") } >= 17, "\(room.results)")
      }
      #expect(try courier.store.messages().count { $0.outcome == nil } == 3, Self.again)
    }
  }

  @Test func `A server without the table, or that takes no parts, is told so`() throws {
    try withScratch { folder in
      let room = Room()
      room.orders = [Self.message(2)]
      var courier = try courier(room, store: folder + "/store")
      _ = try fetch(&courier)
      try pick(&courier)
      room.refuses = true
      #expect(try fetch(&courier).outcome == .answered(nil), Self.again)
      #expect(room.results.last?.hasPrefix("refused: the server refuses parts") ?? false)
      room.orders = [Self.message(3)]
      room.hasTable = false
      _ = try fetch(&courier)
      try pick(&courier)
      _ = try fetch(&courier)
      #expect(
        room.results.last?.hasPrefix("refused: the server has no table Historia") ?? false,
        "\(room.results)")
    }
  }
}
