import Basecamp
import Foundation
import TestSupport
import Testing
import TrackerCore

/// Clients that take their time, to keep others out. Each test waits for the server to end their
/// connection, however long that takes.
@Suite(.blocking) struct SlowClientTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Sends one piece again and again until the server ends the connection.
  private func trickle(_ client: WireClient, _ piece: String) throws {
    try eventually("the end of the connection") { (try? client.send(piece)) == nil }
  }

  @Test func `A connection over which nothing comes is ended`() throws {
    let camp = try OpenCamp(folder) { $0.head = 300 }
    let client = try WireClient(port: camp.port)
    try client.waitForEnd()
    #expect(try camp.serves())
  }

  @Test func `Headers that trickle in without an end are ended`() throws {
    let camp = try OpenCamp(folder) { $0.head = 300 }
    let client = try WireClient(port: camp.port)
    try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
    try trickle(client, "X: a\r\n")
    #expect(try camp.serves())
  }

  @Test func `A chunked body that trickles in without an end is ended`() throws {
    let camp = try OpenCamp(folder) { $0.body = 300 }
    let client = try WireClient(port: camp.port)
    try client.send(
      "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    try trickle(client, "1\r\na\r\n")
    #expect(try camp.serves())
  }

  @Test func `A client that does not read its answer is ended`() throws {
    let camp = try OpenCamp(folder) { $0.answer = 300 }
    let edit = try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures",
      form: ["f": "json", "features": Captures.text(0..<2000)])
    #expect(edit.status == 200)
    // More answers than the buffers of both kernels can hold.
    let client = try WireClient(port: camp.port, receiveBytes: 4096)
    let query =
      "GET \(OpenCamp.layer)/query?where=1%3D1&outFields=*&f=json HTTP/1.1\r\nHost: a\r\n\r\n"
    try trickle(client, query)
    #expect(try camp.serves())
  }

  @Test func `A client that is quick keeps its connection beyond the time of one request`() throws {
    let camp = try OpenCamp(folder) {
      ($0.head, $0.headWhenCrowded, $0.body, $0.answer) = (3000, 3000, 3000, 3000)
    }
    let client = try WireClient(port: camp.port)
    let end = Date(timeIntervalSinceNow: 4)
    while Date() < end {
      #expect(try client.request("GET", "/arcgis/rest/info?f=json").status == 200)
      usleep(100_000)
    }
  }

  @Test func `One address cannot take every connection`() throws {
    // Once there is room again, those that are left have the longer time.
    let camp = try OpenCamp(folder) { ($0.headWhenCrowded, $0.head) = (300, 3000) }
    let slow = try (0..<60).map { _ in try WireClient(port: camp.port, client: 2) }
    for client in slow { try? client.send("GET / HTTP/1.1\r\n") }
    // Another's is served at once, and the same one's as soon as the slow ones are ended.
    #expect(try camp.serves())
    for client in slow { try client.waitForEnd() }
    // The library needs a moment to count them no more.
    try eventually("a place for the same address") { (try? camp.serves(client: 2)) == true }
  }

  @Test func `Headers without bound are refused`() throws {
    let camp = try OpenCamp(folder) { _ in }
    let client = try WireClient(port: camp.port)
    try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
    let line = Array("X-Long: \(String(repeating: "a", count: 8000))\r\n".utf8)
    // The server may end the connection before it has everything.
    for _ in 0..<40 { try? client.send(line) }
    // Silence would be ended after 30 s only.
    try client.waitForEnd()
    #expect(try camp.serves())
  }
}
