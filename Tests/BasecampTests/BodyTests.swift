import Foundation
import TestSupport
import Testing

@testable import Basecamp

/// Bodies in other forms than plain ones, and those that are meant to do harm.
@Suite(.blocking) struct BodyTests {
  let folder: ScratchFolder
  let camp: CampServer

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder)
  }

  private static let isForm = "Content-Type: application/x-www-form-urlencoded\r\n"

  private func post(_ body: [UInt8], _ headers: String) throws -> WireClient.Answer {
    let client = try WireClient(port: camp.port)
    try client.send(
      "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\n\(headers)"
        + "Content-Length: \(body.count)\r\n\r\n")
    try client.send(body)
    return try client.receive()
  }

  private func edit(_ numbers: Range<Int>) -> [UInt8] {
    Array(WireClient.encoded(["f": "json", "features": Captures.text(numbers)]).utf8)
  }

  // MARK: Multipart

  @Test(
    .enabled(if: ForeignClientTests.hasCurl, "needs Debian's curl"),
    arguments: ["features=<", "features=@"])
  func `curl sends captures as parts of a form`(_ how: String) throws {
    let file = try folder.write("captures.json", Captures.text(0..<40))
    let run = try ForeignClientTests.run([
      "curl", "-s", "-F", "f=json", "-F", how + file,
      "http://127.0.0.1:\(camp.port)\(OpenCamp.layer)/addFeatures",
    ])
    #expect(run.code == 0 && run.output.hasPrefix("{\"addResults\":"), "\(run); \(camp.command)")
    #expect(try camp.count() == 40)
  }

  @Test func `A form of parts without its last boundary stores nothing`() throws {
    let part = "--x\r\nContent-Disposition: form-data; name="
    let body = "\(part)\"f\"\r\n\r\njson\r\n\(part)\"features\"\r\n\r\n\(Captures.text(0..<2))\r\n"
    let type = "Content-Type: multipart/form-data; boundary=x\r\n"
    let cut = try post(Array(body.utf8), type)
    #expect(cut.text.contains("It ends within a part."))
    #expect(try camp.count() == 0)
    #expect(try post(Array((body + "--x--\r\n").utf8), type).text.hasPrefix("{\"addResults\":"))
    #expect(try camp.count() == 2)
  }

  // MARK: Compression

  @Test(arguments: ["gzip", "x-gzip", "GZIP"])
  func `A compressed body is read`(_ coding: String) throws {
    let body = try #require(Gzip.compressed(edit(0..<100)))
    let answer = try post(body, Self.isForm + "Content-Encoding: \(coding)\r\n")
    #expect(answer.text.hasPrefix("{\"addResults\":"), "\(answer.text.prefix(200))")
    #expect(try camp.count() == 100)
  }

  @Test func `A compressed body that is cut, damaged or followed by more stores nothing`() throws {
    let body = try #require(Gzip.compressed(edit(0..<10)))
    var damaged = body
    damaged[body.count / 2] ^= 0x55
    let cut = Array(body.dropLast(9))
    for bad in [cut, damaged, body + [0], [], [0x1F]] as [[UInt8]] {
      let answer = try post(bad, Self.isForm + "Content-Encoding: gzip\r\n")
      #expect(answer.status == 400, "\(bad.count) bytes: \(answer.text.prefix(200))")
    }
    #expect(try camp.count() == 0)
  }

  @Test func `A body that becomes too large is refused, however small it comes`() throws {
    let bomb = try #require(Gzip.compressed([UInt8](repeating: 0x61, count: Bounds.bodyBytes + 1)))
    #expect(bomb.count < 100_000)
    #expect(try post(bomb, Self.isForm + "Content-Encoding: gzip\r\n").status == 413)
    #expect(try camp.count() == 0)
  }

  @Test func `A coding that is not supported is said so`() throws {
    let answer = try post([1, 2, 3], "Content-Encoding: br\r\n")
    #expect(answer.status == 415)
    #expect(answer.header("Accept-Encoding") == "gzip, deflate")
  }

  @Test(.enabled(if: ForeignClientTests.hasCurl, "needs Debian's curl"))
  func `An answer in gzip is the same as without, and smaller`() throws {
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<500)])
    let address =
      "http://127.0.0.1:\(camp.port)\(OpenCamp.layer)/query?where=1%3D1&outFields=*&f=json"
    let plain = try ForeignClientTests.run(["curl", "-s", address])
    let same = try ForeignClientTests.run(["curl", "-s", "--compressed", address])
    #expect(plain.output == same.output && plain.output.count > 50_000)
    let raw = try WireClient(port: camp.port).request(
      "GET", "\(OpenCamp.layer)/query?where=1%3D1&outFields=*&f=json",
      headers: "Accept-Encoding: deflate, gzip;q=0.5\r\n")
    #expect(raw.header("Content-Encoding") == "gzip")
    #expect(raw.header("Vary")?.contains("Accept-Encoding") == true)
    #expect(raw.body.count < plain.output.utf8.count / 4)
  }

  @Test func `A long field that is not a list of features is refused before it is read`() throws {
    let text = String(repeating: "1,", count: 2_200_000)
    let answer = try camp.post("\(OpenCamp.layer)/query", ["objectIds": text])
    let error = answer["error"] as? [String: Any]
    #expect((error?["details"] as? [String])?.first?.contains("'objectids'") == true, "\(answer)")
  }

  @Test(
    arguments: [
      ("gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true), ("GZIP", true),
      ("gzip; q=0", false), ("gzip;q=0.0, *", false), ("br", false), ("", false), (nil, false),
      ("gzip;q=nonsense", false), ("*;q=0, gzip", true), ("*, gzip;q=0", false), ("*;q=0", false),
    ] as [(String?, Bool)])
  func `A client that takes gzip is recognised`(_ header: String?, _ isWelcome: Bool) {
    #expect(Gzip.isWelcome(header) == isWelcome)
  }

  // MARK: Memory

  @Test func `Large bodies at once have bounded room, and small ones always have some`() throws {
    let folder = try ScratchFolder()
    var settings = CampSettings(directory: folder.path("camp"))
    // Two bodies of one address fit, and three of all.
    settings.room = BodyRoom(all: 1_600_000, ofClient: 1_100_000)
    // The test's own pauses, on a busy machine, are not the clients' silence.
    (settings.patience.idleSeconds, settings.patience.body) = (0, .seconds(3600))
    let camp = try OpenCamp(settings)
    let head =
      "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\n\(Self.isForm)"
      + "Content-Length: 600002\r\n\r\nf="
    let most = [UInt8](repeating: 0x61, count: 560_000)
    var waiting: [WireClient] = []
    for (client, fits) in [(2, true), (2, true), (2, false), (3, true), (4, false)] {
      let wire = try WireClient(port: camp.port, client: UInt32(client))
      try wire.send(head)
      try wire.send(most)
      if fits {
        waiting.append(wire)
        let taken = waiting.count * (most.count + 2 - Bounds.smallBodyBytes)
        try wait(for: settings.room, toHold: taken)
      } else {
        // The refusal comes at the end, for clients that do not read before.
        try wire.send([UInt8](repeating: 0x61, count: 40_000))
        let answer = try wire.receive()
        #expect(answer.status == 503)
        #expect(answer.header("Retry-After") == "10")
      }
    }
    func edit(_ numbers: Range<Int>) throws -> WireClient.Answer {
      try WireClient(port: camp.port).request(
        "POST", "\(OpenCamp.layer)/addFeatures",
        form: ["f": "json", "features": Captures.text(numbers)])
    }
    #expect(try edit(0..<50).text.hasPrefix("{\"addResults\":"))
    // Those that wait are answered, and what they held is free again.
    for wire in waiting {
      try wire.send([UInt8](repeating: 0x61, count: 40_000))
      #expect(try wire.receive().status == 200)
    }
    try wait(for: settings.room, toHold: 0)
    #expect(try edit(50..<800).text.hasPrefix("{\"addResults\":"))
  }

  /// Waits until the server has taken all that was sent.
  private func wait(for room: BodyRoom, toHold bytes: Int) throws {
    try eventually("\(bytes) bytes taken, not \(room.bytesTaken)") { room.bytesTaken == bytes }
  }

  @Test func `Room for bodies is given back`() {
    let room = BodyRoom()
    let half = Bounds.bodiesBytesOfClient / 2
    #expect(room.take(half, for: "a") && room.take(half, for: "a"))
    #expect(!room.take(1, for: "a"))
    #expect(room.take(half, for: "b"))
    #expect(!room.take(Bounds.bodiesBytes, for: "c"))
    room.giveBack(half, of: "a")
    #expect(room.take(half, for: "a"))
    #expect(!room.take(1, for: "a"))
  }
}
