import Foundation
import TestSupport
import Testing

@testable import FeatureService

/// The lists of parameters in basecamp's README, and what the service does with them.
@Suite(.blocking, .onEachStorage) struct ParameterTests {
  private let note: Comment = "repeat with: swift test --filter ParameterTests"

  /// The names in code letters of the paragraph that begins so.
  private static func names(after start: String) throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/basecamp/README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(text.range(of: start))
    let paragraph = text[begin.upperBound...].components(separatedBy: "\n\n")[0]
    return paragraph.components(separatedBy: "`").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
  }

  private func service() throws -> Service {
    let service = try Service()
    #expect(service.add(0..<3).summary == "ok 3", note)
    return service
  }

  @Test func `The README lists what is refused, and it is`() throws {
    let listed = try Self.names(after: "Refused with error 400, since")
    #expect(listed == QueryParameters.refused, note)
    let service = try service()
    for name in listed {
      let answer = service.ask(["where": "1=1", name: "1"])
      let error = answer["error"] as? [String: Any]
      #expect(error?["code"] as? Int == 400, "\(name): \(answer); \(note)")
      #expect(error?["message"] as? String == "Invalid or missing input parameters.", note)
      #expect((error?["details"] as? [String])?.first?.contains(name) == true, note)
    }
  }

  @Test func `The README lists what is refused if it is true, and it is`() throws {
    let listed = try Self.names(after: "Refused if they are true:")
    #expect(listed == QueryParameters.refusedIfTrue, note)
    let service = try service()
    for name in listed {
      #expect(Service.errorCode(service.ask(["where": "1=1", name: "true"])) == 400, "\(name)")
      #expect(Service.errorCode(service.ask(["where": "1=1", name: "false"])) == 0, "\(name)")
    }
  }

  @Test func `The README lists what is ignored, and it changes nothing`() throws {
    let listed = try Self.names(after: "Ignored, since")
    #expect(listed == QueryParameters.ignored, note)
    let service = try service()
    func reply(_ more: [(String, String)]) -> ServiceReply {
      let form = [("f", "json"), ("where", "1=1"), ("outFields", "*")] + more
      return service.send(service.request("POST", "\(Service.layer)/query", form))
    }
    let plain = reply([])
    for name in listed { #expect(reply([(name, "true")]) == plain, "\(name); \(note)") }
  }

  @Test func `The names of parameters are the same in capitals`() throws {
    let answer = try service().ask(["WHERE": "1=1", "outfields": "UUID", "ReturnGeometry": "false"])
    let feature = (answer["features"] as? [[String: Any]])?.first ?? [:]
    #expect((feature["attributes"] as? [String: Any])?.keys.map { $0 } == ["UUID"], note)
    #expect(feature["geometry"] == nil, note)
  }

  @Test func `Coordinates are rounded as asked, and too many features are left out if asked`()
    throws
  {
    let service = try service()
    let rounded = service.ask(["objectIds": "2", "outSR": "4326", "geometryPrecision": "3"])
    let point = (rounded["features"] as? [[String: Any]])?.first?["geometry"] as? [String: Double]
    #expect(point == ["x": 0, "y": 42.127], "\(rounded); \(note)")
    let none = service.ask([
      "where": "1=1", "resultRecordCount": "2", "returnExceededLimitFeatures": "false",
    ])
    #expect((none["features"] as? [Any])?.count == 0, note)
    #expect(none["exceededTransferLimit"] as? Bool == true, note)
  }
}
