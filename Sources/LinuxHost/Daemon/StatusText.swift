import CaptureStore
import TrackerCore
import Uplink

/// The status for people: lines of `name: value`, within 80 columns for usual values.
struct StatusText {
  private(set) var text = ""
  private let language: Language
  private let now: Instant

  init(
    _ board: StatusBoard, store: CaptureStore, counts: QueueCounts,
    battery: String, isBatteryMeasured: Bool = false, lines: [(name: String, state: String)],
    portProblem: String? = nil, language: Language, at now: Instant
  ) {
    self.language = language
    self.now = now
    line("team", team(board))
    line("device", Self.text(store.device))
    for earlier in (try? store.devices()) ?? []
    where earlier.device != store.device && earlier.tally.pending > 0 {
      line(
        "earlier device",
        "\(Self.text(earlier.device)), \(earlier.tally.pending) of its captures waiting")
    }
    line("running for", duration(since: .start))
    line("session", session(board))
    if let finish = finish(board) { line("finish", finish) }
    line("capturing", why(board.capturing))
    line("sending", why(board.sending, portProblem))
    line(
      "queue",
      "\(store.tally.pending) waiting, \(store.tally.setAside) set aside, "
        + "\(store.tally.acknowledged) delivered")
    switch store.opening {
    case .created, .opened, .migrated: break
    case .salvaged(let salvage): line("store", "\(salvage)")
    case .beside(let waiting): line("store", "\(waiting)")
    }
    if store.damagedRows > 0 {
      line("damaged", "\(store.damagedRows) rows, kept in the store's table damaged")
    }
    if let leftover = store.leftover { line("store", "\(leftover)") }
    if let damage = store.secondDamage { line("store", "\(damage)") }
    if counts.held > 0 {
      let wait =
        counts.heldFor > 0 ? "in \(ContactText.text(of: counts.heldFor))" : "at the next contact"
      line("unconfirmed", "\(counts.held) of the waiting; the server is asked \(wait)")
    }
    line("last capture", board.lastCapture.map { Self.text($0.capture, ago($0.at)) } ?? "none yet")
    line(
      "last delivery",
      board.lastDelivery.map { "\(Self.captures($0.count)), \(ago($0.at))" } ?? "none yet")
    line("contacts", ContactText.text(of: board.configuration))
    line("next contact by", board.nextContactBy.map(Self.text) ?? "not promised")
    line("battery", battery)
    if isBatteryMeasured, let charge = board.memory.charge { line("charge", Self.text(of: charge)) }
    line("clock", board.clock.map { Self.text($0.utc + (now - $0.at)) } ?? "not trusted yet")
    if board.configuration.bearer != .none { line("modem", Self.text(board.modem)) }
    for entry in lines { line(entry.name, entry.state) }
    if let problem = board.problem { line("last problem", "\(ago(problem.at)): \(problem.text)") }
  }

  static func text(of charge: ChargeRecord) -> String {
    let share = (Int64(charge.charge) + 5000) / 10_000
    let deviation = (Int64(charge.deviation) + 5000) / 10_000
    let text = "\(share) % ± \(deviation) %, estimated"
    // Worn cells, or a part that takes more than it should.
    let least = Int64(charge.drain) - 2 * Int64(charge.drainDeviation)
    guard least > ChargeEstimate.full else { return text }
    let tenths = (Int64(charge.drain) + 50_000) / 100_000
    return text + "; empties \(tenths / 10).\(tenths % 10) x as fast as its file says"
  }

  private mutating func line(_ name: String, _ value: String) {
    let gap = String(repeating: " ", count: max(1, 16 - name.count - 1))
    text += "\(name):\(gap)\(value)\n"
  }

  /// - Parameter portProblem: the modem's port cannot be used, which explains what the modem does.
  private func why(_ reason: Reason?, _ portProblem: String? = nil) -> String {
    guard let reason else { return "yes" }
    if let portProblem, [.modemOff, .modemSilent, .noSIM, .searching].contains(reason) {
      return "no: \(portProblem)"
    }
    let detail = reason.detail.map { $0 == 0 ? "" : " (\($0))" } ?? ""
    return "no: \(reason.text(in: language))\(detail)"
  }

  // MARK: Orders and sessions

  private func team(_ board: StatusBoard) -> String {
    guard let order = board.memory.teamOrder else {
      return board.team.isEmpty ? "(none)" : board.team
    }
    return "\"\(String(order.value))\", set " + origin(of: order, board)
  }

  private func session(_ board: StatusBoard) -> String {
    let order = board.memory.sessionOrder
    guard let session = board.memory.session else {
      return order.map { "stopped " + origin(of: $0, board) } ?? "stopped, none yet"
    }
    switch session.ending {
    case nil where board.isSessionRunning:
      let since = "running, number \(session.number), begun \(ago(session.begun, board))"
      guard let order, order.value else { return since }
      return since + "; ordered " + origin(of: order, board)
    case .finished: return "finished " + ago(session.ended, board)
    case nil, .stopped:
      return "stopped " + (order.map { origin(of: $0, board) } ?? ago(session.ended, board))
    }
  }

  private func finish(_ board: StatusBoard) -> String? {
    board.configuration.finish == nil ? nil : FinishText.text(of: board.configuration)
  }

  /// `2 h ago (socket)`
  private func origin<Value>(of order: Order<Value>, _ board: StatusBoard) -> String {
    ago(order.given, board) + " (\(order.origin))"
  }

  private func ago(_ moment: Moment, _ board: StatusBoard) -> String {
    if let age = board.age(of: moment, at: now) { return ContactText.text(of: age) + " ago" }
    return moment.utc.map { "on " + Self.text($0) } ?? "before the machine started"
  }

  private func ago(_ instant: Instant) -> String { duration(since: instant) + " ago" }

  private func duration(since instant: Instant) -> String { ContactText.text(of: now - instant) }

  private static func captures(_ count: UInt32) -> String {
    count == 1 ? "1 capture" : "\(count) captures"
  }

  private static func text(_ phase: ModemPhase) -> String {
    guard phase == .stillOn else { return "\(phase)" }
    return "still on: it does not confirm that its radio is off; trying again"
  }

  private static func text(_ capture: Capture, _ ago: String) -> String {
    let position = capture.position
    return "number \(capture.sequence), \(ago), "
      + "\(degrees(position.latitude)) \(degrees(position.longitude))"
  }

  /// Five decimals, about a metre.
  private static func degrees(_ value: Int32) -> String {
    let rounded = (value.magnitude + 50) / 100
    let decimals = "\(100_000 + rounded % 100_000)".dropFirst()
    return (value < 0 ? "-" : "") + "\(rounded / 100_000).\(decimals)"
  }

  /// `2026-05-01 06:00:00 UTC`
  private static func text(_ utc: UTC) -> String { CalendarText.text(utc) + " UTC" }

  private static func text(_ id: UniqueID) -> String { id.lowercaseText }
}
