import CaptureStore
import TrackerCore
import Wording

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
