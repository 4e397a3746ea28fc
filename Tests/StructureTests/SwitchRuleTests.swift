import Testing

/// A switch over an enum of our own names every case: a new one must be thought of wherever it can
/// turn up. A switch over numbers or bytes needs its `default`.
@Suite struct SwitchRuleTests {
  /// One switch of a source file.
  struct Switch: Equatable {
    var line: Int
    /// Some of its patterns are cases of an enum.
    var isOverEnum: Bool
    var hasDefault: Bool
  }

  @Test(arguments: [("Sources/NMEA", 5), ("Sources/TrackerCore", 60)])
  func `The core's switches over enums have no default`(_ folder: String, _ least: Int) throws {
    var count = 0
    for file in try PackageFolder.swiftFiles(below: folder) {
      let switches = Self.switches(in: try PackageFolder.text(of: file)).filter(\.isOverEnum)
      count += switches.count
      for found in switches where found.hasDefault {
        Issue.record("\(file):\(found.line) has a default; name the cases")
      }
    }
    #expect(count >= least, "\(count) switches over enums below \(folder)")
  }

  @Test func `A default is found in a switch over an enum, and let be in one over numbers`() {
    let text = """
      switch byte {
      case 0x2C: one()
      default:
        switch state {
        case .idle where isLate: two()
        case let .waiting(command), .asked(let command): three()
        @unknown default: break
        }
      }
      let word = switch (a, b) {
      case (.home, _): "default:"
      case (_, .roaming): "x"
      default: "y"
      }
      let kind = switch text {
      case nil: 0
      case .some(let text) where text.isEmpty: 1
      case _: 2
      }
      switch failures { case ...1: one() default: two() }
      """
    #expect(
      Self.switches(in: text) == [
        Switch(line: 1, isOverEnum: false, hasDefault: true),
        Switch(line: 4, isOverEnum: true, hasDefault: true),
        Switch(line: 10, isOverEnum: true, hasDefault: true),
        Switch(line: 15, isOverEnum: true, hasDefault: true),
        Switch(line: 20, isOverEnum: false, hasDefault: true),
      ])
  }

  /// All switches of a text, by the braces around them.
  static func switches(in text: String) -> [Switch] {
    var found: [Switch] = []
    /// The switches that are open, with the depth of braces inside each.
    var open: [(index: Int, depth: Int)] = []
    var depth = 0
    for token in tokens(of: text) {
      switch token.word {
      case "switch":
        open.append((found.count, depth + 1))
        found.append(Switch(line: token.line, isOverEnum: false, hasDefault: false))
      case "{": depth += 1
      case "}":
        depth -= 1
        if let last = open.last, depth < last.depth { open.removeLast() }
      case "default", "case _":
        if let last = open.last, depth == last.depth { found[last.index].hasDefault = true }
      case "case .":
        if let last = open.last, depth == last.depth { found[last.index].isOverEnum = true }
      default: break
      }
    }
    return found
  }

  /// Braces, `switch`, `default` and the beginnings of patterns, without comments and texts.
  private static func tokens(of text: String) -> [(word: String, line: Int)] {
    let bare = text.replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"").replacing(/\/\/[^\n]*/, with: "")
    let pattern =
      /\bswitch\b|[{}]|\bdefault\b(?=:)|\bcase\s+_\s*:|\bcase\s+(let\s+)?(\([^)\n]*)?\.(?=[a-z])/
    var line = 1
    var at = bare.startIndex
    return bare.matches(of: pattern).map { match in
      line += bare[at..<match.range.lowerBound].count { $0.isNewline }
      at = match.range.lowerBound
      let word = String(bare[match.range])
      guard word.hasPrefix("case") else { return (word, line) }
      return (word.hasSuffix(".") ? "case ." : "case _", line)
    }
  }
}
