import TrackerCore
import Wording

// What happened and what did not, and why.
extension Console {
  mutating func why() throws(ConsoleError) -> Answer {
    let facts = try facts()
    let language = languageInUse
    var page = Page()
    let verdict = FitnessVerdict(of: facts)
    let now = ConsolePhrase.whyNow.text(in: language)
    page.line(now + language.colon + verdict.text(of: facts, in: language))
    let plan: [(StatusLabel, String?)] = [
      (.plan, PlanText.plan(facts, in: language)),
      (.changes, PlanText.changes(facts, in: language)),
    ]
    for case (let label, let text?) in plan {
      page.line(label.texts[language] + language.colon + text)
    }
    var shares: [Figure] = []
    var head = ""
    // Soon after the start both windows have the same lines.
    var seen: Set<Substring> = []
    let lines =
      facts.identity.presence == .running
      ? try backend.ask("why") : keptMemory(of: facts)?.shares ?? ""
    for line in lines.split(separator: "\n") {
      guard seen.insert(line).inserted else { continue }
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4 || words.count == 5 && words[4] == "before",
        let whole = Int64(words[1]), let part = Int64(words[2]),
        (1...Milliseconds.hours(10_000).count).contains(whole), (0...whole).contains(part)
      else { continue }
      let subject: ConsolePhrase = words[0] == "capturing" ? .whyCapturing : .whySending
      let phrase: ConsolePhrase = words.count == 5 ? .whyBefore : .whyLast
      let title = phrase.text(
        in: language, subject.text(in: language),
        Quantity.span(Milliseconds(whole), in: language))
      if title != head { page.line(title, .strong) }
      head = title
      page.line("  " + Self.share(part, of: whole) + "  " + Self.text(words[3], in: language))
      shares.append(
        .object([
          Figure.Member("subject", .text(words[0])), Figure.Member("windowMs", .integer(whole)),
          Figure.Member("lengthMs", .integer(part)), Figure.Member("reason", .text(words[3])),
          Figure.Member("isBeforeRestart", .boolean(words.count == 5)),
        ]))
    }
    return Answer(
      page,
      [
        Figure.Member("verdict", .text(verdict.kind.rawValue)),
        Figure.Member("shares", .list(shares)),
      ])
  }

  /// What a tracker that does not answer has kept, in the form of its own answer.
  private mutating func keptMemory(of facts: TrackerFacts) -> (events: String, shares: String)? {
    guard let kept = backend.keptEvents(), let device = UniqueID(text: facts.identity.device) else {
      return nil
    }
    var memory = EventMemory()
    guard (try? memory.take(kept.text, of: device, at: kept.time)) != nil else { return nil }
    // The kept memory ends with a start that this tracker has not made.
    memory.forgetLast()
    let now = kept.time.now
    return (memory.lines(newest: FieldBounds.events, at: now), memory.shares(at: now))
  }

  /// The syslog level in front of a line (sd-daemon(3)) is for the journal.
  private static func withoutLevel(_ line: String) -> String {
    let head = line.prefix(3)
    guard head.first == "<", head.last == ">" else { return line }
    return String(line.dropFirst(3))
  }

  /// ` 63 %`; below half a percent `< 1 %`.
  private static func share(_ part: Int64, of whole: Int64) -> String {
    let percent = (part * 200 + whole) / (2 * whole)
    let text = percent == 0 ? "< 1 %" : "\(percent) %"
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }

  private static func text(_ name: String, in language: Language) -> String {
    if name == EventMemory.off { return ConsolePhrase.whyOff.text(in: language) }
    if name == EventMemory.asleep { return ConsolePhrase.whyAsleep.text(in: language) }
    guard let reason = Reason(name: name) else {
      return ConsolePhrase.whyActive.text(in: language)
    }
    // Nothing is wrong.
    return reason == .notDue
      ? ConsolePhrase.whyPlanned.text(in: language) : reason.text(in: language)
  }

  mutating func events(newest: Int) throws(ConsoleError) -> Answer {
    let facts = try facts()
    let language = languageInUse
    var page = Page()
    var figures: [Figure] = []
    var lines = ""
    if facts.identity.presence == .running {
      lines = try backend.ask("events \(newest)")
    } else if let kept = keptMemory(of: facts) {
      lines = kept.events.split(separator: "\n").suffix(newest).joined(separator: "\n")
      page.line(FitnessVerdict(of: facts).text(of: facts, in: language), .bad)
    } else {
      throw ConsoleError(ConsolePhrase.notRunning.texts)
    }
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count >= 2 else { continue }
      let age = Int64(words[0])
      guard age != nil || words[0] == "-" else { continue }
      let detail = words.count > 2 ? words[2].plain : ""
      let text = EventPhrase(rawValue: words[1])?.sentence(detail, in: language) ?? words[1].plain
      let span = age.map { Quantity.span(Milliseconds($0), in: language) }
      let ago =
        span.map { StatusValue.ago.text(in: language, $0) }
        ?? ConsolePhrase.beforeRestart.text(in: language)
      page.line(String(repeating: " ", count: max(0, 18 - ago.count)) + ago + "  " + text)
      figures.append(
        .object([
          Figure.Member("ageMs", age.map { .integer($0) } ?? .none),
          Figure.Member("event", .text(words[1])),
          Figure.Member("detail", .text(detail)),
        ]))
    }
    if page.isEmpty { page.line(ConsolePhrase.noEvents.text(in: language)) }
    return Answer(page, [Figure.Member("events", .list(figures))])
  }

  mutating func log(newest: Int) throws(ConsoleError) -> Answer {
    _ = try facts()
    let lines = try backend.log(newest: newest).map { Self.withoutLevel($0.plain) }
    var page = Page()
    for line in lines { page.line(line) }
    if lines.isEmpty { page.line(ConsolePhrase.noLog.text(in: languageInUse)) }
    return Answer(page, [Figure.Member("lines", .list(lines.map { .text($0) }))])
  }
}
