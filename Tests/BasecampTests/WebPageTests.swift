import Foundation
import TestSupport
import Testing

/// What a browser allows the pages of other origins to do.
@Suite(.blocking) struct WebPageTests {
  static let map = "Origin: https://map.example.org\r\n"

  private func allowed(_ answer: WireClient.Answer) -> String? {
    answer.header("Access-Control-Allow-Origin")
  }

  private func edit(_ camp: CampServer, _ headers: String) throws -> WireClient.Answer {
    try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures",
      form: ["f": "json", "features": Captures.text(0..<1)],
      headers: headers)
  }

  @Test(arguments: [
    "/arcgis/rest/services/TrailWalker/FeatureServer/0/query?where=1%3D1&f=json",
    "/arcgis/rest/services/TrailWalker/FeatureServer/0/query?where=nonsense&f=json",
    "/arcgis/rest/services?f=json", "/nothing", "/",
  ])
  func `A page of any origin may read, errors too`(_ target: String) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let answer = try WireClient(port: camp.port).request("GET", target, headers: Self.map)
    #expect(allowed(answer) == "*", "\(answer.headers); \(camp.command)")
    #expect(answer.header("Access-Control-Expose-Headers") == "Retry-After")
  }

  @Test func `A page whose name leads here for a while is not this server's`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    for (host, status) in [("evil.example", 403), ("127.0.0.1", 200), ("localhost", 200)] {
      let result = try ForeignClientTests.run([
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host):8080",
        "-H", "Origin: http://\(host):8080", "-d", "f=json", "--data-urlencode",
        "features=\(Captures.text(0..<1))",
        "http://127.0.0.1:\(camp.port)\(OpenCamp.layer)/addFeatures",
      ])
      #expect(result.output.hasSuffix("\(status)"), "\(host): \(result.output); \(camp.command)")
    }
  }

  @Test func `A browser that asks first is told methods and headers`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let client = try WireClient(port: camp.port)
    let answer = try client.request(
      "OPTIONS", "\(OpenCamp.layer)/query",
      headers: Self.map + "Access-Control-Request-Method: POST\r\n"
        + "Access-Control-Request-Headers: authorization\r\n")
    #expect(answer.status == 200)
    #expect(answer.body.isEmpty)
    #expect(allowed(answer) == "*")
    #expect(answer.header("Access-Control-Allow-Methods") == "GET, HEAD, POST, OPTIONS")
    let headers = try #require(answer.header("Access-Control-Allow-Headers"))
    for name in ["Authorization", "Content-Type", "X-Esri-Authorization", "Content-Encoding"] {
      #expect(headers.contains(name))
    }
    #expect(answer.header("Access-Control-Max-Age") == "86400")
    // The connection serves on.
    #expect(try client.request("GET", "/arcgis/rest/info?f=json").status == 200)
  }

  @Test func `Where nobody needs a password, a foreign page does not store captures`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let refused = try edit(camp, Self.map)
    #expect(refused.status == 403)
    #expect(refused.text.contains("--origin https://map.example.org"))
    #expect(allowed(refused) == "*")
    #expect(try edit(camp, "Origin: null\r\n").status == 403)
    #expect(try camp.count() == 0)
    // A tracker sends no origin, and a page of this server its own.
    #expect(try edit(camp, "").status == 200)
    #expect(try edit(camp, "Origin: http://127.0.0.1\r\n").status == 200)
    #expect(try camp.count() == 2)
    // A long query is a POST, too.
    let query = try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/query", form: ["f": "json", "where": "1=1"], headers: Self.map)
    #expect(query.status == 200)
  }

  @Test func `Where a token is needed, any page with one may edit`() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("password", "secret\n", mode: 0o600)
    let camp = try CampServer(folder, ["--user", "a", "--password-file", file])
    let answer = try camp.post(
      "/arcgis/tokens/generateToken", ["username": "a", "password": "secret"])
    let token = try #require(answer["token"] as? String)
    #expect(try edit(camp, Self.map + "Authorization: Bearer \(token)\r\n").status == 200)
    #expect(try edit(camp, Self.map).text.contains("499"))
  }

  @Test func `With listed origins the others are not even allowed to read`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(
      folder, ["--origin", "https://MAP.example.org:443/", "--origin", "http://127.0.0.1:5173"])
    for (origin, value) in [
      ("https://map.example.org", "https://map.example.org"),
      ("http://127.0.0.1:5173", "http://127.0.0.1:5173"), ("https://evil.example.org", nil),
      ("null", nil),
    ] {
      let answer = try WireClient(port: camp.port).request(
        "GET", "/arcgis/rest/info?f=json", headers: "Origin: \(origin)\r\n")
      #expect(allowed(answer) == value)
      #expect(answer.header("Vary")?.contains("Origin") == true)
      #expect(try edit(camp, "Origin: \(origin)\r\n").status == (value == nil ? 403 : 200))
    }
  }

  @Test(arguments: ["map.example.org", "https://", "ftp://a", "https://a/b", "https://a b", "*"])
  func `Anything but an origin is refused`(_ text: String) throws {
    try expectRefusal(["--database", "x", "--origin", text], naming: "--origin")
  }
}
