import Wording

/// Makes a server's message fit for the log.
enum LogLine {
  static func make(_ words: Texts, hiding secrets: [String]) -> Texts {
    words.map { make($0, hiding: secrets) }
  }

  /// One line of bounded length without secrets, as servers may quote what they were sent.
  static func make(_ words: String, hiding secrets: [String]) -> String {
    var text = words
    for secret in secrets where !secret.isEmpty {
      var form = FormText()
      form.add("", secret)
      text = replace(secret, in: text)
      text = replace(String(form.text.dropFirst()), in: text)
    }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(UplinkBounds.quotedScalars) {
      let isPlain =
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        && scalar.value != 0x2028 && scalar.value != 0x2029
      line.append(isPlain ? scalar : " ")
    }
    return String(line)
  }

  /// Byte by byte: canonical equivalence must not make the search miss a secret.
  private static func replace(_ secret: String, in text: String) -> String {
    let wanted = Array(secret.utf8)
    let bytes = Array(text.utf8)
    guard wanted.count <= bytes.count else { return text }
    var kept: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == wanted[0], bytes[place...].starts(with: wanted) {
        kept += Array("…".utf8)
        place += wanted.count
      } else {
        kept.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
