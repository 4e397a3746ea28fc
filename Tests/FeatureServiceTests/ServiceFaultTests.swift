import FeatureService
import TestSupport
import Testing
import TrackerCore

/// What goes wrong on purpose, without a socket.
@Suite(.blocking, .onEachStorage) struct ServiceFaultTests {
  private let note: Comment = "repeat with: swift test --filter ServiceFaultTests"

  static let kinds: [(kind: Fault.Kind, reply: String, stored: Int)] = [
    (.http(status: 503), "503", 0), (.http(status: 429, retryAfter: 89_001), "429 after 90", 0),
    (.httpAfter(status: 504), "504", 2), (.reset, "reset", 0), (.timeout, "silence", 0),
    (.loseAcknowledgement, "silence", 2), (.cutAnswer, "hangUp", 2), (.portal, "page", 0),
    (.unauthorised, "error 498", 0), (.rejectRequest(code: 400), "error 400", 0),
    (.late(2000), "ok 2", 2), (.refuse, "reset", 0), (.dead, "silence", 0),
    (.partial, "refused 1003,1000", 0),
  ]

  @Test(arguments: kinds.indices)
  func `Each fault has its answer, and stores all or nothing`(_ index: Int) throws {
    let (kind, expected, stored) = Self.kinds[index]
    let service = try Service { $0.faults = [Fault(kind)] }
    let request = service.adding(0..<2)
    let troubles = service.server.troubles(of: request, at: service.now)
    #expect(troubles.refusesConnection == (kind == .refuse), note)
    #expect(troubles.isDead == (kind == .dead), note)
    #expect(troubles.delay == (kind == .late(2000) ? 2000 : 0), note)
    let reply = service.server.answer(request, troubles, at: service.now).summary
    // Which of the two is refused on purpose is left to chance.
    let either = kind == .partial ? ["refused 1000,1003", expected] : [expected]
    #expect(either.contains(reply), "\(kind): \(reply); \(note)")
    #expect(try service.server.tally().features == stored, "\(kind); \(note)")
  }

  @Test func `Several faults strike one request together`() throws {
    let service = try Service {
      $0.faults = [Fault(.late(100)), Fault(.late(20)), Fault(.partial), Fault(.cutAnswer)]
    }
    let request = service.adding(0..<3, [("rollbackOnFailure", "false")])
    let troubles = service.server.troubles(of: request, at: service.now)
    #expect(troubles.delay == 120, note)
    #expect(service.server.answer(request, troubles, at: service.now) == .hangUp, note)
    #expect(try service.server.tally().features == 2, note)
  }

  @Test(
    arguments: [
      (.edits, ["503", "answer", "answer"]), (.queries, ["ok 1", "503", "answer"]),
      (.both, ["503", "503", "answer"]), (.all, ["503", "503", "503"]),
    ] as [(Fault.Target, [String])])
  func `A fault strikes what it is meant for`(_ target: Fault.Target, _ replies: [String]) throws {
    let service = try Service { $0.faults = [Fault(.http(status: 503), on: target)] }
    let query = service.request(
      "GET", "\(Service.layer)/query?f=json&where=1%3D1&returnCountOnly=true")
    let description = service.request("GET", "\(Service.layer)?f=json")
    let found = [service.add(0..<1), service.send(query), service.send(description)]
    #expect(found.map(\.summary) == replies, note)
  }

  @Test func `A fault may strike large requests only`() throws {
    var fault = Fault(.timeout, .probability(percent: 100), on: .edits)
    fault.above = 1500
    #expect(try Fault("timeout 100% above 1500") == fault, note)
    let service = try Service { $0.faults = [fault] }
    #expect(service.add(0..<1).summary == "ok 1", note)
    #expect(service.add(1..<40).summary == "silence", note)
    #expect(service.add(1..<2).summary == "ok 1", note)
  }

  @Test func `A fault begins and ends when it should, and counts its own requests alone`() throws {
    var fault = Fault(.http(status: 503), .every(2))
    fault.from = .minutes(1)
    fault.until = .minutes(2)
    var service = try Service { $0.faults = [fault] }
    var replies: [String] = []
    for seconds in [59, 60, 90, 119, 120, 121] {
      service.now.uptime = .seconds(Int64(seconds))
      replies.append(service.add(seconds..<seconds + 1).summary)
    }
    #expect(replies == ["ok 1", "ok 1", "503", "ok 1", "ok 1", "ok 1"], note)
  }

  @Test func `A probability is kept, and the same numbers give the same faults`() throws {
    func replies(_ seed: UInt64) throws -> [String] {
      let fault = Fault(.http(status: 503), .probability(percent: 30))
      let service = try Service(seed: seed) { $0.faults = [fault] }
      return (0..<400).map { service.add($0..<$0 + 1).summary }
    }
    let first = try replies(7)
    #expect(try first == replies(7) && first != replies(8), note)
    let struck = first.filter { $0 == "503" }.count
    #expect((90...150).contains(struck), "\(struck) of 400; \(note)")
  }

  // MARK: On the command line

  static let written: [(String, Fault)] = [
    ("503 every 5th", Fault(.http(status: 503), .every(5), on: .edits)),
    ("504-after 2.5%", Fault(.httpAfter(status: 504), .probability(percent: 2.5), on: .edits)),
    ("late 0.5s every 1st on both", Fault(.late(500), .every(1), on: .both)),
    ("reset 1% on queries", Fault(.reset, .probability(percent: 1), on: .queries)),
    ("timeout every 2nd on all", Fault(.timeout, .every(2), on: .all)),
    ("lose-acknowledgement every 3rd", Fault(.loseAcknowledgement, .every(3), on: .edits)),
    ("cut-answer every 3", Fault(.cutAnswer, .every(3), on: .edits)),
    ("unauthorised every 4th", Fault(.unauthorised, .every(4), on: .edits)),
    ("reject-request -7 every 4th", Fault(.rejectRequest(code: -7), .every(4), on: .edits)),
    ("portal 100%", Fault(.portal, .probability(percent: 100), on: .edits)),
    ("partial every 1st on edits", Fault(.partial, .every(1), on: .edits)),
    // Names of version 0.1.
    ("delay 300ms every 1st", Fault(.late(300), .every(1), on: .edits)),
    ("lose-answer every 1st", Fault(.cutAnswer, .every(1), on: .edits)),
    ("html every 1st", Fault(.portal, .every(1), on: .edits)),
    ("wrong-token every 1st", Fault(.unauthorised, .every(1), on: .edits)),
  ]

  @Test(arguments: written.indices)
  func `A fault is read as it is written`(_ index: Int) throws {
    let (text, fault) = Self.written[index]
    #expect(try Fault(text) == fault, "'\(text)'; \(note)")
  }
}
