import HTTPTransfer
import TestSupport
import Testing
import Uplink

/// Certificates are checked, always.
@Suite(
  .blocking, .serialized,
  .enabled(
    if: TestAuthority.isPossible && Tool.url("python3") != nil,
    "needs openssl and python3; install them with .ci/setup"))
struct TLSTests {
  let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  private func perform(_ url: String, trusting file: String?) throws -> HTTPCompletion {
    var configuration = impatient()
    configuration.authoritiesFile = file
    var client = try HTTPClient(configuration)
    return client.perform(post(url + "/x?token=hidden", "hello"))
  }

  private func expectRefusal(
    _ end: HTTPCompletion, saying word: String, _ place: SourceLocation = #_sourceLocation
  ) {
    let text = end.failure?.description ?? ""
    #expect(end.reply == .unreachable, "\(repeatClientTests)", sourceLocation: place)
    #expect(end.failure?.kind == .certificateRefused, "\(text)", sourceLocation: place)
    #expect(text.contains(word) && !text.contains("hidden"), "\(text)", sourceLocation: place)
  }

  @Test func `A server with a certificate of the given authority is believed`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let server = try TLSServer(authority, "good")
    let end = try perform("https://127.0.0.1:\(server.port)", trusting: authority.certificate)
    #expect(end.reply.shown == "200 hello", "\(end.failure?.description ?? "")")
  }

  @Test func `One of an authority that nobody named is not`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let server = try TLSServer(authority, "good")
    let url = "https://127.0.0.1:\(server.port)"
    expectRefusal(try perform(url, trusting: nil), saying: "unable to get local issuer")
    let other = try TestAuthority()
    expectRefusal(try perform(url, trusting: other.certificate), saying: "certificate")
  }

  @Test func `One for another name is not`() throws {
    try authority.issue("elsewhere", host: "DNS:elsewhere.example")
    let server = try TLSServer(authority, "elsewhere")
    expectRefusal(
      try perform("https://127.0.0.1:\(server.port)", trusting: authority.certificate),
      saying: "127.0.0.1")
  }

  @Test func `One that has expired is not`() throws {
    try authority.issue("old", host: "IP:127.0.0.1", hasExpired: true)
    let server = try TLSServer(authority, "old")
    expectRefusal(
      try perform("https://127.0.0.1:\(server.port)", trusting: authority.certificate),
      saying: "expired")
  }

  @Test func `A server that speaks no TLS since 1.2 is not spoken to`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let server = try TLSServer(authority, "good", newest: "TLSv1_1")
    let end = try perform("https://127.0.0.1:\(server.port)", trusting: authority.certificate)
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .tlsFailed, "\(end.failure?.description ?? "")")
  }

  @Test func `A server that speaks plain HTTP where TLS is asked for gets nothing`() throws {
    let server = try ScriptedServer { connection in connection.send("HTTP/1.1 400 Bad\r\n\r\n") }
    let end = try perform("https://127.0.0.1:\(server.port)", trusting: authority.certificate)
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .tlsFailed, "\(end.failure?.description ?? "")")
  }

  @Test func `A handshake that stalls has sent nothing`() throws {
    let server = try ScriptedServer { $0.stall() }
    var configuration = impatient()
    configuration.connectTimeout = 150
    var client = try HTTPClient(configuration)
    let end = client.perform(post("https://127.0.0.1:\(server.port)/"))
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .timedOut, "\(end.failure?.description ?? "")")
  }
}
