/// A line in which libpq says why a connection was not made, with the server's SQLSTATE:
/// `… failed: FATAL:  28P01: password authentication failed for user "camp"`.
struct RefusedConnection {
  /// Without the code.
  let message: String
  private let state: String

  init(_ line: String) {
    let words = line.split(separator: " ")
    func isState(_ word: Substring) -> Bool {
      word.utf8.count == 6 && word.hasSuffix(":") && word.contains(where: \.isNumber)
        && word.dropLast().allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
    }
    let place = words.indices.dropFirst().first { place in
      words[place - 1].hasSuffix(":") && isState(words[place])
    }
    state = place.map { String(words[$0].dropLast()) } ?? ""
    message = words.indices.filter { $0 != place }.map { words[$0] }.joined(separator: " ")
  }

  /// Class 28: "Invalid Authorization Specification".
  var isUserUnknown: Bool { state.hasPrefix("28") }

  /// A standby, of libpq's own words for `target_session_attrs`.
  var isReadOnly: Bool {
    message.hasSuffix("session is read-only") || message.hasSuffix("server is in hot standby mode")
  }
}
