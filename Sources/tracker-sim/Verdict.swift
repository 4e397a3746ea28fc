import CommandLineSupport
import Reports
import Wording

/// Whether a run is as expected.
enum Verdict {
  /// The figures that say nothing about the race when the battery was empty before its end: nothing
  /// is pending in a tracker that has been dead for hours.
  private static let results = [
    "captures", "longest_silence_s", "uploads", "server", "promises", "delivery", "energy",
    "course",
  ]

  /// - Throws: before the run, if an expectation can never be judged.
  static func check(_ expectations: [Expectation], hasCourse: Bool) throws {
    let blank = Summary.blank(hasCourse: hasCourse)
    for expectation in expectations {
      _ = try expectation.check(blank)
      guard expectation.path == "ended", case .text(let word) = expectation.value,
        !Truth.endings.contains(word)
      else { continue }
      throw UsageError(
        SimPhrase.stop.texts(
          "--expect '\(expectation.source)'", Truth.endings.joined(separator: ", ")))
    }
  }

  /// What was found of each claim.
  static func claims(
    _ expectations: [Expectation], _ summary: Figure
  ) throws -> [PageFacts.Claim] {
    let isDead = summary[path: "ended"] == .text("batteryEmpty")
    let mayDie = expectations.contains { $0.path == "ended" }
    return try expectations.map { expectation in
      let result = try expectation.check(summary)
      let isResult = results.contains { expectation.path.split(separator: ".").first == $0[...] }
      return PageFacts.Claim(
        source: expectation.source, found: result.found, holds: result.holds,
        isDead: isDead && !mayDie && isResult)
    }
  }

  /// - Returns: the exit code; what is not as expected is reported.
  static func of(_ claims: [PageFacts.Claim]) -> Int32 {
    var failed = 0
    for claim in claims {
      if !claim.holds {
        complain("expected \(claim.source), found \(claim.found)")
      } else if claim.isDead {
        complain(
          "expected \(claim.source), found \(claim.found), but the battery was empty before "
            + "the end; add --expect 'ended == batteryEmpty' if it may be")
      } else {
        continue
      }
      failed += 1
    }
    return failed == 0 ? 0 : 1
  }
}
