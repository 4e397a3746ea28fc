public import TrackerCore
public import Wording

extension SessionStatistics {
  /// The same for scripts, in no language.
  public var figures: Figure {
    .object(
      [
        Figure.Member("start", start.map { .text(Self.date($0)) } ?? .none),
        Figure.Member("end", end.map { .text(Self.date($0)) } ?? .none),
      ] + whole.members + [
        Figure.Member("usual_interval_s", Self.seconds(start == nil ? nil : usualStep)),
        Figure.Member("gaps", .integer(gaps)),
        Figure.Member("points", .integer(counts.all)),
        Figure.Member("outliers", .integer(counts.outliers)),
        Figure.Member("repeated", .integer(counts.repeated)),
        Figure.Member("backward", .integer(counts.backward)),
        Figure.Member("undated", .integer(counts.undated)),
        Figure.Member("every_m", .integer(every)),
        Figure.Member("marks", .list(marks.map { figure(of: $0) })),
      ] + (course.map { [Figure.Member("course", $0.figure)] } ?? []))
  }

  private func figure(of mark: Mark) -> Figure {
    var time = Figure.none
    if let start, let elapsed = mark.elapsed { time = .text(Self.date(start + elapsed)) }
    return .object(
      [
        Figure.Member("at_m", .real(mark.metres, decimals: 1)),
        Figure.Member("is_end", .boolean(mark.isEnd)),
        Figure.Member("time", time),
        Figure.Member("elapsed_s", Self.seconds(mark.elapsed)),
        Figure.Member("doubt_s", Self.seconds(mark.elapsed.map { _ in mark.doubt })),
        Figure.Member("partial", .object(mark.piece.members)),
      ])
  }

  /// As in all files: `2026-04-18T08:00:00Z`.
  public static func date(_ utc: UTC) -> String {
    CalendarText.text(utc).map { $0 == " " ? "T" : "\($0)" }.joined() + "Z"
  }

  static func seconds(_ time: Milliseconds?) -> Figure {
    time.map { .real(Double($0.count) / 1000, decimals: 1) } ?? .none
  }
}

extension SessionStatistics.Piece {
  var members: [Figure.Member] {
    func real(_ value: Double?, _ decimals: Int) -> Figure {
      value.map { .real($0, decimals: decimals) } ?? .none
    }
    let hasHeights = lowest != nil
    return [
      Figure.Member("distance_m", .real(metres, decimals: 1)),
      Figure.Member("time_s", SessionStatistics.seconds(time)),
      Figure.Member("moving_s", SessionStatistics.seconds(time == nil ? nil : moving)),
      Figure.Member("speed_mean_m_s", real(meanSpeed, 3)),
      Figure.Member("speed_moving_m_s", real(movingSpeed, 3)),
      Figure.Member("speed_max_m_s", real(topSpeed.map { Double($0) / 1000 }, 3)),
      Figure.Member("pace_s_km", SessionStatistics.seconds(pace)),
      Figure.Member("pace_moving_s_km", SessionStatistics.seconds(movingPace)),
      Figure.Member("altitude_min_m", real(lowest.map { Double($0) / 1000 }, 1)),
      Figure.Member("altitude_max_m", real(highest.map { Double($0) / 1000 }, 1)),
      Figure.Member("gain_m", hasHeights ? .real(Double(gain) / 1000, decimals: 1) : .none),
      Figure.Member("loss_m", hasHeights ? .real(Double(loss) / 1000, decimals: 1) : .none),
      Figure.Member("gap_m", .real(gapMetres, decimals: 1)),
      Figure.Member("gap_s", SessionStatistics.seconds(gapTime)),
    ]
  }
}
