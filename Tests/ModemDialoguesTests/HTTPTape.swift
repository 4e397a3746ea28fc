import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// A transcript of a request by a modem's own commands: what the modem says, and what must be said
/// to it.
struct HTTPTape {
  var http: ModemHTTP
  var now: Int64 = 0
  /// Everything that was said to the modem.
  var said = ""

  static let post = HTTPRequest(
    method: .post, url: "http://camp.example/rest/0/addFeatures",
    headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
    body: Array("f=json&features=[]".utf8))
  static let get = HTTPRequest(
    method: .get, url: "https://camp.example/rest/0?f=json",
    headers: [HTTPHeader("Accept", "application/json"), HTTPHeader("X-Limit-U", "me")])

  init(_ family: ModemFamily = .sim7600, trust: ModemTrust = .nobody) {
    guard let http = ModemHTTP(family: family, trust: trust) else {
      preconditionFailure("the family has HTTP")
    }
    self.http = http
  }

  @discardableResult
  mutating func begin(_ request: HTTPRequest = post, until end: Milliseconds? = nil) -> String {
    let begun = Instant(milliseconds: now)
    let giveUpAt = end.map { .start + $0 } ?? begun + ModemBounds.taskLimit
    return take(http.begin(request, until: giveUpAt, at: begun))
  }

  /// The modem says something, ended by CR LF, 10 ms later. Returns what is said to it.
  @discardableResult
  mutating func hear(_ lines: String...) -> String {
    now += 10
    var output = ""
    for line in lines {
      output += take(
        http.receive(Array("\r\n\(line)\r\n".utf8), at: Instant(milliseconds: now)))
    }
    return output
  }

  /// The deadline that it named comes.
  @discardableResult
  mutating func wait() -> String {
    guard let deadline = http.nextDeadline else { return "nothing is waited for" }
    now = max(now, deadline.milliseconds)
    return take(http.deadlineReached(at: deadline))
  }

  mutating func abandon(_ reason: AbandonReason = .needed) -> String { take(http.abandon(reason)) }

  /// The line takes nothing of what was said last.
  mutating func lineRefuses() -> String {
    take(http.lineRefused(at: Instant(milliseconds: now)))
  }

  private mutating func take(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r", with: "⏎")
    said += text
    return text
  }

  /// Up to where the request is on its way.
  mutating func act(_ request: HTTPRequest = post) {
    begin(request)
    hear("OK")
    hear("+CSQ: 15,99", "OK")
    for _ in 0..<20 where !said.contains("HTTPACTION") {
      hear(said.hasSuffix("HTTPDATA=\(request.body.count),60⏎") ? "DOWNLOAD" : "OK")
    }
  }

  /// Ends the service. Returns the result.
  mutating func close() -> ModemHTTPResult? {
    hear("OK")
    return http.takeResult()
  }
}

let modemAgain: Comment = "repeat with: swift test --filter ModemDialoguesTests"
