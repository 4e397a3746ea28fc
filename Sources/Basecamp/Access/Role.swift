import Wording

/// What somebody is to the control room.
public enum Role: String, Sendable, Hashable, CaseIterable {
  /// The organisers: sees everything, and acts.
  case control
  /// A volunteer at one place of the course: the teams that are due there, and notes.
  case checkpoint
  /// Somebody at home with a link: the teams that agreed, some time later.
  case follower
}

/// Somebody who uses the room.
struct Viewer: Sendable, Equatable {
  var role: Role
  /// The account's name; `nil`: nobody has asked for one.
  var person: String?
  /// Of a volunteer.
  var place: String?
  /// The number of a follower's link.
  var link: Int64?
  /// What a session's requests that change something have to carry; `nil`: without a session.
  var csrf: String?
}

/// Who may use what: the only place that says so. What is in no table is for nobody.
enum RoomRights {
  /// A part of the room that needs a role.
  enum Page: String, CaseIterable {
    case state, events, course, coverage, tiles, team, diary, records, handover, roster, links, act,
      session, logout, messages, notes, history, phones
  }

  /// The roles that may read or change something there.
  static func roles(of page: Page) -> Set<Role> {
    switch page {
    case .session, .logout, .state, .events, .course, .tiles: [.control, .checkpoint, .follower]
    case .team: [.control, .follower]
    case .act: [.control, .checkpoint]
    case .coverage, .diary, .records, .handover, .roster, .links, .messages, .notes, .history,
      .phones:
      [.control]
    }
  }

  /// The members of the state, by who sees them.
  static let ofState: [String: Set<Role>] = [
    "now": everybody, "language": everybody, "version": [.control], "role": everybody,
    "delay_s": everybody, "teams": everybody, "place": [.checkpoint],
    "problem": [.control], "alarms": staff,
  ]

  /// The members of a team's row, by who sees them.
  static let ofTeam: [String: Set<Role>] = [
    "tracker": everybody, "name": everybody, "latitude": everybody, "longitude": everybody,
    "accuracy_m": everybody, "taken": everybody, "done_m": everybody, "finished": everybody,
    "next_place": everybody,
    "next_expected": everybody, "next_earliest": everybody, "next_latest": everybody,
    "planned": everybody, "behind_plan_s": everybody, "rank": everybody, "ranked_at": everybody,
    "behind_first_s": everybody,
    "heard": staff, "from_phone": staff, "promise": staff, "silence": [.control],
    "stated": [.control],
    "undated_captures": [.control], "battery_percent": [.control], "needs": [.control],
    "phone": [.control], "public": [.control], "mail": [.control],
    "notes": [.control],
    "shown_from": [.follower],
  ]

  /// The members of what one tracker has told, by who sees them.
  static let ofStory: [String: Set<Role>] = [
    "tracker": everybody, "name": everybody, "captures": everybody, "passages": everybody,
    "arrivals": everybody, "pace_mps": everybody, "battery_end": [.control],
    "contacts": [.control],
  ]

  /// The members of a capture, by who sees them.
  static let ofCapture: [String: Set<Role>] = [
    "taken": everybody, "latitude": everybody, "longitude": everybody, "done_m": everybody,
    "accuracy_m": everybody, "arrived": [.control], "battery_percent": [.control],
    "trigger": [.control],
  ]

  private static let everybody: Set<Role> = [.control, .checkpoint, .follower]
  private static let staff: Set<Role> = [.control, .checkpoint]
}

extension Figure {
  /// An object with those of its members that a role may see.
  func seen(by role: Role, _ table: [String: Set<Role>]) -> Figure {
    guard case .object(let members) = self else { return .none }
    return .object(members.filter { table[$0.name]?.contains(role) ?? false })
  }

  /// An object with the function applied to each element of a list that it has.
  func mapping(_ name: String, _ transform: (Figure) -> Figure) -> Figure {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard member.name == name, case .list(let list) = member.figure else { return member }
        return Member(name, .list(list.map(transform)))
      })
  }
}
