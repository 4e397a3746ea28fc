import Foundation
import TestSupport
import Testing

/// What was acknowledged stays, and many may come at the same time.
@Suite(.blocking) struct DurabilityTests {
  @Test(arguments: [3, 17, 40])
  func `A kill loses nothing that was acknowledged`(_ batches: Int) throws {
    let folder = try ScratchFolder()
    var camp = try CampServer(folder)
    for batch in 0..<batches {
      let answer = try camp.post(
        "\(OpenCamp.layer)/applyEdits",
        ["adds": Captures.text(batch * 10..<batch * 10 + 10), "useGlobalIds": "true"])
      try #require(areDone(addResults(answer), 10))
    }
    camp.end(SIGKILL)
    camp = try CampServer(folder)
    #expect(try camp.count() == batches * 10, "\(camp.command)")
    let missing = try camp.query(["where": "1=1", "outFields": "UUID"])
    let found = attributes(missing).compactMap { $0["UUID"] as? String }
    #expect(found == (0..<batches * 10).map(Captures.uuid))
    #expect(camp.end() == 0)
  }

  @Test func `A camp that was ended has everything in one file`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<10)])
    #expect(try camp.count() == 10, "\(camp.command)")
    #expect(camp.end() == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(names.contains { $0.hasSuffix("basecamp.db") }, "\(names)")
    #expect(!names.contains { $0.hasSuffix("-wal") }, "\(names); \(camp.command)")
  }

  @Test func `A kill in the midst of requests leaves whole batches`() throws {
    let folder = try ScratchFolder()
    var camp = try CampServer(folder)
    let victim = camp.id
    let killer = Thread {
      usleep(150_000)
      kill(victim, SIGKILL)
    }
    killer.start()
    var acknowledged = 0
    let client = try WireClient(port: camp.port)
    while true {
      let form = ["f": "json", "features": Captures.text(acknowledged * 7..<acknowledged * 7 + 7)]
      guard let answer = try? client.request("POST", "\(OpenCamp.layer)/addFeatures", form: form),
        answer.text.contains("\"success\":true")
      else { break }
      acknowledged += 1
    }
    camp.wait()
    camp = try CampServer(folder)
    let count = try camp.count()
    // The last one may have been stored with its answer on the way.
    #expect(
      count == acknowledged * 7 || count == (acknowledged + 1) * 7, "\(acknowledged), \(count)")
  }

  @Test func `Many clients at once lose nothing and double nothing`() async throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let (port, path) = (camp.port, "\(OpenCamp.layer)/applyEdits")
    await withTaskGroup(of: Bool.self) { group in
      for client in 0..<16 {
        group.addTask {
          guard let wire = try? WireClient(port: port) else { return false }
          return (0..<10).allSatisfy { batch in
            let start = (client * 10 + batch) * 5
            let form = [
              "f": "json", "adds": Captures.text(start..<start + 5), "useGlobalIds": "true",
            ]
            let answer = try? wire.request("POST", path, form: form)
            return answer?.text.components(separatedBy: "\"success\":true").count == 6
          }
        }
      }
      for await isDone in group { #expect(isDone, "\(camp.command)") }
    }
    #expect(try camp.count() == 800)
    #expect(
      try camp.count("UUID >= '\(Captures.uuid(0))' AND UUID <= '\(Captures.uuid(799))'") == 800)
  }

  @Test func `More connections than there are places do no harm`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    var clients: [WireClient] = []
    for _ in 0..<200 { clients.append(try WireClient(port: camp.port)) }
    // The first has its place; those beyond the bound wait or are closed.
    #expect(try clients[0].request("GET", "/arcgis/rest/info?f=json").status == 200)
    clients = []
    // The places are free again when the program has seen that they are gone.
    try eventually("a free place; \(camp.command)") { (try? camp.count()) != nil }
    #expect(camp.end() == 0)
  }
}
