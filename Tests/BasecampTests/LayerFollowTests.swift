import FeatureService
import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Basecamp

/// A control room that follows another server's layer.
@Suite(.blocking) struct LayerFollowTests {
  private let folder: ScratchFolder
  /// Of the server that is followed.
  private let source: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    source = try ScratchFolder()
  }

  /// A room in this process that looks often.
  private func room(
    following layer: String, credentials: ArcGISCredentials = .none
  ) throws -> OpenCamp {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.language.always = .english
    var followed = ArcGISConfiguration(address: try LayerAddress(layer))
    followed.credentials = credentials
    settings.followed = followed
    settings.followPause = 50
    return try OpenCamp(settings)
  }

  private func answer(_ room: OpenCamp, _ path: String) throws -> [String: Any] {
    let answer = try WireClient(port: room.port).request("GET", path)
    let body = try JSONSerialization.jsonObject(with: answer.body)
    return try #require(body as? [String: Any], "\(answer.text.prefix(300))")
  }

  private func problem(_ room: OpenCamp) throws -> String? {
    try answer(room, "/room/state")["problem"] as? String
  }

  private func count(_ room: OpenCamp, _ clause: String = "1=1") throws -> Int {
    let form = WireClient.encoded(["f": "json", "where": clause, "returnCountOnly": "true"])
    return try answer(room, "\(OpenCamp.layer)/query?\(form)")["count"] as? Int ?? -1
  }

  /// What a layer says of its captures, without what each server gives out itself.
  private func captures(port: UInt16) throws -> [String] {
    let form = WireClient.encoded(["f": "json", "where": "1=1", "outFields": "*"])
    let answer = try WireClient(port: port).request("GET", "\(OpenCamp.layer)/query?\(form)")
    let body = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    return (body?["features"] as? [[String: Any]] ?? []).map { feature in
      var attributes = feature["attributes"] as? [String: Any] ?? [:]
      for own in ["OBJECTID", "GlobalID"] { attributes[own] = nil }
      let place = (feature["geometry"] as? [String: Double] ?? [:]).mapValues {
        Int(($0 * 10).rounded())
      }
      return "\(attributes.sorted { $0.key < $1.key }) \(place.sorted { $0.key < $1.key })"
    }.sorted()
  }

  private func object(_ table: String) throws -> [Int64] {
    let database = try SQLiteDatabase(path: folder.path("camp/basecamp.db"), access: .readOnly)
    let rows = try database.prepare(table)
    var values: [Int64] = []
    while try rows.step() { values.append(rows.integer(0)) }
    return values
  }

  @Test func `Captures of a followed server come into the room as if they were delivered there`()
    throws
  {
    let camp = try CampServer(source)
    try Sent.send([Sent(promise: 20), Sent(device: "8", team: "Llops d'Olot")], to: camp)
    let room = try room(following: camp.layer)
    try eventually("\(try count(room)) of 2") { try count(room) == 2 }
    try Sent.send([Sent(number: 2, trigger: "emergency")], to: camp)
    try eventually("\(try count(room)) of 3") { try count(room) == 3 }
    #expect(try captures(port: room.port) == captures(port: camp.port))
    let state = try answer(room, "/room/state")
    #expect(Set(teams(state).map { $0["name"] as? String }) == ["Els Senglars", "Llops d'Olot"])
    #expect((state["alarms"] as? [[String: Any]])?.first?["need"] as? String == "emergency")
    #expect(state["problem"] is NSNull)
    // One that comes here directly, too, under its GlobalID, is the same.
    let id = UniqueID(device: UniqueID(high: 1, low: 7), sequence: 1)
    let again = Sent().feature.replacingOccurrences(
      of: "\"attributes\": {", with: "\"attributes\": {\"GlobalID\": \"\(id.bracedText)\",")
    let form = ["f": "json", "useGlobalIds": "true", "adds": "[\(again)]"]
    let answer = try WireClient(port: room.port).request(
      "POST", "\(OpenCamp.layer)/applyEdits", form: form)
    #expect(answer.text.contains("\"success\":false"), "\(answer.text)")
    #expect(try count(room) == 3)
  }

  @Test func `Five thousand captures come once each, whichever of the two ends in between`() throws
  {
    var camp = try CampServer(source, ["--max-records", "700"])
    for start in stride(from: 0, to: 5000, by: 1000) {
      let answer = try camp.post(
        "\(OpenCamp.layer)/addFeatures", ["features": Captures.text(start..<start + 1000)])
      try #require(areDone(addResults(answer), 1000))
    }
    let (layer, listen) = (camp.layer, ["--listen", "127.0.0.1:\(camp.port)"])
    do {
      let room = try room(following: layer)
      try eventually("the first page") { try count(room) > 0 }
      camp.end(SIGKILL)
      try eventually("\(try problem(room) ?? "no problem")") {
        try count(room) == 5000 || problem(room)?.contains(layer) == true
      }
      camp = try CampServer(source, listen + ["--max-records", "97"])
      try eventually("more") { try count(room) > 1000 }
    }
    let again = try self.room(following: layer)
    try eventually("\(try count(again)) of 5000") { try count(again) == 5000 }
    try eventually("no problem") { try problem(again) == nil }
    #expect(try object("SELECT count(DISTINCT UUID) FROM capture") == [5000])
    #expect(try object("SELECT object FROM followed") == [5000])
  }

  @Test func `A layer that was emptied and filled again is read from its beginning`() throws {
    var camp = try CampServer(source)
    try Sent.send([Sent(number: 1), Sent(number: 2)], to: camp)
    let (layer, listen) = (camp.layer, ["--listen", "127.0.0.1:\(camp.port)"])
    let room = try room(following: layer)
    try eventually("\(try count(room)) of 2") { try count(room) == 2 }
    camp.end()
    let other = try ScratchFolder()
    camp = try CampServer(other, listen)
    try Sent.send([Sent(number: 3), Sent(number: 4), Sent(number: 5)], to: camp)
    try eventually("\(try count(room)) of 5") { try count(room) == 5 }
  }

  @Test func `Tokens are fetched and renewed, and a wrong password is said in one line`() throws {
    let file = try source.write("password", "camí de ronda\n")
    let account = ["--user", "race", "--password-file", file, "--token-seconds", "2"]
    let camp = try CampServer(source, account)
    func credentials(_ password: String) -> ArcGISCredentials {
      .user(name: "race", password: Secret(password), tokenURL: nil)
    }
    do {
      let stranger = try room(following: camp.layer)
      try eventually("a problem") { try problem(stranger) != nil }
      let text = try problem(stranger)
      #expect(text?.contains("error 499") == true && text?.contains("\n") == false, "\(text ?? "")")
    }
    do {
      let wrong = try room(following: camp.layer, credentials: credentials("cami"))
      try eventually("a problem") { try problem(wrong) != nil }
      let text = try problem(wrong)
      #expect(text?.contains("token service: ") == true, "\(text ?? "")")
      #expect(text?.contains("cami") == false)
    }
    let room = try room(following: camp.layer, credentials: credentials("camí de ronda"))
    let token = try camp.token(user: "race", password: "cam%C3%AD%20de%20ronda")
    func send(_ number: Int) throws {
      let list = "[\(Sent(number: number).feature)]"
      let token = try camp.token(user: "race", password: "cam%C3%AD%20de%20ronda")
      let answer = try camp.post(
        "\(OpenCamp.layer)/addFeatures", ["features": list, "token": token])
      #expect(areDone(addResults(answer), 1))
    }
    try send(1)
    try eventually("\(try count(room)) of 1") { try count(room) == 1 }
    try eventually("the first token's end") {
      errorCode(try camp.query(["where": "1=1", "token": token])) == 498
    }
    try send(2)
    try eventually("\(try count(room)) of 2") { try count(room) == 2 }
    #expect(try problem(room) == nil)
  }

  @Test func `Trouble has a line in the log when it begins and one when it is over`() throws {
    let port = try ScriptedServer.deadPort()
    let layer = "http://127.0.0.1:\(port)\(OpenCamp.layer)"
    let log = folder.path("log")
    try Data().write(to: URL(fileURLWithPath: log))
    let password = try source.write("password", "secret\n")
    let room = try CampServer(
      folder,
      ["--follow", layer, "--follow-user", "race", "--follow-password-file", password],
      errors: .file(try #require(FileHandle(forWritingAtPath: log))))
    func lines() throws -> [String] {
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        .filter { $0.contains(layer) }
    }
    func problem() throws -> String? { try room.get("/room/state")["problem"] as? String }
    try eventually("a problem") { try problem() != nil }
    #expect(try problem()?.contains("\(layer)") == true)
    let camp = try CampServer(
      source,
      ["--listen", "127.0.0.1:\(port)", "--user", "race", "--password-file", password])
    let token = try camp.token(user: "race", password: "secret")
    let list = "[\(Sent().feature)]"
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": list, "token": token])
    try eventually("\(try lines())") { try room.count() == 1 && problem() == nil }
    let said = try lines()
    #expect(said.count == 3, "\(said)")
    #expect(said.first?.contains("is not read: ") == true)
    let line = "has no edit dates: it is read by object number alone, and changes"
    #expect(said.contains { $0.contains(line) })
    #expect(said.last == "basecamp: \(layer) is read again")
  }

  @Test func `With edit dates, captures below the last object number are found, too`() throws {
    let layer = ScriptedLayer()
    let server = try layer.serve()
    let address = server.address + OpenCamp.layer
    layer.rows.withLock { $0 = [.init(object: 400, minute: 0), .init(object: 401, minute: 1)] }
    do {
      let room = try room(following: address)
      try eventually("\(try count(room)) of 2") { try count(room) == 2 }
    }
    // Another block of numbers.
    layer.rows.withLock { $0.append(.init(object: 7, minute: 2)) }
    do {
      let room = try room(following: address)
      try eventually("\(try count(room)) of 3") { try count(room) == 3 }
    }
    #expect(
      try object("SELECT arrived FROM capture ORDER BY arrived")
        == (0..<3).map { ScriptedLayer.date($0) })
    layer.refusesDates.withLock { $0 = true }
    layer.rows.withLock { $0 += [.init(object: 8, minute: 3), .init(object: 402, minute: 3)] }
    let room = try room(following: address)
    try eventually("\(try count(room)) of 4") { try count(room) == 4 }
    #expect(try problem(room) == nil)
  }

  @Test(arguments: [
    ("<html>Log in</html>", "a web page came back"),
    ("{\"error\":{\"code\":400,\"message\":\"Invalid URL\"}}", "error 400: Invalid URL"),
    ("{\"fields\":[],\"geometryType\":\"esriGeometryPolygon\"}", "choose a point layer"),
    (
      "{\"fields\":[{\"name\":\"OBJECTID\",\"type\":\"esriFieldTypeOID\"}]}", "has no field UUID"
    ), ("{\"fields\":", "is not a FeatureServer's"),
  ])
  func `An answer that is no layer's is a problem of one line`(
    _ body: String, _ words: String
  ) throws {
    let server = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let room = try room(following: server.address + OpenCamp.layer)
    try eventually("a problem") { try problem(room) != nil }
    let text = try #require(try problem(room))
    #expect(text.contains(words) && !text.contains("\n"), "\(text)")
  }
}
