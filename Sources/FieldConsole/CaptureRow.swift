import CaptureStore
import TrackerCore
import Wording

/// A capture as a row of a table.
enum CaptureRow {
  static func head(in language: Language) -> String {
    func name(_ phrase: ConsolePhrase) -> String { phrase.text(in: language) }
    return columns(
      name(.headNumber), name(.headTime), name(.headBattery), name(.headPosition))
      + name(.headState)
  }

  static func spans(
    _ row: StoredCapture, _ name: CaptureName, in language: Language
  ) -> [Page.Span] {
    let capture = row.capture
    let mark = capture.isTimeTrusted ? "" : "?"
    let start = columns(
      "\(name)", capture.utc.map { CalendarText.text($0) + mark } ?? "?",
      capture.batteryPercent.map { "\($0) %" } ?? "-",
      Quantity.position(capture.position.latitude, capture.position.longitude))
    let code = row.code.map { " \($0)" } ?? ""
    return [
      Page.Span(text: start, ink: .plain),
      Page.Span(text: row.state.phrase.text(in: language) + code, ink: row.state.ink),
    ]
  }

  /// Where on the course it was taken: a line of its own, because beside the position there is no
  /// room for it.
  static func spans(_ mark: StoredMark, in language: Language) -> [Page.Span] {
    let place = mark.place.map { ", " + $0 } ?? ""
    let text = String(repeating: " ", count: 8) + done(mark, in: language) + place
    return [Page.Span(text: text, ink: .plain)]
  }

  /// `38.6 km done, 62.4 to go`
  static func done(_ mark: StoredMark, in language: Language) -> String {
    let kilometres = [mark.doneMetres, mark.toGoMetres].map {
      Quantity.decimal(Double($0) / 1000, 1, in: language)
    }
    return StatusValue.courseDone.text(in: language, kilometres[0], kilometres[1])
  }

  private static func columns(
    _ number: String, _ time: String, _ battery: String, _ position: String
  ) -> String {
    right(number, 7) + " " + left(time, 20) + right(battery, 5) + " " + left(position, 20) + " "
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// - Parameter mark: `nil` on no course: then there are no members for it.
  static func members(
    _ row: StoredCapture, _ name: CaptureName, _ mark: StoredMark?
  ) -> [Figure.Member] {
    let capture = row.capture
    let course =
      mark.map {
        [
          Figure.Member("doneMetres", .integer($0.doneMetres)),
          Figure.Member("toGoMetres", .integer($0.toGoMetres)),
          Figure.Member("place", $0.place.map { .text($0) } ?? .none),
        ]
      } ?? []
    return [
      Figure.Member("name", .text("\(name)")),
      Figure.Member("sequence", .integer(capture.sequence)),
      Figure.Member("device", .text(row.device.lowercaseText)),
      Figure.Member("utcMs", capture.utc.map { .integer($0.milliseconds) } ?? .none),
      Figure.Member("isTimeTrusted", .boolean(capture.isTimeTrusted)),
      Figure.Member("latitude", .integer(capture.position.latitude)),
      Figure.Member("longitude", .integer(capture.position.longitude)),
      Figure.Member("batteryPercent", capture.batteryPercent.map { .integer($0) } ?? .none),
      Figure.Member("state", .text(row.state.rawValue)),
      Figure.Member("code", row.code.map { .integer($0) } ?? .none),
      Figure.Member("attempts", .integer(row.attempts)),
    ] + course
  }
}

extension CaptureState {
  var phrase: ConsolePhrase {
    switch self {
    case .pending: .statePending
    case .inFlight: .stateInFlight
    case .acknowledged: .stateSent
    case .setAside: .stateAside
    }
  }

  var ink: Page.Ink {
    switch self {
    case .pending, .inFlight: .waiting
    case .acknowledged: .good
    case .setAside: .bad
    }
  }
}

/// Everything about one capture, with what became of it.
enum CaptureDetails {
  static func answer(
    of row: StoredCapture, _ name: CaptureName, _ history: CaptureHistory, _ mark: StoredMark?,
    in language: Language
  ) -> Answer {
    let capture = row.capture
    var page = Page()
    func line(_ phrase: ConsolePhrase, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      let head = phrase.text(in: language) + language.labelColon
      page.line(head + String(repeating: " ", count: max(1, 16 - head.count)) + value)
    }
    let date = capture.utc.map { CalendarText.text($0) + " UTC" } ?? "?"
    line(.headNumber, "\(name)")
    line(.team, String(capture.team).plain)
    line(
      .taken,
      date + (capture.isTimeTrusted ? "" : " (\(ConsolePhrase.notTrustedMark.text(in: language)))"))
    line(.position, Quantity.position(capture.position.latitude, capture.position.longitude))
    line(.course, mark.map { CaptureRow.done($0, in: language) })
    line(.place, mark?.place?.plain)
    line(.altitude, capture.altitudeMillimetres.map { "\($0 / 1000) m" })
    line(
      .speed,
      capture.speedMillimetresPerSecond.map {
        Quantity.decimal(Double($0) * 0.0036, 1, in: language) + " km/h"
      })
    line(.accuracy, capture.accuracyMetres.map { "\($0) m" })
    line(.satellites, capture.satellites.map { "\($0)" })
    let percent = capture.batteryPercent.map { "\($0) %" }
    line(
      .battery,
      [percent, capture.batteryMillivolts.map { "\($0) mV" }].compactMap { $0 }.joined(
        separator: ", "))
    line(.trigger, TriggerPhrase(capture.trigger).text(in: language))
    line(
      .state,
      row.state.phrase.text(in: language) + ", " + CalendarText.text(row.stateChangedAt) + " UTC")
    line(.attempts, "\(row.attempts)")
    line(.code, row.code.map { "\($0)" })
    line(.identifier, row.id.lowercaseText)
    line(.device, row.device.lowercaseText)
    let steps = HistoryPhrase.lines(row, history, in: language)
    var head = HistoryPhrase.history.text(in: language) + language.labelColon
    for step in steps.text {
      page.line(head + String(repeating: " ", count: max(1, 16 - head.count)) + step)
      head = ""
    }
    let more = [
      Figure.Member("team", .text(String(capture.team).plain)),
      Figure.Member("altitudeMm", capture.altitudeMillimetres.map { .integer($0) } ?? .none),
      Figure.Member("trigger", .text("\(capture.trigger.name)")),
      Figure.Member("takenAtMs", .integer(row.takenAt.milliseconds)),
      Figure.Member("stateChangedAtMs", .integer(row.stateChangedAt.milliseconds)),
      Figure.Member("id", .text(row.id.lowercaseText)),
      Figure.Member("history", .list(steps.figures)),
    ]
    return Answer(page, CaptureRow.members(row, name, mark) + more)
  }
}
