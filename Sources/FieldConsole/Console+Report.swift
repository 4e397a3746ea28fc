import Statistics
import Wording

// Everything in one file, for somebody who is elsewhere.
extension Console {
  private static var reported: [ConsoleCommand] {
    [
      .status, .why, .selfTest, .proof(asksServer: false),
      .stats(newest: .max, every: StatisticsBounds.usualMarksEvery), .captures(newest: 30, nil),
      .captures(newest: 30, .aside),
      .get, .events(newest: FieldBounds.events), .log(newest: FieldBounds.listedLines),
      .messages(newest: FieldBounds.listedLines), .notes(newest: FieldBounds.listedLines),
    ]
  }

  mutating func report(to path: String) -> Answer {
    // A tracker that hangs is asked once, not for each part.
    frozen = factsForDoor()
    defer { frozen = nil }
    var page = Page()
    for command in Self.reported {
      page.line("== \(command.words) ==")
      page.append(answer(command).page)
      page.line("")
    }
    page.line("== settings ==")
    if let text = (try? backend.configuration()) ?? nil {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        page.line(String(line).plain)
      }
    }
    var answer = Answer(Redaction.page(page))
    answer.sequel = .save(path)
    return answer
  }

  /// What a door shows after writing a report, or why it could not.
  public func saved(_ path: String, bytes: Int) -> Answer {
    var page = Page()
    let size = Quantity.bytes(Int64(bytes), in: languageInUse)
    page.line(ConsolePhrase.saved.text(in: languageInUse, path, size))
    return Answer(page, [Figure.Member("saved", .text(path))])
  }

  /// What a door shows once everything is on a stick.
  ///
  /// - Parameter isFree: whether it was mounted only for this and can be pulled out now.
  public func exported(_ captures: Int, to device: String, isFree: Bool) -> Answer {
    let phrase: ConsolePhrase = isFree ? .exported : .exportedMounted
    var page = Page()
    page.line(phrase.text(in: languageInUse, count: Int64(captures), device), .good)
    return Answer(page, [Figure.Member("exported", .integer(captures))])
  }

  public func notSaved(_ path: String, _ reason: String, exists: Bool) -> Answer {
    exists ? refused(.fileExists, path) : refused(.fileFailed, path, reason)
  }

  public func notExported(_ why: String) -> Answer { .refusal(why.plain, key: "notExported") }

  /// There is no stick behind this door.
  public func withoutStick() -> Answer { refused(.noStick) }
}

extension ConsoleCommand {
  /// As typed, for the headings of a report.
  fileprivate var words: String {
    switch self {
    case .status: "status"
    case .captures(_, nil): "captures"
    case .captures(_, let shown?): "captures \(shown.rawValue)"
    case .served: "captures server"
    case .show(let name): "show \(name)"
    case .why: "why"
    case .proof: "proof"
    case .stats: "stats"
    case .sessions: "stats sessions"
    case .selfTest: "self-test"
    case .events: "events"
    case .log: "log"
    case .messages: "messages"
    case .notes: "notes"
    case .get: "get"
    case .set, .undo, .start, .stop, .sendNow, .captureNow, .tryPIN, .emergency, .retry, .attempt,
      .watch, .note, .noteHistory, .report, .exportToStick, .help, .version, .leave:
      ""
    }
  }
}

/// Removes what nobody else should read: passwords in the settings or in an address, and the
/// numbers of SIM and modem.
enum Redaction {
  private static let names = [
    "password", "passwd", "secret", "token", "apikey", "api_key", "pin", "puk", "imsi", "imei",
    "iccid", "consolepin", "clientsecret", "texto", "subscriber", "equipment",
  ]
  static let mark = "***"

  static func page(_ page: Page) -> Page {
    var clean = Page()
    var isValueDue = false
    for line in page.lines {
      let plain = line.map(\.text).joined()
      let shown = text(plain)
      clean.line(isValueDue ? mark : shown)
      // The value is on the next line.
      isValueDue = shown != plain && [":", "="].contains(plain.last { !$0.isWhitespace })
    }
    return clean
  }

  static func text(_ line: String) -> String { withoutValues(withoutCredentials(line)) }

  /// `https://user:password@host/path?token=1` as `https://***@host/path?***`.
  private static func withoutCredentials(_ line: String) -> String {
    var result = ""
    var rest = line[...]
    while let scheme = rest.place(of: "://") {
      result += rest[..<scheme.upperBound]
      let after = rest[scheme.upperBound...]
      // A password may have any of the other marks.
      let address = after.prefix { !$0.isWhitespace && $0 != "\"" }
      rest = after.dropFirst(address.count)
      let authority = address.prefix { $0 != "/" && $0 != "?" }
      var shown = address
      if let at = authority.lastIndex(of: "@") { shown = address[at...] }
      result += shown.startIndex == address.startIndex ? "" : mark
      if let query = shown.firstIndex(of: "?") {
        result += shown[...query] + mark
      } else {
        result += shown
      }
    }
    return result + rest
  }

  /// The value after a key of that name: `pin: "1234"`, `imsi=214…`, `password = a b`.
  private static func withoutValues(_ line: String) -> String {
    let lower = line.lowercased()
    // Lower case may have another length in some scripts; then nothing can be placed.
    guard lower.count == line.count else {
      return names.contains { lower.has($0) } ? mark : line
    }
    let letters = Array(line)
    let small = Array(lower)
    for name in names {
      let wanted = Array(name)
      for start in small.indices where small[start...].starts(with: wanted) {
        // `simPin` begins a word, `opinion` does not.
        let isWhole =
          start == 0 || !small[start - 1].isLetter
          || letters[start].isUppercase && letters[start - 1].isLowercase
        var end = start + wanted.count
        while end < letters.count,
          letters[end] == "\"" || letters[end] == "'" || letters[end] == " "
        {
          end += 1
        }
        guard isWhole || name.count > 4, end < letters.count,
          letters[end] == ":" || letters[end] == "="
        else { continue }
        return String(letters[...end]) + " " + mark
      }
    }
    return line
  }
}
