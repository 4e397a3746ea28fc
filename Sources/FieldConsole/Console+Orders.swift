import TrackerCore
import Wording

// Commands that change a tracker.
extension Console {
  mutating func order(_ line: String, _ done: ConsolePhrase) throws(ConsoleError) -> Answer {
    let facts = try needTracker()
    if line == "capture" && facts.session.state != .running {
      return refused(.noSession)
    }
    let news = try give(line)
    var page = Page()
    let isNothingNew = line == "start" && facts.session.state == .running
    page.line((isNothingNew ? .alreadyRuns : done).text(in: languageInUse))
    for line in news.split(separator: "\n") { page.line(String(line).plain) }
    return Answer(page, [Figure.Member("done", .text(line))])
  }

  mutating func give(_ line: String) throws(ConsoleError) -> String {
    try backend.ask((who.map { "as \($0) " } ?? "") + line)
  }

  mutating func retry(_ name: String) throws(ConsoleError) -> Answer {
    try needTracker()
    let answer = try backend.ask("retry \(name)")
    let count = Int64(answer.filter { !$0.isNewline }) ?? 0
    if count == 0 && name != "all" { return refused(.notAside, name.plain) }
    var page = Page()
    page.line(ConsolePhrase.requeued.text(in: languageInUse, count: count))
    return Answer(page, [Figure.Member("requeued", .integer(count))])
  }

  // MARK: Settings

  mutating func set(_ key: String, _ value: String) throws(ConsoleError) -> Answer {
    // One line to the tracker: what follows a line end would be lost.
    guard value == value.plain else { return refused(.usage, ConsoleCommand.Verb.set.usage) }
    try needTracker()
    let change = SettingChange(try give("set \(key) \(value)"))
    // The change may have been to the language.
    _ = try facts()
    return change.answer(isUndone: false, in: languageInUse)
  }

  mutating func undo(_ key: String?) throws(ConsoleError) -> Answer {
    if key == "call" { return try order("undo call", .callSeen) }
    try needTracker()
    let change = SettingChange(try give(key.map { "undo \($0)" } ?? "undo"))
    _ = try facts()
    return change.answer(isUndone: true, in: languageInUse)
  }

  mutating func get() throws(ConsoleError) -> Answer {
    try needTracker()
    let lines = try backend.ask("get").split(separator: "\n").map { String($0).plain }
    var page = Page()
    var members: [Figure.Member] = []
    let entries = lines.map { $0.split(separator: " ", maxSplits: 2).map(String.init) }
    func entry(_ kind: String, _ key: String) -> String? {
      entries.first { $0.count == 3 && $0[0] == kind && $0[1] == key }?[2]
    }
    for line in entries where line.count >= 2 && line[0] == "setting" {
      let key = line[1]
      let value = line.count > 2 ? line[2] : "-"
      var text = "\(key):" + String(repeating: " ", count: max(1, 12 - key.count)) + value
      let file = entry("file", key)
      var figure = [Figure.Member("value", value == "-" ? .none : .text(value))]
      if let by = entry("by", key) {
        let age = entry("ago", key).flatMap { Int64($0) }
        let span = age.map { Quantity.span(Milliseconds($0), in: languageInUse) } ?? "?"
        text += "  (\(by), \(StatusValue.ago.text(in: languageInUse, span))"
        if let file {
          text += "; " + StatusLabel.file.text(in: languageInUse) + ": " + file
        }
        text += ")"
        figure.append(Figure.Member("by", .text(by)))
        figure.append(Figure.Member("ageMs", age.map { .integer($0) } ?? .none))
        figure.append(
          Figure.Member("file", file.flatMap { $0 == "-" ? nil : .text($0) } ?? .none))
      }
      page.line(text)
      members.append(Figure.Member(key, .object(figure)))
    }
    return Answer(page, members)
  }

  /// Takes a position, sends it and follows that.
  ///
  /// - Parameter isNow: whether even before the reconnect floor is over.
  mutating func attempt(isNow: Bool) throws(ConsoleError) -> Answer {
    let facts = try needTracker()
    let order = isNow ? "try now" : "try"
    _ = try give(order)
    var page = Page()
    page.line(ConsolePhrase.trying.text(in: languageInUse))
    var answer = Answer(page, [Figure.Member("done", .text(order))])
    answer.sequel = .follow(since: facts)
    return answer
  }
}

/// A tracker's answer to `set` and `undo`: lines `name value`.
struct SettingChange {
  private var values: [String: String] = [:]

  init(_ lines: String) {
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      if words.count == 2 { values[words[0]] = words[1].plain }
    }
  }

  func answer(isUndone: Bool, in language: Language) -> Answer {
    let key = values["key"] ?? "?"
    func shown(_ value: String?) -> String {
      guard let value, value != "-" else { return ConsolePhrase.notSet.text(in: language) }
      return value
    }
    let value = shown(values["value"])
    let before = values["before"].map { shown($0) }
    var page = Page()
    if isUndone {
      let isSet = values["value"].map { $0 != "-" } ?? false
      page.line((isSet ? ConsolePhrase.undone : .undoneUnset).text(in: language, key, value))
    } else if before == value {
      page.line(ConsolePhrase.unchangedValue.text(in: language, key, value))
    } else if let before, let by = values["beforeBy"] {
      let age = values["beforeAgo"].flatMap { Int64($0) } ?? 0
      page.line(
        ConsolePhrase.changedBy.text(
          in: language, key, value, before, by, Quantity.span(Milliseconds(age), in: language)))
    } else if let before {
      page.line(ConsolePhrase.changed.text(in: language, key, value, before))
    } else {
      page.line(ConsolePhrase.unchangedValue.text(in: language, key, value))
    }
    if let utc = values["utc"] { page.line("  " + utc + " UTC") }
    let names = ["key", "path", "value", "before", "beforeBy", "beforeAgo", "utc"]
    return Answer(
      page, names.compactMap { name in values[name].map { Figure.Member(name, .text($0)) } })
  }
}
