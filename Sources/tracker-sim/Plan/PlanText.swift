import BoardSupport
import CommandLineSupport
import Reports
import TrackerCore
import Wording

/// A plan for people, 80 columns wide.
enum PlanText {
  static func table(_ rows: [PlanRow], _ plan: Plan) -> String {
    head(plan) + "\n" + columns(plan.language)
      + rows.map { line($0, in: plan.language) }.joined()
  }

  private static let widths = (
    interval: 8, lifetime: 19, share: 8, captures: 10, board: 9, receiver: 9, modem: 7,
    converter: 10
  )

  /// Two lines with the heads of the columns.
  private static func columns(_ language: Language) -> String {
    func head(_ name: PlanName, _ width: Int) -> String {
      name.text(in: language).rightAligned(in: width)
    }
    let joules = PlanName.joules.text(in: language)
    let four = widths.board + widths.receiver + widths.modem + widths.converter
    return head(.interval, widths.interval) + head(.lifetime, widths.lifetime)
      + head(.arrive, widths.share) + head(.captures, widths.captures)
      + joules.rightAligned(in: (four + joules.count) / 2 + 1) + "\n"
      + head(.delivered, widths.interval + widths.lifetime + widths.share + widths.captures)
      + head(.board, widths.board) + head(.receiverColumn, widths.receiver)
      + head(.modem, widths.modem) + head(.converterColumn, widths.converter) + "\n"
  }

  private static func line(_ row: PlanRow, in language: Language) -> String {
    func joules(_ value: Double, _ width: Int) -> String {
      number(value, 0).rightAligned(in: width)
    }
    return time(row.interval).rightAligned(in: widths.interval)
      + lifetime(row, in: language).rightAligned(in: widths.lifetime)
      + share(row).rightAligned(in: widths.share)
      + "\(row.captures(50))".rightAligned(in: widths.captures)
      + joules(row.joules.boardJoules, widths.board)
      + joules(row.joules.receiverJoules, widths.receiver)
      + joules(row.joules.modemJoules, widths.modem)
      + joules(row.joules.conversionJoules, widths.converter) + "\n"
  }

  private static func head(_ plan: Plan) -> String {
    func line(_ name: String, _ value: String) -> String { name.leftAligned(in: 10) + value + "\n" }
    return facts(plan).map { line($0.name, $0.value) }.joined()
  }

  /// What the plan rests on.
  static func facts(_ plan: Plan) -> [(name: String, value: String)] {
    let (options, language) = (plan.options, plan.language)
    let charge = options.measuredMillivolts.map {
      let percent = plan.pack.battery.percent(atMillivolts: $0)
      return PlanFact.measured.text(
        in: language, Quantity.decimal(Double($0) / 1000, 2, in: language), "\(percent)")
    }
    let receiver: PlanFact =
      if plan.isDutyCycled(plan.settings.receiverUse) {
        .asleep
      } else if case .adaptive = plan.settings.capture, plan.canDutyCycle {
        .asPaid
      } else {
        .alwaysOn
      }
    let finish = PlanFact.finish.text(
      in: language, Quantity.decimal(hours(options.hours), 1, in: language), coverage(plan))
    let races = PlanFact.races.text(
      in: language, "\(options.runs)", "\(options.seed)",
      PlanFact.doubts.text(in: language, count: Int64(plan.doubts.count)))
    let facts: [(PlanName, String)] = [
      (.board, plan.description.identifier),
      (.pack, pack(plan.pack, in: language)),
      (.charge, charge ?? PlanFact.full.text(in: language)),
      (.finish, finish),
      (.receiver, receiver.text(in: language)),
      (.races, races),
    ]
    return facts.map { ($0.text(in: language), $1) }
  }

  /// `Pack.text` in a language.
  static func pack(_ pack: Pack, in language: Language) -> String {
    let battery = pack.battery
    let series = PlanFact.inSeries.text(in: language, "\(battery.cellsInSeries)")
    let parallel = PlanFact.inParallel.text(in: language, "\(battery.cellsInParallel)")
    let shape =
      (battery.cellsInSeries == 1 ? [] : [series])
      + (battery.cellsInParallel == 1 ? [] : [parallel])
    return PlanFact.pack.text(
      in: language,
      shape.isEmpty ? PlanFact.oneCell.text(in: language) : shape.joined(separator: ", "),
      pack.chemistry, "\(battery.cellCapacityMilliampHours)")
  }

  private static func coverage(_ plan: Plan) -> String {
    String(plan.options.coverage.split(separator: "/").last ?? "")
  }

  /// `44.1 (36.2-53.0)`; `>128` where races were broken off.
  static func lifetime(_ row: PlanRow, in language: Language) -> String {
    func part(_ percent: Int) -> String { lifetime(row, percent, in: language) }
    return "\(part(50)) (\(part(5))-\(part(95)))"
  }

  private static func lifetime(_ row: PlanRow, _ percent: Int, in language: Language) -> String {
    let time = row.lifetime(percent)
    return time >= row.bound
      ? ">" + number(hours(row.bound), 0) : Quantity.decimal(hours(time), 1, in: language)
  }

  /// What nearly all races last, within a sentence: `44.1`, `more than 128`.
  static func shortest(_ row: PlanRow, in language: Language) -> String {
    let text = lifetime(row, 5, in: language)
    return text.hasPrefix(">")
      ? AdvicePhrase.moreThan.text(in: language, String(text.dropFirst())) : text
  }

  /// `98 %` of the races.
  static func share(_ row: PlanRow) -> String { number(row.finishes * 100, 0) + " %" }

  static func time(_ interval: Milliseconds) -> String { Dimension.duration.text(interval.count) }
  static func hours(_ time: Milliseconds) -> Double { Double(time.count) / 3_600_000 }
  static func number(_ value: Double, _ decimals: Int) -> String { Figure.fixed(value, decimals) }
}

/// What to change to reach the finish.
struct PlanAdvice {
  /// `nil` where nothing has to be changed.
  private(set) var lead = ""
  private(set) var remedies: [String] = []

  /// The intervals that people use.
  static let ladder: [Milliseconds] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 90, 120, 180, 240,
  ].map { .minutes($0) }

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
      remedies.append(AdvicePhrase.noPack.text(in: plan.language, "\(SimulatorBounds.cells)"))
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
