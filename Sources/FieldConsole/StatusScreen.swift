import TrackerCore
import Wording

/// The status: its first line says whose tracker it is and whether it is fit to go, the others why.
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
    switch facts.identity.presence {
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
    let verdict = FitnessVerdict(of: facts)
    let ink: Page.Ink =
      switch verdict.kind {
      case .go: .good
      case .wait: .waiting
      case .noGo: .bad
      }
    let team =
      facts.identity.team.isEmpty ? StatusValue.unnamed.text(in: language) : facts.identity.team
    let name = team.cut(to: NameWidth.team)
    let who = facts.identity.number.isEmpty ? "\(name)  " : "\(name)  \(facts.identity.number)  "
    let why = verdict.explanation(of: facts, in: language)
    let mark = why.isEmpty ? "" : verdict.kind == .go ? ", " : language.colon
    let fits = who.count + verdict.word.count + mark.count + why.count <= 80
    page.line([
      Page.Span(text: who, ink: .strong), Page.Span(text: verdict.word, ink: ink),
      Page.Span(text: fits ? mark + why : "", ink: .plain),
    ])
    if !fits { page.line("  " + why) }
    if verdict.kind == .noGo, let action = verdict.action(for: facts, in: language) {
      line(.action, action)
    }
  }

  // MARK: Lines

  private mutating func line(_ label: StatusLabel, _ value: String) {
    page.line(head(label) + value)
  }

  private func head(_ label: StatusLabel) -> String {
    let name = label.texts[language] + language.labelColon
    return name + String(repeating: " ", count: max(1, labelWidth + 1 - name.count))
  }

  private func span(_ time: Milliseconds) -> String { Quantity.span(time, in: language) }
  private func ago(_ age: Milliseconds) -> String { facts.date(ago: age) ?? text(.ago, span(age)) }
  private func clock(_ time: Milliseconds) -> String { Quantity.clock(time) }

  private func text(_ value: StatusValue, _ first: String = "", _ second: String = "") -> String {
    value.text(in: language, first, second)
  }

  /// Without a fix receivers write 99.9 or 100; in hundredths.
  private static let noDilution: Int64 = 5000

  private mutating func receiver() {
    if let latitude = facts.receiver.latitude, let longitude = facts.receiver.longitude,
      let age = facts.receiver.fixAge
    {
      let position = Quantity.position(Int32(clamping: latitude), Int32(clamping: longitude))
      line(.position, text(.old, position, span(age)))
    } else {
      line(.position, text(.noReport))
    }
    guard facts.receiver.isAwake else {
      return line(.receiver, text(facts.session.state == .running ? .asleep : .asleepStill))
    }
    let isNoise =
      facts.receiver.bytesPerMinute > 0
      && facts.receiver.rejectedPerMinute > facts.receiver.sentencesPerMinute
    // Its last report about satellites is out of date.
    if !facts.receiver.isSilent && !isNoise { sky() }
    if facts.receiver.isSilent, let age = facts.receiver.heard {
      line(.line, text(.nothingSince, span(age)))
    } else if facts.receiver.bytesPerMinute == 0 {
      line(.line, text(.nothingHeard))
    } else if isNoise {
      line(
        .line,
        text(.noise, "\(facts.receiver.bytesPerMinute)", "\(facts.receiver.sentencesPerMinute)"))
    } else {
      line(
        .line,
        text(
          .line, "\(facts.receiver.sentencesPerMinute)", "\(facts.receiver.badChecksumsPerMinute)"))
    }
  }

  /// The satellites that the receiver has now.
  private mutating func sky() {
    var parts: [String] = []
    if let seen = facts.receiver.satellitesSeen {
      let used = facts.receiver.satellitesUsed ?? 0
      parts.append(text(.satellites, "\(used)", "\(max(seen, used))"))
    } else if let used = facts.receiver.satellitesUsed {
      parts.append(text(.satellitesUsed, "\(used)"))
    }
    if let signal = facts.receiver.bestSignal { parts.append(text(.bestSignal, "\(signal)")) }
    if let hdop = facts.receiver.hdopHundredths, hdop < Self.noDilution {
      parts.append("HDOP " + Quantity.decimal(Double(hdop) / 100, 1, in: language))
    }
    if !parts.isEmpty { line(.receiver, parts.joined(separator: ", ")) }
    let room = 80 - head(.levels).count
    if let levels = LevelsText.text(facts.receiver.satellites, atMost: room, in: language) {
      line(.levels, levels)
    }
  }

  private mutating func progress() {
    line(.capturing, capturing)
    line(.sending, sending)
  }

  /// A healthy tracker reads as healthy: a planned pause is not shown as a refusal.
  private var capturing: String {
    guard let reason = facts.captures.reason else { return text(.capturingNow) }
    guard reason == .notDue || reason == .atRest else { return refusal(reason) }
    var value = facts.captures.next.map { text(.nextCapture, clock($0)) }
    if let interval = facts.captures.interval {
      value = (value.map { $0 + ", " } ?? "") + text(.everyInterval, span(interval))
    }
    let rule = value ?? text(.byDistance, facts.captures.policy)
    return reason == .atRest ? rule + language.semicolon + reason.text(in: language) : rule
  }

  private var sending: String {
    let next = facts.sending.nextContact.map { clock($0) }
    guard let reason = facts.sending.reason else { return text(.sendingNow) }
    if reason == .notDue || reason == .reconnectFloor {
      return next.map { text(.nextContact, $0) } ?? refusal(reason)
    }
    if reason == .nothingPending {
      return text(.nothingToSend) + (next.map { language.semicolon + text(.nextContact, $0) } ?? "")
    }
    if let problem = facts.modem.problem,
      [.modemOff, .modemSilent, .noSIM, .searching].contains(reason)
    {
      return text(.no, problem[language])
    }
    guard let next, facts.sending.nextContact != 0 else { return refusal(reason) }
    return refusal(reason) + language.semicolon + text(.retryIn, next)
  }

  private func refusal(_ reason: Reason) -> String {
    let detail = reason.detail.map { $0 == 0 ? "" : " (\($0))" } ?? ""
    return text(.no, "\(reason.text(in: language))\(detail)")
  }

  private mutating func queue() {
    let parts: [(StatusValue, Int64, Page.Ink)] = [
      (.queueWaiting, facts.queue.pending, .waiting), (.queueAside, facts.queue.setAside, .bad),
      (.queueDelivered, facts.queue.acknowledged, .good),
    ]
    var spans = [Page.Span(text: head(.queue), ink: .plain)]
    for (index, part) in parts.enumerated() {
      if index > 0 { spans.append(Page.Span(text: ", ", ink: .plain)) }
      let count = part.0.text(in: language, count: part.1)
      spans.append(Page.Span(text: count, ink: part.1 > 0 ? part.2 : .plain))
    }
    page.line(spans)
    if facts.queue.pending > 0, let oldest = facts.queue.oldest {
      let bytes = Quantity.bytes(facts.queue.bytes ?? 0, in: language)
      line(
        .waiting,
        text(.oldest, span(oldest), bytes) + language.semicolon
          + text(.drain, span(DrainEstimate.time(facts))))
    }
    if facts.queue.held > 0 {
      let held = "\(facts.queue.held)"
      let wait = facts.queue.heldFor ?? 0
      line(
        .unconfirmed, wait > 0 ? text(.heldLater, held, span(wait)) : text(.heldNow, held))
    }
    if let store = facts.store.second { line(.store, store[language]) }
    for store in facts.store.news { line(.store, store[language]) }
    for earlier in facts.store.earlierDevices {
      line(.earlier, text(.earlier, earlier.device, "\(earlier.waiting)"))
    }
    if facts.store.damagedRows > 0 {
      line(.damaged, text(.damagedRows, "\(facts.store.damagedRows)"))
    }
  }

  private mutating func history() {
    line(
      .lastCapture,
      facts.captures.last.map { text(.capture, "\($0)", ago(facts.captures.lastAge ?? 0)) }
        ?? text(.noneYet))
    let failed =
      facts.sending.contactsFailed > 0
      ? StatusValue.unanswered.text(in: language, count: facts.sending.contactsFailed) : nil
    line(.lastContact, [contact, failed].compactMap { $0 }.joined(separator: language.semicolon))
    // The store knows of a delivery before the start.
    if facts.sending.lastDelivered == nil, let age = facts.sending.lastDelivery {
      line(.lastDelivery, ago(age))
    }
    if let problem = facts.sending.lastProblem {
      let age = ago(facts.sending.lastProblemAge ?? 0)
      line(.lastProblem, age + language.colon + problem[language])
    }
    if let limit = facts.sending.pathLimit { line(.path, text(.pathLimit, "\(limit)")) }
    if let interval = facts.sending.interval, facts.session.state != .finished {
      let rule =
        facts.emergency.isStanding
        ? text(.atOnce)
        : ContactText.text(interval: interval, rule: facts.sending.rule, in: language)
      line(.contacts, promised(rule))
    }
  }

  /// An answer is not yet a delivery.
  private var contact: String {
    guard let age = facts.sending.lastContact else { return text(.noContactYet) }
    let contact = ago(age)
    guard let count = facts.sending.lastDelivered, let since = facts.sending.lastDelivery else {
      return contact + language.semicolon + text(.nothingDelivered)
    }
    let word = facts.sending.isByBroker == true ? " (\(text(.byBroker)))" : ""
    let delivery = StatusValue.deliveredThen.text(in: language, count: count) + word
    return since == age
      ? contact + ", " + delivery
      : contact + language.semicolon + delivery + " " + ago(since)
  }

  /// With the promise made to the server.
  private func promised(_ rule: String) -> String {
    guard let promised = facts.sending.promised else { return rule }
    return promised >= 0
      ? text(.promised, rule, clock(promised)) : text(.promiseBroken, rule, clock(0 - promised))
  }

  private mutating func energy() {
    line(.battery, BatteryText.text(facts, in: language))
    if let charge = BatteryText.charge(facts, in: language) { line(.charge, charge) }
    if facts.session.state != .finished, let outlook = BatteryText.outlook(facts, in: language) {
      line(.lasts, outlook)
      if let plan = PlanText.plan(facts, in: language) { line(.plan, plan) }
      if let changes = PlanText.changes(facts, in: language) { line(.changes, changes) }
    }
    guard facts.modem.isPresent else { return }
    let modem = [
      ModemStatusText.text(facts, in: language), ModemStatusText.datedNetwork(facts, in: language),
    ]
    line(.modem, modem.compactMap(\.self).joined(separator: ", "))
  }

  private mutating func session() {
    line(.session, SessionText.text(facts, in: language))
    if let finish { line(.finish, finish) }
    if let order = facts.session.teamOrder {
      line(.team, SessionText.team(facts, order, in: language))
    }
    for order in facts.session.settingOrders {
      line(.orders, SessionText.setting(order, facts, in: language))
    }
  }

  private var finish: String? {
    guard facts.session.finishAt != nil || facts.session.finishAfter != nil else { return nil }
    guard let left = facts.session.untilFinish else {
      return FinishText.text(facts.session, in: language)
    }
    let value = left > 0 ? text(.finishIn, span(left)) : text(.finishPast, span(0 - left))
    return FinishText.text(facts.session, left: value, in: language)
  }

  private mutating func machine() {
    if facts.clock.isTrusted, let utc = facts.clock.utc {
      line(.clock, CalendarText.text(utc) + " UTC")
    } else {
      line(.clock, text(.notTrusted))
    }
    if let clock = facts.clock.systemClock { line(.systemClock, clock) }
    port(.receiverPort, facts.receiver.port, facts.receiver.problem)
    if facts.modem.isPresent { port(.modemPort, facts.modem.port, facts.modem.problem) }
    if let pins = facts.machine.pinsProblem { line(.pins, pins[language]) }
    if let sleep = facts.machine.sleepProblem ?? facts.machine.sleep {
      line(.sleep, sleep[language])
    }
    if let problem = facts.machine.recordingProblem {
      line(.recording, text(.recordingStopped, problem[language]))
    } else if let recording = facts.machine.recording {
      line(.recording, recording)
    }
    if facts.machine.logDropped > 0 { line(.log, text(.logDropped, "\(facts.machine.logDropped)")) }
    line(.device, facts.identity.device)
  }

  private mutating func port(_ label: StatusLabel, _ state: TrackerFacts.Port?, _ problem: Texts?) {
    guard let state else { return }
    let isConnected = state == .connected
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
    if !facts.identity.device.isEmpty {
      let count = facts.queue.pending + facts.queue.setAside + facts.queue.acknowledged
      let free = facts.store.diskFree.map { text(.free, Quantity.bytes($0, in: language)) }
      let safe = StatusValue.safe.text(in: language, count: count)
      line(.store, [safe, free].compactMap(\.self).joined(separator: language.semicolon))
      queue()
      storedHistory()
      if facts.session.number != nil || facts.session.order != nil {
        line(.session, SessionText.text(facts, in: language))
      }
    }
    if let problem = facts.store.problem { line(.store, problem[language]) }
    if let store = facts.store.path { line(.file, store) }
    for words in facts.identity.lastWords { line(.lastWords, words) }
    if !facts.identity.device.isEmpty { line(.device, facts.identity.device) }
  }

  private mutating func storedHistory() {
    if let number = facts.captures.last {
      line(.lastCapture, text(.capture, "\(number)", facts.captures.lastAge.map { ago($0) } ?? "?"))
    } else {
      line(.lastCapture, text(.noneYet))
    }
    if let age = facts.sending.lastDelivery { line(.lastDelivery, ago(age)) }
  }
}

