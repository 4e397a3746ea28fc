import Testing
import Wording

@testable import FieldConsole

/// What a technician sees of a computer that is halted between captures.
@Suite struct SleepStatusTests {
  private let again: Comment = "repeat with: swift test --filter SleepStatusTests"

  @Test func `Of a computer that sleeps, status and self-test say whether its alarm works`() {
    var facts = TrackerFacts.healthy
    facts.machine.sleep = "halted; set sleep never".texts
    func status() -> String { StatusScreen.page(of: facts, in: .english).text(width: .max) }
    #expect(
      status().contains("\nsleep:          halted; set sleep never\n"), "\(status()); \(again)")
    let fit = SelfTest.answer(of: facts, in: .english).text
    #expect(fit.contains("\nwake-up alarm   ok\n"), "\(fit); \(again)")
    facts.machine.sleepProblem = "awake: rtc0".texts
    #expect(status().contains("\nsleep:          awake: rtc0\n"), "\(status()); \(again)")
    let unfit = SelfTest.answer(of: facts, in: .english)
    #expect(
      unfit.text.contains(
        "\nwake-up alarm   FAILED  awake: rtc0\n  -> check the clock and its dtoverlay"),
      "\(unfit.text); \(again)")
    #expect(unfit.exitCode == 1, again)
  }
}
