import ControlRoom
import FeatureService
import Reports
import TrackerCore
import Wording

/// Messages to teams, and what became of them.
extension ControlPages {
  func messages(_ request: ServiceRequest) -> Figure {
    let mail = desk.mail(of: request.text("tracker") ?? "")
    return .object([.init("messages", .list(mail.map(\.figure)))])
  }

  func send(
    _ request: ServiceRequest, _ viewer: Viewer, at now: UTC
  ) throws(RoomRefusal) -> ServiceReply {
    let person = try person(request, viewer)
    desk.update(at: now)
    let tracker = request.text("tracker") ?? ""
    // Only a tracker with a code can ask for its messages.
    guard desk.view.board.rows.contains(where: { $0.tracker == tracker }),
      case .device = CaptureSender(tracker)
    else { throw RoomRefusal(404, .noTeam) }
    let text = try word(request, "text", atMost: Bounds.messageCharacters)
    do {
      if let order = request.text("order"), !order.isEmpty {
        try desk.order(text, of: tracker, by: person, at: now)
      } else {
        try desk.send(text, to: tracker, by: person, at: now)
      }
    } catch {
      throw RoomRefusal(of: error)
    }
    return .figure(messages(request))
  }

  /// Of a team's messages how many its tracker has not fetched, and when it fetched the last.
  func mail(of tracker: String) -> Figure {
    let mail = desk.mail(of: tracker)
    if mail.isEmpty { return .none }
    return .object([
      .init("queued", .integer(Int64(mail.count { $0.fetched == nil }))),
      .init("fetched", PassageTable.date(mail.compactMap(\.fetched).max())),
    ])
  }

  /// What the tracker is told about an emergency; none: nothing yet.
  func answer(to alarm: Alarm) -> Figure {
    guard alarm.need == .emergency, alarm.state != .raised, let tracker = alarm.trackers.first,
      let told = desk.mail(of: tracker).last(where: { $0.emergency == alarm.since })
    else { return .none }
    return told.figure
  }
}

extension TrackerMessage {
  var figure: Figure {
    .object([
      .init("number", .integer(number)), .init("kind", .text(kind.rawValue)),
      .init("text", .text(text)), .init("by", .text(author)),
      .init("created", PassageTable.date(created)), .init("fetched", PassageTable.date(fetched)),
      .init("result", result.map { .text($0) } ?? .none),
    ])
  }
}
