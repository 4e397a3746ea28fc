import FeatureService
import Foundation
import HTTPTransfer
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// The same conversations with the simulator's server, in memory, and with the real basecamp, over
/// a socket: what a race in virtual time shows of a server must be what a server does. Both are one
/// service; what lies between it and a client is not.
@Suite(.blocking) struct SimulatedServerTests {
  static let again: Comment = "repeat with: swift test --filter SimulatedServerTests"

  /// What both servers were asked and answered.
  final class Pair {
    private let folder = Result { try ScratchFolder() }
    let camp: CampServer
    let sender: RequestSender
    let simulated: SimulatedServer
    /// What libcurl should have sent, by the simulator's reckoning.
    var reckonedBytes: Int64 = 0

    init(takesGlobalIDs: Bool) throws {
      camp = try CampServer(folder.get(), takesGlobalIDs ? [] : ["--no-global-ids"])
      sender = try RequestSender(HTTPClientConfiguration())
      var scenario = Scenario()
      scenario.service.takesGlobalIDs = takesGlobalIDs
      simulated = try SimulatedServer(scenario, device: UniqueID(high: 0, low: 1), seed: 1)
    }

    /// Sends one request to both; `url` is what follows the layer's address.
    func send(_ request: HTTPRequest, url: String) -> (real: HTTPReply, simulated: HTTPReply) {
      var request = request
      request.url = SimulatedServer.layerAddress + url
      let answer = HTTPReply(simulated.answer(request))
      request.url = camp.layer + url
      reckonedBytes += WireCost.head(of: request) + Int64(request.body.count)
      return (sender.perform(request).reply, answer)
    }

    /// Holds a work with both, and finds that they are asked and answer alike all the way.
    func hold(_ work: UplinkTask, _ dialogue: inout ArcGISDialogue) throws -> UplinkResult {
      let now = Walk.start
      var step = dialogue.begin(work, at: now)
      while case .send(let request) = step {
        let url = String(request.url.dropFirst(SimulatedServer.layerAddress.utf8.count))
        let (real, simulated) = send(request, url: url)
        var other = dialogue
        step = dialogue.receive(simulated, at: now)
        try expectAlike(real, simulated, request)
        // Request by request: what follows from the one answer follows from the other.
        try expectAlike(other.receive(real, at: now), step)
      }
      guard case .done(let result) = step else { throw Problem("no end") }
      return result
    }

    /// The identifiers of all features of the simulated one, in the order of their arrival.
    func simulatedIdentifiers() throws -> [UniqueID] {
      let form = "f=json&where=1=1&outFields=UUID&returnGeometry=false&orderByFields=OBJECTID"
      let answer = simulated.answer(
        HTTPRequest(
          method: .post, url: SimulatedServer.layerAddress + "/query", headers: [],
          body: Array(form.utf8)))
      guard case .answer(_, _, let body, _, _) = answer,
        let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
        let features = json["features"] as? [[String: [String: String]]]
      else { throw Problem("\(answer)") }
      return features.compactMap { $0["attributes"]?["UUID"].flatMap { UniqueID(text: $0) } }
    }

    private func expectAlike(_ real: UplinkStep, _ simulated: UplinkStep) throws {
      guard case .done(var one) = real, case .done(var other) = simulated else {
        return #expect(real == simulated, again)
      }
      // The servers' own words may differ.
      #expect((one.problem == nil) == (other.problem == nil), again)
      (one.problem, other.problem) = (nil, nil)
      #expect(one == other, again)
    }

    func expectAlike(
      _ real: HTTPReply, _ simulated: HTTPReply, _ request: HTTPRequest
    ) throws {
      let (real, simulated) = (try Answer(real), try Answer(simulated))
      #expect(real.status == simulated.status, "\(request); \(again)")
      #expect(real.type == simulated.type, "\(request); \(again)")
      if request.body.isEmpty, let one = real.body, let other = simulated.body {
        // A description may say more, and where its features lie is its own affair.
        for (key, value) in other as? [String: NSObject] ?? [:] where key != "extent" {
          #expect(one[key] as? NSObject == value, "\(key); \(again)")
        }
      } else {
        #expect(real.body == simulated.body, "\(request); \(again)")
      }
    }
  }

