import TrackerCore

struct ModemScriptReader {
  private let name: String
  private var number = 0
  private var own = ModemScript()
  private var base = ModemScript()
  private var steps: [ModemScript.Step] = []
  private var moments: [ModemScript.Moment] = []
  private var place = Place.top

  private enum Place {
    case top
    case boot
    case block(command: String, condition: ModemScript.Condition?)
  }

  static func read(_ text: String, name: String) throws(ModemScriptError) -> ModemScript {
    var reader = ModemScriptReader(name)
    return try reader.read(text)
  }

  private init(_ name: String) { self.name = name }

  private mutating func read(_ text: String) throws(ModemScriptError) -> ModemScript {
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = line.drop { $0 == " " }
      if line.isEmpty || line.first == "#" { continue }
      try take(line)
    }
    close()
    // Its own blocks take precedence over those of `like`.
    var result = own
    result.blocks = own.blocks + base.blocks
    if own.boots.isEmpty { result.boots = base.boots }
    return result
  }

  private mutating func take(_ line: Substring) throws(ModemScriptError) {
    let words = line.split(separator: " ")
    switch words[0] {
    case "like", "http", "key", "off", "search", "sim", "at", "answers", "is", "rests":
      try takeTop(words)
    case ">": try openBlock(line.dropFirst(1))
    case "<": try add(.say(Array("\r\n\(text(after: line, mark: 1))\r\n".utf8)))
    case "<<": try add(.say(try bytes(of: text(after: line, mark: 2))))
    case "wait": try add(.wait(try time(words.dropFirst())))
    case "later":
      guard words.count > 3 else { throw problem("write later 3 s and a line or an action") }
      try add(.later(try time(words[1...2]), try step(words[3].startIndex, in: line)))
    case "!": try add(try action(words.dropFirst()))
    default: try takeMoment(line, words)
    }
  }

  private func text(after line: Substring, mark count: Int) -> Substring {
    line.dropFirst(count).drop { $0 == " " }
  }

  private mutating func takeTop(_ words: [Substring]) throws(ModemScriptError) {
    close()
    if words == ["at", "boot"] {
      place = .boot
      return
    }
    switch (words[0], words.count) {
    case ("like", 2):
      guard let family = ModemScript.family(words[1]) else {
        throw problem("is not a built-in family; write generic, sim5320, sim7600 or a7670")
      }
      guard own == ModemScript() else { throw problem("must be first; move it up") }
      (base, own) = (family, family)
      (own.blocks, own.boots) = ([], [])
    case ("http", 2):
      guard let style = ModemScript.HTTPStyle(rawValue: String(words[1])) else {
        throw problem("write http sim7600 or http a7670")
      }
      own.http = style
    case ("key", 7) where words[1] == "on" && words[4] == "off":
      (own.keyOn, own.keyOff) = (try time(words[2...3]), try time(words[5...6]))
    case ("off", 4) where words[1] == "takes": own.offTime = try time(words[2...3])
    case ("search", 4) where words[1] == "takes": own.searchTime = try time(words[2...3])
    case ("sim", 3) where words[1] == "pin": own.pin = String(words[2])
    case ("answers", 4) where words[1] == "take": own.answerTime = try time(words[2...3])
    case ("is", 2): own.traits.insert(try condition(String(words[1])))
    case ("rests", 4...) where words[1...3] == ["with", "radio", "off"]:
      guard words.count == 4 || words[4...] == ["and", "without", "key"] else { fallthrough }
      (own.restsWithRadioOff, own.hasKey) = (true, words.count == 4)
    default: throw problem("is not a line of a modem's script")
    }
  }

  private mutating func openBlock(_ rest: Substring) throws(ModemScriptError) {
    close()
    let (text, condition) = try splitCondition(rest)
    let command = String(text.drop { $0 == " " })
    guard command.hasPrefix("AT") else { throw problem("a command begins with AT") }
    guard command.count(where: { $0 == "*" }) <= 1 else { throw problem("at most one *") }
    place = .block(command: command, condition: condition)
  }

  /// Splits `if locked` or `if not locked` from the end of a line.
  private func splitCondition(
    _ line: Substring
  ) throws(ModemScriptError) -> (text: Substring, condition: ModemScript.Condition?) {
    let words = line.split(separator: " ")
    guard let mark = words.lastIndex(of: "if"), mark > 0 else { return (line, nil) }
    let names = words[(mark + 1)...]
    guard let name = names.last, names.count == 1 || names.count == 2 && names.first == "not"
    else { throw problem("write if name, or if not name") }
    var text = line[..<words[mark].startIndex]
    while text.last == " " { text.removeLast() }
    return (text, ModemScript.Condition(name: String(name), holds: names.count == 1))
  }

  private mutating func add(_ step: ModemScript.Step) throws(ModemScriptError) {
    guard case .block = place else { throw problem("is not in a block; begin one with >") }
    steps.append(step)
  }

  /// `200 ms RDY` or `8 s ! clear starting`.
  private mutating func takeMoment(
    _ line: Substring, _ words: [Substring]
  ) throws(ModemScriptError) {
    guard case .boot = place, words.count > 2 else {
      throw problem("is not a line of a modem's script")
    }
    let (text, condition) = try splitCondition(line)
    var first = 2
    if words[2] == "every" && words.count > 5 { first = 5 }
    var step = try step(words[first].startIndex, in: text)
    if first > 2 { step = .every(try time(words[3...4]), step) }
    moments.append(
      ModemScript.Moment(after: try time(words[0...1]), step: step, condition: condition))
  }

  /// An action, or a line to say.
  private func step(
    _ start: Substring.Index, in line: Substring
  ) throws(ModemScriptError) -> ModemScript.Step {
    let rest = line[start...]
    if rest.hasPrefix("<<") { return .say(try bytes(of: text(after: rest, mark: 2))) }
    if rest.first == "!" { return try action(rest.dropFirst().split(separator: " ")[...]) }
    return .say(Array("\r\n\(rest)\r\n".utf8))
  }

  private func action(_ words: ArraySlice<Substring>) throws(ModemScriptError) -> ModemScript.Step {
    let words = words.map(String.init)
    switch words {
    case let words where words.count == 2 && (words[0] == "set" || words[0] == "clear"):
      let name = try condition(words[1])
      return words[0] == "set" ? .set(name) : .clear(name)
    case let words where words.count == 2 && words[0] == "baud":
      guard let baud = Int64(words[1]), (300...4_000_000).contains(baud) else {
        throw problem("write a rate as baud 9600")
      }
      return .baud(baud)
    case ["mute"]: return .mute
    case ["off"]: return .off
    case ["reboot"]: return .reboot
    case ["text"]: return .text
    case ["forward"]: return .forward
    case ["get"]: return .act(.get)
    case ["post"]: return .act(.post)
    default:
      throw problem(
        "is not an action; write set, clear, mute, off, reboot, baud, text, forward, get or post")
    }
  }

  private func condition(_ name: String) throws(ModemScriptError) -> String {
    guard !ModemEmulator.derivedConditions.contains(name) else {
      throw problem("\(name) is derived from other conditions; set one of those")
    }
    return name
  }

  private func time(_ words: ArraySlice<Substring>) throws(ModemScriptError) -> Milliseconds {
    guard words.count == 2, let first = words.first, let unit = words.last,
      let count = Int64(first), count >= 0, count < 1_000_000, unit == "ms" || unit == "s"
    else { throw problem("write a time as 300 ms or 8 s") }
    return unit == "s" ? .seconds(count) : Milliseconds(count)
  }

  /// `\r`, `\n`, `\0` and `\xFF` stand for bytes.
  private func bytes(of text: Substring) throws(ModemScriptError) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "0"): bytes.append(0)
      case UInt8(ascii: "x"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
          throw problem("\\x needs two digits")
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: throw problem("write r, n, 0 or x after \\")
      }
    }
    return bytes
  }

  /// Ends the current block or boot section.
  private mutating func close() {
    switch place {
    case .top: break
    case .boot: own.boots.append(moments)
    case .block(let command, let condition):
      let same = own.blocks.firstIndex { $0.command == command && $0.condition == condition }
      if let same {
        own.blocks[same].answers.append(steps)
      } else {
        own.blocks.append(
          ModemScript.Block(command: command, condition: condition, answers: [steps]))
      }
    }
    steps = []
    moments = []
    place = .top
  }

  private func problem(_ message: String) -> ModemScriptError {
    ModemScriptError(name, number, message)
  }
}
