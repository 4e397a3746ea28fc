import Foundation
import TestSupport
import Testing

@testable import FieldConsole

/// What trackerctl's README says of the console is what the console says.
@Suite struct ConsoleReadmeTests {
  private static let again: Comment = "repeat with: swift test --filter ConsoleReadmeTests"

  private func readme() throws -> String {
    try String(
      contentsOf: Built.repository.appendingPathComponent("Sources/trackerctl/README.md"),
      encoding: .utf8)
  }

  @Test func `It has the verdict's table`() throws {
    var table = "| | cause | when | what to do |\n|---|---|---|---|\n"
    for cause in Cause.allCases {
      let texts = [
        cause.isWait ? "WAIT" : "NO-GO", cause.title.english, cause.threshold.english,
        cause.action.english,
      ]
      table += "| \(texts.joined(separator: " | ")) |\n"
    }
    #expect(try readme().contains("\n" + table), "put this there:\n\(table)\n\(Self.again)")
  }

  @Test func `It has the commands`() throws {
    var console = Console(FakeBackend(), language: .english)
    let help = console.answer(line: "help").page.text().split(separator: "\n")
      .map { "  \($0)\n" }.joined()
    #expect(
      try readme().contains("\n\n" + help + "\n"), "put this there:\n\(help)\n\(Self.again)")
  }
}
