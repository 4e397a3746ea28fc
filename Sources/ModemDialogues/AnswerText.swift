public import TrackerCore

/// The short message by which a person confirms that an emergency has been read.
///
///     OK Marta
public enum AnswerText {
  /// The message of a person.
  public static func text(by name: String) -> String {
    String(ModemText.plain("OK \(name)").prefix(ModemBounds.textCharacters))
  }

  /// Reads a message.
  ///
  /// - Returns: the name in it, perhaps empty; `nil`: it is something else.
  public static func name(in text: String) -> String? {
    let words = text.drop { $0.isWhitespace }
    guard words.prefix(2).lowercased() == "ok", !(words.dropFirst(2).first?.isLetter ?? false),
      !(words.dropFirst(2).first?.isNumber ?? false)
    else { return nil }
    let name = words.dropFirst(2).drop { $0.isWhitespace || $0.isPunctuation }
    return isName(name) ? String(trimmed(name)) : nil
  }

  /// What a tracker has to know of the messages that came in.
  ///
  /// - Parameter number: the only one that may answer.
  /// - Returns: the outcome, and the places of all answers.
  public static func outcome(
    of reading: InboxReading, from number: PhoneNumber
  ) -> (outcome: TextsOutcome, places: [Int]) {
    guard reading.isComplete else { return (.failed, []) }
    var outcome = TextsOutcome.nothing
    var places: [Int] = []
    for text in reading.texts where text.sender?.isSame(as: number) ?? false {
      guard let name = text.text.flatMap({ name(in: $0) }) else { continue }
      // Without a name it is of whoever has the telephone.
      let person = Array((name.isEmpty ? number.string : name).utf8)
      outcome = .answered(by: InlineText(person.span))
      places.append(text.place)
    }
    return (outcome, places)
  }

  /// A name is one line of at most `ModemBounds.nameCharacters` characters that can be printed:
  /// it appears on consoles.
  private static func isName(_ text: Substring) -> Bool {
    text.count <= ModemBounds.nameCharacters
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
          .paragraphSeparator:
          false
        default: true
        }
      }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}
