import BoardSupport
import Reports
import TrackerCore
import Wording

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
    let language = plan.language
    let hours = Quantity.decimal(PlanText.hours(plan.options.hours), 1, in: language) + " h"
    guard let shortest = rows.first, let longest = rows.last else { return }
    if let good = rows.first(where: { $0.holds(share) }) {
      let interval = PlanText.time(good.interval)
      let found: String? =
        switch plan.options.search {
        case .interval: AdvicePhrase.shortestInterval.text(in: language, interval)
        case .pack:
          AdvicePhrase.smallestPack.text(in: language, PlanText.pack(plan.pack, in: language))
        case nil: nil
        }
      lead = found.map { $0 + " " } ?? ""
      if good.interval == shortest.interval {
        lead += AdvicePhrase.holds.text(
          in: language, interval, PlanText.share(good), hours,
          PlanText.shortest(good, in: language))
      } else {
        lead = AdvicePhrase.holdsFrom.text(
          in: language, interval, PlanText.share(good), hours, PlanText.time(shortest.interval),
          PlanText.share(shortest))
      }
      return
    }
    lead = AdvicePhrase.fails.text(
      in: language, "\(share)", hours, PlanText.time(longest.interval))
    try addReceiver(longest.interval, plan)
    try addInterval(longest, plan)
    try addPack(longest.interval, plan)
  }

  private mutating func addReceiver(_ interval: Milliseconds, _ plan: Plan) throws {
    guard plan.canDutyCycle, !plan.isDutyCycled(plan.settings.receiverUse) else { return }
    let row = try plan.evaluate(interval, receiver: .dutyCycle, isShort: true)
    let remedy = AdvicePhrase.dutyCycle.text(in: plan.language, PlanText.share(row))
    let isEnough = row.holds(plan.options.sharePercent)
    remedies.append(
      isEnough ? remedy : AdvicePhrase.notAlone.text(in: plan.language, remedy))
  }

  private mutating func addInterval(_ row: PlanRow, _ plan: Plan) throws {
    let longer = Self.ladder.filter { $0 > row.interval }
    guard let last = longer.last else { return }
    if let found = try plan.shortestInterval(of: longer) {
      remedies.append(
        AdvicePhrase.interval.text(
          in: plan.language, PlanText.time(found.interval), PlanText.share(found)))
    } else {
      remedies.append(AdvicePhrase.noInterval.text(in: plan.language, PlanText.time(last)))
    }
  }

  private mutating func addPack(_ interval: Milliseconds, _ plan: Plan) throws {
    if let found = try plan.smallestPack(for: interval) {
      remedies.append(
        AdvicePhrase.pack.text(
          in: plan.language, PlanText.pack(found.pack, in: plan.language),
          PlanText.share(found.row)))
    } else {
      remedies.append(AdvicePhrase.noPack.text(in: plan.language, "\(Self.mostCells)"))
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
