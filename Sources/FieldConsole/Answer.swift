public import Wording

/// One answer, for people and for scripts.
public struct Answer: Sendable {
  /// What a door has to do beyond showing it.
  public enum Sequel: Sendable, Equatable {
    case nothing
    /// Ask the person to confirm, then run the command again as confirmed.
    case confirm(ConsoleCommand)
    /// Follow the tracker with `Progress` until it is done; the facts are those from before.
    case follow(since: TrackerFacts)
    /// Keep showing the status.
    case watch
    /// Write the page to a new file of this name.
    case save(String)
    /// Write everything to a stick.
    case exportToStick
    case leave
  }

  public var page = Page()
  public var figure = Figure.object([])
  /// 0, or 2 if it could not be done. `status` and `self-test` have codes of their own.
  public var exitCode: Int32 = 0
  public var sequel = Sequel.nothing

  public init() {}

  public init(_ page: Page, _ members: [Figure.Member] = [], exitCode: Int32 = 0) {
    self.page = page
    figure = .object(members)
    self.exitCode = exitCode
  }

  /// One line: what, where, what to do.
  public static func refusal(_ text: String, key: String) -> Answer {
    var page = Page()
    page.line(text)
    return Answer(
      page, [Figure.Member("error", .text(key)), Figure.Member("text", .text(text))], exitCode: 2)
  }

  public var isRefusal: Bool { exitCode == 2 }
}

/// Lines for a terminal, readable without colour.
public struct Page: Sendable, Equatable {
  public enum Ink: Sendable, Equatable {
    case plain
    case strong
    /// Green: sent, GO.
    case good
    /// Yellow: pending, WAIT.
    case waiting
    /// Red: set aside, NO-GO.
    case bad

    /// SGR parameters (ECMA-48, 8.3.117).
    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .strong: "1"
      case .good: "1;32"
      case .waiting: "1;33"
      case .bad: "1;31"
      }
    }
  }

  struct Span: Sendable, Equatable {
    var text: String
    var ink: Ink
  }

  private(set) var lines: [[Span]] = []

  public init() {}

  public mutating func line(_ text: String, _ ink: Ink = .plain) {
    line([Span(text: text, ink: ink)])
  }
  /// No text can end a line or move the cursor, wherever it comes from.
  mutating func line(_ spans: [Span]) {
    lines.append(spans.map { Span(text: $0.text.plain, ink: $0.ink) })
  }

  mutating func append(_ other: Page) { lines += other.lines }

  public var isEmpty: Bool { lines.isEmpty }

  /// - Parameter width: longer lines are wrapped at a space, their rest indented as far as the
  ///   value of a `name:  value` line begins.
  public func text(width: Int = 80, isColoured: Bool = false) -> String {
    var text = ""
    for line in lines {
      for piece in Self.wrapped(line, to: max(20, width)) {
        for span in piece { text += Self.painted(span, isColoured) }
        text += "\n"
      }
    }
    return text
  }

  private static func painted(_ span: Span, _ isColoured: Bool) -> String {
    guard isColoured, let code = span.ink.code else { return span.text }
    return "\u{1B}[\(code)m\(span.text)\u{1B}[0m"
  }

  /// Only plain lines are wrapped; the others are short.
  private static func wrapped(_ line: [Span], to width: Int) -> [[Span]] {
    let all = line.map(\.text).joined()
    guard all.count > width, let first = line.first else { return [line] }
    let ink = line.count == 1 ? first.ink : .plain
    var pieces: [[Span]] = []
    var rest = Array(all)
    let indent = indent(of: rest, width)
    while rest.count > width {
      let cut = rest[..<width].lastIndex(of: " ").flatMap { $0 > indent ? $0 : nil } ?? width
      pieces.append([Span(text: String(rest[..<cut]), ink: ink)])
      let next = rest[cut...].drop { $0 == " " }
      rest = Array(repeating: " ", count: indent) + next
      // Nothing but the indentation is left.
      if next.isEmpty { return pieces }
    }
    return pieces + [[Span(text: String(rest), ink: ink)]]
  }

  private static func indent(of line: [Character], _ width: Int) -> Int {
    guard line.first != " ", let colon = line.firstIndex(of: ":"), colon < 24 else { return 2 }
    let value = line[(colon + 1)...].firstIndex { $0 != " " } ?? 2
    return value - colon > 1 && value < width / 2 ? value : 2
  }
}
