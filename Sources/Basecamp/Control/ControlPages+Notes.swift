import ControlRoom
import FeatureService
import Notes
import Reports
import TrackerCore
import Wording

/// Notes of teams, which they and the room write.
extension ControlPages {
  func notes(_ request: ServiceRequest) -> Figure {
    let book = desk.notebook(of: request.text("tracker") ?? "")
    return .object([.init("notes", .list(book.notes.map(\.figure)))])
  }

  func write(
    _ request: ServiceRequest, _ viewer: Viewer, at now: UTC
  ) throws(RoomRefusal) -> ServiceReply {
    let person = try person(request, viewer)
    desk.update(at: now)
    let tracker = request.text("tracker") ?? ""
    // As for messages.
    guard desk.view.board.rows.contains(where: { $0.tracker == tracker }),
      case .device(let device) = CaptureSender(tracker)
    else { throw RoomRefusal(404, .noTeam) }
    do {
      try desk.write(try change(request), of: device, by: person, at: now)
    } catch let error as RoomRefusal {
      throw error
    } catch let error as NoteError {
      throw RoomRefusal(409, error.texts)
    } catch {
      throw RoomRefusal(of: error)
    }
    return .figure(notes(request))
  }

  private func change(_ request: ServiceRequest) throws(RoomRefusal) -> NoteChange {
    let note = request.text("note") ?? ""
    let id = VersionID(note)
    if !note.isEmpty, id == nil { throw RoomRefusal(404, .noPage) }
    if let id, request.text("delete") == "yes" { return .delete(id) }
    let text = try word(request, "text", atMost: NoteBounds.textScalars)
    let category = NoteCategory(word: request.text("category") ?? "")?.rawValue
    if let id { return .edit(id, text: text, category: category) }
    return .add(text: text, category: category ?? NoteCategory.general.rawValue)
  }

  /// How many notes a team has, and how many of them in versions unseen by each other.
  func noteCount(of tracker: String) -> Figure {
    let open = desk.notebook(of: tracker)
    if open.versions.isEmpty { return .none }
    let current = open.notes.map(\.current)
    return .object([
      .init("count", .integer(Int64(current.count { !$0.isEmpty }))),
      .init("pairs", .integer(Int64(current.count { $0.count > 1 }))),
      .init("versions", .integer(Int64(open.versions.count))),
    ])
  }
}

extension TeamNote {
  /// With the versions that count, and all that it ever said.
  var figure: Figure {
    .object([
      .init("id", .text(id.text)), .init("name", .text(Notebook.name(id, for: ""))),
      .init("deleted", .boolean(isDeleted)), .init("versions", .list(current.map(\.figure))),
      .init("history", .list(history.map(\.figure))),
    ])
  }
}

extension NoteVersion {
  fileprivate var figure: Figure {
    .object([
      .init("text", text.map { .text($0) } ?? .none), .init("category", .text(category)),
      .init("by", .text(author)), .init("written", PassageTable.date(written)),
    ])
  }
}
