import BoardSupport
import CommandLineSupport
import Reports
import TrackerCore
import Wording

/// A plan for people, 80 columns wide.
enum PlanText {
  static func table(_ rows: [PlanRow], _ plan: Plan) -> String {
    head(plan) + "\n"
      + """
      interval lifetime, h (90 %)  finish  captures       joules until the finish
                                          delivered    board receiver  modem converter

      """
      + rows.map(line).joined()
  }

  private static func line(_ row: PlanRow) -> String {
    func joules(_ value: Double, _ width: Int) -> String {
      number(value, 0).rightAligned(in: width)
    }
    return time(row.interval).rightAligned(in: 8)
      + lifetime(row).rightAligned(in: 19) + share(row).rightAligned(in: 8)
      + "\(row.captures(50))".rightAligned(in: 10)
      + joules(row.joules.boardJoules, 9) + joules(row.joules.receiverJoules, 9)
      + joules(row.joules.modemJoules, 7) + joules(row.joules.conversionJoules, 10) + "\n"
  }

  private static func head(_ plan: Plan) -> String {
    func line(_ name: String, _ value: String) -> String { name.leftAligned(in: 10) + value + "\n" }
    return facts(plan).map { line($0.name, $0.value) }.joined()
  }

  /// What the plan rests on.
  static func facts(_ plan: Plan) -> [(name: String, value: String)] {
    let options = plan.options
    let charge = options.measuredMillivolts.map {
      let percent = plan.pack.battery.percent(atMillivolts: $0)
      return "\(number(Double($0) / 1000, 2)) V, so about \(percent) % charged"
    }
    let isDutyCycled = plan.isDutyCycled(plan.settings.receiverUse)
    return [
      ("board", plan.description.identifier),
      ("pack", plan.pack.text),
      ("charge", charge ?? "full"),
      (
        "finish",
        "\(number(hours(options.hours), 1)) h after the start, coverage \(coverage(plan))"
      ),
      ("receiver", isDutyCycled ? "asleep between captures" : "always on"),
      (
        "races",
        "\(options.runs) for each interval, from seed \(options.seed); "
          + "\(counted(plan.doubts.count, "unverified figure")) varied"
      ),
    ]
  }

  private static func coverage(_ plan: Plan) -> String {
    String(plan.options.coverage.split(separator: "/").last ?? "")
  }

  /// `44.1 (36.2-53.0)`; `>128` where races were broken off.
  static func lifetime(_ row: PlanRow) -> String {
    "\(lifetime(row, 50)) (\(lifetime(row, 5))-\(lifetime(row, 95)))"
  }

  static func lifetime(_ row: PlanRow, _ percent: Int) -> String {
    let time = row.lifetime(percent)
    return time >= row.bound ? ">" + number(hours(row.bound), 0) : number(hours(time), 1)
  }

  /// `98 %` of the races.
  static func share(_ row: PlanRow) -> String { number(row.finishes * 100, 0) + " %" }

  static func time(_ interval: Milliseconds) -> String { Dimension.duration.text(interval.count) }
  static func hours(_ time: Milliseconds) -> Double { Double(time.count) / 3_600_000 }
  static func number(_ value: Double, _ decimals: Int) -> String { Figure.fixed(value, decimals) }
}
