public import TrackerCore

/// The short messages by which people answer an emergency: a person has read it, or the control
/// room has ended it, by whom and why. That of the room names the emergency, as the call did.
///
///     OK Marta #4F
///     OVER Marta: they are at CP4 #4F
///
/// A person may write `OK` alone, and names none.
public enum AnswerText {
  /// That a person has read it.
  ///
  /// - Parameter call: of the call; `nil`: an earlier tracker's, or a person's.
  public static func text(by name: String, to call: String? = nil) -> String {
    fitting("OK \(name.prefix(ModemBounds.nameCharacters))", call)
  }

  /// That the control room has ended it.
  public static func text(endedBy name: String, because reason: String, to call: String) -> String {
    fitting("OVER \(name.prefix(ModemBounds.nameCharacters)): \(reason)", call)
  }

  private static func fitting(_ text: String, _ call: String?) -> String {
    let end = call.map { " #\($0)" } ?? ""
    return ModemText.plain(text).prefix(ModemBounds.textCharacters - end.count).trimmed + end
  }

  /// Reads a person's message.
  ///
  /// - Returns: the name in it, perhaps empty; `nil`: it is something else.
  public static func name(in text: String) -> String? {
    guard case .read(let name, _) = meaning(of: text) else { return nil }
    return name
  }

  private enum Meaning {
    case read(by: String, call: String?)
    case ended(by: String, because: String, call: String)
  }

  private static func meaning(of text: String) -> Meaning? {
    let (call, words) = CallCode.taking(from: text[...])
    if let rest = after("ok", in: words) {
      let name = rest.drop { $0.isWhitespace || $0.isPunctuation }
      return isPlain(name, atMost: ModemBounds.nameCharacters)
        ? .read(by: String(name.trimmed), call: call) : nil
    }
    guard let call, let rest = after("over", in: words) else { return nil }
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, reason) = (parts[0].trimmed, parts.last?.trimmed ?? "")
    guard parts.count == 2, isPlain(name, atMost: ModemBounds.nameCharacters),
      isPlain(reason, atMost: ModemBounds.textCharacters)
    else { return nil }
    return .ended(by: String(name), because: String(reason), call: call)
  }

  /// - Returns: what follows the word; `nil`: the text does not begin with it.
  private static func after(_ word: String, in text: Substring) -> Substring? {
    let rest = text.dropFirst(word.count)
    guard text.prefix(word.count).lowercased() == word, !(rest.first?.isLetter ?? false),
      !(rest.first?.isNumber ?? false)
    else { return nil }
    return rest
  }

  /// What a tracker has to know of the messages that came in.
  public struct Finding: Sendable, Equatable {
    public var outcome: TextsOutcome
    /// Of all answers.
    public var places: [Int] = []
    /// Why the control room has ended it.
    public var reason: String?
  }

  /// Looks for an answer. One that names another emergency is none to this one; of several the one
  /// sent last counts, and before all that it is over.
  ///
  /// - Parameters:
  ///   - number: the only one that may answer.
  ///   - call: of the emergency; `nil`: there was none.
  public static func finding(
    in reading: InboxReading, from number: PhoneNumber, to call: CallCode?
  ) -> Finding {
    guard reading.isComplete else { return Finding(outcome: .failed) }
    var finding = Finding(outcome: .nothing)
    for text in reading.texts where text.sender?.isSame(as: number) ?? false {
      guard let meaning = text.text.flatMap({ meaning(of: $0) }) else { continue }
      finding.places.append(text.place)
      switch meaning {
      case .ended(let name, let reason, let named) where named == call?.emergency:
        finding.outcome = .ended(by: person(name, number))
        finding.reason = reason
      case .read(let name, let named) where named == nil || named == call?.emergency:
        let sent = named == nil ? text.sent : nil
        finding.outcome.add(.answered(by: person(name, number), sent: sent))
      case .read, .ended: continue
      }
    }
    return finding
  }

  /// Without a name it is of whoever has the telephone.
  private static func person(_ name: String, _ number: PhoneNumber) -> InlineText<40> {
    InlineText(Array((name.isEmpty ? number.string : name).utf8).span)
  }

  /// It appears on consoles: one line of characters that can be printed.
  private static func isPlain(_ text: Substring, atMost limit: Int) -> Bool {
    text.count <= limit
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
          .paragraphSeparator:
          false
        default: true
        }
      }
  }
}

extension TextsOutcome {
  /// Another answer: without a stamp it counts for sure, else the one sent last.
  fileprivate mutating func add(_ other: TextsOutcome) {
    guard case .answered(_, let sent?) = other else {
      if case .ended = self { return }
      self = other
      return
    }
    switch self {
    case .nothing, .failed: self = other
    case .answered(_, let mine?) where mine <= sent: self = other
    case .answered, .ended: return
    }
  }
}
