import Testing
import TrackerCore
import Uplink

/// Addresses of servers that are posted to, what is said of failures, and numbers that are rounded.
@Suite struct PostingAddressTests {
  static let basic = PostingConfiguration.Credentials.basic(user: "a", password: Secret("hush"))
  static let bearer = PostingConfiguration.Credentials.bearer(Secret("hush"))

  static let mistakes: [(url: String, says: String)] = [
    ("", "is empty"), ("p.example/x", "has no scheme; write https://"),
    ("ftp://p.example/x", "has no scheme"), ("https://p.example/x#y", "has a fragment"),
    ("https://", "has no host"), ("https:///x", "has no host"), ("https://?x", "has no host"),
    ("https://u:hush@p.example/x", "user name"), ("https://u@p.example", "user name"),
    ("https://p.example/a b", "spaces"),
  ]

  @Test(arguments: mistakes.map(\.url))
  func `An address that will not do is refused in one line`(_ url: String) throws {
    let says = try #require(Self.mistakes.first { $0.url == url }).says
    let error = try #require(throws: AddressError.self) {
      _ = try PostingConfiguration(format: .json, url: url)
    }
    #expect(error.description.contains(says), "\(error); \(repeating)")
    #expect(!error.description.contains("hush") && !error.description.contains("\n"))
  }

  @Test func `An at sign behind the host is not a user name, and a query is part of the address`()
    throws
  {
    for url in ["https://p.example/a@b", "HTTPS://p.example?x=a@b", "http://p.example:80/"] {
      #expect(try PostingConfiguration(format: .json, url: url).url == url)
    }
  }

  @Test func `Credentials do not travel in the clear, but to this machine itself`() throws {
    for credentials in [Self.basic, Self.bearer] {
      let error = #expect(throws: AddressError.self) {
        _ = try PostingConfiguration(
          format: .json, url: "http://p.example/x", credentials: credentials)
      }
      #expect(error?.description.contains("credentials unencrypted") == true, "\(repeating)")
      for url in ["https://p.example/x", "http://127.0.0.1:8080/x", "http://localhost/x"] {
        _ = try PostingConfiguration(format: .json, url: url, credentials: credentials)
      }
    }
    _ = try PostingConfiguration(format: .json, url: "http://p.example/x")
  }

  @Test func `A failure is said in one line without secrets, a success is not`() throws {
    let configuration = try PostingConfiguration(
      format: .json, url: "https://p.example/x", credentials: Self.bearer)
    for (reply, problem) in [
      (HTTPReply.unreachable, "upload: no connection" as String?),
      (.lost, "upload: the connection was lost"), (.json("", status: 503), "upload: status 503"),
      (
        .json("<html>"),
        "upload: a web page came back, perhaps a network's login page (captive portal); "
          + "log in with a browser"
      ),
      (.json("ok"), nil),
    ] {
      var dialogue = PostingDialogue(configuration)
      _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: Sample.now)
      #expect(
        dialogue.receive(reply, at: Sample.now).result?.problem?.english == problem, "\(repeating)")
    }
  }

  @Test func `A web page is known by its first letter or by its header, an empty answer by none`()
    throws
  {
    let configuration = try PostingConfiguration(format: .json, url: "https://p.example/x")
    let html = [HTTPHeader("Content-Type", "text/html")]
    for (reply, isPage) in [
      (HTTPReply.json("\t\r\n <p>"), true), (.json("", headers: html), false),
      (.json(" \n", headers: html), false), (.json("ok", headers: html), true),
      (.json("ok <p>"), false), (.json("ok", headers: [HTTPHeader("X", "html")]), false),
      (.json("ok", headers: [HTTPHeader("Content-Type", "text/plain")]), false),
    ] {
      var dialogue = PostingDialogue(configuration)
      _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: Sample.now)
      let result = dialogue.receive(reply, at: Sample.now).result
      #expect((result?.acknowledged == []) == isPage, "\(reply); \(repeating)")
    }
  }

  /// Altitude in mm, speed in mm/s and course in millidegrees; metres, km/h and degrees.
  static let rounded: [(Int32, Int32, Int32, String)] = [
    (1499, 138, 359_499, #""alt":1,"vel":0,"cog":359,"#),
    (1500, 139, 359_500, #""alt":2,"vel":1,"cog":0,"#),
    (-1499, 416, 500, #""alt":-1,"vel":1,"cog":1,"#),
    (-1500, 417, 499, #""alt":-2,"vel":2,"cog":0,"#),
    (-499, 1250, 180_000, #""alt":0,"vel":5,"cog":180,"#),
  ]

  @Test(arguments: rounded)
  func `OwnTracks gets whole numbers, rounded half away from zero`(
    _ altitude: Int32, _ speed: Int32, _ course: Int32, _ text: String
  ) throws {
    var capture = Sample.capture(1)
    capture.altitudeMillimetres = altitude
    capture.speedMillimetresPerSecond = speed
    capture.courseMillidegrees = course
    var dialogue = PostingDialogue(
      try PostingConfiguration(format: .ownTracks(user: "u"), url: "https://p.example/x"))
    let work = UplinkTask.upload(
      [OutgoingCapture(capture, device: Sample.device)], nextContactBy: nil)
    let request = try #require(dialogue.begin(work, at: Sample.now).request)
    #expect(request.text.contains(text), "\(request.text); \(repeating)")
  }

  @Test func `A request shows its method, address and size, and not its query or body`() {
    let request = HTTPRequest(
      method: .post, url: "https://p.example/x?key=hush", headers: [], body: [1, 2, 3])
    #expect("\(request)" == "POST https://p.example/x (3 bytes)")
  }
}