// The course.
extension StatusScreen {
  private mutating func course() {
    var parts: [String] = []
    if let done = facts.course.done, let toGo = facts.course.toGo {
      parts.append(text(.courseDone, kilometres(done), kilometres(toGo)))
    } else if facts.course.toGo != nil {
      parts.append(text(.notOnCourse))
    }
    if let place = facts.course.place {
      parts.append(text(.atPlace, place.cut(to: NameWidth.team)))
    }
    if let time = facts.course.offCourseFor {
      parts.append(text(.offCourse, span(time), "\(facts.course.offCourseMetres ?? 0)"))
    }
    if let time = facts.course.backwardsFor { parts.append(text(.backwards, span(time))) }
    if let problem = facts.course.problem { parts.append(text(.no, problem[language])) }
    guard !parts.isEmpty else { return }
    line(.course, parts.joined(separator: language.semicolon))
    if let place = facts.course.nextPlace, let metres = facts.course.nextPlaceMetres {
      let ahead = text(.placeAhead, place.cut(to: NameWidth.team), kilometres(metres))
      line(
        .nextPlace, [ahead, openingHours].compactMap(\.self).joined(separator: language.semicolon))
    }
    if let arrival = arrival(
      facts.course.arrival, facts.course.earliest, facts.course.latest)
    {
      line(.there, arrival)
    }
    if let arrival = arrival(
      facts.course.finishArrival, facts.course.finishEarliest, facts.course.finishLatest)
    {
      line(.arrival, arrival)
    }
  }

  /// Of the next place, and whether the team gets there before it closes.
  private var openingHours: String? {
    if let closes = facts.course.closes {
      guard closes > 0 else { return text(.closed, span(0 - closes)) }
      if let earliest = facts.course.earliest, earliest > closes {
        return text(.closesTooSoon, span(closes))
      }
      if let latest = facts.course.latest, latest > closes {
        return text(.mayCloseTooSoon, span(closes))
      }
    }
    if let opens = facts.course.opens, opens > 0 { return text(.opens, span(opens)) }
    return facts.course.closes.map { text(.closes, span($0)) }
  }

  private func kilometres(_ metres: Int64) -> String {
    Quantity.decimal(Double(metres) / 1000, 1, in: language)
  }

  /// With the range in which four of five teams arrive.
  private func arrival(
    _ expected: Milliseconds?, _ earliest: Milliseconds?, _ latest: Milliseconds?
  ) -> String? {
    guard let expected, let earliest, let latest else { return nil }
    let band = text(.band, span(earliest), span(latest))
    return text(.arrival, span(expected)) + " (" + band + ")"
  }
}
