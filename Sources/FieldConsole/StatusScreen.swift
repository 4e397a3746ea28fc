import TrackerCore
import Wording

/// The status: line 1 whose tracker it is and whether it is fit to go; below it, why.
public struct StatusScreen {
  private var page = Page()
  private let facts: TrackerFacts
  private let language: Language
  private let labelWidth: Int

  public static func page(of facts: TrackerFacts, in language: Language) -> Page {
    var screen = StatusScreen(facts, language)
    screen.write()
    return screen.page
  }

  private init(_ facts: TrackerFacts, _ language: Language) {
    self.facts = facts
    self.language = language
    let longest = StatusLabel.allCases.map { $0.texts[language].count }.max() ?? 0
    labelWidth = max(15, longest + language.labelColon.count)
  }

  private mutating func write() {
    head()
    switch facts.presence {
    case .running:
      receiver()
      course()
      progress()
      queue()
      history()
      energy()
      session()
      machine()
    case .hung, .dead, .notInstalled:
      stored()
    }
  }

  // MARK: Line 1

  private mutating func head() {
    let verdict = Verdict(of: facts)
    let ink: Page.Ink =
      switch verdict.kind {
      case .go: .good
      case .wait: .waiting
      case .noGo: .bad
      }
    let team = facts.team.isEmpty ? StatusValue.unnamed.text(in: language) : facts.team
    let name = team.cut(to: NameWidth.team)
    let who = facts.number.isEmpty ? "\(name)  " : "\(name)  \(facts.number)  "
    let why = verdict.explanation(of: facts, in: language)
    let mark = why.isEmpty ? "" : verdict.kind == .go ? ", " : language.colon
    let fits = who.count + verdict.word.count + mark.count + why.count <= 80
    page.line([
      Page.Span(text: who, ink: .strong), Page.Span(text: verdict.word, ink: ink),
      Page.Span(text: fits ? mark + why : "", ink: .plain),
    ])
    if !fits { page.line("  " + why) }
    if verdict.kind == .noGo, let action = verdict.action(in: language) { line(.action, action) }
  }

  // MARK: Lines

  private mutating func line(_ label: StatusLabel, _ value: String) {
    page.line(head(label) + value)
  }

  private func head(_ label: StatusLabel) -> String {
    let name = label.texts[language] + language.labelColon
    return name + String(repeating: " ", count: max(1, labelWidth + 1 - name.count))
  }

  private func span(_ time: Int64) -> String { Quantity.span(Milliseconds(time), in: language) }
  private func ago(_ age: Int64) -> String { facts.date(ago: age) ?? text(.ago, span(age)) }
  private func clock(_ time: Int64) -> String { Quantity.clock(Milliseconds(time)) }

  private func text(_ value: StatusValue, _ first: String = "", _ second: String = "") -> String {
    value.text(in: language, first, second)
  }

  /// Receivers write 99.9 or 100 without a fix, hundredths.
  private static let noDilution: Int64 = 5000

  private mutating func receiver() {
    if let latitude = facts.latitude, let longitude = facts.longitude, let age = facts.fixAge {
      let position = Quantity.position(Int32(clamping: latitude), Int32(clamping: longitude))
      line(.position, text(.old, position, span(age)))
    } else {
      line(.position, text(.noReport))
    }
    guard facts.isReceiverAwake else {
      return line(.receiver, text(facts.session == .running ? .asleep : .asleepStill))
    }
    let isNoise = facts.bytesPerMinute > 0 && facts.rejectedPerMinute > facts.sentencesPerMinute
    // What it said about the sky is out of date.
    if !facts.isReceiverSilent && !isNoise { sky() }
    if facts.isReceiverSilent, let age = facts.receiverHeard {
      line(.line, text(.nothingSince, span(age)))
    } else if facts.bytesPerMinute == 0 {
      line(.line, text(.nothingHeard))
    } else if isNoise {
      line(.line, text(.noise, "\(facts.bytesPerMinute)", "\(facts.sentencesPerMinute)"))
    } else {
      line(
        .line, text(.line, "\(facts.sentencesPerMinute)", "\(facts.badChecksumsPerMinute)"))
    }
  }

