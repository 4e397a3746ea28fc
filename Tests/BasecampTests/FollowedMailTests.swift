import Foundation
import SQLite
import TestSupport
import Testing
import Uplink

@testable import Basecamp

/// What a room tells trackers that deliver to a server that it follows.
@Suite(.blocking) struct FollowedMailTests {
  private let folder: ScratchFolder
  /// Of the server that is followed.
  private let source: ScratchFolder
  private static let mailbox = "/arcgis/rest/services/TrailWalker/FeatureServer/1"

  init() throws {
    folder = try ScratchFolder()
    source = try ScratchFolder()
  }

  private func room(following layer: String) throws -> OpenCamp {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.language.always = .english
    settings.followed = ArcGISConfiguration(address: try LayerAddress(layer))
    settings.followPause = 50
    return try OpenCamp(settings)
  }

  /// basecamp whose table takes rows of everybody who may add, as ArcGIS's does.
  ///
  /// - Parameter losesAnswers: the row is added, and the client never hears of it.
  private func openTable(_ camp: CampServer, losesAnswers: Bool = false) throws -> ScriptedServer {
    let (path, port) = (source.path("camp/basecamp.db"), camp.port)
    return try ScriptedServer { connection in
      while let request = connection.readRequest() {
        guard request.hasPrefix("POST \(Self.mailbox)/addFeatures") else {
          guard let client = try? WireClient(port: port), (try? client.send(request)) != nil,
            let answer = try? client.receive()
          else { return }
          connection.send(Array("\(answer.headers)\r\n\r\n".utf8) + [UInt8](answer.body))
          continue
        }
        try? Self.add(request, to: path)
        if losesAnswers { return }
        let done = #"{"addResults":[{"objectId":1,"success":true}]}"#
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(done.utf8.count)\r\n\r\n\(done)")
      }
    }
  }

  private static func add(_ request: String, to path: String) throws {
    let body = request.components(separatedBy: "\r\n\r\n").last ?? ""
    let field = body.components(separatedBy: "&").first { $0.hasPrefix("features=") } ?? ""
    let text = field.dropFirst("features=".count).replacingOccurrences(of: "+", with: " ")
    let json = try JSONSerialization.jsonObject(
      with: Data((text.removingPercentEncoding ?? "").utf8))
    let row = (json as? [[String: Any]])?.first?["attributes"] as? [String: Any] ?? [:]
    let names = row.keys.sorted()
    let values = names.map { name in
      (row[name] as? NSNumber).map { "\($0)" } ?? "'\(row[name] as? String ?? "")'"
    }
    try SQLiteDatabase(path: path).execute(
      "INSERT INTO message (\(names.joined(separator: ", "))) VALUES "
        + "(\(values.joined(separator: ", ")))")
  }

  private func get(_ room: OpenCamp, _ path: String) throws -> [String: Any] {
    let answer = try WireClient(port: room.port).request("GET", "/room/\(path)")
    let body = try JSONSerialization.jsonObject(with: answer.body)
    return try #require(body as? [String: Any], "\(answer.text.prefix(300))")
  }

  private func emergency(_ room: OpenCamp) throws -> [String: Any]? {
    let alarms = try get(room, "state")["alarms"] as? [[String: Any]] ?? []
    return alarms.first { $0["need"] as? String == "emergency" }
  }

  private func act(_ room: OpenCamp, _ page: String, _ form: [String: String]) throws {
    let answer = try WireClient(port: room.port).request("POST", "/room/\(page)", form: form)
    #expect(answer.status == 200, "\(answer.text.prefix(300))")
  }

  /// `1 read 5 Marta`
  private func told(_ camp: CampServer) throws -> [String] {
    attributes(
      try camp.query(
        ["where": "1=1", "outFields": "*", "orderByFields": "Numero"], layer: Self.mailbox)
    ).map {
      let order = $0["Ordre"] as? Int
      let words = ["\($0["Numero"] ?? "")", $0["Classe"] as? String, order.map { "\($0)" }]
      return (words + [$0["Autor"] as? String]).compactMap(\.self).joined(separator: " ")
    }
  }

  @Test(arguments: [false, true])
  func `Who reads an emergency is told in the table where its tracker asks, once`(
    _ losesAnswers: Bool
  ) throws {
    let camp = try CampServer(source)
    try Sent.send([Sent(trigger: "emergency", order: 5)], to: camp)
    let server = try openTable(camp, losesAnswers: losesAnswers)
    let room = try room(following: server.address + OpenCamp.layer)
    try eventually("the emergency") { try emergency(room) != nil }
    try act(room, "act", ["take": "1", "by": "Marta"])
    try eventually("the answer; \(camp.command)") { try told(camp) == ["1 read 5 Marta"] }
    try act(room, "messages", ["tracker": "7", "text": "stay there", "by": "Pau"])
    try act(room, "act", ["resolve": "1", "text": "picked up", "by": "Marta"])
    let all = ["1 read 5 Marta", "2 message Pau", "3 ended 5 Marta"]
    try eventually("\(try told(camp))") { try told(camp) == all }
    let alarm = try #require(try emergency(room))
    #expect((alarm["answer"] as? [String: Any])?["fetched"] is NSNull, "\(alarm)")
    // The tracker has them.
    let rows = try camp.query(["where": "1=1", "outFields": "*"], layer: Self.mailbox)
    for row in attributes(rows) {
      let edit =
        "[{\"attributes\":{\"OBJECTID\":\(row["OBJECTID"] ?? 0),\"Desti\":\"7\",\"Rebut\":1000}}]"
      _ = try camp.post("\(Self.mailbox)/updateFeatures", ["features": edit])
    }
    try eventually("the room knows") {
      (try emergency(room)?["answer"] as? [String: Any])?["fetched"] is String
    }
    #expect(try told(camp) == all)
    try eventually("no problem") { try get(room, "state")["problem"] is NSNull }
  }

  @Test func `A server that takes no messages is told of in the room, and its captures come`()
    throws
  {
    let camp = try CampServer(source)
    try Sent.send([Sent(trigger: "emergency", order: 5)], to: camp)
    let room = try room(following: camp.layer)
    try eventually("the emergency") { try emergency(room) != nil }
    #expect(try get(room, "state")["problem"] is NSNull)
    try act(room, "act", ["take": "1", "by": "Marta"])
    try eventually("why nobody is told") {
      let problem = try get(room, "state")["problem"] as? String
      return problem?.hasSuffix("its table Missatges takes no rows of this user; grant it Create")
        == true
    }
    try Sent.send([Sent(device: "8")], to: camp)
    try eventually("the next capture") { try teams(get(room, "state")).count == 2 }
    #expect(try told(camp).isEmpty)
  }
}
