public import TrackerCore
import Wording

/// Statistics for people, in lines of at most 79 columns.
public struct StatisticsText {
  let statistics: SessionStatistics
  let language: Language
  /// From UTC to the clocks that are shown.
  private let offsetSeconds: (UTC) -> Int64
  let clocks: String

  /// - Parameter clocks: the name of the clocks that are shown.
  public init(
    _ statistics: SessionStatistics, in language: Language, clocks: String = "UTC",
    offsetSeconds: @escaping (UTC) -> Int64 = { _ in 0 }
  ) {
    self.clocks = clocks
    self.statistics = statistics
    self.language = language
    self.offsetSeconds = offsetSeconds
  }

  private func say(_ phrase: StatisticsPhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  /// All of it, each line with its end.
  public var text: String {
    (lines.flatMap { Self.wrapped($0) } + (hasTable ? [""] + table() : []))
      .map { $0 + "\n" }.joined()
  }

  /// Whether a mark says more than its distance.
  public var hasTable: Bool {
    statistics.whole.metres > 0
      && (statistics.whole.time != nil || statistics.whole.lowest != nil
        || statistics.course?.marks.isEmpty == false)
  }

  // MARK: The whole

  /// Names and values, as for a list.
  public var entries: [(name: StatisticsPhrase, value: String)] {
    guard statistics.counts.all > 0 else { return [(.note, say(.noPoint))] }
    let whole = statistics.whole
    let length = kilometres(whole.metres, 2)
    var entries: [(StatisticsPhrase, String)] = [
      (.distance, statistics.isSparse ? say(.atLeast, length) : length + " km")
    ]
    if let course = statistics.course, let along = along(course) {
      entries.append((.onCourse, along))
    }
    if let time = whole.time {
      entries.append((.time, say(.timeParts, Quantity.hours(time), Quantity.hours(whole.moving))))
    } else {
      entries.append((.note, say(.noTimes)))
    }
    entries += speeds(of: whole)
    if let low = whole.lowest, let high = whole.highest {
      entries.append(
        (
          .altitude,
          say(.altitudeParts, metres(low), metres(high), metres(whole.gain), metres(whole.loss))
        ))
    } else {
      entries.append((.note, say(whole.time == nil ? .noPartials : .noAltitudes)))
    }
    if statistics.gaps > 0 {
      entries.append(
        (
          .gaps,
          StatisticsPhrase.gapParts.text(
            in: language, count: Int64(statistics.gaps), Quantity.hours(whole.gapTime),
            kilometres(whole.gapMetres, 2))
        ))
    }
    if !leftOut.isEmpty { entries.append((.leftOut, leftOut)) }
    if statistics.isSparse {
      entries.append((.note, say(.sparse, Quantity.span(statistics.usualStep, in: language))))
    }
    return entries
  }

  private func speeds(
    of whole: SessionStatistics.Piece
  ) -> [(name: StatisticsPhrase, value: String)] {
    var entries: [(StatisticsPhrase, String)] = []
    let top = whole.topSpeed.map { speed(Double($0) / 1000) }
    if let mean = whole.meanSpeed, let moving = whole.movingSpeed, let top {
      entries.append((.speed, say(.speedParts, speed(mean), speed(moving), top)))
    } else if let mean = whole.meanSpeed {
      entries.append((.speed, say(.speedOnly, speed(mean))))
    } else if let top {
      entries.append((.speed, say(.speedTop, top)))
    }
    if let pace = whole.pace, let moving = whole.movingPace {
      entries.append((.pace, say(.paceParts, Quantity.clock(pace), Quantity.clock(moving))))
    }
    return entries
  }

  private var leftOut: String {
    let counts = statistics.counts
    // Without a clock it is no news that a point has none.
    let undated = statistics.start == nil ? 0 : counts.undated
    let parts: [(StatisticsPhrase, Int)] = [
      (.outliers, counts.outliers), (.repeated, counts.repeated), (.backward, counts.backward),
      (.undated, undated),
    ]
    return parts.filter { $0.1 > 0 }
      .map { $0.0.text(in: language, count: Int64($0.1)) }.joined(separator: ", ")
  }

  /// The whole, a line each.
  public var lines: [String] {
    entries.map { entry in
      let name = entry.name.text(in: language) + language.labelColon
      return name.padded(to: 12) + entry.value
    }
  }

  /// In lines of at most 79 columns, the later ones below the value.
  private static func wrapped(_ line: String) -> [String] {
    var lines = [""]
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if (lines.last?.count ?? 0) + word.count > 78 {
        lines.append(String(repeating: " ", count: 12) + word)
      } else {
        lines[lines.count - 1] += (lines.count == 1 && lines[0].isEmpty ? "" : " ") + word
      }
    }
    return lines
  }

