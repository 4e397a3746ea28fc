import Testing
import Wording

@testable import CommandLineSupport

/// How the help and the manual page are set, and what a command line needs.
@Suite struct HelpTextTests {
  private let again: Comment = "repeat with: swift test --filter HelpTextTests"

  private static func table(
    _ main: CommandTable, needsCommand: Bool = false, commands: [CommandTable] = []
  ) -> ProgramTable {
    ProgramTable("small", needsCommand: needsCommand, main: main, commands: commands)
  }

  @Test func `A line of the help is filled to its last column`() {
    let words = [String](repeating: "ab", count: 24).joined(separator: " ")
    for (word, isOneLine) in [("abcdefgh", true), ("abcdefghi", false)] {
      // With the 71 columns of the others and a blank that makes 80, or one more.
      let text = "\(words) \(word)"
      let table = Self.table(CommandTable("", "a".texts, notes: [.paragraph(text.texts)]))
      let lines = table.help(table.main, in: .english).split(separator: "\n")
      #expect(lines.contains { $0 == text } == isOneLine, "\(lines); \(again)")
    }
  }

  @Test func `No line of the manual is a request to its formatter`() {
    let notes: [HelpBlock] = [
      .paragraph(".so a".texts), .paragraph("'so b".texts), .lines([".c".texts, "d\\e".texts]),
    ]
    let table = Self.table(CommandTable("", "a".texts, notes: notes))
    let page = table.manual(in: .english).split(separator: "\n").map(String.init)
    for line in ["\\&.so a", "\\&'so b", "\\&.c", "d\\ee"] {
      #expect(page.contains(line), "\(line): \(page); \(again)")
    }
  }

  @Test func `An option of all commands is explained once, unless it means something else`() {
    let main = [Option("--quiet").says("says less".texts), Option("--size", .file).says("s".texts)]
    let command = CommandTable(
      "go", "goes".texts, options: [main[0], Option("--size", .file).says("otherwise".texts)])
    let table = Self.table(
      CommandTable("", "a".texts, options: main), needsCommand: true, commands: [command])
    let page = table.manual(in: .english)
    #expect(page.split(separator: "says less", omittingEmptySubsequences: false).count == 2, again)
    #expect(page.contains("otherwise"), "\(page); \(again)")
  }

  @Test func `What an option replaces is not asked for`() throws {
    let table = Self.table(
      CommandTable(
        "", "a".texts, options: [Option("--trace", .file), Option("--list", isAlone: true)],
        required: [["--trace"]]))
    func isRefused(_ words: [String]) -> Bool {
      (try? table.request(words, for: table.main)) == nil
    }
    #expect(isRefused([]) && !isRefused(["--trace", "a"]) && !isRefused(["--list"]), again)
  }

  @Test func `A command that is hidden is not what was meant`() throws {
    let commands = [
      CommandTable("status", "a".texts), CommandTable("helper", "b".texts, isHidden: true),
    ]
    let table = Self.table(CommandTable("", "a".texts), needsCommand: true, commands: commands)
    func told(_ word: String) -> String? {
      do throws(UsageError) { return try table.command(in: [word]).0.name } catch {
        return error.texts.english
      }
    }
    #expect(told("helper") == "helper", again)
    #expect(told("statsu")?.contains("status") == true, again)
    #expect(told("helpre")?.contains("did you mean") == false, again)
  }
}
