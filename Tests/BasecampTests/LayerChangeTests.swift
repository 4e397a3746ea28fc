import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Basecamp

/// A control room that follows a layer in which people change and delete captures.
@Suite(.blocking) struct LayerChangeTests {
  private let folder: ScratchFolder
  private let layer = ScriptedLayer()
  private let server: ScriptedServer

  init() throws {
    folder = try ScratchFolder()
    server = try layer.serve()
    layer.rows.withLock { $0 = (1...6).map { .init(object: $0, minute: $0) } }
  }

  private func room(following layer: String? = nil) throws -> OpenCamp {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.language.always = .english
    settings.followed = ArcGISConfiguration(
      address: try LayerAddress(layer ?? server.address + OpenCamp.layer))
    (settings.followPause, settings.followGone) = (50, 100)
    return try OpenCamp(settings)
  }

  private func answer(_ room: OpenCamp, _ path: String) throws -> [String: Any] {
    let answer = try WireClient(port: room.port).request("GET", path)
    let body = try JSONSerialization.jsonObject(with: answer.body)
    return try #require(body as? [String: Any], "\(answer.text.prefix(300))")
  }

  private func count(_ room: OpenCamp, _ clause: String = "1=1") throws -> Int {
    let form = WireClient.encoded(["f": "json", "where": clause, "returnCountOnly": "true"])
    return try answer(room, "\(OpenCamp.layer)/query?\(form)")["count"] as? Int ?? -1
  }

  /// Each row's tracker, and how many captures its team's page has.
  private func board(_ room: OpenCamp) throws -> [String] {
    try teams(answer(room, "/room/state")).map { row in
      let tracker = row["tracker"] as? String ?? ""
      let captures = try answer(room, "/room/team?tracker=\(tracker)")["captures"] as? [Any]
      return "\(tracker) \(row["name"] ?? "") \(captures?.count ?? -1)"
    }.sorted()
  }

  /// What the diary says that people, or the server, have done.
  private func notes(_ room: OpenCamp) throws -> [String] {
    let records = try answer(room, "/room/records?kind=acted")["records"] as? [[String: Any]] ?? []
    return records.compactMap { $0["text"] as? String }
  }

  /// Waits until the layer has been asked for its numbers some times more.
  private func moreLooks() throws {
    let before = layer.asked.withLock { $0 }
    try eventually("more looks") { layer.asked.withLock { $0 } > before + 3 }
  }

  private func object(_ query: String) throws -> [Int64] {
    let database = try SQLiteDatabase(path: folder.path("camp/basecamp.db"), access: .readOnly)
    let rows = try database.prepare(query)
    var values: [Int64] = []
    while try rows.step() { values.append(rows.integer(0)) }
    return values
  }

