import CaptureStore
import TrackerCore
import Wording

// Answers from the store.
extension Console {
  mutating func captures(
    newest: Int, _ shown: ConsoleCommand.Shown?
  ) throws(ConsoleError) -> Answer {
    learnLanguage()
    let language = languageInUse
    var page = Page()
    var figures: [Figure] = []
    let stores = try backend.stores()
    for (index, store) in stores.enumerated() {
      if index > 0 { page.line(ConsolePhrase.secondStore.text(in: language)) }
      let rows = try reading { () throws(StoreError) in
        try store.newest(UInt32(clamping: newest), shown?.states ?? [])
      }
      let marks = try reading { () throws(StoreError) in try store.marks(of: rows) }
      page.line(CaptureTableRow.head(in: language))
      for row in rows {
        let name = store.name(of: row)
        let mark = marks[row.key]
        page.line(CaptureTableRow.spans(row, name, in: language))
        if let mark { page.line(CaptureTableRow.spans(mark, in: language)) }
        figures.append(.object(CaptureTableRow.members(row, name, mark)))
      }
      let tally = store.tally
      page.line(
        ConsolePhrase.counts.text(
          in: language, count: Int64(tally.rows), Self.states(tally, in: language)))
    }
    return Answer(page, [Figure.Member("captures", .list(figures))])
  }

  mutating func show(_ text: String) throws(ConsoleError) -> Answer {
    learnLanguage()
    guard let name = CaptureName(text) else { return refused(.noCapture, text.plain) }
    for store in try backend.stores() {
      let found = try reading { () throws(StoreError) in try store.captures(named: name) }
      guard let capture = found.last else { continue }
      let history = try reading { () throws(StoreError) in try store.history(of: capture) }
      let mark = try reading { () throws(StoreError) in try store.mark(of: capture) }
      return CaptureDetails.answer(
        of: capture, store.name(of: capture), history, mark, in: languageInUse)
    }
    return refused(.noCapture, text.plain)
  }

  static func line(
    _ device: DeviceTally, isPresent: Bool, in language: Language
  ) -> String {
    let digits = String(device.device.lowercaseText.prefix(CaptureName.shownDigits))
    let mark = isPresent ? "" : " (" + ConsolePhrase.proofEarlier.text(in: language) + ")"
    let tally = device.tally
    return ConsolePhrase.proofDevice.text(
      in: language, digits + mark, "\(device.first)", "\(device.last)", "\(tally.rows)",
      states(tally, in: language), "\(device.missing)")
  }

  /// `1 waiting, 157 delivered, 3 set aside`
  private static func states(_ tally: StoreTally, in language: Language) -> String {
    [
      StatusValue.queueWaiting.text(in: language, count: Int64(tally.pending)),
      StatusValue.queueDelivered.text(in: language, count: Int64(tally.acknowledged)),
      StatusValue.queueAside.text(in: language, count: Int64(tally.setAside)),
    ].joined(separator: ", ")
  }

  static func members(_ device: DeviceTally) -> [Figure.Member] {
    [
      Figure.Member("device", .text(device.device.lowercaseText)),
      Figure.Member("first", .integer(device.first)),
      Figure.Member("last", .integer(device.last)),
      Figure.Member("captured", .integer(device.tally.rows)),
      Figure.Member("acknowledged", .integer(device.tally.acknowledged)),
      Figure.Member("pending", .integer(device.tally.pending)),
      Figure.Member("setAside", .integer(device.tally.setAside)),
      Figure.Member("gaps", .integer(device.missing)),
    ]
  }

  func reading<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(ConsoleError) -> Result {
    do throws(StoreError) { return try body() } catch { throw ConsoleError(error) }
  }
}

extension ConsoleCommand.Shown {
  var states: [CaptureState] {
    switch self {
    case .pending: [.pending, .inFlight]
    case .sent: [.acknowledged]
    case .aside: [.setAside]
    }
  }
}

/// A capture as a row of a table.
enum CaptureTableRow {
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
      capture.position.map { Quantity.position($0.latitude, $0.longitude) } ?? "-")
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

  static func columns(
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

  /// - Parameter mark: `nil` without a course, and then without members for it.
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
      Figure.Member("latitude", capture.position.map { .integer($0.latitude) } ?? .none),
      Figure.Member("longitude", capture.position.map { .integer($0.longitude) } ?? .none),
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
    line(
      .position, capture.position.map { Quantity.position($0.latitude, $0.longitude) } ?? "-")
    line(.course, mark.map { CaptureTableRow.done($0, in: language) })
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
    return Answer(page, CaptureTableRow.members(row, name, mark) + more)
  }
}
