import FeatureService
import Synchronization
import TestSupport
import Testing
import TrackerCore

/// What a service does with nothing but what it is given: a request, a time, random numbers.
@Suite(.blocking, .onEachStorage) struct ServiceTests {
  private let note: Comment = "repeat with: swift test --filter FeatureServiceTests.ServiceTests"

  private func token(_ service: Service, _ password: String = "camí") -> ServiceReply {
    service.send(
      service.request(
        "POST", "/arcgis/tokens/generateToken",
        [("f", "json"), ("username", "race"), ("password", password)]))
  }

  @Test func `The same requests and numbers give the same answers, byte for byte`() throws {
    func replies(_ seed: UInt64) throws -> [ServiceReply] {
      let service = try Service(seed: seed) {
        $0.credentials = Credentials(user: "race", password: "camí")
      }
      let first = token(service)
      let token = first.json?["token"] as? String ?? ""
      let query = service.request(
        "POST", "\(Service.layer)/query",
        [("f", "json"), ("where", "1=1"), ("outFields", "*"), ("token", token)])
      return [first, service.add(0..<3, [("token", token)]), service.send(query)]
    }
    // A server has a secret of its own, with which it signs tokens.
    let from = Storage.current == .postgreSQL ? 1 : 0
    let first = try replies(5)
    #expect(first.map(\.summary) == ["answer", "ok 3", "answer"], note)
    #expect(try first[from...] == replies(5)[from...], note)
    #expect(try first[from...] != replies(6)[from...], note)
  }

  @Test func `A token lives until its last millisecond, by the time that is given`() throws {
    var service = try Service {
      $0.credentials = Credentials(user: "race", password: "camí")
      $0.tokenLife = .minutes(20)
    }
    #expect(service.add(0..<1).summary == "error 499", note)
    #expect(token(service, "cami").summary == "error 400", note)
    let answer = try #require(token(service).json, note)
    let token = try #require(answer["token"] as? String, note)
    #expect(answer["expires"] as? Int == 1_349_517_600_000 + 1_200_000, note)
    #expect(answer["ssl"] as? Bool == true && token.count == 96, note)
    for (index, digit) in [(3, "f"), (40, "x")] {
      let place = token.index(token.startIndex, offsetBy: index)
      let other = token.replacingCharacters(in: place...place, with: digit)
      #expect(service.add(0..<1, [("token", other)]).summary == "error 498", note)
    }
    // The date may step; it counts only where machines have nothing else in common.
    let start = service.now.utc
    let isShared = Storage.current == .postgreSQL
    service.now.uptime = 1_199_999
    service.now.utc = isShared ? start + 1_199_999 : UTC(milliseconds: 0)
    #expect(service.add(0..<1, [("token", token)]).summary == "ok 1", note)
    service.now.uptime = .minutes(20)
    if isShared { service.now.utc = start + .minutes(20) }
    #expect(service.add(1..<2, [("token", token)]).summary == "error 498", note)
  }

  @Test func `A layer that keeps all of an edit or nothing says so, and does`() throws {
    for keeps in [true, false] {
      let service = try Service {
        $0.keepsPartOfEdit = keeps
        $0.refusedCaptures = [Service.identifier(1)]
      }
      let layer = service.send(service.request("GET", "\(Service.layer)?f=json")).json
      #expect(layer?["supportsRollbackOnFailureParameter"] as? Bool == keeps, note)
      let reply = service.add(0..<3, [("rollbackOnFailure", "false")]).summary
      #expect(reply == (keeps ? "refused 1016" : "refused 1003,1016,1003"), "\(reply); \(note)")
      #expect(try service.server.tally().features == (keeps ? 2 : 0), note)
    }
  }

  @Test func `What came twice is counted twice as features and once as captures`() throws {
    let service = try Service { $0.hasGlobalIDs = false }
    #expect(service.add(0..<3).summary == "ok 3" && service.add(2..<4).summary == "ok 2", note)
    let tally = try service.server.tally()
    #expect(tally.features == 5 && tally.captures == 4, note)
  }

  @Test func `Whoever watches is told what was stored, and where and when it was taken`() throws {
    let stored = Mutex<[TakenCapture]>([])
    let service = try Service {
      $0.hasCourseFields = true
      $0.stored = { captures in stored.withLock { $0 += captures } }
    }
    let identifier = Service.identifier(1)
    func feature(_ battery: String) -> String {
      "{\"geometry\":{\"x\":277123.25,\"y\":5180000},\"attributes\":{\"CodiEquip\":\"TW07\","
        + "\"Equip\":\"Els Senglars\",\"Bateria\":\(battery),\"Entrada\":1776499200123,"
        + "\"UUID\":\"\(identifier)\",\"Motiu\":\"heartbeat\"}}"
    }
    // Of the two the second is refused.
    let features = [feature("87.5"), feature("\"full\"")].joined(separator: ",")
    _ = service.ask(
      "addFeatures", ["features": "[\(features)]", "rollbackOnFailure": "false"])
    let captures = stored.withLock { $0 }
    try #require(captures.count == 1)
    let capture = captures[0]
    #expect(capture.device == "TW07" && capture.team == "Els Senglars")
    #expect(capture.moment == 1_776_499_200_123 && capture.batteryPercent == 87.5)
    #expect(capture.id == UniqueID(text: Array(identifier.utf8).span))
    #expect(capture.trigger == "heartbeat")
    // EPSG:3857: x / 6378137 and the inverse Gudermannian of y.
    #expect(capture.position == Coordinate(latitude: 421_268_504, longitude: 24_894_405))
    #expect(capture.promise == nil && capture.silence == nil)
  }

  @Test func `A GlobalID of the server's own is a random UUID in braces and capitals`() throws {
    let service = try Service()
    let results = service.add(0..<50).json?["addResults"] as? [[String: Any]] ?? []
    let identifiers = results.compactMap { $0["globalId"] as? String }
    #expect(Set(identifiers).count == 50, note)
    for identifier in identifiers {
      let form = identifier.map { $0.isHexDigit ? "0" : String($0) }.joined()
      #expect(form == "{00000000-0000-0000-0000-000000000000}", "\(identifier); \(note)")
      #expect(identifier == identifier.uppercased(), "\(identifier); \(note)")
      #expect(
        Array(identifier)[15] == "4" && Array(identifier)[20] == "A", "\(identifier); \(note)")
    }
  }
}
