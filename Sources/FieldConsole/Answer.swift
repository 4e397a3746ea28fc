public import Wording

/// One answer, for people and for scripts.
public struct Answer: Sendable {
  /// What a door has to do beyond showing it.
  public enum Sequel: Sendable, Equatable {
    case nothing
    /// Ask for a yes, and then give the command again, confirmed.
    case confirm(ConsoleCommand)
    /// Follow what the tracker does until it is done, by `Progress`; with the facts from before.
    case follow(since: TrackerFacts)
    /// Show the status again and again.
    case watch
    /// Write the page to a new file of this name.
    case save(String)
    /// Write everything to a stick.
    case exportToStick
    case leave
  }

  public var page = Page()
  public var figure = Figure.object([])
  /// 0; 2: it could not be done. `status` and `self-test` have their own.
  public var exitCode: Int32 = 0
  public var sequel = Sequel.nothing

  public init() {}

  public init(_ page: Page, _ members: [Figure.Member] = [], exitCode: Int32 = 0) {
    self.page = page
    figure = .object(members)
    self.exitCode = exitCode
  }

  /// One line: what, where, what to do.
  public static func refusal(_ text: String, key: String) -> Answer {
    var page = Page()
    page.line(text)
    return Answer(
      page, [Figure.Member("error", .text(key)), Figure.Member("text", .text(text))], exitCode: 2)
  }

  public var isRefusal: Bool { exitCode == 2 }
}
