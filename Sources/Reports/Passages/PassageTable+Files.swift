public import TrackerCore
public import Wording

extension PassageTable {
  /// One object: `now`, `places`, and for each tracker its `passages`, one for each place.
  public var figure: Figure {
    .object([
      .init("now", Self.date(now)),
      .init(
        "places",
        .list(
          places.map {
            .object([
              .init("name", .text($0.name)), .init("kind", .text("\($0.kind)")),
              .init("metres", .integer($0.metres)),
            ])
          })),
      .init("teams", .list(ways.map(Self.figure))),
    ])
  }

  private static func figure(_ way: TeamWay) -> Figure {
    .object([
      .init("team", .text(way.team)), .init("device", .text(way.device.lowercaseText)),
      .init("clone", way.clone.map { .text($0) } ?? .none),
      .init("finished", .boolean(way.isFinished)), .init("last_report", date(way.lastReport)),
      .init("metres", way.done.map { .integer($0) } ?? .none), .init("there", date(way.there)),
      .init("undated_captures", .integer(way.undated)),
      .init("dates_apart", .boolean(way.isApart)),
      .init("passages", .list(way.calls.map(figure))),
    ])
  }

  private static func figure(_ call: TeamWay.Call) -> Figure {
    let (state, time, limit) = words(call)
    return .object([
      .init("state", .text(state)), .init("time", date(time)),
      .init("doubt_s", time == nil ? .none : .whole((call.doubt.count + 999) / 1000)),
      .init("due", date(call.due)),
      .init("behind_s", call.behind.map { .whole($0.count / 1000) } ?? .none),
      .init("past_due_since", date(limit)),
    ])
  }

  /// The words of files: passed, inferred, missing, past_due, unknown, ahead.
  private static func words(_ call: TeamWay.Call) -> (state: String, time: UTC?, limit: UTC?) {
    switch call.state {
    case .passed(let utc, let isInferred): (isInferred ? "inferred" : "passed", utc, nil)
    case .missing: ("missing", nil, nil)
    case .unknown: ("unknown", nil, nil)
    case .pastDue(let utc): ("past_due", nil, utc)
    case .ahead: ("ahead", nil, nil)
    }
  }

  /// RFC 3339, or none.
  public static func date(_ utc: UTC?) -> Figure { text(utc).map { .text($0) } ?? .none }

  private static func text(_ utc: UTC?) -> String? {
    utc.flatMap { CivilTime($0) }.map { time in
      var bytes: [UInt8] = []
      time.forEachByte { bytes.append($0) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// RFC 4180: a header, and a row for each tracker and place.
  public var csv: [UInt8] {
    var writer = LineWriter()
    writer.text("team,device,place,km,state,time,due,behind_s,past_due_since,last_report,")
    writer.text("last_km,doubt_s\r\n")
    for way in ways {
      for (place, call) in zip(places, way.calls) {
        let (state, time, limit) = Self.words(call)
        let dates = [time, call.due, limit, way.lastReport].map { Self.text($0) ?? "" }
        let behind = call.behind.map { "\($0.count / 1000)" } ?? ""
        let done = way.done.map { Figure.fixed(Double($0) / 1000, 3) } ?? ""
        writer.csvField(way.team)
        writer.text(",")
        writer.csvField(way.device.lowercaseText)
        writer.text(",")
        writer.csvField(place.name)
        let rest = [
          Figure.fixed(Double(place.metres) / 1000, 3), state, dates[0], dates[1], behind, dates[2],
          dates[3], done, time == nil ? "" : "\((call.doubt.count + 999) / 1000)",
        ]
        for field in rest { writer.bytes += Array(",".utf8) + Array(field.utf8) }
        writer.text("\r\n")
      }
    }
    return writer.bytes
  }
}
