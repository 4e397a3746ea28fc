public import BoardSupport
import TrackerCore

/// How a tracker's program comes to an end that nobody has planned.
public enum Outage: UInt8, Sendable, Equatable {
  /// It is killed, and started again.
  case kill
  /// The machine loses its power, and boots when that is back. It has no clock of its own.
  case powerCut

  /// From the power to the tracker's program, on a small computer.
  static let bootTime = Milliseconds.seconds(25)
}

/// Such an end in a scenario, and what people change until the program begins again.
public struct Restart: Sendable, Equatable {
  /// What becomes of the card with the store while the power is away.
  public enum Card: String, Sendable, Equatable, CaseIterable {
    /// It goes into another computer of the same kind.
    case moved
    /// It is copied. The copy comes to life in another computer, as a second tracker.
    case copied
    /// The same, in a computer that cannot be told from this one.
    case twin
  }

  public var at: Milliseconds
  /// It ends before the effect after so many more; 0: at once.
  public var afterEffects: Int32 = 0
  /// It ends within the step after so many more that SQLite takes on the disk; 0: between two
  /// effects.
  public var afterWrites: Int32 = 0
  public var outage: Outage
  /// Until the program, or the power, is back.
  public var time: Milliseconds
  /// What was written in so long before it is lost: the card had said that it was written.
  public var loses = Milliseconds(0)
  /// The members of the configuration file that is there then; `nil`: it is the same.
  public var settings: [String]?
  /// What battery, card and SIM are put on; `nil`: the same board.
  public var board: BoardDescription?
  /// `nil`: nothing.
  public var card: Card?
}

extension Restart {
  init(_ node: FileNode) throws(FileError) {
    try node.checkKeys([
      "at", "kind", "for", "effects", "writes", "loses", "settings", "board", "card",
    ])
    at = try node.required("at", like: "\"4:30:00\"").elapsed()
    outage = try node.required("kind", like: "\"kill\"").choice([
      ("kill", .kill), ("powerCut", .powerCut),
    ])
    time = try node.optional("for")?.duration(in: 0 ... .hours(24)) ?? .seconds(5)
    if let effects = node.optional("effects") {
      afterEffects = try effects.integer(in: 0...1_000_000)
    }
    if let writes = node.optional("writes") {
      afterWrites = try writes.integer(in: 1...1_000_000)
    }
    loses = try node.optional("loses")?.duration(in: 0 ... .hours(24)) ?? 0
    settings = try node.optional("settings")?.settings()
    if let name = node.optional("board") {
      board = try .load(named: name.text(atMost: 1000, like: "pi-zero-2w-sim7600"))
    }
    card = try node.optional("card")?.choice(Card.allCases.map { ($0.rawValue, $0) })
    for key in ["effects", "loses", "card"] where afterWrites > 0 {
      guard let node = node.optional(key) else { continue }
      throw node.error("does not go with \"writes\"; leave one of them out")
    }
    for key in ["board", "card"] where outage == .kill {
      guard let node = node.optional(key) else { continue }
      throw node.error("is changed without power only; choose the kind \"powerCut\"")
    }
  }

  var scenarioText: String {
    var members = ["at: \(Scenario.text(at))"]
    if afterEffects > 0 { members.append("effects: \(afterEffects)") }
    if afterWrites > 0 { members.append("writes: \(afterWrites)") }
    members += ["kind: \"\(outage)\"", "for: \(Scenario.text(duration: time))"]
    if loses > 0 { members.append("loses: \(Scenario.text(duration: loses))") }
    if let settings {
      members.append("settings: \(Scenario.text(settings: settings))")
    }
    if let board { members.append("board: \"\(board.identifier)\"") }
    if let card { members.append("card: \"\(card.rawValue)\"") }
    return "{ \(members.joined(separator: ", ")) }"
  }
}
