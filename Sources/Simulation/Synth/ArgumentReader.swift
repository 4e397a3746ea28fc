import Courses
import TrackerCore

/// Parses one option's value, or reports its expected form.
struct ArgumentReader {
  let flag: String
  let value: String

  private func problem(_ wanted: String) -> SynthProblem {
    SynthProblem("\(flag) '\(printable(value))': give \(wanted)")
  }

  func path() throws(SynthProblem) -> String {
    if value.isEmpty { throw problem("a file's path, or -") }
    return value
  }

  /// Text for one line of the header.
  func text() throws(SynthProblem) -> String {
    guard !value.isEmpty, value.utf8.count <= 200,
      value.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
    else { throw problem("a line of 1 to 200 bytes without control characters") }
    return value
  }

  func seed() throws(SynthProblem) -> UInt64 {
    guard let seed = UInt64(value) else { throw problem("a whole number from 0 to 2^64 - 1") }
    return seed
  }

  func decimal(_ range: ClosedRange<Double>, _ unit: String) throws(SynthProblem) -> Double {
    let isPlain = value.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let number = Double(value), range.contains(number) else {
      throw problem("\(unit) from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }

  func date() throws(SynthProblem) -> UTC {
    guard let date = DateText.date(value) else {
      throw problem("a date from 2000 to 2099 as 2026-04-18T08:00:00Z")
    }
    return date
  }

  func length(_ range: ClosedRange<Int64>, _ bounds: String) throws(SynthProblem) -> Milliseconds {
    guard let length = TimeText.length(value), range.contains(length.count) else {
      throw problem("a time as 40min, 1h30min, 5s or 2:30:00, \(bounds)")
    }
    return length
  }

  func interval() throws(SynthProblem) -> Milliseconds {
    let interval = try length(50...3_600_000, "50ms to 1h")
    guard interval.count % 10 == 0 else { throw problem("a multiple of 10ms") }
    return interval
  }

  func span() throws(SynthProblem) -> TimeSpan {
    guard let span = TimeText.span(value) else {
      throw problem("FROM-TO or FROM+LENGTH as 2:00:00-2:04:00 or 3:00:00+40min")
    }
    return span
  }

  func minutes() throws(SynthProblem) -> ClosedRange<Int> {
    let parts = value.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let low = parts[0], let high = parts[parts.count - 1],
      0 <= low, low <= high, high <= 600
    else { throw problem("minutes as 10-40, or 0 for none (600 at most)") }
    return low...high
  }

  func night() throws(SynthProblem) -> SynthOptions.Night? {
    if value == "none" { return nil }
    guard let span = value.firstIndex(of: "-"),
      let from = TimeText.length(value[..<span]), from < .hours(24),
      let to = TimeText.length(value[value.index(after: span)...]), to < .hours(24)
    else { throw problem("UTC as 19:00-05:00, or none") }
    return SynthOptions.Night(
      fromMinute: Int(from.count / 60_000), toMinute: Int(to.count / 60_000))
  }

  func sentences() throws(SynthProblem) -> [SynthSentence] {
    let all = SynthSentence.allCases.map(\.rawValue).joined(separator: ",")
    var kinds: [SynthSentence] = []
    for part in value.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = SynthSentence(rawValue: String(part)), !kinds.contains(kind) else {
        throw problem("one or more of \(all), each once")
      }
      kinds.append(kind)
    }
    return kinds
  }

  func talker() throws(SynthProblem) -> Constellations {
    guard let constellations = Constellations(rawValue: value.lowercased()) else {
      throw problem("gp (GPS) or gn (GPS and GLONASS)")
    }
    return constellations
  }
}
