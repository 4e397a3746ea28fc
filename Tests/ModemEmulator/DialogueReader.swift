import Foundation

/// Reads files of dialogues.
struct DialogueReader {
  private let path: String
  private let depth: Int
  private var number = 0
  private var own = Dialogue()
  private var base = Dialogue()
  private var steps: [Dialogue.Step] = []
  private var moments: [Dialogue.Moment] = []
  private var place = Place.top

  private enum Place {
    case top
    case boot
    case block(command: String, condition: Dialogue.Condition?)
  }

  static func read(path: String, depth: Int) throws -> Dialogue {
    var reader = DialogueReader(path: path, depth: depth)
    return try reader.read()
  }

  private init(path: String, depth: Int) {
    self.path = path
    self.depth = depth
  }

  private mutating func read() throws -> Dialogue {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw problem("cannot be read; check the name")
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let words = line.drop { $0 == " " }
      if words.isEmpty || words.hasPrefix("#") { continue }
      try take(words)
    }
    close()
    return merged
  }

  /// What stands here comes before what it is like.
  private var merged: Dialogue {
    var result = own
    result.blocks = own.blocks + base.blocks
    if own.boots.isEmpty { result.boots = base.boots }
    result.http = own.http ?? base.http
    return result
  }

  private mutating func take(_ line: Substring) throws {
    let words = line.split(separator: " ").map(String.init)
    switch words[0] {
    case "like", "http", "key", "off", "at": try takeTop(words)
    case ">": try openBlock(line.dropFirst(1))
    case "<": try add(.say(Array("\r\n\(text(after: line, mark: 1))\r\n".utf8)))
    case "<<": try add(.say(try bytes(of: text(after: line, mark: 2))))
    case "wait": try add(.wait(try time(words.dropFirst())))
    case "later":
      guard words.count > 3 else { throw problem("write later 3 s and what happens then") }
      let after = try time(words[1...2])
      try add(.later(after, try step(afterWords: 3, of: line)))
    case "!": try add(try action(Array(words.dropFirst())))
    default: try takeMoment(line, words)
    }
  }

  private func text(after line: Substring, mark count: Int) -> String {
    String(line.dropFirst(count).drop { $0 == " " })
  }

  private mutating func takeTop(_ words: [String]) throws {
    close()
    switch words {
    case ["at", "boot"]: place = .boot
    case let words where words.count == 2 && words[0] == "like":
      guard depth < 4 else { throw problem("is like itself; name another file") }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      let file = folder.appendingPathComponent("\(words[1]).dialogue").path
      base = try Self.read(path: file, depth: depth + 1)
      own.keyOnMilliseconds = base.keyOnMilliseconds
      own.keyOffMilliseconds = base.keyOffMilliseconds
      own.offMilliseconds = base.offMilliseconds
    case let words where words.count == 2 && words[0] == "http":
      guard let style = Dialogue.HTTPStyle(rawValue: words[1]) else {
        throw problem("write http sim7600 or http a7670")
      }
      own.http = style
    case let words where words.count == 7 && words[0] == "key":
      own.keyOnMilliseconds = try time(words[2...3])
      own.keyOffMilliseconds = try time(words[5...6])
    case let words where words.count == 4 && words[0] == "off":
      own.offMilliseconds = try time(words[2...3])
    default: throw problem("is no line of a dialogue")
    }
  }

  private mutating func openBlock(_ rest: Substring) throws {
    close()
    let parts = rest.split(separator: " if ", maxSplits: 1)
    let command = (parts.first ?? "").trimmingCharacters(in: .whitespaces)
    guard command.hasPrefix("AT") else { throw problem("a command begins with AT") }
    guard command.filter({ $0 == "*" }).count <= 1 else { throw problem("one * at the most") }
    var condition: Dialogue.Condition?
    if parts.count == 2 {
      let words = parts[1].split(separator: " ")
      guard words.count == 1 || words.count == 2 && words[0] == "not" else {
        throw problem("write if name, or if not name")
      }
      condition = Dialogue.Condition(name: String(words[words.count - 1]), holds: words.count == 1)
    }
    place = .block(command: command, condition: condition)
  }

  private mutating func add(_ step: Dialogue.Step) throws {
    guard case .block = place else { throw problem("stands in no block; begin one with >") }
    steps.append(step)
  }

  /// `200 ms RDY` or `8 s ! clear searching`.
  private mutating func takeMoment(_ line: Substring, _ words: [String]) throws {
    guard case .boot = place, words.count > 2 else { throw problem("is no line of a dialogue") }
    let step = try step(afterWords: 2, of: line)
    moments.append(Dialogue.Moment(after: try time(words[0...1]), step: step))
  }

  /// An action, or a line to say.
  private func step(afterWords count: Int, of line: Substring) throws -> Dialogue.Step {
    var rest = line
    for _ in 0..<count { rest = rest.drop { $0 != " " }.drop { $0 == " " } }
    return rest.hasPrefix("!")
      ? try action(rest.dropFirst().split(separator: " ").map(String.init))
      : .say(Array("\r\n\(rest)\r\n".utf8))
  }

  private func action(_ words: [String]) throws -> Dialogue.Step {
    switch words {
    case let words where words.count == 2 && words[0] == "set": return .set(words[1])
    case let words where words.count == 2 && words[0] == "clear": return .clear(words[1])
    case ["mute"]: return .mute
    case ["off"]: return .off
    case ["reboot"]: return .reboot
    case ["text"]: return .text
    case ["forward"]: return .forward
    default: throw problem("is no action; write set, clear, mute, off, reboot, text or forward")
    }
  }

  private func time(_ words: some Sequence<String>) throws -> Int64 {
    let words = Array(words)
    guard words.count == 2, let count = Int64(words[0]), count >= 0, count < 1_000_000,
      words[1] == "ms" || words[1] == "s"
    else { throw problem("write a time as 300 ms or 8 s") }
    return words[1] == "s" ? count * 1000 : count
  }

  /// `\r`, `\n`, `\0` and `\xFF` stand for bytes.
  private func bytes(of text: String) throws -> [UInt8] {
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
        guard let value = UInt8(digits, radix: 16) else { throw problem("\\x needs two digits") }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: throw problem("after \\ comes r, n, 0 or x")
      }
    }
    return bytes
  }

  /// Ends the block or the boot that was being read.
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
          Dialogue.Block(command: command, condition: condition, answers: [steps]))
      }
    }
    steps = []
    moments = []
    place = .top
  }

  private func problem(_ message: String) -> DialogueProblem {
    DialogueProblem(path, number, message)
  }
}
