import FeatureService
import Foundation
import History
import TestSupport
import Testing
import TrackerCore

/// The table of histories that trackers were asked for.
@Suite(.blocking, .onEachStorage) struct HistoryTableTests {
  private static let table = "/arcgis/rest/services/TrailWalker/FeatureServer/3"
  private let note: Comment = "repeat with: swift test --filter HistoryTableTests"
  private let service: Service

  init() throws { service = try Service { $0.owner = Credentials(user: "gis", password: "b") } }

  private static func row(
    _ part: Int = 1, desti: String = "7", text: String = "0,41982340,2823910;30,12,-45"
  ) -> [String: Any] {
    [
      "Desti": desti, "Clau": "6f1c-1349517600000-2-\(part)", "Numero": 2, "Part": part,
      "Inici": 1_349_517_600_000, "Punts": text,
    ]
  }

  /// Codes of refusals; 0: taken.
  private func add(_ rows: [String: Any]...) throws -> [Int] {
    let list = rows.map { ["attributes": $0] }
    let json = String(decoding: try JSONSerialization.data(withJSONObject: list), as: UTF8.self)
    let answer = service.ask(
      "addFeatures", ["features": json, "rollbackOnFailure": "false"], layer: Self.table)
    return (answer["addResults"] as? [[String: Any]] ?? [answer]).map { Service.errorCode($0) }
  }

  @Test func `A part that comes again is stored once, for its own tracker`() throws {
    #expect(try add(Self.row(), Self.row()) == [0, 0], note)
    #expect(try add(Self.row(2), Self.row(), Self.row(desti: "8")) == [0, 0, 0], note)
    let parts = try service.server.history(of: "7")
    #expect(parts.map(\.number) == [1, 2] && parts[0].positions?.count == 2, note)
    #expect(
      parts[0].positions?.last
        == HistoryPosition(
          utc: UTC(milliseconds: 1_349_517_630_000), latitude: 41_982_352, longitude: 2_823_865))
    #expect(try service.server.history(of: "8").count == 1, note)
  }

  @Test func `It is no capture, and goes when its tracker is erased`() throws {
    #expect(try add(Self.row()) == [0], note)
    #expect(try service.server.tally().features == 0, note)
    _ = try service.server.erase(tracker: "device 7")
    #expect(try service.server.history(of: "7").isEmpty, note)
  }

  @Test func `What is no part is refused, and nobody changes or removes any`() throws {
    var (unnamed, unnumbered) = (Self.row(), Self.row())
    unnamed["Clau"] = nil
    unnumbered["Numero"] = -1
    #expect(try add(Self.row(text: "x"), unnamed, unnumbered).allSatisfy { $0 != 0 }, note)
    #expect(try add(Self.row(text: String(repeating: "0,0,0;", count: 9999))) != [0], note)
    #expect(try add(Self.row()) == [0], note)
    for operation in ["updateFeatures", "deleteFeatures", "applyEdits"] {
      let answer = service.ask(operation, ["objectIds": "1"], layer: Self.table)
      #expect(answer["error"] != nil, note)
    }
  }
}
