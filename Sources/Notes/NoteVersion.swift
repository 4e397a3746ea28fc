public import TrackerCore
import Wording

/// Names a version of a note: who wrote it, and the how manieth it is of all that this writer has
/// written.
public struct VersionID: Sendable, Hashable, Comparable {
  /// `room`, or a device's identifier in lower case.
  public var writer: String
  /// From 1; each writer's own counter.
  public var number: UInt32

  public static let room = "room"

  /// - Returns: `nil` for what no writer is called or counts.
  init?(writer: String, number: UInt32) {
    guard (1...NoteBounds.writerBytes).contains(writer.utf8.count),
      writer.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }),
      (1...NoteBounds.versionsOfWriter).contains(number)
    else { return nil }
    (self.writer, self.number) = (writer, number)
  }

  /// `room 7`.
  public var text: String { "\(writer) \(number)" }

  public init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let number = UInt32(words[1]) else { return nil }
    self.init(writer: String(words[0]), number: number)
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.writer, a.number) < (b.writer, b.number)
  }
}

/// One version of a note. It never changes: whoever edits a note adds one, and so does whoever
/// deletes it.
public struct NoteVersion: Sendable, Hashable {
  public var id: VersionID
  /// The note's first version, which names the note.
  public var note: VersionID
  /// Of each writer the last version of this note that the author had before them, by writer.
  var seen: [VersionID]
  /// `nil`: the note is deleted.
  public var text: String?
  /// A `NoteCategory`, or what another version of the program calls one.
  public var category: String
  public var author: String
  /// By the clock of the side that wrote it, in whole seconds, which every table can hold; `nil`:
  /// it did not know.
  public var written: UTC?

  /// - Parameters: as tables have them; a text that is too long is cut, and controls become blanks.
  /// - Returns: `nil` if it names no version.
  public init?(
    id: String, note: String, seen: String, text: String?, category: String, author: String,
    written: UTC?
  ) {
    let parts = seen.split(separator: ",")
    let versions = parts.compactMap { VersionID($0) }
    guard let id = VersionID(id), let note = VersionID(note), versions.count == parts.count,
      parts.count <= NoteBounds.seenWriters
    else { return nil }
    self.init(
      id: id, note: note, seen: versions, text: text, category: category, author: author,
      written: written)
  }

  init(
    id: VersionID, note: VersionID, seen: [VersionID], text: String?, category: String,
    author: String, written: UTC?
  ) {
    (self.id, self.note, self.seen) = (id, note, seen.sorted())
    self.text = text?.line(atMost: NoteBounds.textScalars)
    self.category = category.line(atMost: NoteBounds.categoryScalars)
    self.author = author.line(atMost: NoteBounds.authorScalars)
    self.written = written.map { UTC(milliseconds: $0.milliseconds / 1000 * 1000) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(note)
    hasher.combine(text)
  }

  /// `room 7,6f1c… 2`.
  public var seenText: String { seen.map(\.text).joined(separator: ",") }

  /// Whether whoever wrote this one had the other before them, or has written it themselves.
  func covers(_ other: NoteVersion) -> Bool {
    if id.writer == other.id.writer { return id.number > other.id.number }
    return seen.contains { $0.writer == other.id.writer && $0.number >= other.id.number }
  }

  /// An order that is the same on every side: by date, and without one first.
  static func precedes(_ a: NoteVersion, _ b: NoteVersion) -> Bool {
    let dates = (a.written?.milliseconds ?? 0, b.written?.milliseconds ?? 0)
    if dates.0 != dates.1 { return dates.0 < dates.1 }
    if a.id != b.id { return a.id < b.id }
    if a.note != b.note { return a.note < b.note }
    // Two boards with one identity.
    return a.content < b.content
  }

  private var content: String {
    [seenText, text.map { "+\($0)" } ?? "", category, author].joined(separator: "\n")
  }
}

extension String {
  fileprivate func line(atMost most: Int) -> String {
    String(String.UnicodeScalarView(plain.unicodeScalars.prefix(most)))
  }
}
