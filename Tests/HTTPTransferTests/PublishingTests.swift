import Foundation
import HTTPTransfer
import TestSupport
import Testing
import TrackerCore
import Uplink

/// The client with brokers that misbehave, packet by packet (MQTT 5 §3). mosquitto, which behaves,
/// has its tests in DeliveryTests.
@Suite(.blocking) struct PublishingTests {
  static let connected: [UInt8] = [0x20, 3, 0, 0, 0]
  static let subscribed: [UInt8] = [0x90, 4, 0, 1, 0, 1]
  static let id = UniqueID(high: 1, low: 2)

  static func acknowledged(_ number: UInt8, _ reason: UInt8) -> [UInt8] {
    [0x40, 3, 0, number, reason]
  }

  struct Misdeed: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the broker says to what the client says first, second and so on; `nil`: it goes.
    var words: [[UInt8]?]
    var reply: HTTPReply
    var says: String
  }

  static let misdeeds = [
    Misdeed(
      testDescription: "silence", words: [], reply: .unreachable, says: "the answer took too long"),
    Misdeed(
      testDescription: "a version 3", words: [[0x20, 2, 0, 1]], reply: .unreachable,
      says: "does not speak MQTT 5"),
    Misdeed(
      testDescription: "a web server", words: [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)],
      reply: .unreachable, says: "mqtt://127.0.0.1"),
    Misdeed(
      testDescription: "an end at once", words: [nil], reply: .unreachable, says: "lost"),
    Misdeed(
      testDescription: "bad user or password", words: [[0x20, 3, 0, 0x86, 0]],
      reply: .response(status: 401, headers: [], body: []), says: "refuses user or password"),
    Misdeed(
      testDescription: "busy", words: [[0x20, 3, 0, 0x89, 0]],
      reply: .response(status: 503, headers: [], body: []), says: "code 137"),
    Misdeed(
      testDescription: "no right to listen", words: [connected, [0x90, 4, 0, 1, 0, 0x87]],
      reply: .response(status: 403, headers: [], body: []), says: "listen on t/ack (code 135)"),
    Misdeed(
      testDescription: "an end before the answer", words: [connected, nil], reply: .unreachable,
      says: "lost"),
    Misdeed(
      testDescription: "an end after the capture", words: [connected, subscribed, nil],
      reply: .lost, says: "lost"),
    Misdeed(
      testDescription: "a session that is taken over",
      words: [connected, subscribed, [0xE0, 2, 0x8E, 0]], reply: .lost, says: "takes the session"),
    Misdeed(
      testDescription: "the same without properties",
      words: [connected, subscribed, [0xE0, 1, 0x8E]], reply: .lost, says: "takes the session"),
    Misdeed(
      testDescription: "nobody listens", words: [connected, subscribed, acknowledged(2, 0x10)],
      reply: .response(status: 503, headers: [], body: []), says: "nobody listens on t;"),
    Misdeed(
      testDescription: "no right to publish",
      words: [connected, subscribed, acknowledged(2, 0x87)],
      reply: .response(status: 403, headers: [], body: []), says: "publish on t (code 135)"),
    Misdeed(
      testDescription: "the broker's word alone",
      words: [connected, subscribed, acknowledged(2, 0)], reply: .lost,
      says: "nobody has confirmed on t/ack"),
    Misdeed(
      testDescription: "half a packet", words: [connected, subscribed, [0x30, 100, 0]],
      reply: .lost, says: "nobody has confirmed on t/ack"),
  ]

  private func client() throws -> HTTPClient {
    var configuration = HTTPClientConfiguration()
    (configuration.connectTimeout, configuration.slowPeriod) = (.seconds(1), .seconds(1))
    return try HTTPClient(configuration)
  }

  private func request(
    _ port: UInt16, _ word: Publication.Acknowledger = .receiver
  ) -> HTTPRequest {
    var request = HTTPRequest(method: .post, url: "mqtt://127.0.0.1:\(port)", headers: [])
    request.publication = Publication(
      client: "c", topic: "t", acknowledger: word,
      messages: [Publication.Message(id: Self.id, payload: Array("{}".utf8))])
    return request
  }

  @Test(arguments: misdeeds)
  func `What a broker does wrong ends in one line, and never in a delivery`(
    _ misdeed: Misdeed
  ) throws {
    let server = try ScriptedServer { connection in
      for word in misdeed.words {
        guard !connection.read().isEmpty, let word else { return }
        connection.send(word)
      }
      connection.stall()
    }
    var client = try client()
    let completion = client.perform(request(server.port))
    #expect(completion.reply == misdeed.reply, "\(String(describing: completion.failure))")
    let text = completion.failure?.texts.english ?? ""
    #expect(text.contains(misdeed.says), "\(text)")
    let isSafe = completion.reply == .unreachable || completion.failure?.mayHaveArrived == true
    #expect(isSafe || misdeed.reply != .lost, "\(text)")
  }

  @Test func `Where nothing listens nothing was sent`() throws {
    var client = try client()
    let completion = client.perform(request(try ScriptedServer.deadPort()))
    #expect(completion.reply == .unreachable && completion.failure?.kind == .notConnected)
    #expect(completion.failure?.texts.english.contains("refused") == true)
  }

  @Test func `A kept connection that has ended is not used again`() throws {
    let end = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { connection in
      connection.read()
      connection.send(Self.connected)
      connection.read()
      connection.send(Self.acknowledged(1, 0))
      end.wait()
    }
    var client = try client()
    guard case .response(200, _, _) = client.perform(request(server.port, .broker)).reply else {
      Issue.record("the first was not delivered")
      return
    }
    end.signal()
    #expect(!poll(client.interests, for: 60_000).isEmpty)
    let second = client.perform(request(server.port, .broker))
    #expect(second.reply != .lost && second.failure == nil, "\(second)")
    #expect(server.connections == 2)
    end.signal()
  }

  @Test func `A late answer to a request that was given up counts for no other one`() throws {
    let server = try ScriptedServer { connection in
      connection.read()
      connection.send(Self.connected)
      // The first capture has no answer; the second has the first one's.
      connection.read()
      connection.read()
      connection.send(Self.acknowledged(1, 0))
      connection.stall()
    }
    var client = try client()
    #expect(client.perform(request(server.port, .broker)).reply == .lost)
    #expect(client.perform(request(server.port, .broker)).reply == .lost)
    #expect(server.connections == 1)
  }

  @Test func `A request that is cancelled is lost once it was sent, and its connection goes`()
    throws
  {
    let server = try ScriptedServer { connection in
      connection.read()
      connection.send(Self.connected)
      connection.stall()
    }
    var client = try client()
    let id = client.start(request(server.port, .broker))
    #expect(client.cancel(id) == .unreachable && client.step().map(\.id) == [id])
    #expect(client.interests.isEmpty && client.timeoutMilliseconds == nil)
  }
}
