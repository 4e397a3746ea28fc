import CaptureStore
import TrackerCore
import Uplink
import Wording

// What the server has of the team.
extension Console {
  /// For a tracker whose card was replaced: its store does not have what it delivered before.
  mutating func served(newest: Int) throws(ConsoleError) -> Answer {
    learnLanguage()
    let language = languageInUse
    let team = lastFacts.identity.team
    var stored: [UniqueID: (row: StoredCapture, name: CaptureName)] = [:]
    for store in try backend.stores() {
      let rows = try reading { () throws(StoreError) in try store.captures() }
      for row in rows { stored[row.id] = (row, store.name(of: row)) }
    }
    let captures = try backend.served(team: team).map {
      let own = stored[$0.id]
      return ServedTableRow(capture: $0, own: own?.row, name: own?.name, team: team)
    }.sorted { $0.order < $1.order }
    var page = Page()
    page.line(CaptureTableRow.head(in: language))
    let shown = captures.suffix(newest)
    for row in shown { page.line(row.spans(in: language)) }
    let missing = captures.count { $0.place != .here }
    page.line(
      ConsolePhrase.servedCounts.text(in: language, count: Int64(captures.count), "\(missing)"))
    return Answer(
      page,
      [
        Figure.Member("served", .list(shown.map { .object($0.members) })),
        Figure.Member("onServer", .integer(captures.count)),
        Figure.Member("missing", .integer(missing)),
      ])
  }
}

/// A capture on the server as a row of a table.
struct ServedTableRow {
  enum Place: String {
    case here, missing
    /// The store has another capture with its identifier: two cards have the same identity.
    case another
  }

  let capture: ServedCapture
  let place: Place
  private let name: CaptureName?
  /// Whose it is, if not the team's that was asked for.
  private let owner: String?

  init(capture: ServedCapture, own: StoredCapture?, name: CaptureName?, team: String) {
    self.capture = capture
    place = own.map { Self.isSame(capture, $0.capture) ? .here : .another } ?? .missing
    self.name = place == .here ? name : nil
    let owner = capture.team ?? ""
    self.owner = owner.isEmpty || owner == team ? nil : owner
  }

  /// By time; what has none comes first.
  var order: (Int64, Int64) { (capture.time?.milliseconds ?? .min, capture.object) }

  /// Layers round times to seconds. A time that one of the two lacks proves nothing.
  private static func isSame(_ served: ServedCapture, _ own: Capture) -> Bool {
    guard own.isTimeTrusted, let time = served.time, let utc = own.utc else { return true }
    let (difference, overflow) = time.milliseconds.subtractingReportingOverflow(utc.milliseconds)
    return !overflow && difference.magnitude <= 1000
  }

  func spans(in language: Language) -> [Page.Span] {
    let position = capture.position.map { Quantity.position($0.latitude, $0.longitude) } ?? "-"
    let start = CaptureTableRow.columns(
      name.map { "\($0)" } ?? capture.sequence.map { "\($0)" } ?? "-",
      capture.time.map { CalendarText.text($0) } ?? "?",
      capture.batteryPercent.map { "\($0) %" } ?? "-", position)
    let (phrase, ink): (ConsolePhrase, Page.Ink) =
      switch place {
      case .here: (.servedHere, .good)
      case .missing: (.servedMissing, .waiting)
      case .another: (.servedAnother, .bad)
      }
    let whose = owner.map { ", " + $0.plain } ?? ""
    return [
      Page.Span(text: start, ink: .plain),
      Page.Span(text: phrase.text(in: language) + whose, ink: ink),
    ]
  }

  var members: [Figure.Member] {
    func text(_ text: String?) -> Figure { text.map { .text($0.plain) } ?? .none }
    return [
      Figure.Member("id", .text(capture.id.lowercaseText)),
      Figure.Member("name", name.map { .text("\($0)") } ?? .none),
      Figure.Member("sequence", capture.sequence.map { .integer($0) } ?? .none),
      Figure.Member("device", text(capture.device)),
      Figure.Member("team", text(capture.team)),
      Figure.Member("utcMs", capture.time.map { .integer($0.milliseconds) } ?? .none),
      Figure.Member("latitude", capture.position.map { .integer($0.latitude) } ?? .none),
      Figure.Member("longitude", capture.position.map { .integer($0.longitude) } ?? .none),
      Figure.Member("batteryPercent", capture.batteryPercent.map { .integer($0) } ?? .none),
      Figure.Member("store", .text(place.rawValue)),
    ]
  }
}
