public import TrackerCore
import Wording

/// Sends one short message by a modem (3GPP TS 27.005, text mode), without I/O.
///
/// It is used like `ModemHTTP`: while it is active all bytes from the modem go to it.
struct ModemText: ModemDialogue {
  enum Step: Sendable, Equatable {
    /// Exits: `mode`, over.
    case quiet
    /// Exits: `address`, over.
    case mode
    /// Exits: `text`, `escape`, over.
    case address
    /// Exits: over.
    case text(isTaken: Bool)
    /// Stops the modem from waiting for a text. Exits: over.
    case escape
  }

  enum State: Sendable, Equatable {
    case idle
    case active(Step, until: Instant)
    case over(wasSent: Bool)
  }

  private static let escapeByte: UInt8 = 0x1B

  let words: ModemStrings
  private var state = State.idle
  var stream = ModemStream()
  private var giveUpAt = Instant.start
  private var number = ""
  private var text = ""

  init(family: ModemFamily) { words = family.words }

  var isActive: Bool { if case .active = state { true } else { false } }

  var nextDeadline: Instant? {
    switch state {
    case .active(.escape, let until): until
    case .active(_, let until): min(until, giveUpAt)
    case .idle, .over: nil
    }
  }

  /// Whether the network took the message, once.
  mutating func takeResult() -> Bool? {
    guard case .over(let wasSent) = state else { return nil }
    state = .idle
    return wasSent
  }

  /// Begins a message. Characters that a short message cannot contain become `?`, and a long text
  /// is cut.
  ///
  /// - Returns: what to send.
  mutating func begin(
    to number: PhoneNumber, text: String, at now: Instant
  ) -> [UInt8] {
    stream = ModemStream()
    giveUpAt = now + ModemBounds.messageLimit
    self.number = String(
      decoding: (0..<number.text.count).map { number.text[$0] }, as: UTF8.self)
    self.text = Self.plain(text)
    return say("ATE0", .quiet, at: now)
  }

  /// Without accents, in the characters that have the same code in the GSM alphabet (3GPP TS
  /// 23.038) and in ASCII.
  static func plain(_ text: String) -> String { masked(PlainLetters.unaccented(text)) }

  /// The same with ? for each accented letter too.
  static func masked(_ text: String) -> String {
    let others = "`^{}[]\\|~$@_"
    return String(
      text.prefix(ModemBounds.textCharacters).map { character in
        let isPlain = character >= " " && character <= "~" && character.isASCII
        return isPlain && !others.contains(character) ? character : "?"
      })
  }

  mutating func deadlineReached(at now: Instant) -> [UInt8] {
    guard case .active(let step, _) = state, let nextDeadline, now >= nextDeadline else {
      return []
    }
    switch step {
    case .quiet, .mode, .escape, .text: return end(wasSent: false)
    case .address: return escape(at: now)
    }
  }

  /// Ends at once.
  ///
  /// - Returns: what to send to a modem that may be waiting for the text, which would take the next
  ///   command for it.
  mutating func abandon() -> [UInt8] {
    guard case .active(let step, _) = state else { return [] }
    state = .over(wasSent: false)
    switch step {
    case .quiet, .mode, .escape: return []
    case .address, .text: return [Self.escapeByte]
    }
  }

  // MARK: Steps

  mutating func interrupt(_ interruption: ModemInterruption) -> [UInt8] {
    let closing = abandon()
    return interruption == .restart ? [] : closing
  }

  mutating func hear(_ piece: ModemStream.Piece, at now: Instant) -> [UInt8] {
    guard case .active(let step, _) = state else { return [] }
    switch (step, piece) {
    case (.address, .prompt):
      state = .active(.text(isTaken: false), until: now + ModemBounds.textLimit)
      return Array(text.utf8) + [0x1A]
    case (.text, .line(let line)) where line.hasPrefix("+CMGS:"):
      state = .active(.text(isTaken: true), until: now + ModemBounds.answerLimit)
      return []
    case (_, .line(let line)):
      guard let ending = ModemEnd(line) else { return [] }
      return finish(step, ending, at: now)
    case (_, .prompt), (_, .bytes): return []
    }
  }

