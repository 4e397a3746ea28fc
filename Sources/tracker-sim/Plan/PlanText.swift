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
    let isDutyCycled = plan.isDutyCycled(plan.settings.receiverUse)
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
      (.receiver, (isDutyCycled ? PlanFact.asleep : .alwaysOn).text(in: language)),
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
