import Statistics
import TrackerCore
import Wording

extension PassageTable {
  /// A tracker that has not moved, or not been heard, for so long is said to stand.
  private static let still = Milliseconds.minutes(45)

  /// For a terminal: a heading, a part for each tracker, the totals.
  public func text(in language: Language) -> String {
    let heading =
      now.map { PassagePhrase.heading.text(in: language, CalendarText.text($0)) }
      ?? PassagePhrase.noDate.text(in: language)
    let names = places.map { $0.name.cut(to: NameWidth.place) }
    let width = names.map(\.count).max() ?? 0
    var lines = [heading, ""]
    for way in ways {
      lines.append(headline(way, in: language))
      lines += remarks(way, in: language).map { "  " + $0 }
      for (index, call) in way.calls.enumerated() where call.state != .ahead {
        let name = names[index] + String(repeating: " ", count: width - names[index].count)
        let at = kilometres(places[index].metres, language)
        lines.append("  \(name)  \(at)  \(cell(call, language))")
      }
      lines.append("")
    }
    if ways.contains(where: { $0.calls.contains { $0.state == .unknown } }) {
      lines += [PassagePhrase.legend.text(in: language), ""]
    }
    return (lines + [totals(in: language)]).joined(separator: "\n") + "\n"
  }

  private func headline(_ way: TeamWay, in language: Language) -> String {
    let name =
      way.team.isEmpty ? PassagePhrase.unnamed.text(in: language) : way.team.cut(to: NameWidth.team)
    return "\(name) (\(way.device.lowercaseText.prefix(8)))\(language.colon)"
      + standing(way, in: language)
  }

  private func standing(_ way: TeamWay, in language: Language) -> String {
    guard let last = way.lastReport, let now else { return PassagePhrase.noDate.text(in: language) }
    guard let done = way.done, let there = way.there else {
      return PassagePhrase.elsewhere.text(in: language)
    }
    if way.isFinished { return PassagePhrase.finished.text(in: language) }
    let at = CalendarText.text(last)
    let place = Quantity.decimal(Double(done) / 1000, 1, in: language)
    guard now - there > Self.still else {
      return PassagePhrase.out.text(in: language, place, at)
    }
    return PassagePhrase.standing.text(in: language, place, CalendarText.text(there))
  }

  private func remarks(_ way: TeamWay, in language: Language) -> [String] {
    var remarks: [String] = []
    if let now, let last = way.lastReport, now - last > Self.still, !way.isFinished {
      remarks.append(PassagePhrase.heard.text(in: language, CalendarText.text(last)))
    }
    if let file = way.clone {
      remarks.append(PassagePhrase.clone.text(in: language, file.cut(to: NameWidth.team)))
    } else if !way.team.isEmpty,
      ways.contains(where: { $0.team == way.team && $0.device != way.device })
    {
      remarks.append(PassagePhrase.twice.text(in: language))
    }
    if way.isApart { remarks.append(PassagePhrase.apart.text(in: language)) }
    if way.undated > 0 {
      remarks.append(PassagePhrase.undated.text(in: language, count: Int64(way.undated)))
    }
    return remarks
  }

  private func cell(_ call: TeamWay.Call, _ language: Language) -> String {
    switch call.state {
    case .passed(let utc, let isInferred):
      var parts = [Doubt.text(CalendarText.text(utc), call.doubt, isInferred: isInferred)]
      if isInferred { parts.append(PassagePhrase.inferred.text(in: language)) }
      if let behind = call.behind { parts.append(difference(behind, language)) }
      return parts.joined(separator: ", ")
    case .missing: return PassagePhrase.missing.text(in: language)
    case .unknown: return PassagePhrase.unknown.text(in: language)
    case .pastDue(let utc):
      return PassagePhrase.pastDue.text(in: language, CalendarText.text(utc))
    case .ahead: return ""
    }
  }

  private func difference(_ behind: Milliseconds, _ language: Language) -> String {
    let length = Milliseconds(behind.count.magnitude < .max / 2 ? abs(behind.count) : 0)
    guard length >= .seconds(60) else { return PassagePhrase.onTime.text(in: language) }
    let phrase = behind.count > 0 ? PassagePhrase.behind : .ahead
    return phrase.text(in: language, Quantity.span(length, in: language))
  }

  private func kilometres(_ metres: Int32, _ language: Language) -> String {
    let number = Quantity.decimal(Double(metres) / 1000, 1, in: language)
    return "km " + String(repeating: " ", count: max(0, 5 - number.count)) + number
  }

  private func totals(in language: Language) -> String {
    func count(_ holds: (TeamWay) -> Bool) -> String { "\(ways.count(where: holds))" }
    let out = count { !$0.isFinished && $0.done != nil }
    return PassagePhrase.totals.text(
      in: language, "\(ways.count)", count(\.isFinished), out, count(\.isPastDue),
      count(\.hasMissing))
  }
}

extension TeamWay {
  var isPastDue: Bool {
    calls.contains { if case .pastDue = $0.state { true } else { false } }
  }
  var hasMissing: Bool { calls.contains { $0.state == .missing } }
}