  /// The satellites, as the receiver has them now.
  private mutating func sky() {
    var parts: [String] = []
    if let seen = facts.satellitesSeen {
      let used = facts.satellitesUsed ?? 0
      parts.append(text(.satellites, "\(used)", "\(max(seen, used))"))
    } else if let used = facts.satellitesUsed {
      parts.append(text(.satellitesUsed, "\(used)"))
    }
    if let signal = facts.bestSignal { parts.append(text(.bestSignal, "\(signal)")) }
    if let hdop = facts.hdopHundredths, hdop < Self.noDilution {
      parts.append("HDOP " + Quantity.decimal(Double(hdop) / 100, 1, in: language))
    }
    if !parts.isEmpty { line(.receiver, parts.joined(separator: ", ")) }
    let room = 80 - head(.levels).count
    if let levels = LevelsText.text(facts.satellites, atMost: room, in: language) {
      line(.levels, levels)
    }
  }

  private mutating func progress() {
    line(.capturing, capturing)
    line(.sending, sending)
  }

  /// A healthy tracker reads as healthy: what is planned is no refusal.
  private var capturing: String {
    guard let reason = facts.captureReason else { return text(.capturingNow) }
    guard reason == .notDue || reason == .atRest else { return refusal(reason) }
    var value = facts.nextCapture.map { text(.nextCapture, clock($0)) }
    if let interval = facts.captureInterval {
      value = (value.map { $0 + ", " } ?? "") + text(.everyInterval, span(interval))
    }
    let rule = value ?? text(.byDistance, facts.capturePolicy)
    return reason == .atRest ? rule + language.semicolon + reason.text(in: language) : rule
  }

  private var sending: String {
    let next = facts.nextContact.map { clock($0) }
    guard let reason = facts.sendReason else { return text(.sendingNow) }
    if reason == .notDue || reason == .reconnectFloor {
      return next.map { text(.nextContact, $0) } ?? refusal(reason)
    }
    if reason == .nothingPending {
      return text(.nothingToSend) + (next.map { language.semicolon + text(.nextContact, $0) } ?? "")
    }
    if let problem = facts.modemProblem,
      [.modemOff, .modemSilent, .noSIM, .searching].contains(reason)
    {
      return text(.no, problem[language])
    }
    guard let next, facts.nextContact != 0 else { return refusal(reason) }
    return refusal(reason) + language.semicolon + text(.retryIn, next)
  }

  private func refusal(_ reason: Reason) -> String {
    let detail = reason.detail.map { $0 == 0 ? "" : " (\($0))" } ?? ""
    return text(.no, "\(reason.text(in: language))\(detail)")
  }

  private mutating func queue() {
    let parts: [(StatusValue, Int64, Page.Ink)] = [
      (.queueWaiting, facts.pending, .waiting), (.queueAside, facts.setAside, .bad),
      (.queueDelivered, facts.acknowledged, .good),
    ]
    var spans = [Page.Span(text: head(.queue), ink: .plain)]
    for (index, part) in parts.enumerated() {
      if index > 0 { spans.append(Page.Span(text: ", ", ink: .plain)) }
      let count = part.0.text(in: language, count: part.1)
      spans.append(Page.Span(text: count, ink: part.1 > 0 ? part.2 : .plain))
    }
    page.line(spans)
    if facts.pending > 0, let oldest = facts.oldestPending {
      let bytes = Quantity.bytes(facts.pendingBytes ?? 0, in: language)
      line(
        .waiting,
        text(.oldest, span(oldest), bytes) + language.semicolon
          + text(.drain, span(DrainEstimate.time(facts))))
    }
    if facts.held > 0 {
      let held = "\(facts.held)"
      let wait = facts.heldFor ?? 0
      line(
        .unconfirmed, wait > 0 ? text(.heldLater, held, span(wait)) : text(.heldNow, held))
    }
    if let store = facts.secondStore { line(.store, store[language]) }
    for store in facts.storeNews { line(.store, store[language]) }
    for earlier in facts.earlierDevices {
      let words = earlier.split(separator: " ", maxSplits: 1).map(String.init)
      line(.earlier, text(.earlier, words.first ?? "", words.last ?? ""))
    }
    if facts.damagedRows > 0 { line(.damaged, text(.damagedRows, "\(facts.damagedRows)")) }
  }

