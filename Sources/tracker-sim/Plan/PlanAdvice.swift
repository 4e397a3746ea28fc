import BoardSupport
import TrackerCore

/// What to change to reach the finish.
struct PlanAdvice {
  /// `nil` where nothing has to be changed.
  private(set) var lead = ""
  private(set) var remedies: [String] = []

  /// The intervals that people use.
  static let ladder: [Milliseconds] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 90, 120, 180, 240,
  ].map { .minutes($0) }
  /// More cells than anybody would carry.
  static let mostCells: Int32 = 40

  init(_ rows: [PlanRow], _ plan: Plan) throws {
    let share = plan.options.sharePercent
    let hours = PlanText.number(PlanText.hours(plan.options.hours), 1) + " h"
    guard let shortest = rows.first, let longest = rows.last else { return }
    if let good = rows.first(where: { $0.holds(share) }) {
      let last = PlanText.lifetime(good, 5).replacing(">", with: "more than ")
      switch plan.options.search {
      case .interval: lead = "The shortest interval that holds: \(PlanText.time(good.interval)). "
      case .pack: lead = "The smallest pack that holds: \(plan.pack.text). "
      case nil: break
      }
      if good.interval == shortest.interval {
        lead +=
          "It holds: at \(PlanText.time(good.interval)) \(PlanText.share(good)) of the races "
          + "reach \(hours), and 95 % last \(last) h."
      } else {
        lead =
          "\(PlanText.time(good.interval)) holds: \(PlanText.share(good)) of the races reach "
          + "\(hours); with \(PlanText.time(shortest.interval)) only \(PlanText.share(shortest))."
      }
      return
    }
    lead =
      "It does not hold. So that \(share) % of the races reach \(hours) at "
      + "\(PlanText.time(longest.interval)), change one of:"
    try addReceiver(longest.interval, plan)
    try addInterval(longest, plan)
    try addPack(longest.interval, plan)
  }

  private mutating func addReceiver(_ interval: Milliseconds, _ plan: Plan) throws {
    guard plan.canDutyCycle, !plan.isDutyCycled(plan.settings.receiverUse) else { return }
    let row = try plan.evaluate(interval, receiver: .dutyCycle, isShort: true)
    let verdict = row.holds(plan.options.sharePercent) ? "" : ", which is not enough alone"
    remedies.append(
      "receiver: \"dutyCycle\" in the configuration: \(PlanText.share(row))\(verdict)")
  }

  private mutating func addInterval(_ row: PlanRow, _ plan: Plan) throws {
    let longer = Self.ladder.filter { $0 > row.interval }
    guard let last = longer.last else { return }
    if let found = try plan.shortestInterval(of: longer) {
      remedies.append(
        "an interval of \(PlanText.time(found.interval)): \(PlanText.share(found))")
    } else {
      remedies.append("no interval up to \(PlanText.time(last)) is enough")
    }
  }

  private mutating func addPack(_ interval: Milliseconds, _ plan: Plan) throws {
    if let found = try plan.smallestPack(for: interval) {
      remedies.append("a pack of \(found.pack.text): \(PlanText.share(found.row))")
    } else {
      remedies.append("no pack of up to \(Self.mostCells) such cells or strings is enough")
    }
  }

  /// Lines of at most 80 columns.
  var text: String {
    ([lead] + remedies.map { "- \($0)" }).map { Self.wrapped($0) }.joined()
  }

  private static func wrapped(_ text: String) -> String {
    var result = ""
    var line = ""
    for word in text.split(separator: " ") {
      if line.count + word.count + 1 > 80 {
        result += line + "\n"
        line = "  " + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return result + line + "\n"
  }
}
