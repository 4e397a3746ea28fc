import TrackerCore

/// The answers to one command under one condition, prepared for matching.
struct CommandBlock: Sendable {
  private let before: [UInt8]
  /// The part after the `*`, if there is one.
  private let after: [UInt8]?
  private let answers: [[ModemScript.Step]]
  private var uses = 0
  let condition: ModemScript.Condition?
  /// Whether the block is for a PIN, but the SIM has none.
  private let isVoid: Bool

  init(_ block: ModemScript.Block, pin: String?) {
    var command = block.command[...]
    var text = ""
    isVoid = command.contains("$") && pin == nil
    while let mark = command.firstIndex(of: "$"), let pin {
      guard command[mark...].hasPrefix("$PIN") else { break }
      text += command[..<mark] + pin
      command = command[mark...].dropFirst("$PIN".count)
    }
    text += command
    let parts = text.split(separator: "*" as Character, omittingEmptySubsequences: false)
    before = Array((parts.first ?? "").utf8)
    after = parts.count > 1 ? parts.last.map { Array($0.utf8) } : nil
    answers = block.answers
    condition = block.condition
  }

  func matches(_ command: [UInt8]) -> Bool {
    if isVoid { return false }
    guard let after else { return command == before }
    return command.count >= before.count + after.count && command.starts(with: before)
      && command.suffix(after.count).elementsEqual(after)
  }

  mutating func nextAnswer() -> [ModemScript.Step] {
    defer { uses += 1 }
    return answers[min(uses, answers.count - 1)]
  }
}

// Handles input, byte by byte and line by line.
extension ModemEmulator {
  mutating func take(_ byte: UInt8, at now: Instant) {
    switch input {
    case .line:
      if hasEcho && !isMute { output.append(byte) }
      takeLine(byte, at: now)
    case .text:
      if byte == 0x1A {
        if keepsTranscript { texts.append(String(decoding: line, as: UTF8.self)) }
        endInput(at: now)
      } else if byte == 0x1B {
        steps = [.say(Array("\r\nOK\r\n".utf8))]
        endInput(at: now)
      } else if line.count < SimulationBounds.modemLineBytes {
        line.append(byte)
      }
    case .body(let left):
      web.body.append(byte)
      if left > 1 { input = .body(left: left - 1) } else { endInput(at: now) }
    }
  }

  private mutating func endInput(at now: Instant) {
    line = []
    input = .line
    advance(to: now)
  }

  private mutating func takeLine(_ byte: UInt8, at now: Instant) {
    guard byte == 0x0D else {
      if byte >= 0x20 && line.count < SimulationBounds.modemLineBytes { line.append(byte) }
      return
    }
    let command = Array(line.drop { $0 == 0x20 })
    line = []
    guard !command.isEmpty else { return }
    if keepsTranscript { heard.append(String(decoding: command, as: UTF8.self)) }
    guard !isMute else { return }
    inbox.append(command)
    advance(to: now)
  }

  /// Finds the answer to a command.
  mutating func begin(_ command: [UInt8], at now: Instant) {
    resumeAt = now + answerTime
    let place = blocks.firstIndex { $0.matches(command) && holds($0.condition) }
    steps = place.map { blocks[$0].nextAnswer()[...] } ?? builtIn(command)[...]
  }

  private mutating func builtIn(_ command: [UInt8]) -> [ModemScript.Step] {
    let text = String(decoding: command, as: UTF8.self)
    let done: [ModemScript.Step] = [.say(Array("\r\nOK\r\n".utf8))]
    switch text {
    case "ATE0":
      hasEcho = false
      return done
    case "ATE1":
      hasEcho = true
      return done
    case "ATE0Q0V1":
      hasEcho = false
      conditions.subtract(["numeric", "quiet"])
      return done
    case "AT": return done
    case "AT+CPOF": return done + [.off]
    case "AT+CRESET", "AT+CFUN=1,1": return done + [.reboot]
    default:
      if text.hasPrefix("AT+CMEE=") { return done }
      return store.answer(text, hasSIM: flags.hasSIM) ?? answer(http: text) ?? [
        .say(Array("\r\nERROR\r\n".utf8))
      ]
    }
  }
}
