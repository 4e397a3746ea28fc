import TrackerCore
public import Wording

/// What is wrong with the texts of a catalogue, one line each.
///
/// - Parameter sameAsEnglish: English texts that another language has too, on purpose. One that no
///   other language has is wrong itself.
public func problems<Entries: Catalogue>(
  of catalogue: Entries.Type, sameAsEnglish: Set<String> = []
) -> [String] {
  var problems: [String] = []
  var unused = sameAsEnglish
  for entry in Entries.allCases {
    let english = entry.texts.english
    for language in Language.all {
      let text = entry.texts[language]
      func complain(_ problem: String) {
        problems.append("\(Entries.self).\(entry) in \(language.code): '\(text)' \(problem)")
      }
      if text.isEmpty { complain("is empty") }
      if text.first?.isWhitespace == true || text.last?.isWhitespace == true {
        complain("begins or ends with a space")
      }
      if forms(of: text).count != forms(of: english).count {
        complain("has another number of forms than in English")
      }
      for form in forms(of: text) where placeholders(in: form) != placeholders(in: english) {
        complain("has other arguments than in English")
      }
      if language != .english && text == english && unused.remove(text) == nil
        && !sameAsEnglish.contains(text)
      {
        complain("is not translated")
      }
    }
  }
  return problems + unused.sorted().map { "\(Entries.self): '\($0)' is in no other language" }
}

private func forms(of text: String) -> [Substring] { text.split(separator: " | ") }

/// `{1}`, `{2}` …
private func placeholders(in text: some StringProtocol) -> Set<String> {
  Set(
    text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1)
      .compactMap { part in
        part.firstIndex(of: "}").map { String(part[..<$0]) }
      })
}
