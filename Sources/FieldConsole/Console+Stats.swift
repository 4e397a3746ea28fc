import CaptureStore
import Statistics
import TrackerCore
import Wording

// The figures of a session, from the store.
extension Console {
  mutating func stats(newest: Int, every: Int64) throws(ConsoleProblem) -> Answer {
    learnLanguage()
    let language = languageInUse
    let stores = try backend.stores()
    let sessions = try reading { () throws(StoreError) in
      try StoredSessions.all(in: stores)
    }
    let statistics = SessionStatistics(
      (sessions.last ?? []).map(TrackPoint.init), every: every)
    var page = Page()
    if let start = statistics.start {
      page.line(ConsolePhrase.sessionOf.text(in: language, CalendarText.text(start)), .strong)
    }
    let text = StatisticsText(statistics, in: language)
    for line in text.lines { page.line(line) }
    if statistics.whole.metres > 0 {
      page.line("")
      for line in text.table(newest: newest) { page.line(line) }
    }
    let earlier = max(0, sessions.count - 1)
    if earlier > 0 {
      page.line(ConsolePhrase.earlierSessions.text(in: language, count: Int64(earlier)))
    }
    return Answer(
      page,
      [
        Figure.Member("statistics", statistics.figures),
        Figure.Member("earlierSessions", .integer(earlier)),
      ])
  }
}
