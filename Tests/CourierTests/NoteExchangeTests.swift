import CaptureStore
import Courier
import Foundation
import Notes
import TestSupport
import Testing
import TrackerCore
import Uplink

/// Notes between a tracker's store and a server's table.
@Suite struct NoteExchangeTests {
  private static let again: Comment = "repeat with: swift test --filter NoteExchangeTests"
  private static let now = HostTime(utc: Walk.start, uptime: .hours(1))
  private static let id = RequestID(9)

  /// A server with a table of notes; the place of a row in it is its number, from 1. Its requests
  /// tell the work: `pull 4 (4)`, `push 2`.
  private struct NoteServer: UplinkDialogue {
    enum Trouble { case lost, refused, missing }

    var rows: [NoteVersion?] = []
    var messages: [ServedMessage] = []
    var hasTable = true
    /// What becomes of the next versions that are added.
    var trouble: Trouble?
    let canReconcile = true
    let mayRepeat = true
    private var task: NoteTask?

    mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: .upload(.unreachable)))
    }

    mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: .mail(.fetched(messages))))
    }

    mutating func confirm(
      _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
    ) -> UplinkStep {
      self.messages = []
      return .done(UplinkResult(outcome: .mail(.confirmed)))
    }

    mutating func exchange(_ notes: NoteTask, at now: UTC) -> UplinkStep {
      task = notes
      let words: String
      switch notes {
      case .pull(_, let above, let known): words = "pull \(above)\(known.map { " (\($0))" } ?? "")"
      case .push(let versions, _): words = "push \(versions.count)"
      }
      return .send(HTTPRequest(method: .post, url: words, headers: []))
    }

    mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
      .done(UplinkResult(outcome: .notes(outcome)))
    }

    private var outcome: NoteOutcome {
      mutating get {
        guard hasTable else { return .unsupported }
        switch task {
        case .pull(_, let above, let known)?:
          let found = rows.indices.map { Int64($0 + 1) }.filter { $0 > above || $0 == known }
          let page = found.prefix(UplinkBounds.noteRows)
          let served = page.compactMap { row in
            rows[Int(row) - 1].map { ServedNote(object: row, version: $0) }
          }
          return .pulled(served, last: page.last ?? above, isAll: page.count == found.count)
        case .push(let versions, _)?:
          defer { trouble = nil }
          if trouble == .refused { return .pushed(versions.map { _ in false }) }
          rows += versions
          return trouble == .lost ? .failed(status: 0) : .pushed(versions.map { _ in true })
        case nil: return .unsupported
        }
      }
    }
  }

  private func courier(_ server: NoteServer = NoteServer()) throws -> Courier<NoteServer> {
    Courier(try CaptureStore.open(.memory, at: Self.now.utc), server, boot: "one")
  }

  /// What was requested; the outcome is always that of the messages.
  private func fetch(_ courier: inout Courier<NoteServer>, stopAfter most: Int = 99) throws
    -> [String]
  {
    var requests: [String] = []
    var step = courier.fetch(Self.id, at: Self.now)
    while case .send(let request) = step {
      requests.append(request.url)
      if requests.count > most { return requests }
      step = courier.receive(.lost, at: Self.now)
    }
    guard case .done(let end) = step, case .fetchFinished(Self.id, .answered(nil)) = end.event
    else { throw Problem("\(step)") }
    return requests
  }

  private func add(_ text: String, to courier: Courier<NoteServer>) throws {
    try courier.store.write(.add(text: text, category: "route"), by: "anna", at: Walk.start)
  }

  private func room(_ count: Int) throws -> [NoteVersion] {
    var book = Notebook()
    return try (1...count).map {
      try book.change(
        .add(text: "room \($0)", category: ""), by: VersionID.room, author: "Pau", at: Walk.start)
    }
  }

  private func texts(_ courier: Courier<NoteServer>) throws -> [[String?]] {
    try courier.store.notebook().notes.map { $0.current.map(\.text) }
  }

  @Test func `What others wrote comes, then goes what was written here, each once`() throws {
    var server = NoteServer()
    server.rows = try room(2)
    var courier = try courier(server)
    try add("own", to: courier)
    #expect(try fetch(&courier) == ["pull 0", "push 1"], Self.again)
    #expect(Set(try texts(courier)) == [["own"], ["room 1"], ["room 2"]], Self.again)
    // Its own row comes once, and then the last row alone.
    #expect(try fetch(&courier) == ["pull 2 (2)"], Self.again)
    #expect(try fetch(&courier) == ["pull 3 (3)"], Self.again)
    #expect(try courier.store.notebook().versions.count == 3, Self.again)
  }

  @Test func `A version whose answer was lost is not sent twice`() throws {
    var server = NoteServer()
    server.trouble = .lost
    var courier = try courier(server)
    try add("own", to: courier)
    #expect(try fetch(&courier) == ["pull 0", "push 1"], Self.again)
    #expect(try courier.store.unsentNotes(atMost: 9).count == 1, Self.again)
    #expect(try fetch(&courier) == ["pull 0"], Self.again)
    #expect(try courier.store.unsentNotes(atMost: 9).isEmpty, Self.again)
  }

  @Test func `A kill at any point loses nothing and doubles nothing`() throws {
    for most in 0...3 {
      var server = NoteServer()
      server.rows = try room(11)
      let store = try CaptureStore.open(.memory, at: Self.now.utc)
      var killed = Courier(store, server, boot: "one")
      try add("own", to: killed)
      _ = try fetch(&killed, stopAfter: most)
      var next = Courier(store, server, boot: "two")
      _ = try fetch(&next)
      _ = try fetch(&next)
      #expect(try store.notebook().versions.count == 12, Self.again)
      #expect(try store.unsentNotes(atMost: 9).isEmpty, Self.again)
    }
  }

  @Test func `A server without a table is not asked again, another one is`() throws {
    var server = NoteServer()
    server.hasTable = false
    var courier = try courier(server)
    try add("own", to: courier)
    #expect(try fetch(&courier) == ["pull 0"], Self.again)
    #expect(try fetch(&courier) == [], Self.again)
    courier.use(NoteServer(), mayActFor: 0)
    #expect(try fetch(&courier) == ["pull 0", "push 1"], Self.again)
  }

  @Test func `A version that the server refuses does not hold up the others`() throws {
    var server = NoteServer()
    server.trouble = .refused
    var courier = try courier(server)
    for number in 1...11 { try add("\(number)", to: courier) }
    #expect(try fetch(&courier) == ["pull 0", "push 10", "push 1"], Self.again)
    #expect(try fetch(&courier) == ["pull 0"], Self.again)
    #expect(try courier.store.unsentNotes(atMost: 99).count == 10, "they stay; \(Self.again)")
  }

  @Test func `A table that was replaced is read from its beginning`() throws {
    var server = NoteServer()
    server.rows = try room(3)
    var courier = try courier(server)
    try add("own", to: courier)
    _ = try fetch(&courier)
    _ = try fetch(&courier)
    var other = NoteServer()
    other.rows = [try room(5)[4]]
    courier.use(other, mayActFor: 0)
    #expect(try fetch(&courier) == ["pull 4 (4)", "pull 0"], Self.again)
    #expect(try texts(courier).contains(["room 5"]), Self.again)
    #expect(try fetch(&courier) == ["pull 1 (1)"], "sent is sent; \(Self.again)")
  }

  @Test func `Rows that are no notes are passed by`() throws {
    var server = NoteServer()
    server.rows = Array(repeating: nil, count: 15) + (try room(1))
    var courier = try courier(server)
    #expect(try fetch(&courier) == ["pull 0", "pull 10"], Self.again)
    #expect(try texts(courier) == [["room 1"]], Self.again)
  }

  @Test func `A contact exchanges a bounded number, and the next one goes on`() throws {
    var server = NoteServer()
    server.rows = try room(75)
    var courier = try courier(server)
    #expect(try fetch(&courier).count == 6, Self.again)
    #expect(try courier.store.notebook().versions.count == 60, Self.again)
    _ = try fetch(&courier)
    #expect(try courier.store.notebook().versions.count == 75, Self.again)
  }

  @Test func `Ten thousand notes of a server leave the team room for its own`() throws {
    var server = NoteServer()
    server.rows = try room(1600)
    var courier = try courier(server)
    for _ in 1...40 { _ = try fetch(&courier) }
    #expect(try courier.store.notebook().versions.count == NoteBounds.versionsTaken, Self.again)
    try add("own", to: courier)
    #expect(try fetch(&courier).last == "push 1", Self.again)
  }

  @Test func `A new message does not wait for notes`() throws {
    var server = NoteServer()
    server.messages = [
      ServedMessage(
        object: 1, number: 1, kind: .message, text: "wait", author: "Pau", created: Walk.start)
    ]
    var courier = try courier(server)
    try add("own", to: courier)
    #expect(try fetch(&courier) == [], Self.again)
    #expect(try fetch(&courier) == ["pull 0", "push 1"], Self.again)
  }
}
