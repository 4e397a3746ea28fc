public import Wording

/// Why a file cannot be used: one line that says what, where and what to do.
///
///     boards/x/board.json5:14: loads.board: "75 mV" is not a current; write for example "75 mA"
public struct FileError: Error, Sendable, Equatable, Worded {
  /// As given by the user, or as found.
  public var path: String
  /// Counts from 1; `nil` for the file as a whole.
  public var line: Int?
  /// Dotted, with indices: `coverage[2].from`. Empty for the file as a whole.
  public var keyPath: String
  /// What is wrong and what to do about it.
  public var message: Texts

  public init(path: String, line: Int? = nil, keyPath: String = "", message: Texts) {
    self.path = path
    self.line = line
    self.keyPath = keyPath
    self.message = message
  }

  /// - Parameter message: of what only somebody who writes files can cause, in English.
  public init(path: String, line: Int? = nil, keyPath: String = "", message: String) {
    self.init(path: path, line: line, keyPath: keyPath, message: message.texts)
  }

  public var texts: Texts {
    let place = line.map { "\(path):\($0)" } ?? path
    let subject = keyPath.isEmpty ? place.texts : place.texts.colon(keyPath)
    return subject.colon(message).map(singleLine)
  }
}

/// `text` in quotes, short and on one line, for an error message.
func quoted(_ text: String) -> String {
  let limit = 60
  let shown = text.count > limit ? text.prefix(limit) + "…" : text[...]
  return "\"\(singleLine(String(shown)))\""
}

/// `text` with control characters as escapes, so that a file's content cannot break the line of an
/// error or control the terminal.
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
