import Foundation
import HTTPTransfer
import TestSupport
import Testing
import Uplink

@Suite(.blocking) struct CompressionTests {
  /// `{"ok":1}`, and 300 000 zeros; made with Python's gzip.
  static let text = "H4sIAAAAAAACA6tWys9WsjKsBQAJjFQQCAAAAA=="
  static let zeros =
    ""
    + "H4sIAAAAAAACA+3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAA/Bj74rL24JMEAA=="

  private func server(_ base64: String, cutting cut: Int = 0) throws -> ScriptedServer {
    let bytes = [UInt8](try #require(Data(base64Encoded: base64)))
    return try ScriptedServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.send(Array(bytes.dropLast(cut)))
    }
  }

  @Test func `A compressed answer is unpacked`() throws {
    let server = try server(Self.text)
    var client = try HTTPClient(impatient())
    #expect(client.perform(get(server.address)).reply.shown == #"200 {"ok":1}"#)
  }

  @Test func `The bytes that came are counted, not those that they unpack to`() throws {
    let server = try server(Self.zeros)
    var client = try HTTPClient(impatient())
    let end = client.perform(get(server.address, answerBytes: 300_000))
    #expect(end.reply.shown?.utf8.count == 300_004)
    #expect(end.traffic.receivedBytes < 1000, "\(end.traffic); \(repeatClientTests)")
  }

  @Test func `A small answer that unpacks to more than is allowed is given up`() throws {
    let server = try server(Self.zeros)
    var client = try HTTPClient(impatient())
    let end = client.perform(get(server.address, answerBytes: 299_999))
    #expect(end.reply == .lost)
    #expect(end.failure?.kind == .answerTooLarge, "\(end.failure?.description ?? "")")
  }

  @Test func `A compressed answer that is cut is no answer`() throws {
    let server = try server(Self.zeros, cutting: 20)
    var client = try HTTPClient(impatient())
    let end = client.perform(get(server.address, answerBytes: 300_000))
    #expect(end.failure?.kind == .connectionLost, "\(repeatClientTests)")
  }
}
