import Testing
import TrackerCore

@testable import Uplink

/// What status and log say of an answer that is not the server's.
@Suite struct ForeignAnswerTests {
  static let redirects: [(location: String?, words: String)] = [
    (
      "http://portal.example:8080/login?session=hush",
      "redirected to http://portal.example:8080, perhaps a network's login page"
    ),
    ("https://user:hush@portal.example/", "redirected to https://portal.example, perhaps"),
    (nil, "redirected to another address, perhaps a network's login page (captive portal)"),
    ("HTTPS://Camp.example/rest", "redirected to HTTPS://Camp.example; correct the server's"),
    ("//portal.example/login", "redirected to another address, perhaps a network's login page"),
    ("login?sid=hush&to=http://x", "redirected to another address, perhaps a network's login"),
    ("/arcgis/login", "redirected to http://camp.example:6080; correct the server's address"),
  ]

  @Test(arguments: redirects.indices)
  func `A redirect names its place, and a captive portal where it is another's`(
    _ number: Int
  ) {
    let (location, words) = Self.redirects[number]
    let headers = location.map { [HTTPHeader("LOCATION", $0)] } ?? []
    for status: Int32 in [301, 302, 303, 307, 308] {
      let text = ForeignAnswer.describe(
        status, headers, from: "http://camp.example:6080/rest/0")
      #expect(text.english.hasPrefix("status \(status): \(words)"), "\(repeating)")
      #expect(!text.english.contains("hush"), "\(repeating)")
    }
  }

  @Test func `Both kinds of dialogue say so, and of a web page under 200 too`() throws {
    let portal = HTTPReply.json(
      "", status: 302, headers: [HTTPHeader("Location", "http://portal.example/login")])
    for (reply, words) in [
      (portal, "status 302: redirected to http://portal.example, perhaps a network's login page"),
      (.json("", status: 511), "the network wants a login (captive portal)"),
      (.json(" <html>"), "a web page came back, perhaps a network's login page"),
      (.json("", status: 503), "status 503"),
    ] {
      let captures = UplinkTask.upload(Sample.captures(1...1), nextContactBy: nil)
      var arcGIS = try Sample.dialogue()
      _ = arcGIS.begin(captures, at: Sample.now)
      var posting = PostingDialogue(
        try PostingConfiguration(format: .json, url: "https://p.example/x"))
      _ = posting.begin(captures, at: Sample.now)
      for result in [
        arcGIS.receive(reply, at: Sample.now).result, posting.receive(reply, at: Sample.now).result,
      ] {
        #expect(result?.problem?.english.contains(words) == true, "\(result as Any); \(repeating)")
      }
    }
  }
}