  /// An answer without what servers say in words of their own.
  struct Answer {
    var status: Int32
    var type: String
    /// `nil`: no JSON.
    var body: NSDictionary?

    init(_ reply: HTTPReply) throws {
      guard case .response(let status, let headers, let bytes) = reply else {
        throw Problem("no answer")
      }
      self.status = status
      let type = headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
      self.type = String(type.lowercased().prefix { $0 != ";" })
      let json = try? JSONSerialization.jsonObject(with: Data(bytes))
      body = json.map { Self.withoutWords($0) } as? NSDictionary
    }

    private static func withoutWords(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(withoutWords) }
      guard let object = value as? [String: Any] else { return value }
      let isError = object["code"] != nil
      return object.filter { !isError || $0.key == "code" }.mapValues(withoutWords)
    }
  }

  static func captures(
    _ range: ClosedRange<UInt32>, wereSent: Bool = false
  ) -> [OutgoingCapture] {
    range.map {
      OutgoingCapture(Walk.capture($0), device: UniqueID(high: 7, low: 9), wasSent: wereSent)
    }
  }

  @Test(arguments: [true, false])
  func `A server in memory judges as the real one does`(_ takesGlobalIDs: Bool) throws {
    let pair = try Pair(takesGlobalIDs: takesGlobalIDs)
    var dialogue = try SimulatedServer.dialogue()
    #expect(try pair.hold(.check, &dialogue).outcome == .ready, Self.again)
    let first = try pair.hold(
      .upload(Self.captures(1...5), nextContactBy: Walk.start), &dialogue)
    #expect(first.acknowledged == [1, 2, 3, 4, 5], Self.again)
    // Two that are there and may be, two that are not.
    let second = try pair.hold(
      .upload(Self.captures(4...7, wereSent: true), nextContactBy: nil), &dialogue)
    #expect(Set(second.acknowledged) == [4, 5, 6, 7], Self.again)
    let third = try pair.hold(.reconcile(Self.captures(6...150)), &dialogue)
    #expect(third.acknowledged == [6, 7], Self.again)
    #expect(third.outcome == .reconcile(.settled(confirmed: 2)), Self.again)
    // Untrusted time, no battery, a long name, the far corners of the map.
    var odd = Self.captures(200...203, wereSent: true)
    odd[0].capture.isTimeTrusted = false
    odd[1].capture.batteryPercent = nil
    odd[2].capture.team = InlineText("Els Senglars — ñ 山 & \"cometes\" = + % {}")
    odd[3].capture.position = Coordinate(latitude: -850_000_000, longitude: 1_799_999_999)
    let fourth = try pair.hold(.upload(odd, nextContactBy: nil), &dialogue)
    #expect(fourth.acknowledged == [200, 201, 202, 203], Self.again)

    #expect(try pair.camp.count() == pair.simulated.received, Self.again)
    #expect(try pair.simulated.received == 11 && pair.simulated.duplicates == 0, Self.again)
    let real = try pair.camp.identifiers()
    #expect(try real == pair.simulatedIdentifiers(), Self.again)
  }

  /// Without the question before the second sending there would be two, on either server: the book
  /// of the simulated one must be able to show it.
  @Test func `A capture that is sent twice to a layer without GlobalIDs is there twice`() throws {
    let pair = try Pair(takesGlobalIDs: false)
    for _ in 1...2 {
      var dialogue = try SimulatedServer.dialogue()
      _ = try pair.hold(.upload(Self.captures(1...3), nextContactBy: nil), &dialogue)
    }
    #expect(try pair.camp.count() == 6, Self.again)
    #expect(try pair.simulated.received == 3 && pair.simulated.duplicates == 3, Self.again)
  }

  /// Operation, form, and whether the layer takes GlobalIDs.
  static let oddities: [(String, String, Bool)] = [
    ("/applyEdits", "f=json&useGlobalIds=true&adds=[\(feature(globalID: nil))]", true),
    ("/applyEdits", "f=json&useGlobalIds=true&adds=[\(feature(globalID: "17"))]", true),
    (
      "/applyEdits",
      "f=json&useGlobalIds=true&adds=[\(feature(1, globalID: uuid(1))),"
        + "\(feature(2, globalID: uuid(1)))]", true
    ),
    (
      "/applyEdits",
      "f=json&useGlobalIds=true&rollbackOnFailure=false&adds="
        + "[\(feature(1, globalID: uuid(1))),\(feature(2, globalID: uuid(1)))]", true
    ),
    ("/applyEdits", "f=json&adds=", true), ("/applyEdits", "f=json&adds=[{]", true),
    ("/addFeatures", "f=json&features=[\(feature(x: "\"east\""))]", false),
    ("/addFeatures", "f=json&features=[\(feature(battery: "\"full\""))]", false),
    ("/addFeatures", "f=json&features=[\(feature(battery: "true"))]", false),
    ("/addFeatures", "f=json&features=[\(feature(time: "9e15"))]", false),
    ("/addFeatures", "f=json&features=[\(feature(wkid: 99_999))]", false),
    (
      "/addFeatures",
      "f=json&features=[\(feature()),\(feature(team: String(repeating: "a", count: 101)))]",
      false
    ),
    ("/addFeatures", "f=json&rollbackOnFailure=perhaps&features=[\(feature())]", false),
    ("/addFeatures", "f=json", false), ("/addFeatures", "features=[]", false),
    ("/query", "f=json&returnGeometry=false&where=UUID IN ('a'", false),
    ("/query", "f=json&returnGeometry=false&where=Nom IN ('a')", false),
    ("/query", "f=json&returnGeometry=false&where=GlobalID IN ('a')", false),
    ("/query", "f=json&returnGeometry=false&where=UUID IN ('it''s')&outFields=UUID", false),
    ("/query", "f=json&returnGeometry=false&where=uuid in ( 'a' , 'b' )", false),
    ("/query", "f=json&returnGeometry=false&where=UUID IN ('a')&outFields=Nom", false),
    ("/query", "f=json&returnGeometry=false", false), ("/deleteAll", "f=json", true),
  ]

  @Test(arguments: oddities.indices)
  func `What is wrong with a request is wrong for both`(_ index: Int) throws {
    let (operation, form, takesGlobalIDs) = Self.oddities[index]
    let pair = try Pair(takesGlobalIDs: takesGlobalIDs)
    let request = HTTPRequest(
      method: .post, url: "",
      headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(form.utf8))
    let (real, simulated) = pair.send(request, url: operation)
    try pair.expectAlike(real, simulated, request)
  }

  @Test func `The simulator counts the bytes of a request as libcurl sends them`() throws {
    let pair = try Pair(takesGlobalIDs: true)
    var dialogue = try SimulatedServer.dialogue()
    _ = try pair.hold(.upload(Self.captures(1...20), nextContactBy: nil), &dialogue)
    #expect(pair.sender.traffic.sentBytes == pair.reckonedBytes, Self.again)
  }

  private static func uuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  private static func feature(
    _ number: Int = 1, globalID: String? = nil, x: String = "277000.5", battery: String = "80",
    time: String = "1349517600000", wkid: Int = 102_100, team: String = "Els Senglars"
  ) -> String {
    let id = globalID.map { ",\"GlobalID\":\"{\($0)}\"" } ?? ""
    return "{\"geometry\":{\"x\":\(x),\"y\":5180000,\"spatialReference\":{\"wkid\":\(wkid)}},"
      + "\"attributes\":{\"CodiEquip\":\"d\",\"Equip\":\"\(team)\",\"Bateria\":\(battery),"
      + "\"Entrada\":\(time),\"Tipus\":\"t\",\"UUID\":\"\(uuid(number))\"\(id)}}"
  }
}

private let again = SimulatedServerTests.again