  // MARK: The marks

  private static let widths = [7, 13, 13, 8, 10, 14, 11]

  public var head: [String] {
    let names: [StatisticsPhrase] = [
      .headPiece, .headPace, .headTop, .headAltitude, .headGain,
    ]
    return ["km", clocks] + names.map { $0.text(in: language) }
  }

  /// The cells of a mark's row.
  public func row(_ mark: SessionStatistics.Mark) -> [String] {
    let piece = mark.piece
    let decimals = mark.isEnd || statistics.every % 1000 != 0 ? 2 : 0
    var altitudes = ""
    var climbs = ""
    if let low = piece.lowest, let high = piece.highest {
      altitudes = metres(low) + " - " + metres(high)
      climbs = "+" + metres(piece.gain) + " -" + metres(piece.loss)
    }
    return [
      kilometres(mark.metres, decimals), clock(mark),
      piece.time.map { Doubt.text(Quantity.hours($0), mark.partialDoubt) } ?? "",
      piece.pace.map { (Doubt.isSaid(mark.partialDoubt) ? "~" : "") + Quantity.clock($0) } ?? "",
      piece.topSpeed.map { speed(Double($0) / 1000) } ?? "", altitudes,
      climbs + (piece.gapTime > 0 ? " " + say(.inGap) : ""),
    ]
  }

  /// The marks, a line each, below their heads.
  ///
  /// - Parameter newest: so many of the last ones; `nil`: all.
  public func table(newest: Int? = nil) -> [String] {
    if let course = statistics.course, !course.marks.isEmpty {
      return table(of: course, newest: newest ?? course.marks.count)
    }
    let marks = statistics.marks.suffix(max(0, newest ?? statistics.marks.count))
    let hidden = statistics.marks.count - marks.count
    var lines = [Self.line(head)]
    if hidden > 0 {
      lines.append(StatisticsPhrase.earlier.text(in: language, count: Int64(hidden)))
    }
    return lines + marks.map { Self.line(row($0)) }
  }

  static func line(_ cells: [String]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += String(repeating: " ", count: max(1, width - cell.count)) + cell
    }
    return line
  }

  /// When a mark was passed, on the clocks that are shown.
  private func clock(_ mark: SessionStatistics.Mark) -> String {
    guard let start = statistics.start, let elapsed = mark.elapsed else { return "" }
    return Doubt.text(clock(start + elapsed), mark.doubt)
  }

  func clock(_ utc: UTC) -> String {
    let shown = UTC(milliseconds: utc.milliseconds &+ offsetSeconds(utc) &* 1000)
    return String(CalendarText.text(shown).dropFirst(11))
  }

  // MARK: Numbers

  func kilometres(_ metres: Double, _ decimals: Int) -> String {
    Quantity.decimal(metres / 1000, decimals, in: language)
  }

  private func speed(_ metresPerSecond: Double) -> String {
    Quantity.decimal(metresPerSecond * 3.6, 1, in: language)
  }

  private func metres(_ millimetres: some BinaryInteger) -> String {
    Quantity.integer(Int64((Double(millimetres) / 1000).rounded()), in: language)
  }
}

extension StatisticsText {
  /// Of several ways, each below its name if there is one.
  public static func text(
    of all: [(name: String, statistics: SessionStatistics)], in language: Language
  ) -> String {
    all.map { name, statistics in
      (name.isEmpty ? "" : name.cut(to: 2 * NameWidth.team) + "\n")
        + StatisticsText(statistics, in: language).text
    }.joined(separator: "\n")
  }

  /// Of one without a name its figures, else a list with names.
  public static func json(of all: [(name: String, statistics: SessionStatistics)]) -> String {
    if all.count == 1, let only = all.first, only.name.isEmpty {
      return only.statistics.figures.json
    }
    return Figure.object([
      Figure.Member(
        "tracks",
        .list(
          all.map { name, statistics in
            .object([
              Figure.Member("name", .text(name)),
              Figure.Member("statistics", statistics.figures),
            ])
          }))
    ]).json
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
