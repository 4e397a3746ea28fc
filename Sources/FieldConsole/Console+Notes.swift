import CaptureStore
import Notes
import TrackerCore
import Wording

// Notes of a team, which both it and the organisers write.
extension Console {
  mutating func write(_ order: NoteOrder) throws(ConsoleError) -> Answer {
    try needTracker()
    // A line that is far too long would be no question to the tracker at all.
    do throws(NoteError) { try order.check() } catch { throw ConsoleError(error.texts) }
    let name = String(try give("note \(order.line)").prefix { !$0.isNewline }).plain
    let isDeleted = if case .delete = order { true } else { false }
    var page = Page()
    page.line((isDeleted ? ConsolePhrase.noteDeleted : .noteKept).text(in: languageInUse, name))
    return Answer(page, [Figure.Member("note", .text(name))])
  }

  /// Raises an emergency, with a note of what has happened. It stands even if the note is refused.
  mutating func callForHelp(_ note: String?) throws(ConsoleError) -> Answer {
    var answer = try order("emergency", .emergencyRaised)
    guard let note, !answer.isRefusal else { return answer }
    // What is too long is cut: nobody who calls for help is to count letters.
    let words = String(String.UnicodeScalarView(note.unicodeScalars.prefix(NoteBounds.textScalars)))
    do throws(ConsoleError) {
      answer.page.append(try write(.add(text: words, .health)).page)
    } catch {
      answer.page.line(error.texts[languageInUse], .bad)
    }
    return answer
  }

  /// The newest notes that are not deleted, the oldest of them first.
  mutating func notes(newest: Int) throws(ConsoleError) -> Answer {
    let known = try knownNotes()
    var page = Page()
    let shown = known.book.notes.filter { !$0.isDeleted }.suffix(newest)
    for note in shown {
      let name = Notebook.name(note.id, for: known.writer)
      if note.current.count == 1, let version = note.current.first {
        page.line("  \(name)  " + line(version, known))
        continue
      }
      page.line("  \(name)  " + ConsolePhrase.notePair.text(in: languageInUse))
      for version in note.current { page.line("      " + line(version, known)) }
    }
    if shown.isEmpty { page.line(ConsolePhrase.noNotes.text(in: languageInUse)) }
    return Answer(
      page, [Figure.Member("notes", .list(shown.map { figure($0, $0.current, known) }))])
  }

  /// All versions of a note, the oldest first.
  mutating func noteHistory(_ name: String) throws(ConsoleError) -> Answer {
    let known = try knownNotes()
    let id: VersionID
    do throws(NoteError) { id = try known.book.find(name, for: known.writer) } catch {
      throw ConsoleError(error)
    }
    let found = known.book.notes.filter { $0.id == id }
    var page = Page()
    for version in found.flatMap(\.history) { page.line("  " + line(version, known)) }
    return Answer(
      page, [Figure.Member("notes", .list(found.map { figure($0, $0.history, known) }))])
  }

  private struct KnownNotes {
    var book = Notebook()
    /// The device that people's names for notes refer to.
    var writer = ""
    var unsent: Set<NoteVersion> = []
  }

  private mutating func knownNotes() throws(ConsoleError) -> KnownNotes {
    var known = KnownNotes()
    for store in try backend.stores() {
      do throws(StoreError) {
        known.book.merge(try store.notebook().versions)
        known.unsent.formUnion(try store.unsentNotes(atMost: NoteBounds.versionsKept))
      } catch { throw ConsoleError(error) }
      known.writer = store.device.lowercaseText
    }
    return known
  }

  private func line(_ version: NoteVersion, _ known: KnownNotes) -> String {
    let language = languageInUse
    let date = version.written.map { CalendarText.text($0) + " UTC" } ?? "?"
    let head = "\(date)  \(version.author.plain) (\(version.category(in: language).plain))"
    let text = version.text?.plain ?? ConsolePhrase.noteGone.text(in: language)
    let state =
      known.unsent.contains(version)
      ? "  [\(ConsolePhrase.statePending.text(in: language))]" : ""
    return head + language.colon + text + state
  }

  private func figure(_ note: TeamNote, _ versions: [NoteVersion], _ known: KnownNotes) -> Figure {
    .object([
      Figure.Member("note", .text(Notebook.name(note.id, for: known.writer))),
      Figure.Member("id", .text(note.id.text)), Figure.Member("deleted", .boolean(note.isDeleted)),
      Figure.Member(
        "versions",
        .list(
          versions.map { version in
            .object([
              Figure.Member("id", .text(version.id.text)),
              Figure.Member("text", version.text.map { .text($0.plain) } ?? .none),
              Figure.Member("category", .text(version.category.plain)),
              Figure.Member("author", .text(version.author.plain)),
              Figure.Member("utcMs", version.written.map { .integer($0.milliseconds) } ?? .none),
              Figure.Member("sent", .boolean(!known.unsent.contains(version))),
            ])
          })),
    ])
  }
}

// What the organisers have told the tracker.
extension Console {
  /// The newest messages, the oldest of them first: when, who, and what.
  mutating func messages(newest: Int) throws(ConsoleError) -> Answer {
    var all: [KeptMessage] = []
    for store in try backend.stores() {
      do throws(StoreError) { all += try store.messages() } catch { throw ConsoleError(error) }
    }
    let shown = all.suffix(newest)
    let language = languageInUse
    var page = Page()
    for message in shown {
      let date = message.created.map { CalendarText.text($0) + " UTC" } ?? "?"
      page.line(
        "  \(date)  \(message.author.plain)\(language.colon)\(Self.text(message, language))")
    }
    if shown.isEmpty { page.line(ConsolePhrase.noMessages.text(in: language)) }
    let figures = shown.map { message in
      Figure.object([
        Figure.Member("number", .integer(Int64(message.number))),
        Figure.Member("kind", .text(message.kind.rawValue)),
        Figure.Member("author", .text(message.author.plain)),
        Figure.Member("text", .text(message.text.plain)),
        Figure.Member("utcMs", message.created.map { .integer($0.milliseconds) } ?? .none),
        Figure.Member("outcome", message.outcome.map { .text($0.plain) } ?? .none),
      ])
    }
    return Answer(page, [Figure.Member("messages", .list(figures))])
  }

  /// Plain, whatever a damaged or foreign store has in it.
  private static func text(_ message: KeptMessage, _ language: Language) -> String {
    let words: ConsolePhrase
    switch message.kind {
    case .message: return message.text.plain
    case .order:
      let order = ConsolePhrase.messageOrder.text(in: language) + language.colon
      return order + message.text.plain + (message.outcome.map { " (\($0.plain))" } ?? "")
    case .read: words = .messageRead
    case .ended: words = .messageEnded
    }
    let text = words.text(in: language)
    return message.text.isEmpty ? text : text + language.colon + message.text.plain
  }
}