  private mutating func history() {
    line(
      .lastCapture,
      facts.lastCapture.map { text(.capture, "\($0)", ago(facts.lastCaptureAge ?? 0)) }
        ?? text(.noneYet))
    let failed =
      facts.contactsFailed > 0
      ? StatusValue.unanswered.text(in: language, count: facts.contactsFailed) : nil
    line(.lastContact, [contact, failed].compactMap { $0 }.joined(separator: language.semicolon))
    // Before the start, by the store.
    if facts.lastDelivered == nil, let age = facts.lastDelivery {
      line(.lastDelivery, ago(age))
    }
    if let problem = facts.lastProblem {
      let age = ago(facts.lastProblemAge ?? 0)
      line(.lastProblem, age + language.colon + problem[language])
    }
    if let limit = facts.pathLimit { line(.path, text(.pathLimit, "\(limit)")) }
    if let interval = facts.contactInterval, facts.session != .finished {
      let rule = ContactText.text(
        interval: Milliseconds(interval), rule: facts.contactRule, in: language)
      line(.contacts, promised(rule))
    }
  }

  /// An answer is not yet a delivery.
  private var contact: String {
    guard let age = facts.lastContact else { return text(.noContactYet) }
    let contact = ago(age)
    guard let count = facts.lastDelivered, let since = facts.lastDelivery else {
      return contact + language.semicolon + text(.nothingDelivered)
    }
    let delivery = StatusValue.deliveredThen.text(in: language, count: count)
    return since == age
      ? contact + ", " + delivery
      : contact + language.semicolon + delivery + " " + ago(since)
  }

  /// With what the server was told.
  private func promised(_ rule: String) -> String {
    guard let promised = facts.promised else { return rule }
    return promised >= 0
      ? text(.promised, rule, clock(promised)) : text(.promiseBroken, rule, clock(-promised))
  }

  private mutating func energy() {
    line(.battery, BatteryText.text(facts, in: language))
    if let charge = BatteryText.charge(facts, in: language) { line(.charge, charge) }
    if facts.session != .finished, let outlook = BatteryText.outlook(facts, in: language) {
      line(.lasts, outlook)
    }
    guard facts.hasModem else { return }
    let modem = [ModemText.text(facts, in: language), ModemText.datedNetwork(facts, in: language)]
    line(.modem, modem.compactMap(\.self).joined(separator: ", "))
  }

  private mutating func session() {
    line(.session, SessionText.text(facts, in: language))
    if let finish { line(.finish, finish) }
    if let order = facts.teamOrder {
      line(.team, SessionText.team(facts, order, in: language))
    }
    for order in facts.settingOrders {
      line(.orders, SessionText.setting(order, facts, in: language))
    }
  }

  private var finish: String? {
    guard facts.finishAt != nil || facts.finishAfter != nil else { return nil }
    guard let left = facts.untilFinish else { return FinishText.text(facts, in: language) }
    let value = left > 0 ? text(.finishIn, span(left)) : text(.finishPast, span(-left))
    return FinishText.text(facts, left: value, in: language)
  }

  private mutating func machine() {
    if facts.isClockTrusted, let utc = facts.utc {
      line(.clock, CalendarText.text(UTC(milliseconds: utc)) + " UTC")
    } else {
      line(.clock, text(.notTrusted))
    }
    if let clock = facts.systemClock { line(.systemClock, clock) }
    port(.receiverPort, facts.receiverPort, facts.receiverProblem)
    if facts.hasModem { port(.modemPort, facts.modemPort, facts.modemProblem) }
    if let pins = facts.pins { line(.pins, pins[language]) }
    if let problem = facts.recordingProblem {
      line(.recording, text(.recordingStopped, problem[language]))
    } else if let recording = facts.recording {
      line(.recording, recording)
    }
    if facts.logDropped > 0 { line(.log, text(.logDropped, "\(facts.logDropped)")) }
    line(.device, facts.device)
  }