  private mutating func finish(_ step: Step, _ ending: ModemEnd, at now: Instant) -> [UInt8] {
    switch (step, ending) {
    case (.quiet, _): return say("AT+CMGF=1", .mode, at: now)
    case (.mode, .ok): return say("AT+CMGS=\"\(number)\"", .address, at: now)
    case (.text(let isTaken), .ok): return isTaken ? end(wasSent: true) : []
    // The answer to an earlier command: this one is answered with a prompt.
    case (.address, .ok): return []
    case (.mode, .error), (.address, .error), (.text, .error), (.escape, _):
      return end(wasSent: false)
    }
  }

  private mutating func say(_ line: String, _ step: Step, at now: Instant) -> [UInt8] {
    state = .active(step, until: now + ModemBounds.answerLimit)
    return Array("\(line)\r".utf8)
  }

  /// A modem that is waiting for a text must not take the next command for it.
  private mutating func escape(at now: Instant) -> [UInt8] {
    state = .active(.escape, until: now + ModemBounds.answerLimit)
    return [Self.escapeByte]
  }

  private mutating func end(wasSent: Bool) -> [UInt8] {
    state = .over(wasSent: wasSent)
    return []
  }
}

/// The short message with a position.
///
///     Els Senglars 42.18220 2.48900 2026-05-02 14:03 UTC 5 m 76%
public enum PositionText {
  /// In place of a team's name.
  static let nameless = "trailtracker"

  /// A team's name as the message has it.
  public static func name(_ team: String) -> String { ModemText.plain(team) }

  /// Whether a message has it as the name of a team. Earlier trackers wrote ? for an accented
  /// letter.
  public static func isName(_ said: String, of team: String) -> Bool {
    said == name(team) || said == ModemText.masked(team)
  }

  /// The message for a capture, at most 160 characters.
  ///
  /// - Parameters:
  ///   - capture: the newest; `nil`: there is none.
  ///   - team: if there is none.
  ///   - isEmergency: the team wants help.
  ///   - code: of the emergency that stands or is over.
  /// - Returns: `nil`: there is nothing to say.
  public static func text(
    of capture: Capture?, team: InlineText<64> = InlineText(), isEmergency: Bool = false,
    code: CallCode? = nil
  ) -> String? {
    guard capture != nil || isEmergency else { return nil }
    let isOver = !isEmergency && capture?.trigger == .emergencyOver
    let name = capture?.team ?? team
    let team = String(decoding: (0..<name.count).map { name[$0] }, as: UTF8.self)
    var words = isEmergency ? ["SOS"] : isOver ? ["SOS over:"] : []
    words.append(team.isEmpty ? nameless : team)
    if let capture {
      if let position = capture.position {
        words.append(degrees(position.latitude))
        words.append(degrees(position.longitude))
      } else {
        words.append("no position")
      }
      words.append(date(capture))
      if let accuracy = capture.accuracyMetres { words.append("\(accuracy) m") }
      if let percent = capture.batteryPercent { words.append("\(percent)%") }
    } else {
      words.append("no position")
    }
    if let code, isEmergency || isOver { words.append(code.text) }
    return ModemText.plain(words.joined(separator: " "))
  }

  /// Five decimals, about a metre.
  private static func degrees(_ value: Int32) -> String {
    let units = (Int64(value.magnitude) + 50) / 100
    let fraction = String(units % 100_000)
    let zeros = String(repeating: "0", count: 5 - fraction.count)
    return "\(value < 0 ? "-" : "")\(units / 100_000).\(zeros)\(fraction)"
  }

  private static func date(_ capture: Capture) -> String {
    guard capture.isTimeTrusted, let utc = capture.utc else { return "(time unknown)" }
    guard let time = CivilTime(utc) else { return "(time unknown)" }
    let day = "\(time.year)-\(two(time.month))-\(two(time.day))"
    return "\(day) \(two(time.hour)):\(two(time.minute)) UTC"
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
