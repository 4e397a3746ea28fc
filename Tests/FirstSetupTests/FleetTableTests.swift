import BoardSupport
import TestSupport
import Testing
import Wording

@testable import FirstSetup

@Suite struct FleetTableTests {
  private static let server = "https://example.org/arcgis/rest/services/Walk/FeatureServer/0"
  private static let base = """
    {
      // What all have.
      store: "/var/lib/trailtracker/captures.db",
      server: { address: "\(server)", user: "walk" },
      finishAfter: "32 h",
    }
    """

  private func fleet(_ text: String) throws -> FleetTable {
    try FleetTable(Array(text.utf8), path: "teams.csv")
  }

  private func complaint(_ text: String) -> String {
    do {
      _ = try fleet(text)
      return "no complaint"
    } catch {
      return "\(error)"
    }
  }

  private func files(_ text: String, base: String = Self.base) throws -> [CardFiles] {
    let fleet = try fleet(text)
    let base = FleetBase(configuration: Array(base.utf8), path: "base.json5", board: "a-board")
    return try fleet.rows.map { try fleet.files(for: $0, base) }
  }

  @Test(arguments: [
    "team,number,secret\nEls Senglars,7,x y\n",
    "\u{FEFF}Equip;Número;Contrasenya\r\n\"Els Senglars\" ;7; x y \r\n;;\r\n\r\n",
    "numero\tMOT DE PASSE\tÉquipe\n7\tx y\tEls Senglars",
    "sep=;\r\nEquipo;Dorsal;Secreto\r\nEls Senglars;7;x y\r\n",
    "team,number,secret\rEls Senglars,\"7\",\"x y\"",
    "equip,nu\u{301}mero,password,,\nEls Senglars,7,x y,,\n",
  ])
  func `Whatever a spreadsheet saves is the same table`(_ text: String) throws {
    let fleet = try fleet(text)
    #expect(fleet.rows.map(\.folder) == ["7-els-senglars"])
    #expect(fleet.rows[0][.team] == "Els Senglars")
    #expect(fleet.rows[0][.secret] == "x y")
  }

  @Test func `Quotation marks, separators and formulas in a cell are text`() throws {
    let files = try files("team,number,secret\n\"Els \"\"bons\"\", \\ 2\",=1+1,\"a,b;\"\"c\"\n")
    let root = try FileNode.parse(files[0].configuration, path: "")
    #expect(root.optional("team")?.value == .text("Els \"bons\", \\ 2"))
    #expect(root.optional("server")?.optional("device")?.value == .text("=1+1"))
    #expect(files[0].secrets.map { String(decoding: $0, as: UTF8.self) } == "password = a,b;\"c\n")
  }

