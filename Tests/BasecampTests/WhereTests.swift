import Foundation
import TestSupport
import Testing

/// The where clause: what it finds, and what it refuses. Twelve captures lie there, of three teams,
/// ten seconds apart, and one of nobody at no time.
@Suite(.blocking) struct WhereTests {
  let folder: ScratchFolder
  let camp: CampServer

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder)
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<12)])
    let nobody = #"[{"geometry":{"x":1,"y":2},"attributes":{"Tipus":"it's 100%_"}}]"#
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": nobody])
  }

  static let valid: [(String, Int)] = [
    ("1=1", 13), ("1=2", 0), ("1<>1", 0), ("(1=1)", 13), ("0=0", 13),
    ("OBJECTID = 3", 1), ("objectid=3", 1), ("\"OBJECTID\" = 3", 1), ("OBJECTID<>3", 12),
    ("OBJECTID != 3", 12), ("OBJECTID < 3", 2), ("OBJECTID <= 3", 3), ("OBJECTID > 3", 10),
    ("OBJECTID >= 3", 11), ("3 = OBJECTID", 1), ("OBJECTID = '3'", 1), ("OBJECTID = -3", 0),
    ("Equip = 'Els Senglars 1'", 4), ("Equip='els senglars 1'", 0),
    ("UPPER(Equip) = 'ELS SENGLARS 1'", 4), ("lower(Equip) = lower('ELS SENGLARS 1')", 4),
    ("Equip LIKE 'Els%'", 12), ("Equip LIKE 'els%'", 0), ("Equip NOT LIKE '%1'", 8),
    ("Equip LIKE '_ls Senglars _'", 12), ("Tipus LIKE '%!%!_' ESCAPE '!'", 1),
    ("Tipus = 'it''s 100%_'", 1), ("Equip IS NULL", 1), ("Equip IS NOT NULL", 12),
    ("Equip IN ('Els Senglars 0','Els Senglars 2')", 8), ("OBJECTID NOT IN (1,2,3)", 10),
    ("OBJECTID IN (1)", 1), ("OBJECTID BETWEEN 2 AND 4", 3), ("OBJECTID NOT BETWEEN 2 AND 4", 10),
    ("NOT OBJECTID = 1", 12), ("NOT (OBJECTID = 1 OR OBJECTID = 2)", 11),
    ("OBJECTID = 1 OR OBJECTID = 2 AND Equip = 'Els Senglars 1'", 2),
    ("(OBJECTID = 1 OR OBJECTID = 2) AND Equip = 'Els Senglars 1'", 1),
    ("Bateria > 95.5", 5), ("Bateria = 1e2", 1), ("Bateria = .5", 0),
    ("Entrada >= \(Captures.time(6))", 6),
    ("Entrada >= TIMESTAMP '2012-10-06 10:01:00'", 6),
    ("Entrada < timestamp '2012-10-06 10:00:00.200'", 1),
    ("Entrada > DATE '2012-10-06'", 12), ("Entrada > DATE '2012-10-07'", 0),
    ("Entrada > '2012-10-06 10:01:00'", 6),
    ("UUID = '\(Captures.uuid(3))'", 1), ("\n\t1 = 1 ", 13),
    // A backslash is a character like any other.
    ("Equip = 'a\\' OR 1=1", 13),
    ("UUID IN ('\((0..<1000).map(Captures.uuid).joined(separator: "','"))')", 12),
    (Array(repeating: "OBJECTID = 1", count: 800).joined(separator: " OR "), 1),
    (String(repeating: "(", count: 60) + "1=1" + String(repeating: ")", count: 60), 13),
  ]

  @Test func `A clause finds what it says`() throws {
    for (clause, count) in Self.valid {
      let answer = try camp.query(["where": clause, "returnCountOnly": "true"])
      #expect(answer["count"] as? Int == count, "\(clause.prefix(200)): \(answer); \(camp.command)")
    }
  }

  static let invalid = [
    "=", "1=", "1", "OBJECTID", "Nobody = 1", "OBJECTID = ", "OBJECTID == 3", "(1=1", "1=1)",
    "1=1 1=1", "1=1 AND", "AND 1=1", "NOT", "Equip = 'open", "Equip = \"open", "Equip IN ()",
    "Equip IN ('a'", "Equip IN 'a'", "Equip LIKE", "Equip LIKE 3", "Equip LIKE Equip",
    "Equip LIKE 'a' ESCAPE 'ab'", "Equip IS 3", "OBJECTID BETWEEN 1", "OBJECTID BETWEEN 1 OR 2",
    "OBJECTID = 'three'", "Entrada > TIMESTAMP 'yesterday'", "Entrada > DATE '2012-13-01'",
    "Entrada > '2012-02-30'", "OBJECTID = 0x10", "OBJECTID = 1.2.3", "OBJECTID = 1e",
    "Bateria = nan",
    "OBJECTID = --3", "x = 1", "team = 'a'", "rowid = 1", "OBJECTID = ?", "OBJECTID = :a",
    String(repeating: "(", count: 70) + "1=1" + String(repeating: ")", count: 70),
    String(repeating: "NOT ", count: 70) + "1=1",
    Array(repeating: "1=1", count: 1000).joined(separator: " OR "),
    String(repeating: " ", count: 70_000),
  ]

  @Test func `A clause that cannot be read is error 400`() throws {
    for clause in Self.invalid {
      let answer = try camp.query(["where": clause, "returnCountOnly": "true"])
      #expect(errorCode(answer) == 400, "\(clause.prefix(100)): \(answer); \(camp.command)")
    }
  }

  static let injections = [
    "1=1; DROP TABLE capture", "1=1;--", "1=1 --", "1=1 /* */", "1=1 UNION SELECT 1",
    "OBJECTID IN (SELECT OBJECTID FROM capture)", "Equip = 'a' || 'b'", "1=1) OR (1=1",
    "load_extension('x') = 1", "UPPER(load_extension('x')) = 1", "sqlite_version() = '3'",
    "\"Equip\"\"\" = 1", "capture.Equip = 'a'", "Equip = x'00'", "`Equip` = 1", "[Equip] = 1",
    "randomblob(1000000000) IS NULL",
  ]

  @Test func `A clause cannot smuggle SQL in`() throws {
    for clause in Self.injections {
      let answer = try camp.query(["where": clause, "returnCountOnly": "true"])
      #expect(errorCode(answer) == 400, "\(clause): \(answer); \(camp.command)")
    }
    let quoted = try camp.query([
      "where": "Equip = 'x''; DROP TABLE capture; --'", "returnCountOnly": "true",
    ])
    #expect(quoted["count"] as? Int == 0)
    for parameter in [
      "outFields", "orderByFields", "objectIds", "resultOffset", "outSR", "geometry",
    ] {
      let value = "1) FROM capture; DROP TABLE capture; --"
      let answer = try camp.query(["where": "1=1", parameter: value])
      #expect(errorCode(answer) == 400, "\(parameter): \(answer); \(camp.command)")
    }
    #expect(try camp.count() == 13)
  }
}
