import Simulation
import TrackerCore
import Wording

/// What many races with an emergency come to.
struct EmergencyFigures: Sendable {
  typealias Spread = RehearsalFigures.Spread

  /// Races with the same in the way.
  struct Row: Sendable {
    /// For JSON.
    let name: String
    /// `nil`: several troubles at once, none, or all races.
    let trouble: EmergencyTrouble?
    let outcomes: [EmergencyOutcome]

    func count(_ verdict: EmergencyOutcome.Verdict) -> Int {
      outcomes.count { $0.verdict == verdict }
    }

    /// Seconds.
    var registrationToRead: Spread { Self.seconds(outcomes.compactMap(\.readAfterRegistration)) }
    var coverageToRead: Spread { Self.seconds(outcomes.compactMap(\.readAfterCoverage)) }
    var callToServer: Spread { Self.seconds(outcomes.compactMap(\.server)) }

    /// Kilojoules an hour, of all that stood for half an hour or longer.
    var power: Spread {
      Spread(
        outcomes.filter { $0.standing >= .minutes(30) }.map {
          $0.joules / 1000 / (Double($0.standing.count) / 3_600_000)
        })
    }

    var late: Int { outcomes.count(where: \.isLate) }
    var forgotten: Int { outcomes.count(where: \.isForgotten) }
    var toldTooEarly: Int { outcomes.count(where: \.isToldTooEarly) }
    var readByText: Int { outcomes.count(where: \.isReadByText) }
    var readUnknown: Int { outcomes.count(where: \.isReadUnknown) }

    private static func seconds(_ times: [Milliseconds]) -> Spread {
      Spread(times.map { Double($0.count) / 1000 })
    }
  }

  let all: Row
  /// In this order: nothing in the way, each trouble alone, several.
  let rows: [Row]

  init(_ outcomes: [EmergencyOutcome]) {
    all = Row(name: "all", trouble: nil, outcomes: outcomes)
    var rows = [Row(name: "nothing", trouble: nil, outcomes: outcomes.filter(\.troubles.isEmpty))]
    for trouble in EmergencyTrouble.allCases {
      rows.append(
        Row(
          name: trouble.rawValue, trouble: trouble,
          outcomes: outcomes.filter { $0.troubles == [trouble] }))
    }
    rows.append(
      Row(name: "several", trouble: nil, outcomes: outcomes.filter { $0.troubles.count > 1 }))
    self.rows = rows
  }

  /// For JSON and expectations.
  func figure(seed: UInt64) -> Figure {
    .object(
      [.init("seed", .integer(seed))] + Self.members(of: all) + [
        .init("by_trouble", .object(rows.map { .init($0.name, .object(Self.members(of: $0))) }))
      ])
  }

  private static func members(of row: Row) -> [Figure.Member] {
    [
      .init("races", .integer(row.outcomes.count)), .init("by_data", .integer(row.count(.data))),
      .init("by_text", .integer(row.count(.text))),
      .init("could_not", .integer(row.count(.couldNot))),
      .init("unheard", .integer(row.count(.unheard))),
      .init("late", .integer(row.late)),
      .init("stuck", .integer(row.outcomes.count(where: \.isStuck))),
      .init("forgotten", .integer(row.forgotten)),
      .init("told_too_early", .integer(row.toldTooEarly)),
      .init("read_by_text", .integer(row.readByText)),
      .init("read_unknown", .integer(row.readUnknown)),
      .init("call_to_server_s", figure(row.callToServer)),
      .init("registration_to_read_s", figure(row.registrationToRead)),
      .init("coverage_to_read_s", figure(row.coverageToRead)),
      .init("kilojoules_per_hour", figure(row.power, decimals: 3)),
    ]
  }

  private static func figure(_ spread: Spread, decimals: Int = 1) -> Figure {
    func real(_ value: Double?) -> Figure {
      value.map { .real($0, decimals: decimals) } ?? .none
    }
    return .object([
      .init("count", .integer(spread.count)), .init("p50", real(spread.percentile(50))),
      .init("p95", real(spread.percentile(95))), .init("max", real(spread.most)),
    ])
  }
}
