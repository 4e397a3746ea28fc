/// Something that goes wrong on purpose, and how often.
///
///     503 every 5th          lose-answer 10%          delay 2s 20% on both
public struct Fault: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// An HTTP status instead of doing anything.
    case status(UInt32)
    /// An HTTP status after everything was done.
    case statusAfter(UInt32)
    case delay(milliseconds: Int)
    /// Done, and the connection closed without an answer.
    case loseAnswer
    /// The connection reset before anything was done.
    case reset
    /// A captive portal's page, under 200.
    case html
    /// Error 498, whatever the token.
    case wrongToken
    /// One feature of the batch, by lot, is refused.
    case partial
  }

  enum Occasion: Sendable, Equatable {
    /// The fifth, tenth, … request.
    case every(Int)
    /// A share of the requests, by lot.
    case share(Double)
  }

  enum Target: String, Sendable {
    case edits, queries, both
  }

  var kind: Kind
  var occasion: Occasion
  var target = Target.edits

  /// Reads a fault as it stands on the command line.
  ///
  /// - Throws: `CampError` of one line.
  public init(_ text: String) throws(CampError) {
    var words = text.split(separator: " ")[...]
    let problem = CampError(
      "--fault '\(text.prefix(80))': write what and how often, as '503 every 5th', 'delay 2s 20%' "
        + "or 'reset every 9th on both'; see basecamp --help")
    guard let name = words.popFirst() else { throw problem }
    switch name {
    case "delay":
      guard let time = words.popFirst().flatMap(Self.milliseconds) else { throw problem }
      kind = .delay(milliseconds: time)
    case "lose-answer": kind = .loseAnswer
    case "reset": kind = .reset
    case "html": kind = .html
    case "wrong-token": kind = .wrongToken
    case "partial": kind = .partial
    default:
      let isAfter = name.hasSuffix("-after")
      let digits = isAfter ? name.dropLast("-after".count) : name
      guard digits.utf8.count == 3, let status = UInt32(digits), (400...599).contains(status) else {
        throw problem
      }
      kind = isAfter ? .statusAfter(status) : .status(status)
    }
    guard let occasion = Self.occasion(&words) else { throw problem }
    self.occasion = occasion
    guard let on = words.popFirst() else { return }
    guard on == "on", let target = words.popFirst().flatMap({ Target(rawValue: String($0)) }),
      words.isEmpty
    else { throw problem }
    self.target = target
    if kind == .partial, target != .edits { throw problem }
  }

  private static func occasion(_ words: inout ArraySlice<Substring>) -> Occasion? {
    guard let word = words.popFirst() else { return nil }
    if word.hasSuffix("%") {
      guard let percent = Double(word.dropLast()), percent > 0, percent <= 100 else { return nil }
      return .share(percent / 100)
    }
    guard word == "every", let ordinal = words.popFirst() else { return nil }
    let digits = ordinal.prefix { $0.isNumber }
    guard ["", "st", "nd", "rd", "th"].contains(ordinal.dropFirst(digits.count)),
      let number = Int(digits), number > 0
    else { return nil }
    return .every(number)
  }

  /// `2s`, `0.5s` or `300ms`.
  private static func milliseconds(_ word: Substring) -> Int? {
    let isMilliseconds = word.hasSuffix("ms")
    guard word.hasSuffix("s"), let number = Double(word.dropLast(isMilliseconds ? 2 : 1)) else {
      return nil
    }
    let milliseconds = isMilliseconds ? number : number * 1000
    guard milliseconds >= 1, milliseconds <= Double(Bounds.delayMilliseconds) else { return nil }
    return Int(milliseconds)
  }
}
