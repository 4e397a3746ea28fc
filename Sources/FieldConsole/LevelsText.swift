import TrackerCore
import Wording

/// The levels of the satellites on one line, dB-Hz, those that are used with a star:
/// `GPS 47* 44* 31  GLO 39*  (* used)`.
enum LevelsText {
  /// - Parameters:
  ///   - satellites: by system and strength.
  ///   - width: columns; of each system as many of the strongest as there is room for.
  /// - Returns: `nil` if none is received.
  static func text(
    _ satellites: [SatelliteLevel], atMost width: Int, in language: Language
  ) -> String? {
    let systems = SatelliteSystem.allCases.map { system in
      satellites.filter { $0.system == system && $0.level != nil }
    }.filter { !$0.isEmpty }
    guard !systems.isEmpty else { return nil }
    let legend = "  (\(StatusValue.levelsUsed.text(in: language)))"
    var counts = systems.map { _ in 1 }
    // Seven systems at once: the last ones have no room.
    while counts.count > 1, line(systems, counts).count + legend.count > width {
      counts.removeLast()
    }
    var hasAdded = true
    while hasAdded {
      hasAdded = false
      for index in counts.indices where counts[index] < systems[index].count {
        counts[index] += 1
        if line(systems, counts).count + legend.count > width {
          counts[index] -= 1
        } else {
          hasAdded = true
        }
      }
    }
    return line(systems, counts) + legend
  }

  private static func line(_ systems: [[SatelliteLevel]], _ counts: [Int]) -> String {
    zip(systems, counts).map { system, count in
      let levels = system.prefix(count).map { "\($0.level ?? 0)" + ($0.isUsed ? "*" : "") }
      return ([system[0].system.name] + levels).joined(separator: " ")
    }.joined(separator: "  ")
  }
}
