import ControlRoom
import FeatureService
import TrackerCore
import Wording

/// The table of teams, changed on the page.
extension ControlPages {
  func changeRoster(
    _ request: ServiceRequest, _ viewer: Viewer, in language: Language, at now: UTC
  ) throws(RoomRefusal) -> ServiceReply {
    let person = try person(request, viewer)
    let number = try word(request, "tracker")
    do {
      if request.text("forget") == "yes" {
        try access.store.forgetTeam(number)
      } else {
        try access.store.write(try team(request, number))
      }
      try desk.use(access.store)
      // The diary has no telephone numbers.
      let what = request.text("forget") == "yes" ? "as in the table again" : "changed"
      try desk.act(
        .note(tracker: number, text: "name, telephone and consent: \(what)"), by: person, at: now)
    } catch let refusal as RoomRefusal {
      throw refusal
    } catch {
      throw RoomRefusal(of: error)
    }
    return .figure(state(for: viewer, in: language, now: now))
  }

  private func team(_ request: ServiceRequest, _ number: String) throws(RoomRefusal) -> RosterTeam {
    let phone = request.text("phone") ?? ""
    let isPhone = phone.unicodeScalars.allSatisfy {
      "0123456789+ ()/.-".unicodeScalars.contains($0)
    }
    guard isPhone, phone.utf8.count <= Bounds.phoneBytes else { throw RoomRefusal(400, .noPhone) }
    let isEmpty = !phone.contains { $0.isNumber }
    return RosterTeam(
      number: number, name: try word(request, "name"), phone: isEmpty ? nil : phone,
      isPublic: request.text("public") == "yes")
  }

  /// A text of one line.
  func word(
    _ request: ServiceRequest, _ name: String, atMost most: Int = 100
  ) throws(RoomRefusal) -> String {
    let text = request.text(name) ?? ""
    guard text.isVisible, text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.count <= most
    else { throw RoomRefusal(400, RoomRefusalPhrase.noWord.texts(name, "\(most)")) }
    return text
  }
}
