/// Why a file cannot be used: one line that says what, where and what to do.
///
///     boards/x/board.json5:14: loads.board: "75 mV" is no current; write for example "75 mA"
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// As the user gave it, or as it was found.
  public var path: String
  /// The first line is 1; `nil` when the file as a whole is meant.
  public var line: Int?
  /// Dotted, with indices: `coverage[2].from`. Empty when the file as a whole is meant.
  public var keyPath: String
  /// What is wrong and what to do about it.
  public var message: String

  public init(path: String, line: Int? = nil, keyPath: String = "", message: String) {
    self.path = path
    self.line = line
    self.keyPath = keyPath
    self.message = message
  }

  public var description: String {
    var text = path
    if let line { text += ":\(line)" }
    text += ": "
    if !keyPath.isEmpty { text += "\(keyPath): " }
    return singleLine(text + message)
  }
}

/// `text` in quotes, short and on one line, for an error message.
func quoted(_ text: String) -> String {
  let limit = 60
  let shown = text.count > limit ? text.prefix(limit) + "…" : text[...]
  return "\"\(singleLine(String(shown)))\""
}

/// `text` with each control character written as an escape: a file's content must neither break
/// the line of an error nor steer the terminal that it is shown on.
func singleLine(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    let isControl = scalar.properties.generalCategory == .control
    let isSeparator = scalar.value == 0x2028 || scalar.value == 0x2029
    if isControl || isSeparator {
      result += scalar.escaped(asASCII: true)
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
