import SQL

/// A statement as PostgreSQL has it: `$1` for each `?` and `?1`, and names in quotes in lower case.
struct SQLText {
  private(set) var text = ""
  /// The highest number of a parameter.
  private(set) var parameters = 0

  init(_ sql: String) {
    var bytes = Array(sql.utf8)[...]
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + 32)
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        // A doubled quote within is the end of one and the begin of another.
        let end = bytes.firstIndex(of: byte) ?? bytes.endIndex
        out.append(byte)
        for inner in bytes[..<end] {
          out.append(byte == UInt8(ascii: "\"") ? inner.lowercase : inner)
        }
        if end < bytes.endIndex { out.append(byte) }
        bytes = bytes[min(end + 1, bytes.endIndex)...]
      case UInt8(ascii: "?"):
        var number = 0
        while let digit = bytes.first, (48...57).contains(digit), number < 100_000 {
          number = number * 10 + Int(digit - 48)
          bytes.removeFirst()
        }
        if number == 0 { number = parameters + 1 }
        parameters = max(parameters, number)
        out.append(UInt8(ascii: "$"))
        out.append(contentsOf: String(number).utf8)
      default: out.append(byte)
      }
    }
    text = String(decoding: out, as: UTF8.self)
  }

  /// Its first words, for errors.
  var summary: String {
    let words = text.split(whereSeparator: \.isWhitespace).prefix(4).joined(separator: " ")
    return String(words.prefix(60))
  }
}

extension UInt8 {
  fileprivate var lowercase: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
