/// Texts in ASCII letters, for file names and to compare what people write.
public enum PlainLetters {
  /// The letters of Catalan, Spanish and French, and their neighbours', that ASCII does not have.
  private static let letters: [Unicode.Scalar: String] = {
    var letters: [Unicode.Scalar: String] = ["œ": "oe", "æ": "ae", "ß": "ss", "·": "", "ŀ": "l"]
    for (plain, accented) in [
      ("a", "àáâãäåª"), ("c", "ç"), ("e", "èéêë"), ("i", "ìíîï"), ("n", "ñ"), ("o", "òóôõöøº"),
      ("u", "ùúûü"), ("y", "ýÿ"),
    ] {
      for scalar in accented.unicodeScalars { letters[scalar] = plain }
    }
    return letters
  }()

  /// The text without accents; other characters stay.
  public static func unaccented(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      // Combining accents, as macOS writes names.
      if (0x300...0x36F).contains(scalar.value) { continue }
      if let plain = letters[scalar] {
        result += plain
      } else if let small = scalar.properties.lowercaseMapping.unicodeScalars.first,
        let plain = letters[small]
      {
        result += plain.uppercased()
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The same in lower case.
  public static func folded(_ text: String) -> String { unaccented(text.lowercased()) }

  /// The text as a part of a file's name on any file system, FAT as well: `a` to `z`, digits and
  /// single hyphens between them; at most `limit` characters. May be empty.
  public static func fileName(_ text: String, atMost limit: Int) -> String {
    var name = ""
    for byte in folded(text).utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      // An apostrophe does not end a word: "l'Ós".
      case UInt8(ascii: "'"): continue
      default: if name.last != "-", !name.isEmpty { name += "-" }
      }
    }
    name = String(name.prefix(limit))
    while name.last == "-" { name.removeLast() }
    return name
  }
}
