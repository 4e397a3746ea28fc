import TrackerCore
import Wording

// The way along a course, and its marks.
extension StatisticsText {
  /// `98.3 km, from km 0.0 to km 98.3`
  func along(_ course: CourseStatistics) -> String? {
    guard let from = course.from, let to = course.to, let metres = course.metres else {
      return course.isTimed ? CourseComparisonPhrase.neverThere.text(in: language) : nil
    }
    return StatisticsPhrase.alongParts.text(
      in: language, kilometres(metres, 2), kilometres(from, 1), kilometres(to, 1))
  }

  /// The marks of a course that were passed, a line each, below their heads.
  ///
  /// - Parameter newest: so many of the last ones.
  func table(of course: CourseStatistics, newest: Int) -> [String] {
    let head =
      ["km", clocks]
      + [StatisticsPhrase.headPiece, .headPace].map { $0.text(in: language) }
    let rows = course.marks.suffix(max(0, newest)).map { mark in
      [
        kilometres(mark.mark.metres, statistics.every % 1000 != 0 ? 2 : 1),
        Doubt.text(clock(mark.passed.utc), mark.passed.doubt, isInferred: mark.passed.isInferred),
        Doubt.text(Quantity.hours(mark.partial), mark.partialDoubt),
        mark.pace.map { (Doubt.isSaid(mark.partialDoubt) ? "~" : "") + Quantity.clock($0) } ?? "",
        mark.mark.name.cut(to: NameWidth.place),
      ]
    }
    let place = CourseComparisonPhrase.place.text(in: language)
    var lines = [Self.line(head) + "  " + place]
    let hidden = course.marks.count - rows.count
    if hidden > 0 {
      lines.append(StatisticsPhrase.earlier.text(in: language, count: Int64(hidden)))
    }
    return lines
      + rows.map { row in
        let name = row.last ?? ""
        return Self.line(row.dropLast()) + (name.isEmpty ? "" : "  " + name)
      }
  }
}
