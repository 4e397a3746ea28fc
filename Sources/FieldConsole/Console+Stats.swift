import CaptureStore
import Statistics
import TrackerCore
import Wording

// The figures of a session, from the store.
extension Console {
  /// - Parameter number: from 1, the oldest one; `nil`: the last session.
  mutating func stats(
    newest: Int, every: Int64, session number: Int?
  ) throws(ConsoleProblem) -> Answer {
    learnLanguage()
    let language = languageInUse
    let sessions = try storedSessions()
    if let number, !sessions.indices.contains(number - 1) {
      throw ConsoleProblem(ConsolePhrase.noSuchSession.texts("\(number)", "\(sessions.count)"))
    }
    let wanted = number ?? sessions.count
    let captures = sessions.isEmpty ? [] : sessions[wanted - 1]
    let statistics = SessionStatistics(captures.map(TrackPoint.init), every: every, on: course)
    var page = Page()
    if let start = statistics.start {
      page.line(ConsolePhrase.sessionOf.text(in: language, CalendarText.text(start)), .strong)
    }
    let text = StatisticsText(statistics, in: language)
    for line in text.lines { page.line(line) }
    if text.hasTable {
      page.line("")
      for line in text.table(newest: newest) { page.line(line) }
    }
    let earlier = max(0, wanted - 1)
    if earlier > 0 {
      page.line(ConsolePhrase.earlierSessions.text(in: language, count: Int64(earlier)))
    }
    return Answer(
      page,
      [
        Figure.Member("statistics", statistics.figures),
        Figure.Member("session", .integer(wanted)),
        Figure.Member("earlierSessions", .integer(earlier)),
      ])
  }

  /// Which sessions there are, the oldest first.
  mutating func sessions() throws(ConsoleProblem) -> Answer {
    learnLanguage()
    let language = languageInUse
    let sessions = try storedSessions()
    var page = Page()
    if sessions.isEmpty { page.line(StatisticsPhrase.noPoint.text(in: language)) }
    var figures: [Figure] = []
    for (index, session) in sessions.enumerated() {
      let start = session.lazy.filter(\.isTimeTrusted).compactMap(\.utc).first
      let team = session.last.map { String($0.team).cut(to: NameWidth.team) } ?? ""
      let count = StatusValue.captures.text(in: language, count: Int64(session.count))
      let date = start.map { CalendarText.text($0) } ?? ConsolePhrase.noDate.text(in: language)
      page.line(
        ["\(index + 1)", date, count, team].filter { !$0.isEmpty }.joined(separator: "  "))
      figures.append(
        .object([
          Figure.Member("number", .integer(index + 1)),
          Figure.Member("start", start.map { .text(SessionStatistics.date($0)) } ?? .none),
          Figure.Member("team", team.isEmpty ? .none : .text(team)),
          Figure.Member("captures", .integer(session.count)),
        ]))
    }
    return Answer(page, [Figure.Member("sessions", .list(figures))])
  }

  private mutating func storedSessions() throws(ConsoleProblem) -> [ArraySlice<Capture>] {
    let stores = try backend.stores()
    return try reading { () throws(StoreError) in try StoredSessions.all(in: stores) }
  }
}
