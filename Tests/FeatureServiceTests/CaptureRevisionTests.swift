import FeatureService
import TestSupport
import Testing

/// What whoever reads the captures in the order of their storing learns of those that change.
@Suite(.blocking, .onEachStorage) struct CaptureRevisionTests {
  private let again: Comment = "repeat with: swift test --filter CaptureRevisionTests"

  private func revisions(_ service: Service) throws -> [String] {
    try service.server.revisions(after: 0, atMost: 100).map { one in
      let id = one.capture.id.map { "\($0.low & 0xFF)" } ?? "-"
      let what = one.isGone ? "gone" : one.capture.position == nil ? "nowhere" : "is"
      return "\(one.number) \(id) \(one.capture.sender.text) \(what)"
    }
  }

  @Test func `Whatever is changed, given to another, deleted or back is told in its order`() throws
  {
    let service = try Service { $0.owner = Credentials(user: "gis", password: "b") }
    let token =
      service.send(
        service.request(
          "POST", "/arcgis/sharing/rest/generateToken",
          [("f", "json"), ("username", "gis"), ("password", "b")])
      ).json?["token"] as? String ?? ""
    func edit(_ operation: String, _ name: String, _ value: String) {
      let answer = service.ask(operation, [name: value, "token": token])
      #expect(!answer.isEmpty && !"\(answer)".contains("error"), again)
    }
    func row(_ object: Int, _ more: String) -> String {
      "[{\"attributes\":{\"OBJECTID\":\(object),\(more)}}]"
    }
    #expect(service.add(0..<3, [("token", token)]).summary == "ok 3", again)
    #expect(try revisions(service) == [], again)
    edit("updateFeatures", "features", row(1, "\"Bateria\":50"))
    // The same once more, and what no reader is told of.
    edit("updateFeatures", "features", row(1, "\"Bateria\":50"))
    edit("updateFeatures", "features", row(1, "\"Tipus\":\"x\""))
    edit("updateFeatures", "features", row(2, "\"CodiEquip\":\"9\""))
    edit("deleteFeatures", "objectIds", "3")
    #expect(service.add(2..<3, [("token", token)]).summary == "ok 1", again)
    let ids = (0..<3).map { Int(Service.identifier($0).suffix(2), radix: 16) ?? 0 }
    #expect(
      try revisions(service) == [
        "1 \(ids[0]) team  is", "2 \(ids[1]) team  gone", "3 \(ids[1]) 9 is",
        "4 \(ids[2]) team  gone", "5 \(ids[2]) team  is",
      ], again)
    #expect(try service.server.revisions(after: 4, atMost: 100).count == 1, again)
    // To readers another identifier is another capture.
    edit("updateFeatures", "features", row(1, "\"UUID\":\"\(Service.identifier(7))\""))
    let other = Int(Service.identifier(7).suffix(2), radix: 16) ?? 0
    #expect(
      try revisions(service).suffix(2) == ["6 \(ids[0]) team  gone", "7 \(other) team  is"], again)
    let arrivals = try service.server.revisions(after: 0, atMost: 100).map(\.capture.arrived)
    #expect(arrivals.count == 7 && !arrivals.contains(nil), again)
  }
}