  private mutating func port(_ label: StatusLabel, _ state: String?, _ problem: Texts?) {
    guard let state else { return }
    let isConnected = state == TrackerFacts.connected
    // A port that works is not worth a line.
    if isConnected && problem == nil { return }
    var value = text(isConnected ? .connected : .notConnected)
    if let problem = problem?[language] {
      value += isConnected ? ", " + text(.butShared, problem) : language.colon + problem
    }
    line(label, value)
  }

  // MARK: Without a tracker

  /// What the store says, if no tracker answers.
  private mutating func stored() {
    if !facts.device.isEmpty {
      let count = facts.pending + facts.setAside + facts.acknowledged
      let free = facts.diskFree.map { text(.free, Quantity.bytes($0, in: language)) }
      let safe = StatusValue.safe.text(in: language, count: count)
      line(.store, [safe, free].compactMap(\.self).joined(separator: language.semicolon))
      queue()
      storedHistory()
      if facts.sessionNumber != nil || facts.sessionOrder != nil {
        line(.session, SessionText.text(facts, in: language))
      }
    }
    if let problem = facts.storeProblem { line(.store, problem[language]) }
    if let store = facts.store { line(.file, store) }
    for words in facts.lastWords { line(.lastWords, words) }
    if !facts.device.isEmpty { line(.device, facts.device) }
  }

  private mutating func storedHistory() {
    if let number = facts.lastCapture {
      line(.lastCapture, text(.capture, "\(number)", facts.lastCaptureAge.map { ago($0) } ?? "?"))
    } else {
      line(.lastCapture, text(.noneYet))
    }
    if let age = facts.lastDelivery { line(.lastDelivery, ago(age)) }
  }
}

// The course.
extension StatusScreen {
  private mutating func course() {
    var parts: [String] = []
    if let done = facts.courseDoneMetres, let toGo = facts.courseToGoMetres {
      parts.append(text(.courseDone, kilometres(done), kilometres(toGo)))
    } else if facts.courseToGoMetres != nil {
      parts.append(text(.notOnCourse))
    }
    if let place = facts.place { parts.append(text(.atPlace, place.cut(to: NameWidth.team))) }
    if let time = facts.offCourseFor {
      parts.append(text(.offCourse, span(time), "\(facts.offCourseMetres ?? 0)"))
    }
    if let time = facts.backwardsFor { parts.append(text(.backwards, span(time))) }
    if let problem = facts.courseProblem { parts.append(text(.no, problem[language])) }
    guard !parts.isEmpty else { return }
    line(.course, parts.joined(separator: language.semicolon))
    if let place = facts.nextPlace, let metres = facts.nextPlaceMetres {
      let ahead = text(.placeAhead, place.cut(to: NameWidth.team), kilometres(metres))
      line(
        .nextPlace, [ahead, openingHours].compactMap(\.self).joined(separator: language.semicolon))
    }
    if let arrival = arrival(
      facts.nextPlaceArrival, facts.nextPlaceEarliest, facts.nextPlaceLatest)
    {
      line(.there, arrival)
    }
    if let arrival = arrival(facts.finishArrival, facts.finishEarliest, facts.finishLatest) {
      line(.arrival, arrival)
    }
  }

  /// Of the next place, and whether the team gets there before it closes.
  private var openingHours: String? {
    if let closes = facts.nextPlaceCloses {
      guard closes > 0 else { return text(.closed, span(-closes)) }
      if let earliest = facts.nextPlaceEarliest, earliest > closes {
        return text(.closesTooSoon, span(closes))
      }
      if let latest = facts.nextPlaceLatest, latest > closes {
        return text(.mayCloseTooSoon, span(closes))
      }
    }
    if let opens = facts.nextPlaceOpens, opens > 0 { return text(.opens, span(opens)) }
    return facts.nextPlaceCloses.map { text(.closes, span($0)) }
  }

  private func kilometres(_ metres: Int64) -> String {
    Quantity.decimal(Double(metres) / 1000, 1, in: language)
  }

  /// With the band in which four of five arrive.
  private func arrival(_ expected: Int64?, _ earliest: Int64?, _ latest: Int64?) -> String? {
    guard let expected, let earliest, let latest else { return nil }
    let band = text(.band, span(earliest), span(latest))
    return text(.arrival, span(expected)) + " (" + band + ")"
  }
}
