import Foundation
import TestSupport
import Testing
import Wording

/// trackerctl's help and the errors of its command line, in the language of the environment.
@Suite struct ControlLanguageTests {
  private func run(_ words: [String], _ locale: String) throws -> ProgramRun {
    try ProgramRun(
      words, program: Built.program("trackerctl"), environment: ["LC_ALL": locale])
  }

  @Test(arguments: [
    (["status", "--nonsense"], "opció desconeguda '--nonsense'; vegeu trackerctl status --help"),
    (["push", "--store"], "--store necessita un valor: FITXER"),
    (["push"], "falta --store o --config; escriviu: trackerctl push"), ([], "no hi ha cap ordre"),
    (["status", "--language", "de"], "--language 'de': doneu ca, es, en o fr"),
    (["stats", "--every", "many"], "--every 'many': doneu un nombre enter d"),
    (["proof", "--store", "/nowhere/x.db"], "/nowhere/x.db: no existeix"),
    (["status", "--socket", "/nowhere/x"], "NO-GO"),
  ])
  func `A mistake is explained in the language of the environment`(
    _ words: [String], _ says: String
  ) throws {
    let again: Comment =
      "repeat with: LC_ALL=ca swift run trackerctl \(words.joined(separator: " "))"
    let told = try run(words, "ca")
    #expect((told.errors + told.output).contains(says), "\(told.errors)\(told.output); \(again)")
    let english = try run(words, "C")
    #expect(told.code == english.code, again)
    #expect(told.output + told.errors != english.output + english.errors, again)
  }
}
