import HTTPTransfer
import SystemCalls
import TestSupport
import Testing
import TrackerCore
import Uplink

/// What a request comes to when there is no answer: `unreachable` only where nothing was sent.
@Suite(.blocking) struct HTTPTroubleTests {
  /// What the server does after it has read the request, and what becomes of the request.
  static let lost: [(title: String, kind: HTTPError.Kind, script: @Sendable (Wire) -> Void)] = [
    ("closes before it answers", .connectionLost, { _ in }),
    ("resets before it answers", .connectionLost, { $0.resetAtEnd() }),
    ("closes in the status line", .connectionLost, { $0.send("HTT") }),
    ("closes in the headers", .connectionLost, { $0.send("HTTP/1.1 200 OK\r\nContent-Le") }),
    (
      "closes in the body", .connectionLost,
      { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":") }
    ),
    (
      "closes between two chunks", .connectionLost,
      { $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n") }
    ),
    (
      "sends a chunk without a length", .connectionLost,
      { $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n") }
    ),
    ("speaks no HTTP", .answerUnreadable, { $0.send("SSH-2.0-OpenSSH_9.2\r\n") }),
    (
      "sends a status that is no number", .answerUnreadable,
      { $0.send("HTTP/1.1 OK 200\r\n\r\n") }
    ),
    (
      "sends what is no gzip as gzip", .answerUnreadable,
      { $0.send(answer("200 OK", "not gzip", fields: "Content-Encoding: gzip\r\n")) }
    ),
    (
      "sends more than is allowed", .answerTooLarge,
      { $0.send(answer("200 OK", String(repeating: "x", count: 100_001))) }
    ),
    (
      "sends more than is allowed without a length", .answerTooLarge,
      { $0.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 100_001)) }
    ),
    (
      "sends headers without end", .answerTooLarge,
      { connection in
        connection.send("HTTP/1.1 200 OK\r\n")
        for _ in 0..<100 { connection.send("X: " + String(repeating: "y", count: 1000) + "\r\n") }
      }
    ),
    ("says nothing", .timedOut, { $0.stall() }),
    (
      "stops in the body", .timedOut,
      { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        connection.stall()
      }
    ),
  ]
  typealias Wire = ServerConnection

  @Test(arguments: lost.indices)
  func `A request is lost when the server`(_ index: Int) throws {
    let (title, kind, script) = Self.lost[index]
    let server = try ScriptedServer { connection in
      if connection.readRequest() != nil { script(connection) }
    }
    var configuration = impatient()
    if kind == .timedOut { configuration.totalTimeout = Milliseconds(150) }
    var client = try HTTPClient(configuration)
    var request = post(server.address + "/x?token=hidden")
    request.answerBytes = 100_000
    let end = client.perform(request)
    #expect(end.reply == .lost, "the server \(title); \(repeatClientTests)")
    #expect(end.failure?.kind == kind, "the server \(title): \(end.failure?.description ?? "")")
    #expect(server.requests.count == 1, "the server \(title): sent more than once")
    let text = try #require(end.failure?.description)
    #expect(text.hasPrefix("\(server.address): ") && !text.contains("hidden"), "\(text)")
  }

  @Test func `An answer of just the allowed size is taken`() throws {
    let server = try ScriptedServer(
      answering: answer("200 OK", String(repeating: "x", count: 1000)))
    var client = try HTTPClient(impatient())
    let end = client.perform(get(server.address, answerBytes: 1000))
    #expect(end.reply.shown?.utf8.count == 1004)
    #expect(client.perform(get(server.address, answerBytes: 999)).reply == .lost)
  }

  @Test func `A transfer that trickles is given up, and no other limit would have ended it`()
    throws
  {
    // Never quiet for long, and over after three seconds.
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n")
      for _ in 0..<60 {
        connection.send("x")
        pause(milliseconds: 50)
      }
    }
    var configuration = impatient()
    configuration.totalTimeout = .seconds(60)
    configuration.slowPeriod = .seconds(1)
    configuration.slowestBytesPerSecond = 1
    var client = try HTTPClient(configuration)
    #expect(client.perform(get(server.address)).reply.shown?.utf8.count == 64)
    configuration.slowestBytesPerSecond = 1000
    client = try HTTPClient(configuration)
    let end = client.perform(get(server.address))
    #expect(end.reply == HTTPReply.lost)
    #expect(end.failure?.kind == .timedOut)
  }

  @Test func `A request's own patience ends it, and its own connection is not kept`() throws {
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.send(answer())
      _ = connection.readRequest()
      connection.stall()
    }
    var configuration = impatient()
    configuration.totalTimeout = .seconds(60)
    var client = try HTTPClient(configuration)
    var request = post(server.address)
    #expect(client.perform(request).traffic.newConnections == 1)
    request.patience = .seconds(1)
    let end = client.perform(request)
    #expect(end.reply == .lost && end.failure?.kind == .timedOut, "\(repeatClientTests)")
    #expect(end.traffic.newConnections == 0, "\(repeatClientTests)")
    // The one that stalled is not used again, and this one only once.
    request.needsNewConnection = true
    for _ in 0..<2 {
      let end = client.perform(request)
      #expect(end.reply.shown == "200 {}" && end.traffic.newConnections == 1)
    }
    request.needsNewConnection = false
    #expect(client.perform(request).traffic.newConnections == 1, "\(repeatClientTests)")
  }

  @Test func `A post that a kept connection has swallowed is not sent again`() throws {
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.send(answer())
      _ = connection.readRequest()
    }
    var client = try HTTPClient(impatient())
    #expect(client.perform(post(server.address)).reply.shown == "200 {}")
    let end = client.perform(post(server.address))
    #expect(end.reply == .lost, "\(repeatClientTests)")
    #expect(end.failure?.kind == .connectionLost, "\(end.failure?.description ?? "")")
    #expect(server.requests.count == 2, "libcurl repeated it; \(repeatClientTests)")
  }

  @Test func `A get that a kept connection has swallowed is asked again`() throws {
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.send(answer())
      _ = connection.readRequest()
    }
    var client = try HTTPClient(impatient())
    #expect(client.perform(get(server.address)).reply.shown == "200 {}")
    #expect(client.perform(get(server.address)).reply.shown == "200 {}")
    #expect(server.requests.count == 3)
  }

  @Test func `Where nobody listens, nothing was sent`() throws {
    var client = try HTTPClient(impatient())
    let end = client.perform(post("http://127.0.0.1:\(try ScriptedServer.deadPort())/x"))
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .notConnected, "\(end.failure?.description ?? "")")
  }

  @Test func `A name that cannot be is not found`() throws {
    var client = try HTTPClient(impatient())
    // A label of more than 63 characters is refused by the resolver before it asks anybody.
    let name = String(repeating: "a", count: 70) + ".invalid"
    let end = client.perform(post("http://\(name)/"))
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .nameNotFound, "\(end.failure?.description ?? "")")
  }

  @Test func `A proxy that is not there or refuses has passed nothing on`() throws {
    let server = try ScriptedServer(answering: answer())
    let refusing = try ScriptedServer(answering: answer("403 Forbidden", ""))
    for port in [try ScriptedServer.deadPort(), refusing.port] {
      var configuration = impatient()
      configuration.proxy = "http://127.0.0.1:\(port)"
      var client = try HTTPClient(configuration)
      let end = client.perform(post("https://127.0.0.1:\(server.port)/"))
      #expect(end.reply == .unreachable)
      #expect(
        end.failure?.kind == (port == refusing.port ? .proxyRefused : .notConnected),
        "\(end.failure?.description ?? "")")
    }
    #expect(server.connections == 0)
    #expect(refusing.requests.first?.hasPrefix("CONNECT 127.0.0.1:\(server.port)") == true)
  }

  @Test func `A proxy is used for plain addresses too`() throws {
    let proxy = try ScriptedServer(answering: answer("200 OK", "by proxy"))
    var configuration = impatient()
    configuration.proxy = proxy.address
    var client = try HTTPClient(configuration)
    #expect(client.perform(get("http://127.0.0.1:9/x")).reply.shown == "200 by proxy")
    #expect(proxy.requests.first?.hasPrefix("GET http://127.0.0.1:9/x ") == true)
  }

  @Test func `An interface that is not there sends nothing; one that is there serves`() throws {
    let server = try ScriptedServer(answering: answer())
    var configuration = impatient()
    configuration.interface = "wwan77"
    var client = try HTTPClient(configuration)
    let end = client.perform(post(server.address))
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .interfaceMissing, "\(end.failure?.description ?? "")")
    configuration.interface = "lo"
    client = try HTTPClient(configuration)
    #expect(client.perform(post(server.address)).reply.shown == "200 {}")
  }

  static let noAddress =
    "the server's address: is not a web address; begin it with https:// or http://"

  @Test(arguments: [
    ("127.0.0.1/x", noAddress), ("ftp://h/x", noAddress), ("file:///etc/passwd", noAddress),
    ("", noAddress), ("https:/h", noAddress),
    (
      "http://me:pass@h/x y?token=t",
      "http://h: the address has a space or a control character; percent-encode it"
    ),
    ("http://", "http://: URL using bad/illegal format or missing URL; correct the address"),
  ])
  func `An address that cannot be used is refused before anything is sent`(
    _ url: String, _ text: String
  ) throws {
    var client = try HTTPClient(impatient())
    let end = client.perform(post(url))
    #expect(end.reply == .unreachable)
    #expect(end.failure?.kind == .unusable)
    #expect(end.failure?.description == text, "\(repeatClientTests)")
  }

  @Test func `A header that would become two is not sent`() throws {
    let server = try ScriptedServer(answering: answer())
    var client = try HTTPClient(impatient())
    for (name, value) in [("X", "a\r\nY: b"), ("X\n", "a"), ("", "a"), ("X: Y", "a")] {
      var request = get(server.address)
      request.headers = [HTTPHeader(name, value)]
      #expect(client.perform(request).failure?.kind == .unusable)
    }
    #expect(server.connections == 0)
  }

  @Test func `A request that nobody waits for any more ends, whatever the server does`() throws {
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.stall()
    }
    var client = try HTTPClient()
    let completion = client.perform(get(server.address)) { server.requests.isEmpty }
    #expect(completion.failure?.kind == .cancelled)
    #expect(completion.reply == .lost)
  }

  @Test func `A request that is cancelled completes once, as lost if it was on its way`() throws {
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.stall()
    }
    var client = try HTTPClient(impatient())
    let early = client.start(post(server.address))
    client.cancel(early)
    #expect(client.step().map(\.reply) == [.unreachable])
    let late = client.start(post(server.address))
    while server.requests.isEmpty {
      #expect(client.step(poll(client.interests, for: 10)).isEmpty)
    }
    client.cancel(late)
    client.cancel(late)
    #expect(client.step().map(\.reply) == [.lost])
    #expect(client.timeoutMilliseconds == nil || client.step().isEmpty)
  }

  @Test func `A configuration that cannot work is refused at once`() throws {
    var configuration = HTTPClientConfiguration()
    configuration.authoritiesFile = "/nowhere/ca.pem"
    #expect(
      refusal(of: configuration)
        == "/nowhere/ca.pem: the CA certificates cannot be read; check path and permissions")
    configuration = HTTPClientConfiguration()
    configuration.proxy = "http://me:secret@proxy:80"
    #expect(refusal(of: configuration)?.contains("secret") == false)
    configuration.proxy = nil
    configuration.interface = ""
    #expect(refusal(of: configuration) != nil)
  }

  private func refusal(of configuration: HTTPClientConfiguration) -> String? {
    do throws(HTTPError) {
      _ = try HTTPClient(configuration)
      return nil
    } catch {
      return error.description
    }
  }
}
