import ControlRoom
import FeatureService
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// Telephones with OsmAnd, Traccar Client or OwnTracks: from their requests to layer and room.
@Suite(.blocking) struct PhoneTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// - Returns: the end of a new telephone's address.
  private func enrol(
    _ name: String, as tracker: String? = nil, in camp: CampServer
  ) throws -> String {
    let code = tracker.map { "&tracker=\($0)" } ?? ""
    let answer = try camp.room("/room/phones", "by=marta&name=\(name)\(code)")
    return try #require(answer["key"] as? String, "\(answer); \(camp.command)")
  }

  /// The answer's status and text.
  private func curl(_ words: [String]) throws -> (status: String, text: String) {
    let run = try ProgramResult(
      running: ["curl", "-s", "-m", "60", "-w", "\n%{http_code}"] + words)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
  }

  private static func address(_ camp: CampServer, _ key: String) -> String {
    "http://127.0.0.1:\(camp.port)/phone/\(key)"
  }

  /// Now, to the second, in milliseconds.
  private static var now: Int { Int(Date().timeIntervalSince1970) * 1000 }

  /// The words after `curl` with which each app sends a position, as its sources have it, but the
  /// last one, the address.
  private struct Request: Sendable {
    var app: String
    var name: String?
    var battery: Double?
    var accuracy: Int?
    var words: @Sendable (_ address: String, _ now: Int) -> [String]
  }

  private static let requests = [
    // OsmAnd's live tracking: a template of the person's, as its help has it.
    Request(app: "OsmAnd") { address, now in
      [
        "\(address)?lat=42.05&lon=2.61&timestamp=\(now)&hdop=3.0&altitude=443.2&speed=1.4"
          + "&bearing=12.5&eta=0"
      ]
    },
    // Traccar Client up to version 8.
    Request(app: "OsmAnd", name: "48241179", battery: 81, accuracy: 13) { address, now in
      [
        "-X", "POST", "-H", "Content-Type: application/x-www-form-urlencoded",
        "\(address)/?id=48241179&timestamp=\(now / 1000)&lat=42.05&lon=2.61&speed=2.7&bearing=12.5"
          + "&altitude=443.2&accuracy=12.6&batt=81.0",
      ]
    },
    // The same as a form, with a date.
    Request(app: "OsmAnd", name: "48241179", battery: 81, accuracy: 13) { address, now in
      let date = Date(timeIntervalSince1970: Double(now / 1000))
      return [
        "-d", "deviceid=48241179&lat=42.05&lon=2.61&accuracy=12.6&batt=81",
        "--data-urlencode", "timestamp=\(ISO8601DateFormatter().string(from: date))", address,
      ]
    },
    // Traccar Client from version 9 on.
    Request(app: "Traccar Client", name: "48241179", battery: 80, accuracy: 13) { address, now in
      let format = ISO8601DateFormatter()
      format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      let date = format.string(from: Date(timeIntervalSince1970: Double(now / 1000)))
      let json = """
        {"location":{"timestamp": "\(date)","coords": {"latitude": 42.05,"longitude": 2.61,\
        "accuracy": 12.6,"speed": 1.4,"heading": 12.5,"altitude": 443.2},"is_moving": true,\
        "odometer": 1042.7,"event": "","battery": {"level": 0.8,"is_charging": false},\
        "activity": {"type": "walking"},"extras": {},\
        "uuid": "5f9d5bd5-7e0c-4a3a-9d39-6c4de4e2f7a1",\
        "_": "&id=48241179&lat=42.05&lon=2.61&timestamp=\(date)&"},"device_id":"48241179"}
        """
      return ["-H", "Content-Type: application/json; charset=utf-8", "-d", json, address]
    },
    Request(app: "OwnTracks", name: "jo", battery: 77, accuracy: 13) { address, now in
      let json = """
        {"_type":"location","BSSID":"00:00:00:00:00:00","SSID":"x","acc":13,"alt":443,"batt":77,\
        "bs":1,"conn":"m","created_at":\(now / 1000 + 1),"lat":42.05,"lon":2.61,"m":1,"t":"u",\
        "tid":"jo","topic":"owntracks/jane/phone","tst":\(now / 1000),"vac":3,"vel":5}
        """
      return [
        "-H", "Content-Type: application/json", "-H", "X-Limit-U: jane", "-H", "X-Limit-D: phone",
        "-A", "Owntracks-Android/gms/420500002", "-d", json, address,
      ]
    },
  ]

  @Test(
    .enabled(if: ForeignClientTests.hasCurl, "needs Debian's curl"), arguments: requests.indices)
  func `What an app sends is one capture, on the map, that promises nothing`(index: Int) throws {
    let request = Self.requests[index]
    let camp = try CampServer(folder)
    let key = try enrol("Escombra", in: camp)
    let now = Self.now
    for _ in 0..<2 {
      let words = request.words(Self.address(camp, key), now)
      let answer = try curl(words)
      #expect(answer.status == "200", "\(words): \(answer); \(camp.command)")
      if request.app == "OwnTracks" { #expect(answer.text == "[]") }
    }
    let found = attributes(try camp.query(["where": "1=1", "outFields": "*"]))
    try #require(found.count == 1, "\(found)")
    #expect(found[0]["CodiEquip"] as? String == "phone 1")
    #expect(found[0]["Equip"] as? String == "Escombra")
    #expect(found[0]["Tipus"] as? String == request.app)
    #expect(found[0]["Motiu"] as? String == "phone")
    #expect(found[0]["Entrada"] as? Int == now)
    #expect(found[0]["Bateria"] as? Double == request.battery)
    #expect(found[0]["Precisio"] as? Int == request.accuracy)
    for name in ["ProperContacte", "Silenci", "Ordre"] { #expect(found[0][name] is NSNull) }
    #expect((found[0]["GlobalID"] as? String)?.dropFirst(15).first == "8", "\(found)")
    let state = try camp.room("/room/state")
    let row = try #require(teams(state).first, "\(state)")
    #expect(row["name"] as? String == "Escombra" && row["from_phone"] as? Bool == true)
    #expect(row["latitude"] as? Double == 42.05 && row["longitude"] as? Double == 2.61)
    #expect(row["promise"] is NSNull && row["taken"] is String && row["heard"] is String)
    #expect((row["needs"] as? [Any])?.isEmpty == true && row["rank"] is NSNull)
    #expect((state["alarms"] as? [Any])?.isEmpty == true)
    let phones = try camp.room("/room/phones")["phones"] as? [[String: Any]] ?? []
    #expect(
      phones.first?["app"] as? String
        == [request.app, request.name].compactMap { $0 }
        .joined(separator: ", "))
  }

  @Test func `A phone without an address is refused, and so is one whose was taken back`() throws {
    let camp = try CampServer(folder)
    let key = try enrol("Pau", in: camp)
    let position = "?lat=42&lon=2.5&timestamp=\(Self.now)"
    func send(_ path: String) throws -> WireClient.Answer {
      try WireClient(port: camp.port).request("GET", "/phone\(path)\(position)")
    }
    for path in [
      "", "/", "/x", "/\(key)0", "/\(key.dropLast())", "/\(key)/x", "/\(key.uppercased())",
    ] {
      let answer = try send(path)
      #expect(answer.status == 401, "\(path): \(answer.text); \(camp.command)")
      #expect(answer.text.split(separator: "\n").count == 1)
    }
    _ = try camp.room("/room/phones", "by=marta&revoke=1")
    let answer = try send("/\(key)")
    #expect(answer.status == 403 && answer.text.contains("not valid any more"), "\(answer.text)")
    #expect(try camp.count() == 0, "\(camp.command)")
    let records = try camp.room("/room/records?kind=acted")["records"] as? [[String: Any]] ?? []
    let texts = records.map { "\($0["by"] ?? "") \($0["text"] ?? "")" }
    #expect(
      Set(texts) == ["marta ☎ phone 1: enrolled, Pau", "marta ☎ phone 1: revoked"], "\(records)")
  }

  @Test func `What cannot be where the phone is now is not stored, and never blocks the phone`()
    throws
  {
    let camp = try CampServer(folder)
    let key = try enrol("Pau", in: camp)
    let now = Self.now
    let day = 24 * 3600 * 1000
    for query in [
      "lat=nan&lon=2&timestamp=\(now)", "lat=42&lon=inf&timestamp=\(now)",
      "lat=90.1&lon=2&timestamp=\(now)", "lat=42&lon=-180.5&timestamp=\(now)",
      "lat=0&lon=0&timestamp=\(now)", "lat=1e999&lon=2&timestamp=\(now)",
      "lat=42&lon=2", "lat=42&lon=2&timestamp=\(now + day)", "lat=42&lon=2&timestamp=x",
      "lat=42&lon=2&timestamp=\(now - 8 * day)", "lat=42&lon=2&timestamp=9223372036854775807",
      "lat=42&lon=2&timestamp=-9223372036854775808", "lat=x&lon=2&timestamp=\(now)",
      "lat=42&lon=2&timestamp=2026-02-31T00:00:00Z",
    ] {
      let answer = try WireClient(port: camp.port).request("GET", "/phone/\(key)?\(query)")
      #expect(answer.status == 200 && answer.text.contains("1"), "\(query): \(answer.text)")
    }
    for (json, status) in [
      ("{", 400), ("[]", 400), ("{}", 400), ("\u{0}", 400),
      (String(repeating: "[", count: 9999), 400),
      ("{\"location\": null}", 200), ("{\"location\": {\"coords\": 7}}", 200),
      ("{\"location\": {\"timestamp\": 1, \"coords\": {\"latitude\": \"42\"}}}", 200),
      ("{\"_type\": \"location\", \"tst\": 9223372036854775807, \"lat\": 1, \"lon\": 1}", 200),
      ("{\"_type\": \"location\", \"tst\": 1.5, \"lat\": 1, \"lon\": 1}", 200),
      ("{\"_type\": \"lwt\", \"tst\": 1}", 200),
      ("{\"_type\": \"encrypted\", \"data\": \"x\"}", 200),
      ("", 200),
    ] {
      let client = try WireClient(port: camp.port)
      try client.send(
        "POST /phone/\(key) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
      let answer = try client.receive()
      #expect(answer.status == status, "\(json.prefix(60)): \(answer.status) \(answer.text)")
    }
    let long = try WireClient(port: camp.port).request(
      "POST", "/phone/\(key)", form: ["lat": String(repeating: "1", count: 70_000)])
    #expect(long.status == 413, "\(long.text)")
    #expect(try camp.count() == 0, "\(camp.command)")
    let good = try WireClient(port: camp.port).request(
      "GET", "/phone/\(key)?lat=42&lon=2&timestamp=\(now)")
    #expect(try good.status == 200 && camp.count() == 1)
  }

  @Test func `A batch with the same position twice stores it once, and one each second is kept`()
    throws
  {
    let camp = try CampServer(folder)
    let key = try enrol("Pau", in: camp)
    let format = ISO8601DateFormatter()
    let now = Date()
    let locations = [0, 1, 2, 2, 1].map { second in
      let date = format.string(from: now - Double(second))
      return "{\"timestamp\": \"\(date)\", \"coords\": {\"latitude\": 42, \"longitude\": 2.5}}"
    }
    let json = "{\"location\": [\(locations.joined(separator: ","))], \"device_id\": \"x\"}"
    let client = try WireClient(port: camp.port)
    for _ in 0..<2 {
      try client.send(
        "POST /phone/\(key) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
      #expect(try client.receive().status == 200)
    }
    #expect(try camp.count() == 3, "\(camp.command)")
  }

  @Test func `A phone cannot call for help, nor speak for another team`() throws {
    let camp = try CampServer(folder)
    let key = try enrol("Pau", in: camp)
    let answer = try WireClient(port: camp.port).request(
      "GET",
      "/phone/\(key)?lat=42&lon=2&timestamp=\(Self.now)&id=7&alarm=sos&Motiu=emergency"
        + "&Tipus=emergency&CodiEquip=7&Ordre=1&ProperContacte=\(Self.now)")
    #expect(answer.status == 200, "\(answer.text)")
    let found = attributes(try camp.query(["where": "1=1", "outFields": "*"]))
    #expect(found.map { $0["CodiEquip"] as? String } == ["phone 1"], "\(found)")
    #expect(found[0]["Motiu"] as? String == "phone" && found[0]["Ordre"] is NSNull)
    #expect((try camp.room("/room/state")["alarms"] as? [Any])?.isEmpty == true)
  }

  @Test func `A phone has no tracker's number, and no other phone's`() throws {
    let camp = try CampServer(folder)
    try Sent.send([Sent(promise: 20)], to: camp)
    func refusal(_ form: String) throws -> (Int, String) {
      let client = try WireClient(port: camp.port)
      let answer = try client.request(
        "POST", "/room/phones",
        form: ["by": "marta", "name": "Pau"].merging(
          form.isEmpty ? [:] : ["tracker": form]
        ) { $1 })
      return (answer.status, answer.text)
    }
    #expect(try refusal("7").0 == 409)
    #expect(try refusal("8").0 == 200 && refusal("8").0 == 409)
    #expect(
      try refusal("a\u{202E}b").0 == 400 && refusal(String(repeating: "x", count: 51)).0 == 400)
    _ = try camp.room("/room/phones", "by=marta&revoke=1")
    #expect(try refusal("8").0 == 200, "\(camp.command)")
  }

  @Test func `A phone's address is in no file and in no log`() throws {
    let log = try folder.write("log", "")
    let handle = try #require(FileHandle(forWritingAtPath: log))
    let camp = try CampServer(folder, errors: .file(handle))
    let key = try enrol("Pau", in: camp)
    let answer = try WireClient(port: camp.port).request(
      "GET", "/phone/\(key)?lat=42&lon=2&timestamp=\(Self.now)")
    #expect(answer.status == 200)
    #expect(try WireClient(port: camp.port).request("GET", "/phone/\(key)?lat=1").status == 200)
    camp.end()
    for name in ["log"]
      + (try FileManager.default.contentsOfDirectory(
        atPath: folder.path("camp")
      ).map { "camp/\($0)" })
    {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      #expect(bytes.range(of: Data(key.utf8)) == nil, "\(name)")
    }
    let store = try AccessStore(folder: folder.path("camp"))
    #expect(try store.phone(key)?.number == 1)
    let archive = ["phone 1", "--database", folder.path("camp")]
    let export = try ProgramResult("basecamp", ["export"] + archive)
    #expect(export.output.contains("\"app\": \"OsmAnd\""), "\(export)")
    let erased = try ProgramResult("basecamp", ["erase"] + archive)
    #expect(erased.code == 0, "\(erased)")
    #expect(try store.phones().isEmpty)
  }

  @Test func `A phone that sends too much waits, and one a second never does`() {
    let rates = PhoneRates()
    #expect(rates.take(600, of: 1, at: 0) == nil)
    #expect(rates.take(10, of: 1, at: 0) == 2 && rates.take(1, of: 2, at: 0) == nil)
    #expect(rates.take(10, of: 1, at: 1999) != nil && rates.take(10, of: 1, at: 2000) == nil)
    let steady = PhoneRates()
    for second in 0..<Int64(3000) {
      #expect(steady.take(1, of: 1, at: .seconds(second)) == nil, "\(second)")
    }
  }

  @Test func `Its address ends with the race, or some days later`() throws {
    let store = try AccessStore(folder: folder.path("store"))
    let now = UTC(milliseconds: 1_776_499_200_000)
    let key = try store.enrol("Pau", as: nil, until: now + .hours(2), at: now).key
    let phone = try #require(try store.phone(key))
    #expect(phone.isValid(at: now + .hours(1)) && !phone.isValid(at: now + .hours(2)))
  }

  @Test(.enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
  func `The page enrols a phone, shows its address once, and takes it back`() throws {
    let camp = try CampServer(folder, ["--language", "en"])
    let browser = try DrivenBrowser(folder)
    try browser.enterRoom(of: camp, as: "Marta")
    try browser.type("Escombra", into: "#phone-name")
    try browser.click("#phone button")
    try eventually("its address") { try browser.text("#new-phone a").contains("/phone/") }
    let address = try browser.text("#new-phone a")
    let settings =
      try browser.value(
        "atob(decodeURIComponent(document.querySelectorAll('#new-phone a')[1].href.split('=')[1]))")
      as? String ?? ""
    #expect(settings.contains("\"url\":\"\(address)\"") && settings.contains("\"mode\":3"))
    let hasCode = try browser.value("document.querySelector('#new-phone path') !== null") as? Bool
    #expect(hasCode == FileManager.default.fileExists(atPath: WebFile.codesPath))
    func send() throws -> Int {
      let key = address.split(separator: "/").last ?? ""
      return try WireClient(port: camp.port).request(
        "GET", "/phone/\(key)?lat=42&lon=2.5&timestamp=\(Self.now)"
      ).status
    }
    #expect(try send() == 200, "\(camp.command)")
    try eventually("its row") { try browser.text("#rows").contains("a phone") }
    try browser.click("#rows button")
    try eventually("its page") { try browser.text("#one-facts").contains("promises nothing") }
    try browser.click("#phones button")
    try eventually("it to be revoked") { try browser.text("#phones").isEmpty }
    #expect(try send() == 403, "\(camp.command)")
  }
}
