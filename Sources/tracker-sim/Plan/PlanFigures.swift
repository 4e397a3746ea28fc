import Reports
import TrackerCore
import Wording

/// A plan for scripts.
enum PlanFigures {
  /// One object for one interval, a list for several.
  static func of(_ rows: [PlanRow], _ plan: Plan) -> Figure {
    if rows.count == 1, let row = rows.first { return figures(row, plan) }
    return .list(rows.map { figures($0, plan) })
  }

  private static func figures(_ row: PlanRow, _ plan: Plan) -> Figure {
    let seconds: Figure =
      row.interval.count % 1000 == 0
      ? Figure.integer(Int(row.interval.count / 1000)) : Summary.seconds(row.interval)
    return .object([
      .init("interval_s", seconds),
      .init("lifetime_h", band { .real(PlanText.hours(row.lifetime($0)), decimals: 3) }),
      .init("captures", band { Figure.integer(row.captures($0)) }),
      .init("finishes", .real(row.finishes, decimals: 4)),
      .init(
        "joules_by_part",
        .object([
          .init("board", .real(row.joules.boardJoules, decimals: 1)),
          .init("receiver", .real(row.joules.receiverJoules, decimals: 1)),
          .init("modem", .real(row.joules.modemJoules, decimals: 1)),
          .init("conversion", .real(row.joules.conversionJoules, decimals: 1)),
        ])),
      .init("hours", .real(PlanText.hours(plan.options.hours), decimals: 3)),
      .init("lifetime_bound_h", .real(PlanText.hours(row.bound), decimals: 3)),
      .init("pack", .text(plan.pack.text)),
      .init("runs", Figure.integer(row.runs)),
    ])
  }

  private static func band(_ figure: (Int) -> Figure) -> Figure {
    .object([.init("p05", figure(5)), .init("p50", figure(50)), .init("p95", figure(95))])
  }
}
