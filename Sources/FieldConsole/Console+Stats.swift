import CaptureStore
import Statistics
import TrackerCore
import Wording

// The figures of a session, from the store.
extension Console {
  mutating func stats(newest: Int, every: Int64) throws(ConsoleProblem) -> Answer {
    learnLanguage()
    let language = languageInUse
    var captures: [Capture] = []
    var device: UniqueID?
    for store in try backend.stores() {
      var last = CaptureKey.none
      while true {
        let page = try reading { () throws(StoreError) in
          try store.page(after: last, limit: 1000)
        }
        guard let end = page.last else { break }
        for stored in page {
          // What another device has taken is another one's walk.
          if stored.device != device { captures = [] }
          device = stored.device
          captures.append(stored.capture)
        }
        last = end.key
      }
    }
    let sessions = Sessions.split(captures)
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
