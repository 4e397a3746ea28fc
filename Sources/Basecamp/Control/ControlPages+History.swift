import ControlRoom
import FeatureService
import History
import Reports
import TrackerCore
import Wording

/// Histories that the room has asked trackers for, with what has come. Their positions are no
/// captures: they are shown here alone.
extension ControlPages {
  func histories(_ request: ServiceRequest) throws(RoomRefusal) -> ServiceReply {
    let tracker = request.text("tracker") ?? ""
    let all = try told(of: tracker)
    guard let format = request.text("format") else {
      return .figure(.object([.init("histories", .list(all.map(\.figure)))]))
    }
    guard let number = request.text("number").flatMap({ Int64($0) }),
      let one = all.last(where: { $0.order.number == number })
    else { throw RoomRefusal(404, .noPage) }
    switch format {
    case "csv": return .answer(type: "text/csv; charset=utf-8", body: Array(one.csv.utf8))
    case "gpx": return .answer(type: "application/gpx+xml", body: Array(one.gpx.utf8))
    default: throw RoomRefusal(404, .noPage)
    }
  }

  private func told(of tracker: String) throws(RoomRefusal) -> [ToldHistory] {
    guard case .device(let code) = CaptureSender(tracker) else { return [] }
    let parts: [HistoryPart]
    do { parts = try desk.history(of: code) } catch {
      throw RoomRefusal(of: error)
    }
    return desk.mail(of: tracker).filter { $0.kind == .order && HistoryRequest.isOne($0.text) }
      .map { ToldHistory($0, parts) }
  }
}

/// An order for a history, and the positions that have come.
private struct ToldHistory {
  let order: TrackerMessage
  let positions: [HistoryPosition]

  init(_ order: TrackerMessage, _ parts: [HistoryPart]) {
    self.order = order
    // A table may have had the number before.
    let name = "-\(order.created.milliseconds)-\(order.number)-"
    positions = parts.filter { $0.key.hasSuffix("\(name)\($0.number)") }.flatMap {
      $0.positions ?? []
    }
    .sorted { $0.utc < $1.utc }
  }

  var figure: Figure {
    order.figure.adding(
      "positions",
      .list(
        positions.map { one in
          .object([
            .init("taken", PassageTable.date(one.utc)),
            .init("latitude", .real(Double(one.latitude) / 1e6, decimals: 6)),
            .init("longitude", .real(Double(one.longitude) / 1e6, decimals: 6)),
          ])
        }))
  }

  var csv: String {
    "taken,latitude,longitude\n"
      + positions.map { "\($0.date),\($0.north),\($0.east)\n" }.joined()
  }

  var gpx: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="basecamp" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>

    """
      + positions.map {
        "<trkpt lat=\"\($0.north)\" lon=\"\($0.east)\">"
          + "<time>\($0.date)</time></trkpt>\n"
      }.joined() + "</trkseg></trk></gpx>\n"
  }
}

extension HistoryPart {
  /// For the archive.
  var figure: Figure {
    .object([
      .init("key", .text(key)), .init("begins", PassageTable.date(begins)),
      .init("positions", .text(text)),
    ])
  }
}

extension HistoryPosition {
  fileprivate var date: String {
    if case .text(let text) = PassageTable.date(utc) { text } else { "" }
  }

  fileprivate var north: String { Self.degrees(latitude) }
  fileprivate var east: String { Self.degrees(longitude) }

  private static func degrees(_ millionths: Int32) -> String {
    let digits = String(millionths.magnitude % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - digits.count)
    return "\(millionths < 0 ? "-" : "")\(millionths.magnitude / 1_000_000).\(zeros)\(digits)"
  }
}
