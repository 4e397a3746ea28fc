import Foundation
import TestSupport
import Testing

/// Basecamps that have their data on one PostgreSQL server.
@Suite(.blocking, .enabled(if: PostgreSQLServer.missing == nil, PostgreSQLServer.missing))
struct SharedDatabaseTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func camp(_ server: PostgreSQLServer, _ race: String) throws -> CampServer {
    try CampServer(folder, ["--database", server.address(), "--race", race])
  }

  private func newRace(_ server: PostgreSQLServer) -> String {
    server.newSchema().replacing(" ", with: "-")
  }

  private func alarms(_ camp: CampServer) throws -> [String] {
    (try camp.room("/room/state")["alarms"] as? [[String: Any]] ?? []).map {
      "\($0["need"] ?? "") \($0["state"] ?? "") \($0["by"] as? String ?? "")"
    }
  }

  private func remark(_ text: String, at camp: CampServer) throws -> Int {
    try WireClient(port: camp.port).request(
      "POST", "/room/act", form: ["text": text, "by": "anna"]
    )
    .status
  }

  private func diary(_ camp: CampServer) throws -> String {
    try camp.page("http://127.0.0.1:\(camp.port)/room/diary?format=csv")
  }

  @Test func `What one basecamp takes or does is on the board of the other`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let camps = [try camp(server, race), try camp(server, race)]
    try Sent.send([Sent(trigger: "emergency", at: (277_074, 5_188_311))], to: camps[1])
    for camp in camps {
      try eventually("the emergency") { try alarms(camp) == ["emergency raised "] }
    }
    #expect(
      try WireClient(port: camps[1].port)
        .request("POST", "/room/act", form: ["take": "1", "by": "anna"]).status == 200)
    for camp in camps {
      try eventually("the act") { try alarms(camp).first?.hasPrefix("emergency taken") == true }
      #expect(try camp.count() == 1)
    }
    // Its tracker is told, by whichever it asks.
    for camp in camps {
      try eventually("the message") {
        let table = "\(camp.services)/TrailWalker/FeatureServer/1/query?f=json&where=1%3D1"
        return try camp.page(table + "&outFields=Classe").contains("\"read\"")
      }
    }
    let lines = try (0..<2).map { try diary(camps[$0]) }
    #expect(lines[0] == lines[1] && lines[0].contains("emergency"))
  }

  @Test func `When the first basecamp is killed the other raises what is to be raised, once`()
    throws
  {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let first = try camp(server, race)
    let second = try camp(server, race)
    try Sent.send([Sent(trigger: "emergency", at: (277_074, 5_188_311))], to: second)
    try eventually("the first emergency") { try alarms(second).count == 1 }
    first.end(SIGKILL)
    try Sent.send(
      [Sent(device: "8", team: "Fagedes", trigger: "emergency", at: (277_074, 5_188_311))],
      to: second)
    try eventually("the second emergency") { try alarms(second).count == 2 }
    let third = try camp(server, race)
    #expect(try alarms(third) == alarms(second))
    #expect(
      try server.ask("SELECT count(*) FROM diary WHERE line LIKE '%\"raised\"%'", schema: race)
        == "2")
  }

  @Test func `A basecamp that stands still is replaced, and follows when it goes on`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let first = try camp(server, race)
    let second = try camp(server, race)
    first.signal(SIGSTOP)
    try Sent.send([Sent(trigger: "emergency", at: (277_074, 5_188_311))], to: second)
    try eventually("what the other one raises") {
      try server.ask("SELECT count(*) FROM diary WHERE line LIKE '%\"raised\"%'", schema: race)
        == "1"
    }
    first.signal(SIGCONT)
    try eventually("both boards") { try alarms(first) == alarms(second) }
    #expect(try diary(first) == diary(second))
  }

  @Test func `Acts at several basecamps at once are all in the diary, in one order`() async throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let camps = [try camp(server, race), try camp(server, race), try camp(server, race)]
    let ports = camps.map(\.port)
    let done = await withTaskGroup(of: Int.self) { group in
      for (place, port) in ports.enumerated() {
        group.addTask {
          (0..<20).count { number in
            let answer = try? WireClient(port: port).request(
              "POST", "/room/act", form: ["text": "remark \(place) \(number)", "by": "anna"])
            return answer?.status == 200
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(done == 60, "\(camps[0].command)")
    let texts = try camps.map { camp in
      try eventually("all remarks") {
        try diary(camp).components(separatedBy: "remark ").count == 61
      }
      return try diary(camp)
    }
    #expect(texts[0] == texts[1] && texts[1] == texts[2])
    for camp in camps { camp.end(SIGKILL) }
    // Its chain is whole: it is read, not put aside.
    let again = try camp(server, race)
    #expect(try diary(again) == texts[0])
    #expect(try server.ask("SELECT to_regclass('diary_1')", schema: race) == "")
  }

  @Test(arguments: ["kill", "stop", "hang"])
  func `While the database is away clients are told to come again, and nothing is lost`(
    _ how: String
  ) throws {
    let server = try PostgreSQLServer(["fsync=on"])
    let camp = try camp(server, "race")
    let form = { (batch: Int) in
      ["f": "json", "adds": Captures.text(batch * 10..<batch * 10 + 10), "useGlobalIds": "true"]
    }
    func send(_ batch: Int) throws -> WireClient.Answer {
      try WireClient(port: camp.port).request(
        "POST", "\(OpenCamp.layer)/applyEdits", form: form(batch))
    }
    #expect(try areDone(addResults(camp.post("\(OpenCamp.layer)/applyEdits", form(0))), 10))
    // A tracker forgets a capture that was answered with success.
    let enrolled = try camp.room("/room/phones", "by=marta&name=Senglars&tracker=7&kind=tracker")
    let key = try #require(enrolled["key"] as? String, "\(enrolled)")
    let seconds = Int(Date().timeIntervalSince1970)
    func post() throws -> WireClient.Answer {
      try WireClient(port: camp.port).request(
        "GET",
        "/phone/\(key)?id=7&lat=42.1&lon=2.5&timestamp=\(seconds)"
          + "&uuid=12345678-9abc-4def-8123-456789abcdef&sequence=7&trigger=interval"
          + "&timeTrusted=true")
    }
    switch how {
    case "kill": try server.kill()
    case "stop": try server.stop()
    default: try server.hang()
    }
    let answer = try send(1)
    #expect(answer.status == 503 && answer.header("retry-after") == "30", "\(answer.text)")
    #expect(!answer.text.contains("postgresql://"))
    let refused = try post()
    #expect(refused.status == 503 && refused.header("retry-after") != nil, "\(refused)")
    #expect(!refused.text.contains("postgresql://"))
    if how == "hang" { try server.resume() } else { try server.start() }
    // Those of the first try may have been stored: then they are refused as known.
    try eventually("the database") { try send(1).status == 200 }
    #expect(try send(1).status == 200 && camp.count() == 20, "\(camp.command)")
    for _ in 0..<2 { #expect(try post().status == 200 && camp.count() == 21, "\(camp.command)") }
    try eventually("the room") {
      try WireClient(port: camp.port).request("GET", "/room/state").text
        .contains("\"problem\": null")
    }
  }

  @Test func `Accounts, a team's data and its erasure are the server's, too`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let database = ["--database", server.address(), "--race", race]
    let password = try folder.write("password", "correct horse\n")
    let added = try ProgramResult(
      "basecamp", ["staff", "marta", "--role", "control", "--password-file", password] + database)
    #expect(added.code == 0, "\(added.errors); \(added.command)")
    let camp = try camp(server, race)
    try Sent.send([Sent(at: (277_074, 5_188_311)), Sent(device: "8", at: (1, 1))], to: camp)
    let browser = RoomAccessTests.Browser(camp)
    #expect(try browser.request("GET", "state").status == 401)
    #expect(try browser.logIn("marta", "correct horse") == 200)
    #expect(try browser.request("GET", "state").status == 200)
    let refused = try ProgramResult("basecamp", ["erase", "7"] + database)
    #expect(refused.code == 2 && refused.errors.contains("is at work"), "\(refused.errors)")
    camp.end()
    let exported = try ProgramResult("basecamp", ["export", "7"] + database)
    #expect(exported.code == 0 && exported.output.contains("Els Senglars"), "\(exported.errors)")
    let erased = try ProgramResult("basecamp", ["erase", "7"] + database)
    #expect(erased.code == 0, "\(erased.errors); \(erased.command)")
    #expect(try server.ask("SELECT count(*), min(codiequip) FROM capture", schema: race) == "1|8")
    #expect(
      try server.ask("SELECT device FROM last_position", schema: race) == "device 8")
  }

  @Test(.enabled(if: Tool.url("ogrinfo") != nil, "no GDAL; .ci/setup installs it"))
  func `GDAL opens the tables, with a geometry where PostGIS is there`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let camp = try camp(server, race)
    try Sent.send([Sent(at: (277_074, 5_188_311)), Sent(number: 2, minutesAgo: 5)], to: camp)
    let place = server.address().components(separatedBy: "host=")[1]
    let source = "PG:host=\(place) user=postgres dbname=postgres active_schema=\(race)"
    let hasPostGIS =
      try server.ask("SELECT count(*) FROM pg_extension WHERE extname = 'postgis'", schema: race)
      == "1"
    for (view, count) in [("captures", 2), ("last_captures", 1)] {
      let result = try ProgramResult(running: ["ogrinfo", "-q", "-al", source, view])
      #expect(
        result.output.components(separatedBy: "team (String) = Els Senglars").count == count + 1,
        "\(result.output)\(result.errors)")
      #expect(
        result.output.contains(hasPostGIS ? "POINT (277074 5188311)" : "x (Real) = 277074"),
        "\(result.output)")
    }
  }

  @Test(.enabled(if: ReaderTests.hasQGIS, "needs Debian's qgis; .ci/readers installs it"))
  func `QGIS opens the table of last positions as a layer of points`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let camp = try camp(server, race)
    try Sent.send([Sent(at: (277_074, 5_188_311)), Sent(number: 2, minutesAgo: 5)], to: camp)
    // .ci/readers installs both.
    try #require(
      try server.ask("SELECT count(*) FROM pg_extension WHERE extname = 'postgis'", schema: race)
        == "1")
    let place = server.address().components(separatedBy: "host=")[1]
    let layer =
      "postgres://host=\(place) user=postgres dbname=postgres key='id' srid=3857 type=Point "
      + "table=\"\(race)\".\"last_captures\" (position)"
    let output = folder.path("qgis.geojson")
    let result = try ProgramResult(
      running: [
        "qgis_process.bin", "run", "native:savefeatures", "--", "INPUT=\(layer)",
        "OUTPUT=\(output)",
      ], environment: ["QT_QPA_PLATFORM": "offscreen", "HOME": folder.url.path])
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    #expect(result.code == 0 && text.contains("277074"), "\(result.output)\(result.errors)")
    #expect(text.components(separatedBy: "\"team\": \"Els Senglars\"").count == 2, "\(text)")
  }

  @Test(
    .enabled(if: Tool.url("nginx") != nil, "no nginx; .ci/readers installs Debian's"),
    arguments: [0, 1])
  func `Behind nginx the death of either basecamp loses no request`(_ victim: Int) throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let password = try folder.write("password", "camí de ronda\n")
    let arguments = [
      "--database", server.address(), "--race", race, "--trusted-proxy", "127.0.0.1", "--user",
      "race", "--password-file", password,
    ]
    let camps = try (0..<2).map { _ in try CampServer(folder, arguments) }
    let port = try ScriptedServer.deadPort()
    // As in Sources/basecamp/README.md, for who is not root.
    let upstream = camps.map { "server 127.0.0.1:\($0.port);" }.joined(separator: " ")
    let settings = try folder.write(
      "nginx.conf",
      """
      daemon off; master_process off; pid \(folder.path("nginx.pid")); error_log stderr error;
      events {}
      http {
        access_log off; client_body_temp_path \(folder.path("body"));
        proxy_temp_path \(folder.path("proxy")); fastcgi_temp_path \(folder.path("fastcgi"));
        uwsgi_temp_path \(folder.path("uwsgi")); scgi_temp_path \(folder.path("scgi"));
        upstream camps { \(upstream) }
        server {
          listen 127.0.0.1:\(port);
          location / {
            proxy_pass http://camps;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_buffering off;
            proxy_read_timeout 1h;
          }
        }
      }
      """)
    let proxy = try RunningProgram(["nginx", "-c", settings, "-p", folder.url.path])
    try eventually("nginx") { (try? WireClient(port: port).request("GET", "/"))?.status == 200 }
    let token = try token(at: port)
    func send(_ batch: Int) throws {
      let answer = try WireClient(port: port).request(
        "POST", "\(OpenCamp.layer)/applyEdits",
        form: [
          "f": "json", "adds": Captures.text(batch * 5..<batch * 5 + 5), "useGlobalIds": "true",
          "token": token,
        ])
      #expect(answer.text.components(separatedBy: "\"success\":true").count == 6, "\(answer.text)")
    }
    for batch in 0..<10 { try send(batch) }
    camps[victim].end(SIGKILL)
    for batch in 10..<20 { try send(batch) }
    let form = ["f": "json", "where": "1=1", "returnCountOnly": "true", "token": token]
    let count = try WireClient(port: camps[1 - victim].port)
      .request("POST", "\(OpenCamp.layer)/query", form: form)
    #expect(count.text == "{\"count\":100}")
    proxy.end()
  }

  private func token(at port: UInt16, _ password: String = "camí de ronda") throws -> String {
    let answer = try WireClient(port: port).request(
      "POST", "/arcgis/tokens/generateToken",
      form: ["f": "json", "username": "race", "password": password])
    let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    return object?["token"] as? String ?? "none: \(answer.status)"
  }

  @Test func `Wrong passwords given to one basecamp count at the other`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let password = try folder.write("password", "camí de ronda\n")
    let camps = try (0..<2).map { _ in
      try CampServer(
        folder,
        [
          "--database", server.address(), "--race", race, "--user", "race", "--password-file",
          password,
        ])
    }
    func logIn(_ camp: CampServer) throws -> Int {
      try WireClient(port: camp.port).request(
        "POST", "/room/login", form: ["user": "race", "password": "wrong"]
      ).status
    }
    for _ in 0..<5 {
      for camp in camps { #expect(try token(at: camp.port, "wrong") == "none: 200") }
      for camp in camps { #expect(try logIn(camp) == 403) }
    }
    for camp in camps {
      try eventually("a refused guess") { try token(at: camp.port, "wrong") == "none: 429" }
      try eventually("a refused login") { try logIn(camp) == 429 }
    }
  }

  @Test func `A basecamp that starts before its database waits and says each reason once`() throws {
    let server = try PostgreSQLServer()
    try server.stop()
    let camp = try RunningProgram(
      [Built.program("basecamp").path, "--database", server.address(), "--listen", "127.0.0.1:0"],
      output: .pipe, errors: .asOutput)
    var said = try camp.line()
    #expect(said.contains("basecamp waits for it"), "\(said)")
    // It has tried in vain again.
    usleep(1_200_000)
    try server.start()
    while !said.contains("/arcgis/rest/services") { said += try camp.line() }
    // A server that was met while it started is another reason.
    let reasons = said.split(separator: "\n").filter { $0.contains("basecamp waits for it") }
    #expect(Set(reasons).count == reasons.count, "\(said)")
    camp.end()
  }

  @Test func `Ctrl-C ends the wait for a database`() throws {
    let camp = try RunningProgram(
      [
        Built.program("basecamp").path, "--database", "postgresql://u:secret@127.0.0.1:9/d",
      ], output: .pipe, errors: .asOutput)
    let line = try camp.line()
    #expect(line.contains("127.0.0.1:9/d") && !line.contains("secret"), "\(line)")
    #expect(camp.end(SIGINT) == 0)
  }

  @Test func `After a team was changed on the page another basecamp still comes`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let first = try camp(server, race)
    let form = [
      "tracker": "7", "name": "Els Senglars", "phone": "600 111 222", "public": "yes", "by": "anna",
    ]
    let answer = try WireClient(port: first.port).request("POST", "/room/roster", form: form)
    #expect(answer.status == 200, "\(answer.text)")
    let second = try camp(server, race)
    try eventually("the team on both boards") {
      try [first, second].allSatisfy {
        try teams($0.room("/room/state")).contains { $0["name"] as? String == "Els Senglars" }
      }
    }
  }

  /// More than is read at a time, by one basecamp; the other reads what that has written.
  @Test func `A room made anew of very many captures is the same at both basecamps`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let first = try camp(server, race)
    for start in stride(from: 0, to: 1800, by: 300) {
      let form = [
        "f": "json", "adds": Captures.text(start..<start + 300), "useGlobalIds": "true",
      ]
      #expect(try areDone(addResults(first.post("\(OpenCamp.layer)/applyEdits", form)), 300))
    }
    first.end(SIGKILL)
    _ = try server.ask("DROP TABLE diary, mark, diary_migration", schema: race)
    let camps = try [camp(server, race), camp(server, race)]
    try eventually("all in the diary") {
      try server.ask("SELECT object FROM mark", schema: race) == "1800"
    }
    let boards = try camps.map { camp in
      try eventually("the whole room") {
        try camp.room("/room/state")["problem"] is NSNull
          && diary(camp) == diary(camps[0])
      }
      return try teams(camp.room("/room/state")).map { $0["name"] as? String }
    }
    #expect(boards[0] == boards[1] && boards[0].count == 3, "\(boards) \(camps[0].command)")
    let lines = try diary(camps[0])
    for camp in camps { camp.end(SIGKILL) }
    // It is read again as it is.
    #expect(try diary(camp(server, race)) == lines)
  }

  @Test func `Another course beside a basecamp at work is refused`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = newRace(server)
    let camp = try camp(server, race)
    try Sent.send([Sent(at: (277_074, 5_188_311))], to: camp)
    let course = Built.repository.appendingPathComponent("traces/race.geojson").path
    let other = try ProgramResult(
      "basecamp",
      [
        "--database", server.address(), "--race", race, "--course", course, "--listen",
        "127.0.0.1:0",
      ])
    #expect(other.code == 2 && other.errors.contains("another basecamp"), "\(other.errors)")
  }

  @Test(arguments: [
    (["--database", "camp", "--race", "x"], "a folder has one race"),
    (["--database", "postgresql://h/d", "--race", "Girona 27"], "Girona 27"),
    (["--database", "postgresql://h/d?wrong=secret"], "cannot be read"),
  ])
  func `A wrong place is one line`(_ arguments: [String], _ words: String) throws {
    let result = try ProgramResult("basecamp", arguments)
    #expect(result.code != 0 && result.errors.contains(words), "\(result.errors)")
    #expect(!result.errors.contains("secret"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count <= 2, "\(result.errors)")
  }
}
