/// Splits a line into words, as a shell does: quotes hold a word together, a backslash takes the
/// next character as it is.
enum Words {
  /// A line that is longer is refused; no command needs it.
  static let longest = 512

  enum Problem: Error, Equatable {
    case tooLong
    case openQuote
  }

  static func of(_ line: String) throws(Problem) -> [String] {
    guard line.utf8.count <= longest else { throw .tooLong }
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if let open = closing(character) {
        quote = open
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw .openQuote }
    if let word { words.append(word) }
    return words
  }

  /// Telephones write typographic quotes.
  private static func closing(_ character: Character) -> Character? {
    switch character {
    case "\"", "'": character
    case "\u{201C}": "\u{201D}"
    case "«": "»"
    default: nil
    }
  }
}
