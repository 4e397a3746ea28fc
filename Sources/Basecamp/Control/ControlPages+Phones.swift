import ControlRoom
import FeatureService
import Reports
import TrackerCore
import Wording

/// The telephones that may report where they are.
extension ControlPages {
  func phones() throws(RoomRefusal) -> Figure {
    let phones: [EnrolledPhone]
    do { phones = try access.store.phones() } catch { throw RoomRefusal(of: error) }
    return .object([.init("phones", .list(phones.map(\.figure)))])
  }

  /// - Returns: the telephones, and the `key` of a new one.
  func changePhones(
    _ request: ServiceRequest, _ viewer: Viewer, at now: UTC
  ) throws(RoomRefusal) -> Figure {
    let person = try person(request, viewer)
    if let text = request.text("revoke") {
      guard let number = Int64(text) else { throw RoomRefusal(400, .noAct) }
      try writing { () throws in
        let phone = try access.store.phones().first { $0.number == number }
        guard let phone, try access.store.revoke(phone: number, at: now) else { return }
        try desk.act(
          .note(tracker: phone.tracker, text: "☎ phone \(number): revoked"), by: person, at: now)
      }
      return try phones()
    }
    let name = try word(request, "name")
    let wanted = try request.text("tracker").map { _ throws(RoomRefusal) in
      try word(request, "tracker", atMost: Bounds.phoneCode)
    }
    let isTracker = request.text("kind") == "tracker"
    if isTracker && wanted == nil { throw RoomRefusal(400, .noNumber) }
    if let wanted { try checkFree(wanted, isTracker: isTracker, at: now) }
    let finish = desk.plan.finish.flatMap { now < $0 ? $0 + Bounds.linkAfterFinish : nil }
    let end = isTracker ? now + Bounds.trackerAddress : finish ?? now + Bounds.phoneWithoutFinish
    let key = try writing { () throws in
      let new = try access.store.enrol(
        name, as: wanted, isTracker: isTracker, until: end, at: now)
      try desk.act(
        .note(
          tracker: new.tracker,
          text: "☎ phone \(new.number): enrolled\(isTracker ? " as a tracker" : ""), \(name)"),
        by: person, at: now)
      return new.key
    }
    return try phones().adding("key", .text(key))
  }

  /// Two that report under one code would be one row in two places.
  private func checkFree(
    _ tracker: String, isTracker: Bool, at now: UTC
  ) throws(RoomRefusal) {
    desk.update(at: now)
    let code = CaptureSender.device(tracker).text
    let row = desk.view.board.rows.first { $0.tracker == code }
    if !isTracker, let row, row.heard != nil, !row.isPhone {
      throw RoomRefusal(409, .isTrackers, tracker)
    }
    let others = try writing { () throws in try access.store.phones() }
    if others.contains(where: { $0.tracker == tracker && $0.isValid(at: now) }) {
      throw RoomRefusal(409, .isPhones, tracker)
    }
  }

  private func writing<Result>(_ body: () throws -> Result) throws(RoomRefusal) -> Result {
    do { return try body() } catch { throw RoomRefusal(of: error) }
  }
}

extension EnrolledPhone {
  var figure: Figure {
    .object([
      .init("number", .integer(number)), .init("tracker", .text(tracker)),
      .init("name", .text(name)), .init("app", shown.map { .text($0) } ?? .none),
      .init("made", PassageTable.date(made)), .init("expires", PassageTable.date(expires)),
      .init("revoked", .boolean(isRevoked)), .init("is_tracker", .boolean(isTracker)),
    ])
  }
}
