import Foundation
import TestSupport
import Testing
import Wording

@testable import Simulation
@testable import tracker_sim

/// What `tracker-sim rehearse --emergencies` prints, and when it fails.
@Suite struct RehearsedEmergencyTests {
  private static func outcome(
    _ seed: UInt64, _ verdict: EmergencyOutcome.Verdict
  ) -> EmergencyOutcome {
    var outcome = EmergencyOutcome(EmergencyPlan(seed: seed))
    outcome.verdict = verdict
    return outcome
  }

  @Test func `One emergency that could be heard and was not, or late, is the exit code`() {
    let fine = (UInt64(1)...5).map { Self.outcome($0, $0 == 3 ? .couldNot : .data) }
    #expect(RehearsedEmergencies.code(EmergencyFigures(fine), 0) == 0)
    #expect(RehearsedEmergencies.code(EmergencyFigures(fine), 1) == 1)
    let one = EmergencyFigures(fine + [Self.outcome(6, .unheard)])
    #expect(RehearsedEmergencies.code(one, 0) == 1)
    var late = fine[0]
    late.isLate = true
    #expect(RehearsedEmergencies.code(EmergencyFigures([late]), 0) == 1)
    #expect(one.figure(seed: 1)[path: "unheard"] == .whole(1))
    #expect(one.figure(seed: 1)[path: "could_not"] == .whole(1))
  }

  @Test func `Each race is in one row of the table`() {
    let figures = EmergencyFigures((UInt64(1)...300).map { Self.outcome($0, .data) })
    #expect(figures.rows.reduce(0) { $0 + $1.outcomes.count } == 300)
    #expect(figures.rows.count == EmergencyTrouble.allCases.count + 2)
  }

  @Test func `A flaw is listed with the command that plays its race again`() {
    var outcome = Self.outcome(77, .unheard)
    outcome.isForgotten = true
    let lines = EmergencyFlaws(outcome, board: SimulateOptions.usualBoard).lines
      .split(separator: "\n")
    #expect(lines.map { $0.split(separator: ",")[1] } == ["unheard", "forgotten"])
    #expect(
      lines.allSatisfy { $0.hasSuffix(",tracker-sim rehearse --emergencies --races 1 --seed 77") })
    #expect(EmergencyFlaws(Self.outcome(77, .data), board: "").lines.isEmpty)
    let columns = EmergencyFlaws.header.split(separator: ",").count
    #expect(
      lines.allSatisfy {
        $0.split(separator: ",", omittingEmptySubsequences: false).count == columns
      })
  }

  private static let few = ["rehearse", "--emergencies", "--seed", "40"]

  @Test func `The program prints the same for a seed, and one race with all that happens`() throws {
    let one = try ProgramRun(Self.few + ["--races", "4", "--json", "--threads", "1"])
    let two = try ProgramRun(Self.few + ["--races", "4", "--json", "--threads", "2"])
    #expect(one.output == two.output && one.errors.isEmpty, "\(one.command): \(one.errors)")
    let story = try ProgramRun(Self.few + ["--races", "1", "--language", "en"])
    #expect(story.output.contains("0:00:00  the team calls"), "\(story.command)")
    let missed = try ProgramRun(Self.few + ["--races", "1", "--expect", "races == 2"])
    #expect(missed.code == 1 && missed.errors.contains("races == 2"), "\(missed.command)")
    let refused = try ProgramRun(Self.few + ["--teams", "3"])
    #expect(refused.isRefusal && refused.errors.contains("--teams"), "\(refused.errors)")
  }

  @Test(arguments: [Language.catalan, .spanish, .english, .french])
  func `The text has every language, within 80 columns`(language: Language) {
    let outcomes = (UInt64(1)...400).map { Self.outcome($0, $0 == 9 ? .unheard : .data) }
    let text = EmergencyText(
      figures: EmergencyFigures(outcomes), seed: 1, board: SimulateOptions.usualBoard,
      language: language
    ).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(!text.contains("{") && text.contains("--seed 9\n"), "\(text)")
  }
}
