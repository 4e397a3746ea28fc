import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import HTTPTransfer

let repeatClientTests = "repeat with: swift test --filter HTTPTransferTests"

/// A configuration that gives up soon: nothing here is further away than the loopback.
func impatient() -> HTTPClientConfiguration {
  var configuration = HTTPClientConfiguration()
  configuration.connectTimeout = .seconds(5)
  configuration.totalTimeout = .seconds(10)
  return configuration
}

func post(_ url: String, _ body: String = "f=json") -> HTTPRequest {
  HTTPRequest(
    method: .post, url: url,
    headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
    body: Array(body.utf8))
}

func get(_ url: String, answerBytes: Int = UplinkBounds.answerBytes) -> HTTPRequest {
  HTTPRequest(method: .get, url: url, headers: [], answerBytes: answerBytes)
}

extension HTTPReply {
  /// Status and body as text; `nil` without an answer.
  var shown: String? {
    guard case .response(let status, _, let body) = self else { return nil }
    return "\(status) \(String(decoding: body, as: UTF8.self))"
  }

  func field(_ name: String) -> String? {
    guard case .response(_, let headers, _) = self else { return nil }
    return headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

@Suite(.blocking) struct HTTPClientTests {
  @Test func `A request arrives as it was given and its answer comes back whole`() throws {
    let server = try ScriptedServer(
      answering: answer("200 OK", #"{"ok":1}"#, fields: "Retry-After:  7 \r\nX-Empty:\r\n"))
    var client = try HTTPClient(impatient())
    var request = post(server.address + "/a/../b?token=x%20y", "features=[]&f=json")
    request.headers += [HTTPHeader("X-Esri-Authorization", "Bearer abc"), HTTPHeader("X-None", "")]
    let end = client.perform(request)
    #expect(end.reply.shown == #"200 {"ok":1}"#, "\(repeatClientTests)")
    #expect(end.reply.field("retry-after") == "7")
    #expect(end.reply.field("x-empty") == "")
    #expect(end.failure == nil)
    let seen = try #require(server.requests.first)
    #expect(seen.hasPrefix("POST /a/../b?token=x%20y HTTP/1.1\r\n"))
    #expect(seen.hasSuffix("\r\n\r\nfeatures=[]&f=json"))
    for field in [
      "X-Esri-Authorization: Bearer abc", "X-None:", "User-Agent: trailtracker",
      "Accept-Encoding: gzip", "Content-Length: 18",
    ] {
      #expect(seen.contains("\r\n\(field)\r\n"), "\(field) is missing; \(repeatClientTests)")
    }
    #expect(!seen.contains("Expect:"))
  }

  @Test func `The bytes on the wire are counted`() throws {
    let reply = answer()
    let server = try ScriptedServer(answering: reply)
    var client = try HTTPClient(impatient())
    let end = client.perform(post(server.address, String(repeating: "x", count: 5000)))
    #expect(end.traffic.receivedBytes == Int64(reply.utf8.count))
    let sent = try #require(server.requests.first).utf8.count
    #expect(end.traffic.sentBytes == Int64(sent), "\(repeatClientTests)")
    #expect(end.traffic.newConnections == 1)
  }

  @Test func `A hundred requests go over one connection`() throws {
    let server = try ScriptedServer(answering: answer())
    var client = try HTTPClient(impatient())
    for number in 0..<100 {
      let request = number.isMultiple(of: 2) ? post(server.address) : get(server.address)
      let end = client.perform(request)
      #expect(end.reply.shown == "200 {}", "request \(number); \(repeatClientTests)")
    }
    #expect(server.connections == 1)
    #expect(server.requests.count == 100)
  }

  @Test func `A new connection is made after the link was lost`() throws {
    let server = try ScriptedServer(answering: answer())
    var client = try HTTPClient(impatient())
    #expect(client.perform(get(server.address)).reply.shown == "200 {}")
    try client.disconnect()
    #expect(client.perform(get(server.address)).reply.shown == "200 {}")
    #expect(server.connections == 2)
  }

  @Test func `A redirect is an answer and is not followed`() throws {
    let server = try ScriptedServer(
      answering: answer("302 Found", "", fields: "Location: http://127.0.0.1:1/login\r\n"))
    var client = try HTTPClient(impatient())
    let end = client.perform(get(server.address))
    #expect(end.reply.shown == "302 ")
    #expect(end.reply.field("location") == "http://127.0.0.1:1/login")
    #expect(server.requests.count == 1)
  }

  @Test func `An answer in chunks is put together`() throws {
    let server = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-Trailer: 1\r\n\r\n")
    var client = try HTTPClient(impatient())
    #expect(client.perform(get(server.address)).reply.shown == "200 abcdefg")
  }

  @Test func `A provisional answer is not the answer`() throws {
    let server = try ScriptedServer(
      answering: "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n" + answer())
    var client = try HTTPClient(impatient())
    let reply = client.perform(post(server.address)).reply
    #expect(reply.shown == "200 {}")
    #expect(reply.field("x-early") == nil)
  }

  @Test(arguments: [0, 1, 3_000_000])
  func `A body of any size arrives`(_ size: Int) throws {
    let server = try ScriptedServer { connection in
      guard let request = connection.readRequest() else { return }
      connection.send(answer("200 OK", "\(request.utf8.filter { $0 == UInt8(ascii: "~") }.count)"))
    }
    var client = try HTTPClient(impatient())
    let end = client.perform(post(server.address, String(repeating: "~", count: size)))
    #expect(end.reply.shown == "200 \(size)", "\(repeatClientTests)")
  }

  @Test func `Many requests end in one poll loop, each with its own answer`() throws {
    let server = try ScriptedServer { connection in
      while let request = connection.readRequest() {
        connection.send(answer("200 OK", String(request.dropFirst(5).prefix { $0 != " " })))
      }
    }
    var client = try HTTPClient(impatient())
    var open: [TransferID: String] = [:]
    for number in 0..<TransferBounds.transfers {
      open[client.start(get("\(server.address)/n\(number)"))] = "200 n\(number)"
    }
    while !open.isEmpty {
      for end in client.step(poll(client.interests, for: client.timeoutMilliseconds)) {
        #expect(end.reply.shown == open.removeValue(forKey: end.id))
      }
    }
    #expect(client.step().isEmpty)
  }

  @Test func `One request too many completes as unreachable, the others go on`() throws {
    let server = try ScriptedServer(answering: answer())
    var client = try HTTPClient(impatient())
    for _ in 0..<TransferBounds.transfers { _ = client.start(get(server.address)) }
    let end = client.perform(get(server.address))
    #expect(end.reply == .unreachable)
    #expect(end.failure?.description == "16 requests are in progress; wait for some")
  }
}
