/// A token of a where clause.
enum WhereToken: Sendable, Equatable {
  /// A name or a keyword.
  case word(String)
  /// A name in double quotes.
  case quotedName(String)
  case text(String)
  case integer(Int64)
  case number(Double)
  /// `= <> < > <= >= ( ) , -`
  case symbol(String)

  /// - Throws: `ArcGISError` for a character or a quote that is not valid in SQL-92.
  static func list(_ text: String) throws(ArcGISError) -> [WhereToken] {
    guard text.utf8.count <= Bounds.whereBytes else {
      throw .query("The where clause is longer than \(Bounds.whereBytes) bytes.")
    }
    var tokens: [WhereToken] = []
    var rest = Substring(text)
    while let first = rest.unicodeScalars.first {
      if first.properties.isWhitespace {
        rest.unicodeScalars.removeFirst()
      } else if first == "'" {
        tokens.append(.text(try quoted(&rest, by: "'")))
      } else if first == "\"" {
        tokens.append(.quotedName(try quoted(&rest, by: "\"")))
      } else if ("0"..."9").contains(first) || first == "." {
        tokens.append(try number(&rest))
      } else if first.properties.isAlphabetic || first == "_" {
        let word = rest.unicodeScalars.prefix {
          $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
        }
        tokens.append(.word(String(word)))
        rest.unicodeScalars.removeFirst(word.count)
      } else {
        tokens.append(try symbol(&rest))
      }
    }
    return tokens
  }

  /// A quote within the text is doubled.
  private static func quoted(
    _ rest: inout Substring, by quote: Unicode.Scalar
  ) throws(ArcGISError) -> String {
    rest.unicodeScalars.removeFirst()
    var result = String.UnicodeScalarView()
    while let next = rest.unicodeScalars.popFirst() {
      if next != quote {
        result.append(next)
      } else if rest.unicodeScalars.first == quote {
        rest.unicodeScalars.removeFirst()
        result.append(quote)
      } else {
        return String(result)
      }
    }
    throw .query("The where clause ends within a text; close its quote.")
  }

  private static func number(_ rest: inout Substring) throws(ArcGISError) -> WhereToken {
    var digits = ""
    var last: Unicode.Scalar = " "
    while let next = rest.unicodeScalars.first {
      let isExponentSign = (next == "-" || next == "+") && (last == "e" || last == "E")
      guard
        isExponentSign || next == "." || next.properties.isAlphabetic
          || ("0"..."9").contains(next)
      else { break }
      digits.unicodeScalars.append(next)
      last = next
      rest.unicodeScalars.removeFirst()
    }
    if let integer = Int64(digits) { return .integer(integer) }
    // Hexadecimal numbers and names of infinity are numbers in Swift, but not in SQL.
    let isPlain = digits.unicodeScalars.allSatisfy {
      ("0"..."9").contains($0) || ".eE+-".unicodeScalars.contains($0)
    }
    guard isPlain, let number = Double(digits), number.isFinite else {
      throw .query("'\(digits.prefix(40))' in the where clause is not a number.")
    }
    return .number(number)
  }

  private static func symbol(_ rest: inout Substring) throws(ArcGISError) -> WhereToken {
    for symbol in ["<>", "<=", ">=", "!=", "=", "<", ">", "(", ")", ",", "-"]
    where rest.hasPrefix(symbol) {
      rest.removeFirst(symbol.count)
      return .symbol(symbol == "!=" ? "<>" : symbol)
    }
    throw .query("'\(rest.prefix(1))' is not valid in a where clause.")
  }

  /// For error messages.
  var summary: String {
    switch self {
    case .word(let word): "'\(word.prefix(40))'"
    case .quotedName(let name): "\"\(name.prefix(40))\""
    case .text(let text): "the text '\(text.prefix(40))'"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .symbol(let symbol): "'\(symbol)'"
    }
  }
}
