import TrackerCore
import Wording

/// The table of verdicts, for people and for trackerctl's README.
public enum VerdictPage {
  static func answer(in language: Language) -> Answer {
    var page = Page()
    var members: [Figure.Member] = []
    for cause in Cause.allCases {
      let word = cause.isWait ? "WAIT  " : "NO-GO "
      page.line(word + " " + cause.title[language], .strong)
      page.line("        " + cause.threshold[language])
      if !cause.isWait { page.line("        -> " + cause.action[language]) }
      members.append(Figure.Member(cause.rawValue, .text(cause.threshold.english)))
    }
    return Answer(page, members)
  }

  /// For the README; a test compares them.
  public static func markdown(in language: Language) -> String {
    var text = "| | cause | when | what to do |\n|---|---|---|---|\n"
    for cause in Cause.allCases {
      let word = cause.isWait ? "WAIT" : "NO-GO"
      text +=
        "| \(word) | \(cause.title[language]) | \(cause.threshold[language]) "
        + "| \(cause.action[language]) |\n"
    }
    return text
  }
}