  @Test func `A capture that is changed there is changed here, and nothing else is`() throws {
    layer.rows.withLock { $0 = [.init(object: 1, minute: 0), .init(object: 2, minute: 1)] }
    do {
      let room = try self.room()
      try eventually("\(try count(room)) of 2") { try count(room) == 2 }
    }
    layer.rows.withLock { rows in
      for index in rows.indices { (rows[index].team, rows[index].minute) = ("Fagedes", 2) }
      rows.append(.init(object: 3, minute: 3))
    }
    let room = try self.room()
    try eventually("the new name") { try count(room, "Equip = 'Fagedes'") == 2 }
    #expect(try count(room) == 3)
    #expect(try count(room, "CodiEquip = '7' AND UUID IS NOT NULL") == 3)
    #expect(
      try object("SELECT arrived FROM capture ORDER BY OBJECTID")
        == [0, 1, 3].map { ScriptedLayer.date($0) })
  }

  @Test func `What is corrected there is corrected on the board, too, after a restart as well`()
    throws
  {
    do {
      let room = try room()
      try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 6"] }
    }
    layer.rows.withLock { rows in
      for index in rows.indices { rows[index].minute = 20 }
      for index in 0..<2 { rows[index].device = "8" }
      for index in 2..<6 { rows[index].team = "Fagedes" }
    }
    for _ in 0..<2 {
      let room = try room()
      try eventually("\(try board(room))") {
        try board(room) == ["7 Fagedes 4", "8 Els Senglars 2"]
      }
    }
  }

  @Test func `What is deleted there is deleted here, and told in one line`() throws {
    do {
      let room = try room()
      try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 6"] }
      layer.rows.withLock { $0.removeAll { [2, 4].contains($0.object) } }
      try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 4"] }
      #expect(try count(room) == 4)
      try eventually("\(try notes(room))") { try notes(room).count == 1 }
      #expect(
        try notes(room).first?.hasSuffix(
          ": captures were deleted there, and are here, too; how many: 2, of: 7") == true)
      // It comes again.
      layer.rows.withLock { $0.append(.init(object: 4, minute: 30)) }
    }
    let room = try room()
    try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 5"] }
    try moreLooks()
    #expect(try board(room) == ["7 Els Senglars 5"] && notes(room).count == 1)
  }

  @Test(
    arguments: [
      .text("{\"objectIdFieldName\":\"OBJECTID\",\"objectIds\":null}"), .only([]),
      .only([1, 2, 3]),
      .only([4, 5, 6]), .only([1, 6]), .text("{}"), .text("{\"objectIds\":7}"), .text("<html>"),
      .text("{\"objectIds\":[1,2,3,5,6],\"exceededTransferLimit\":true}"),
      .text("{\"objectIds\":[1,2,3,5,6,77]}"), .text("{\"objectIds\":[1,2,3,5,"),
      .text("{\"error\":{\"code\":498,\"message\":\"Invalid token\"}}"),
      .text("{\"error\":{\"code\":500,\"message\":\"No\"}}"),
    ] as [ScriptedLayer.Numbers])
  func `A layer that answers nothing, too little or nonsense deletes nothing`(
    _ numbers: ScriptedLayer.Numbers
  ) throws {
    layer.numbers.withLock { $0 = numbers }
    let room = try room()
    try eventually("\(try count(room)) of 6") { try count(room) == 6 }
    try moreLooks()
    #expect(try board(room) == ["7 Els Senglars 6"] && count(room) == 6)
    #expect(try notes(room) == [])
  }

  @Test func `A call for help that is deleted there stands here`() throws {
    layer.rows.withLock { $0[1].trigger = "emergency" }
    let room = try room()
    try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 6"] }
    layer.rows.withLock { $0.removeAll { [2, 4].contains($0.object) } }
    try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 5"] }
    try moreLooks()
    #expect(try count(room, "Motiu = 'emergency'") == 1)
    let alarms = try answer(room, "/room/state")["alarms"] as? [[String: Any]] ?? []
    #expect(alarms.contains { $0["need"] as? String == "emergency" && $0["open"] as? Bool == true })
    #expect(try notes(room).first?.contains("how many: 1, of: 7") == true)
  }

  @Test func `A layer that shows nothing at all any more deletes nothing`() throws {
    let room = try room()
    try eventually("\(try count(room)) of 6") { try count(room) == 6 }
    try moreLooks()
    layer.rows.withLock { $0 = [] }
    try moreLooks()
    #expect(try board(room) == ["7 Els Senglars 6"])
  }

  @Test func `What trackers have delivered here, too, is not deleted because of another server`()
    throws
  {
    let layerOnly = [1, 2, 4, 5, 6]
    let own = UniqueID(device: UniqueID(high: 1, low: 7), sequence: 3)
    layer.rows.withLock { $0 = [] }
    let room = try room()
    let feature = """
      [{"geometry":{"x":2.5,"y":42.1,"spatialReference":{"wkid":4326}},"attributes":
      {"CodiEquip":"7","Equip":"Els Senglars","UUID":"\(own.lowercaseText)","Entrada":
      \(ScriptedLayer.date(0))}}]
      """
    let answer = try WireClient(port: room.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures", form: ["f": "json", "features": feature])
    #expect(answer.text.contains("\"success\":true"), "\(answer.text)")
    layer.rows.withLock { $0 = (1...6).map { .init(object: $0, minute: $0) } }
    try eventually("\(try board(room))") { try board(room) == ["7 Els Senglars 6"] }
    try moreLooks()
    layer.rows.withLock { $0.removeAll { !layerOnly.contains($0.object) } }
    try moreLooks()
    #expect(try board(room) == ["7 Els Senglars 6"])
  }
}
