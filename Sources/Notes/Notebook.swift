public import TrackerCore

/// A note as its versions tell of it.
public struct TeamNote: Sendable, Equatable {
  public var id: VersionID
  /// All its versions, each after those that its author had before them. What a deletion covered is
  /// still there.
  public private(set) var history: [NoteVersion]

  init(_ id: VersionID, _ versions: [NoteVersion]) {
    self.id = id
    // Dates of several clocks do not say what was before.
    history = versions.map { version in (versions.count { version.covers($0) }, version) }
      .sorted { $0.0 != $1.0 ? $0.0 < $1.0 : NoteVersion.precedes($0.1, $1.1) }.map(\.1)
  }

  public var isDeleted: Bool { history.contains { $0.text == nil } }

  /// The versions that count: one, or two or more that were written unseen by each other. None if
  /// the note is deleted, whatever was written unseen by that.
  public var current: [NoteVersion] {
    if isDeleted { return [] }
    let last = history.filter { version in !history.contains { $0.covers(version) } }
    // Versions that claim to have seen each other are forged; the note does not vanish.
    return last.isEmpty ? Array(history.suffix(1)) : last
  }
}

/// What a person does with notes.
public enum NoteChange: Sendable, Equatable {
  case add(text: String, category: String)
  /// Without a category it keeps its own.
  case edit(VersionID, text: String, category: String?)
  case delete(VersionID)
}

/// The notes of a team, as one side knows them: a set of versions that only grows.
///
/// Two sides that have the same versions have the same notes, in whatever order and however often
/// these came: a merger is a union.
public struct Notebook: Sendable, Equatable {
  public private(set) var versions: Set<NoteVersion> = []

  public init() {}
  public init(_ versions: some Sequence<NoteVersion>) { merge(versions) }

  /// - Returns: those that were not known.
  @discardableResult
  public mutating func merge(_ others: some Sequence<NoteVersion>) -> [NoteVersion] {
    others.filter { versions.insert($0).inserted }
  }

  /// The oldest first, with those that are deleted.
  public var notes: [TeamNote] {
    Dictionary(grouping: versions, by: \.note)
      .map { TeamNote($0, $1) }
      .sorted { NoteVersion.precedes($0.history[0], $1.history[0]) }
  }

  /// Takes what a person does, and returns the version to keep and to send.
  ///
  /// - Parameter writer: this side; a device's identifier, or `room`.
  public mutating func change(
    _ change: NoteChange, by writer: String, author: String, at now: UTC?
  ) throws(NoteError) -> NoteVersion {
    guard versions.count < NoteBounds.versionsKept else { throw NoteError(.full) }
    let last = versions.filter { $0.id.writer == writer }.map(\.id.number).max() ?? 0
    guard let id = VersionID(writer: writer, number: last + 1) else { throw NoteError(.full) }
    let version: NoteVersion
    switch change {
    case .add(let text, let category):
      version = NoteVersion(
        id: id, note: id, seen: [], text: try NoteError.checked(text), category: category,
        author: author, written: now)
    case .edit(let note, let text, let category):
      let known = try find(note)
      version = NoteVersion(
        id: id, note: note, seen: Self.seen(known.history, without: writer),
        text: try NoteError.checked(text),
        category: category ?? known.current.last?.category ?? "", author: author, written: now)
    case .delete(let note):
      let known = try find(note)
      version = NoteVersion(
        id: id, note: note, seen: Self.seen(known.history, without: writer), text: nil,
        category: known.current.last?.category ?? "", author: author, written: now)
    }
    versions.insert(version)
    return version
  }

  /// One that is not deleted.
  private func find(_ id: VersionID) throws(NoteError) -> TeamNote {
    guard let note = notes.first(where: { $0.id == id }) else { throw NoteError(.unknown) }
    guard !note.isDeleted else { throw NoteError(.deleted) }
    return note
  }

  /// What a side that has these has seen of each other writer, by what their authors had seen, too.
  private static func seen(_ history: [NoteVersion], without writer: String) -> [VersionID] {
    var last: [String: VersionID] = [:]
    for id in history.flatMap({ [$0.id] + $0.seen }) where id.writer != writer {
      last[id.writer] = max(last[id.writer] ?? id, id)
    }
    return Array(last.values.sorted().prefix(NoteBounds.seenWriters))
  }

  // MARK: Names

  /// What people call a note on this side: `3` is one of its own, `r3` one of the room, `6f1c-3`
  /// one of another device.
  public static func name(_ note: VersionID, for writer: String) -> String {
    switch note.writer {
    case writer: "\(note.number)"
    case VersionID.room: "r\(note.number)"
    default: "\(note.writer.prefix(4))-\(note.number)"
    }
  }

  /// Whether a word could be a note's name.
  public static func isName(_ word: String) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count <= 2 else { return false }
    return UInt32(parts.count == 1 && last.first == "r" ? last.dropFirst() : last) != nil
  }

  public func find(_ name: String, for writer: String) throws(NoteError) -> VersionID {
    let found = Set(versions.map(\.note)).filter { Self.name($0, for: writer) == name }
    guard let note = found.min() else { throw NoteError(.unknownName, name) }
    return note
  }
}

/// What somebody at a tracker does with notes, by their names there.
public enum NoteOrder: Sendable, Equatable {
  case add(text: String, NoteCategory)
  /// Without a category the note keeps its own.
  case edit(name: String, text: String, NoteCategory?)
  case delete(name: String)

  /// - Throws: if its text cannot be kept.
  public func check() throws(NoteError) {
    switch self {
    case .add(let text, _), .edit(_, let text, _): _ = try NoteError.checked(text)
    case .delete: return
    }
  }

  /// One line to a tracker: `add equipment TEXT`, `edit 3 - TEXT`, `delete 3`.
  public var line: String {
    switch self {
    case .add(let text, let category): "add \(category.rawValue) \(text)"
    case .edit(let name, let text, let category):
      "edit \(name) \(category?.rawValue ?? "-") \(text)"
    case .delete(let name): "delete \(name)"
    }
  }

  public init?(line: some StringProtocol) {
    func words(_ count: Int) -> [String] {
      line.split(maxSplits: count - 1) { $0 == " " }.map { String($0) }
    }
    switch words(2).first {
    case "add":
      let words = words(3)
      guard words.count == 3, let category = NoteCategory(rawValue: words[1]) else { return nil }
      self = .add(text: words[2], category)
    case "edit":
      let words = words(4)
      guard words.count == 4, words[2] == "-" || NoteCategory(rawValue: words[2]) != nil else {
        return nil
      }
      self = .edit(name: words[1], text: words[3], NoteCategory(rawValue: words[2]))
    case "delete":
      guard words(2).count == 2 else { return nil }
      self = .delete(name: words(2)[1])
    default: return nil
    }
  }

  /// - Parameter writer: the tracker's device.
  public func change(
    in book: Notebook, for writer: String
  ) throws(NoteError) -> NoteChange {
    switch self {
    case .add(let text, let category): .add(text: text, category: category.rawValue)
    case .edit(let name, let text, let category):
      .edit(try book.find(name, for: writer), text: text, category: category?.rawValue)
    case .delete(let name): .delete(try book.find(name, for: writer))
    }
  }
}
