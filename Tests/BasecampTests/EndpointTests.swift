import Foundation
import SQLite
import TestSupport
import Testing

/// What each address answers.
@Suite(.blocking) struct EndpointTests {
  let folder: ScratchFolder
  let camp: CampServer

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder)
  }

  @Test func `The server states its version and that it needs no token`() throws {
    let answer = try camp.get("/arcgis/rest/info")
    #expect(answer["currentVersion"] as? Double == 10.91)
    #expect((answer["authInfo"] as? [String: Any])?["isTokenBasedSecurity"] as? Bool == false)
  }

  @Test(arguments: ["/", "/arcgis", "/arcgis/rest"])
  func `A person who only knows the name finds everything by links`(_ path: String) throws {
    let page = try WireClient(port: camp.port).request("GET", path)
    #expect(page.status == 200)
    let links = page.text.components(separatedBy: "href=\"").dropFirst().map {
      $0.prefix { $0 != "\"" }.replacingOccurrences(of: "&amp;", with: "&")
    }
    #expect(links.count == 16, "\(links)")
    for link in links {
      let answer = try WireClient(port: camp.port).request("GET", link)
      #expect(answer.status == 200 && !answer.text.contains("error"), "\(link): \(answer.text)")
    }
  }

  @Test func `The services are listed`() throws {
    let answer = try camp.get("/arcgis/rest/services")
    let services = (answer["services"] as? [[String: String]] ?? []).map {
      "\($0["name"] ?? "")/\($0["type"] ?? "")"
    }
    #expect(
      services == [
        "TrailWalker/FeatureServer", "TrailWalker/MapServer", "UltimaEntrada/MapServer",
        "rutes/MapServer",
      ])
    #expect((answer["folders"] as? [String])?.isEmpty == true)
  }

  @Test(arguments: [
    ("TrailWalker/FeatureServer", 1), ("TrailWalker/MapServer", 1), ("UltimaEntrada/MapServer", 1),
    ("rutes/MapServer", 2),
  ])
  func `Each service describes itself and its layers`(_ name: String, _ layers: Int) throws {
    let path = "/arcgis/rest/services/\(name)"
    let service = try camp.get(path)
    #expect((service["layers"] as? [Any])?.count == layers)
    #expect((service["capabilities"] as? String)?.contains("Query") == true)
    for id in 0..<layers {
      let layer = try camp.get("\(path)/\(id)")
      #expect(layer["id"] as? Int == id)
      #expect((layer["geometryType"] as? String)?.hasPrefix("esriGeometry") == true)
      #expect(layer["objectIdField"] as? String == "OBJECTID")
      #expect(layer["maxRecordCount"] as? Int == 2000)
      #expect(layer["extent"] is [String: Any])
    }
  }

  @Test func `The layer of captures has the fields of the race`() throws {
    let layer = try camp.get(OpenCamp.layer)
    let fields = layer["fields"] as? [[String: Any]] ?? []
    let types = fields.map { "\($0["name"] ?? "") \($0["type"] ?? "")" }
    #expect(
      types == [
        "OBJECTID esriFieldTypeOID", "CodiEquip esriFieldTypeString",
        "Equip esriFieldTypeString", "Bateria esriFieldTypeDouble", "Entrada esriFieldTypeDate",
        "Tipus esriFieldTypeString", "UUID esriFieldTypeString", "Motiu esriFieldTypeString",
        "ProperContacte esriFieldTypeDate", "Silenci esriFieldTypeString",
        "Ordre esriFieldTypeInteger", "Precisio esriFieldTypeInteger",
        "GlobalID esriFieldTypeGlobalID",
      ])
    #expect(layer["supportsApplyEditsWithGlobalIds"] as? Bool == true)
    #expect(layer["globalIdField"] as? String == "GlobalID")
    #expect(layer["capabilities"] as? String == "Create,Query")
  }

  @Test func `The last capture of each team is the latest by its time`() throws {
    // The later half comes first, as a tracker sends after a silence.
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(50..<100)])
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<50)])
    let answer = try camp.query(
      ["where": "1=1", "outFields": "*", "orderByFields": "Entrada DESC"],
      layer: "/arcgis/rest/services/UltimaEntrada/MapServer/0")
    let times = attributes(answer).compactMap { $0["Entrada"] as? Int }
    #expect(times == [99, 98, 97].map(Captures.time))
    #expect(try camp.count() == 100)
  }

  /// Sends captures of one device under one name, at seconds since the race began.
  private func send(_ device: String?, _ team: String, _ seconds: [Int]) throws {
    let features = seconds.map { second in
      let code = device.map { "\"CodiEquip\":\"\($0)\"," } ?? ""
      return """
        {"geometry":{"x":1,"y":2},"attributes":{\(code)"Equip":"\(team)",\
        "Entrada":\(Captures.time(second))}}
        """
    }
    let text = "[\(features.joined(separator: ","))]"
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": text])
  }

  private func latest() throws -> [String] {
    let answer = try camp.query(
      ["where": "1=1", "outFields": "*", "orderByFields": "Equip"],
      layer: "/arcgis/rest/services/UltimaEntrada/MapServer/0")
    return attributes(answer).map {
      let number = (($0["Entrada"] as? Int ?? 0) - Captures.time(0)) / 10_000
      return "\($0["Equip"] as? String ?? "") \($0["CodiEquip"] as? String ?? "-") \(number)"
    }
  }

  @Test func `A team that was renamed leaves no ghost`() throws {
    try send("d1", "Equip 7", [1, 2, 3])
    try send("d1", "Els Tardans", [4, 5])
    try send("d2", "Les Formigues", [3])
    #expect(try latest() == ["Els Tardans d1 5", "Les Formigues d2 3"])
    // What was taken under the old name and comes late changes nothing.
    try send("d1", "Equip 7", [0])
    #expect(try latest() == ["Els Tardans d1 5", "Les Formigues d2 3"])
  }

  @Test func `A card that was moved to a spare board leaves no ghost`() throws {
    try send("d1", "Els Tardans", [1, 2])
    try send("d9", "Els Tardans", [3])
    try send("d2", "Les Formigues", [9])
    #expect(try latest() == ["Els Tardans d9 3", "Les Formigues d2 9"])
    // The board that broke is mended and serves another team.
    try send("d1", "Els Corbs", [7])
    #expect(try latest() == ["Els Corbs d1 7", "Els Tardans d9 3", "Les Formigues d2 9"])
  }

  @Test func `Teams without a device are distinguished by their names`() throws {
    try send(nil, "Els Tardans", [1, 2])
    try send(nil, "Les Formigues", [1])
    try send("", "Les Formigues", [4])
    try send("Els Tardans", "Els Corbs", [1])
    #expect(
      try latest() == ["Els Corbs Els Tardans 1", "Els Tardans - 2", "Les Formigues  4"])
  }

  @Test func `A database of before shows its last captures by the same rule`() throws {
    let older = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: older.path("camp"), withIntermediateDirectories: true)
    try SQLiteDatabase(path: older.path("camp/basecamp.db")).execute(Self.versionOne)
    let camp = try CampServer(older)
    let answer = try camp.query(
      ["where": "1=1", "outFields": "*"], layer: "/arcgis/rest/services/UltimaEntrada/MapServer/0")
    #expect(attributes(answer).compactMap { $0["Equip"] as? String } == ["B"])
    #expect(try camp.count() == 2)
  }

  /// What version 1 wrote, word for word: never to be edited.
  private static let versionOne = """
    CREATE TABLE capture (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT,
      CodiEquip TEXT, Equip TEXT, Bateria REAL, Entrada INTEGER, Tipus TEXT, UUID TEXT,
      GlobalID TEXT NOT NULL UNIQUE,
      x REAL, y REAL,
      team TEXT AS (coalesce(nullif(Equip, ''), CodiEquip, '')),
      moment INTEGER AS (coalesce(Entrada, -9223372036854775808))
    );
    CREATE INDEX capture_by_uuid ON capture(UUID);
    CREATE INDEX capture_by_team ON capture(team, moment, OBJECTID);
    CREATE VIEW latest AS
      SELECT * FROM capture WHERE OBJECTID IN (
        SELECT (SELECT OBJECTID FROM capture AS c WHERE c.team = t.team
                ORDER BY moment DESC, OBJECTID DESC LIMIT 1)
        FROM (SELECT DISTINCT team FROM capture) AS t);
    INSERT INTO capture (CodiEquip, Equip, Entrada, GlobalID, x, y)
      VALUES ('d1', 'A', 1, '{A}', 1, 2), ('d1', 'B', 2, '{B}', 1, 2);
    PRAGMA application_id = 1667329392;
    PRAGMA user_version = 1;
    """

  @Test(arguments: [3, 4, 5, 8])
  func `A database of an earlier version gets fields for what trackers tell`(_ version: Int) throws
  {
    let older = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: older.path("camp"), withIntermediateDirectories: true)
    try SQLiteDatabase(path: older.path("camp/basecamp.db"))
      .execute(
        Self.versionThree + (version > 3 ? Self.versionFour : "")
          + (version > 4 ? Self.versionFive : "") + (version > 5 ? Self.versionEight : ""))
    let new =
      #"{"attributes":{"CodiEquip":"d2","Equip":"C","Entrada":3,"Motiu":"interval","#
      + #""ProperContacte":1795000000000,"Silenci":"reserve","Ordre":70000,"Precisio":12}}"#
    for layer in [OpenCamp.layer, "/arcgis/rest/services/UltimaEntrada/MapServer/0"] {
      let camp = try CampServer(older)
      if layer == OpenCamp.layer {
        let answer = try camp.post("\(layer)/addFeatures", ["features": "[\(new)]"])
        #expect(areDone(addResults(answer), 1), "\(answer); \(camp.command)")
      }
      let rows = attributes(try camp.query(["where": "1=1", "outFields": "*"], layer: layer))
      #expect(rows.map { $0["Equip"] as? String } == ["A", "C"], "\(camp.command)")
      #expect(rows.map { $0["Motiu"] as? String } == ["entered", "interval"])
      let before = version > 3 ? 1_795_000_000_000 - 1 : nil
      #expect(rows.map { $0["ProperContacte"] as? Int } == [before, 1_795_000_000_000])
      #expect(rows.map { $0["Silenci"] as? String } == [nil, "reserve"])
      #expect(rows.map { $0["Ordre"] as? Int } == [version > 4 ? 9 : nil, 70_000])
      #expect(rows.map { $0["Precisio"] as? Int } == [nil, 12])
      // Messages, notes and histories.
      for table in 1...3 {
        let layer = "/arcgis/rest/services/TrailWalker/FeatureServer/\(table)"
        let query = ["where": "1=1", "returnCountOnly": "true"]
        let isOfEight = version == 8 && table == 1
        #expect(
          try camp.query(query, layer: layer)["count"] as? Int == (isOfEight ? 1 : 0),
          "\(camp.command)")
      }
    }
  }

  /// What version 3 wrote, word for word: never to be edited.
  private static let versionThree = """
    CREATE TABLE capture (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT,
      CodiEquip TEXT, Equip TEXT, Bateria REAL, Entrada INTEGER, Tipus TEXT, UUID TEXT,
      GlobalID TEXT NOT NULL UNIQUE,
      x REAL, y REAL,
      team TEXT AS (coalesce(nullif(Equip, ''), CodiEquip, '')),
      moment INTEGER AS (coalesce(Entrada, -9223372036854775808))
    );
    CREATE INDEX capture_by_uuid ON capture(UUID);
    ALTER TABLE capture ADD COLUMN device TEXT
      AS (CASE WHEN CodiEquip <> '' THEN 'device ' || CodiEquip
               ELSE 'team ' || coalesce(Equip, '') END);
    CREATE INDEX capture_by_device ON capture(device, moment, OBJECTID);
    CREATE VIEW latest AS
      SELECT * FROM capture WHERE OBJECTID IN (
        SELECT OBJECTID FROM (
          SELECT OBJECTID, row_number() OVER (
            PARTITION BY team ORDER BY moment DESC, OBJECTID DESC) AS place
          FROM capture WHERE OBJECTID IN (
            SELECT (SELECT OBJECTID FROM capture AS c WHERE c.device = d.device
                    ORDER BY moment DESC, OBJECTID DESC LIMIT 1)
            FROM (SELECT DISTINCT device FROM capture) AS d))
        WHERE place = 1);
    ALTER TABLE capture ADD COLUMN Fets INTEGER;
    ALTER TABLE capture ADD COLUMN PerFer INTEGER;
    ALTER TABLE capture ADD COLUMN Lloc TEXT;
    ALTER TABLE capture ADD COLUMN Motiu TEXT;
    INSERT INTO capture (CodiEquip, Equip, Entrada, Motiu, GlobalID, x, y)
      VALUES ('d1', 'A', 1, 'entered', '{A}', 1, 2);
    PRAGMA application_id = 1667329392;
    PRAGMA user_version = 3;
    """

  /// What version 4 added to that, word for word: never to be edited.
  private static let versionFour = """
    ALTER TABLE capture ADD COLUMN ProperContacte INTEGER;
    ALTER TABLE capture ADD COLUMN Silenci TEXT;
    ALTER TABLE capture ADD COLUMN arrived INTEGER;
    UPDATE capture SET ProperContacte = 1794999999999;
    PRAGMA user_version = 4;
    """

  @Test func `What the layer of an earlier version refused is still known`() throws {
    let older = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: older.path("camp"), withIntermediateDirectories: true)
    try SQLiteDatabase(path: older.path("camp/basecamp.db"))
      .execute(Self.versionThree + Self.versionFour + Self.versionFive + Self.refusalsOfFive)
    for _ in 0..<2 {
      let camp = try CampServer(older)
      let state = try camp.get("/room/state")
      let alarms = state["alarms"] as? [[String: Any]] ?? []
      #expect(
        alarms.contains { $0["need"] as? String == "emergency" }, "\(state); \(camp.command)")
      camp.end(SIGTERM)
    }
  }

  /// What version 5 kept of refused captures, word for word: never to be edited.
  private static let refusalsOfFive = """
    CREATE TABLE IF NOT EXISTS refusal (
      number INTEGER PRIMARY KEY AUTOINCREMENT, arrived INTEGER NOT NULL, CodiEquip TEXT,
      Equip TEXT, UUID TEXT, Motiu TEXT, Silenci TEXT, Entrada INTEGER,
      ProperContacte INTEGER, Bateria REAL, x REAL, y REAL, reason TEXT NOT NULL);
    CREATE UNIQUE INDEX IF NOT EXISTS refusal_once ON refusal(CodiEquip, UUID, Motiu);
    INSERT INTO refusal (arrived, CodiEquip, Motiu, reason)
      VALUES (1776499200000, 'd9', 'emergency', 'too long');
    """

  /// What version 5 added to that, word for word: never to be edited.
  private static let versionFive = """
    ALTER TABLE capture ADD COLUMN Ordre INTEGER;
    UPDATE capture SET Ordre = 9;
    PRAGMA user_version = 5;
    """

  /// What versions 6 to 8 added to that, word for word: never to be edited.
  private static let versionEight = """
    CREATE TABLE message (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT, Desti TEXT NOT NULL, Numero INTEGER NOT NULL,
      Classe TEXT NOT NULL, Text TEXT NOT NULL, Autor TEXT NOT NULL, Creat INTEGER NOT NULL,
      Ordre INTEGER, Rebut INTEGER, emergency INTEGER, UNIQUE (Desti, Numero));
    CREATE TABLE note (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT, Desti TEXT NOT NULL, Versio TEXT NOT NULL,
      Nota TEXT NOT NULL, Vist TEXT NOT NULL, Text TEXT, Categoria TEXT NOT NULL,
      Autor TEXT NOT NULL, Creat INTEGER, arrived INTEGER NOT NULL);
    CREATE INDEX note_by_device ON note(Desti);
    ALTER TABLE message ADD COLUMN Fins INTEGER;
    ALTER TABLE message ADD COLUMN Resultat TEXT;
    ALTER TABLE message ADD COLUMN Captura TEXT;
    INSERT INTO message (Desti, Numero, Classe, Text, Autor, Creat)
      VALUES ('d1', 1, 'message', 'hello', 'Marta', 1776499200000);
    PRAGMA user_version = 8;
    """

  @Test func `A course file replaces the built-in course`() throws {
    let file = try folder.write(
      "course.geojson",
      """
      {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"name":"Start"},
         "geometry":{"type":"Point","coordinates":[2.5,42.1,440.5]}},
        {"type":"Feature","properties":null,
         "geometry":{"type":"LineString","coordinates":[[2.5,42.1],[2.6,42.0],[2.7,41.9]]}}]}
      """)
    let other = try ScratchFolder()
    let camp = try CampServer(other, ["--course", file])
    let points = try camp.query(
      ["where": "1=1", "outFields": "*", "outSR": "4326"],
      layer: "/arcgis/rest/services/rutes/MapServer/0")
    #expect(attributes(points).first?["Nom"] as? String == "Start")
    #expect(attributes(points).first?["Altitud"] as? Double == 440.5)
    let lines = try camp.query(
      ["where": "1=1", "f": "geojson"], layer: "/arcgis/rest/services/rutes/MapServer/1")
    #expect((lines["features"] as? [Any])?.count == 1)
  }

  @Test(arguments: [
    "/arcgis/rest/services/Nobody/FeatureServer", "/arcgis/rest/services/TrailWalker/Other",
    "/arcgis/rest/services/TrailWalker/FeatureServer/7", "/arcgis/rest/nothing",
    "/arcgis/rest/services/TrailWalker/FeatureServer/0/deleteFeatures",
    "/arcgis/rest/services/TrailWalker/FeatureServer/0/query?f=kmz",
  ])
  func `What is not there is an ArcGIS error under 200`(_ path: String) throws {
    let join = path.contains("?") ? "" : "?f=json"
    let answer = try WireClient(port: camp.port).request("GET", path + join)
    #expect(answer.status == 200)
    let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any] ?? [:]
    #expect([400, 404].contains(errorCode(object)), "\(answer.text); \(camp.command)")
  }

  @Test func `Without f a person's page comes, and outside of ArcGIS a 404`() throws {
    let page = try WireClient(port: camp.port).request("GET", OpenCamp.layer)
    #expect(page.status == 200 && page.text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(try WireClient(port: camp.port).request("GET", "/favicon.ico").status == 404)
    #expect(try WireClient(port: camp.port).request("DELETE", OpenCamp.layer).status == 405)
  }

  @Test func `A script in an address does not come back alive`() throws {
    let path = "/arcgis/rest/services/%3Cscript%3Ealert(1)%3C/script%3E/FeatureServer"
    let page = try WireClient(port: camp.port).request("GET", path)
    #expect(!page.text.contains("<script>"))
  }

  @Test func `An edit needs POST, and a layer that takes edits`() throws {
    #expect(errorCode(try camp.get("\(OpenCamp.layer)/addFeatures", ["features": "[]"])) == 405)
    let map = "/arcgis/rest/services/TrailWalker/MapServer/0/addFeatures"
    #expect(errorCode(try camp.post(map, ["features": Captures.text(0..<1)])) == 400)
    #expect(try camp.count() == 0)
  }

  @Test func `A request that is too large is refused with 413`() throws {
    let client = try WireClient(port: camp.port)
    try client.send(
      "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n")
    #expect(try client.receive().status == 413)
    #expect(try camp.count() == 0)
  }

  @Test func `One connection carries many requests`() throws {
    let client = try WireClient(port: camp.port)
    for _ in 0..<20 {
      #expect(try client.request("GET", "/arcgis/rest/info?f=json").status == 200)
    }
  }
}
