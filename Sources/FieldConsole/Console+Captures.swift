import CaptureStore
import TrackerCore
import Wording

// What a store says.
extension Console {
  mutating func captures(
    newest: Int, _ shown: ConsoleCommand.Shown?
  ) throws(ConsoleProblem) -> Answer {
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
      page.line(CaptureRow.head(in: language))
      for row in rows {
        let name = store.name(of: row)
        let mark = marks[row.key]
        page.line(CaptureRow.spans(row, name, in: language))
        if let mark { page.line(CaptureRow.spans(mark, in: language)) }
        figures.append(.object(CaptureRow.members(row, name, mark)))
      }
      let tally = store.tally
      page.line(
        ConsolePhrase.counts.text(
          in: language, count: Int64(tally.rows), Self.states(tally, in: language)))
    }
    return Answer(page, [Figure.Member("captures", .list(figures))])
  }

  mutating func show(_ text: String) throws(ConsoleProblem) -> Answer {
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
  ) throws(ConsoleProblem) -> Result {
    do throws(StoreError) { return try body() } catch { throw ConsoleProblem(error) }
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
