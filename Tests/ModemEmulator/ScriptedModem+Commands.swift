// What it is told, byte by byte and line by line.
extension ScriptedModem {
  mutating func take(_ byte: UInt8, at now: Int64) {
    switch input {
    case .line:
      if hasEcho && !isMute { output.append(byte) }
      takeLine(byte, at: now)
    case .text:
      if byte == 0x1A {
        texts.append(String(decoding: line, as: UTF8.self))
        endInput(at: now)
      } else if byte == 0x1B {
        steps = [.say(Array("\r\nOK\r\n".utf8))]
        endInput(at: now)
      } else {
        line.append(byte)
      }
    case .body(let left):
      web.body.append(byte)
      if left > 1 { input = .body(left: left - 1) } else { endInput(at: now) }
    }
  }

  private mutating func endInput(at now: Int64) {
    line = []
    input = .line
    advance(to: now)
  }

  private mutating func takeLine(_ byte: UInt8, at now: Int64) {
    guard byte == 0x0D else {
      if byte >= 0x20 && line.count < 4096 { line.append(byte) }
      return
    }
    defer { line = [] }
    let text = String(decoding: line, as: UTF8.self).drop { $0 == " " }
    guard !text.isEmpty else { return }
    heard.append(String(text))
    guard !isMute else { return }
    inbox.append(String(text))
    advance(to: now)
  }

  /// Finds what a command is answered with.
  mutating func begin(_ command: String, at now: Int64) {
    resumeAt = now
    for (number, block) in dialogue.blocks.enumerated() where matches(block, command) {
      let use = uses[number, default: 0]
      uses[number] = use + 1
      steps = block.answers[min(use, block.answers.count - 1)]
      return
    }
    steps = builtIn(command)
  }

  private func matches(_ block: Dialogue.Block, _ command: String) -> Bool {
    if let condition = block.condition,
      conditions.contains(condition.name) != condition.holds
    {
      return false
    }
    guard let star = block.command.firstIndex(of: "*") else { return block.command == command }
    let before = block.command[..<star]
    let after = block.command[block.command.index(after: star)...]
    return command.count >= before.count + after.count && command.hasPrefix(before)
      && command.hasSuffix(after)
  }

  private mutating func builtIn(_ command: String) -> [Dialogue.Step] {
    let done: [Dialogue.Step] = [.say(Array("\r\nOK\r\n".utf8))]
    switch command {
    case "ATE0":
      hasEcho = false
      return done
    case "ATE1":
      hasEcho = true
      return done
    case "AT": return done
    case "AT+CPOF": return done + [.off]
    case "AT+CRESET", "AT+CFUN=1,1": return done + [.reboot]
    default:
      if command.hasPrefix("AT+CMEE=") { return done }
      return http(command) ?? [.say(Array("\r\nERROR\r\n".utf8))]
    }
  }
}