  @Test func `A row's values join those of the base, which keeps its comments`() throws {
    let files = try files("team,number,secret,user,board,pin\na,1,s,,,1234\nb,2,t,me,other,\n")
    let texts = files.map { String(decoding: $0.configuration, as: UTF8.self) }
    #expect(texts.allSatisfy { $0.contains("// What all have.") && $0.contains("finishAfter") })
    let users = try files.map {
      try DaemonSettings(FileNode.parse($0.configuration, path: "")).server.user
    }
    #expect(users == ["walk", "me"])
    #expect(files.map(\.board) == ["a-board", "other"])
    #expect(files[0].all.map(\.name) == ["trackerd.json5", "board", "secrets"])
    #expect(
      files[0].secrets.map { String(decoding: $0, as: UTF8.self) } == "password = s\npin = 1234\n")
  }

  @Test func `The secret is what the server asks for`() throws {
    let token = try files(
      "team,number,secret\na,1,s\n",
      base: "{ store: \"/s\", server: { address: \"\(Self.server)\" } }")
    #expect(token[0].secrets.map { String(decoding: $0, as: UTF8.self) } == "token = s\n")
    let client = try files(
      "team,number,secret\na,1,s\n",
      base: "{ store: \"/s\", server: { address: \"\(Self.server)\", clientId: \"c\" } }")
    #expect(client[0].secrets.map { String(decoding: $0, as: UTF8.self) } == "clientSecret = s\n")
  }

  @Test func `A name cannot leave its folder, nor meet another on FAT`() throws {
    let fleet = try fleet(
      """
      team,number
      ../../etc,1
      L'Òs & l’àliga: "junts"...,2
      队,3
      CON,4
      A/B,5/6
      A B,5-6
      \(String(repeating: "ab ", count: 200)),7

      """)
    #expect(
      fleet.rows.map(\.folder).prefix(6) == [
        "1-etc", "2-los-l-aliga-junts", "3-team", "4-con", "5-6-a-b", "5-6-a-b-2",
      ])
    #expect(fleet.rows[6].folder.utf8.count <= 65)
  }

  @Test(arguments: [
    ("", "teams.csv: has no team"), ("\n,,\n", "teams.csv: has no team"),
    ("team,number\n", "teams.csv: has no team"),
    ("team,number\na,1\n", "no complaint"),
    ("team,secret\na,1\n", "teams.csv:1: there is no column number"),
    ("team,number,scret\na,1,2\n", "teams.csv:1: scret: is not a known column; did you mean"),
    ("team,number,shoes\na,1,2\n", "teams.csv:1: shoes: is not a known column; remove it"),
    ("team,number,equip\na,1,b\n", "teams.csv:1: equip: says the same as the column \"team\""),
    ("team,number\na,1\n\nA,2\n", "teams.csv:4: team: \"A\" is on line 2 already"),
    ("team,Dorsal\na,1\nb,01\n", "teams.csv:3: Dorsal: \"01\" is on line 2 already"),
    ("team,number\na,x\nb,X\n", "teams.csv:3: number: \"X\" is on line 2 already"),
    ("team,number\na,\n", "teams.csv:2: number: is empty"),
    ("team,number,clau secret\na,1,x\n", "teams.csv:1: clau secret: is not a known column"),
    ("team,number,secret\na,1\n", "teams.csv:2: secret: is empty"),
    ("team,number\na,1,x\n", "teams.csv:2: cell 3 is in no column"),
    ("team,number\na,\"1\n2\"\n", "teams.csv:2: number: has a line break"),
    ("team,number\n\"a,1\nb,2\n", "teams.csv:2: a quotation mark opens here"),
    ("team,number\n\"a\"b,1\n", "teams.csv:2: there is text after a closing"),
    ("team,number\na,1\0\n", "teams.csv: is not text in UTF-8"),
  ])
  func `A table that cannot be used is refused with the line`(_ text: String, _ expected: String) {
    #expect(complaint(text).hasPrefix(expected), "\(complaint(text))")
  }

  @Test func `Other encodings are refused with the line and the cure`() {
    let latin = Array("team,number\na,1\n".utf8) + [0xD2, 0x73] + Array(",2\n".utf8)
    #expect(throws: FileError.self) { try FleetTable(latin, path: "t.csv") }
    do {
      _ = try FleetTable(latin, path: "t.csv")
    } catch {
      #expect("\(error)".hasPrefix("t.csv:3: is not text in UTF-8; in the spreadsheet, save it"))
    }
    let wide: [UInt8] = [0xFF, 0xFE] + Array("team,number\n".utf8).flatMap { [$0, 0] }
    #expect(throws: FileError.self) { try FleetTable(wide, path: "t.csv") }
  }

  @Test(arguments: [
    ("team,number,language,secret\na,1,eo,s\n", Self.base, "teams.csv:2: language: \"eo\""),
    (
      "team,number,secret\n\(String(repeating: "a", count: 65)),1,s\n", Self.base,
      "teams.csv:2: team: has 65 bytes; 64 are allowed"
    ),
    ("team,number\na,1\n", Self.base, "teams.csv:2: there is no column secret"),
    (
      "team,number,secret\na,1,s\n", "{ store: \"/s\",\n server: { kind: \"arcjis\" } }",
      "base.json5:2: server.kind:"
    ),
    (
      "team,number\na,1\n",
      "{ store: \"/s\",\n device: \"6f1c2a52-0d57-4a86-9d8e-3f0b8b1f2c11\",\n server: {} }",
      "base.json5:2: device: is the identity of one tracker"
    ),
    (
      "team,number\na,1\n", "{ store: \"/s\",\n secrets: \"/x\", server: { address: \"a\" } }",
      "base.json5:2: secrets: names a file that the cards will not have"
    ),
  ])
  func `A tracker's mistake names the row, the organiser's the base`(
    _ table: String, _ base: String, _ expected: String
  ) {
    do {
      _ = try files(table, base: base)
      Issue.record("no complaint; expected \(expected)")
    } catch {
      #expect("\(error)".hasPrefix(expected), "\(error)")
    }
  }

  @Test func `Any bytes are a table or an error`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("team,number;\"\r\n\t=x\u{E9}".utf8) + [0xFF, 0]
    for _ in 0..<2000 {
      let text =
        Array("team,number\n".utf8)
        + (0..<Int.random(in: 0..<40, using: &random)).map { _ in alphabet.randomElement() ?? 0 }
      _ = try? FleetTable(text, path: "t.csv")
    }
  }

  @Test func `No text lacks a translation or an argument`() {
    #expect(problems(of: FleetPhrase.self) == [])
  }
}
