import BoardSupport
import CommandLineSupport
import TrackerCore

/// The command line of `tracker-sim plan`.
struct PlanOptions {
  enum Search: String, CaseIterable {
    case interval, pack
  }

  var board = SimulateOptions.usualBoard
  var pack: String?
  var measuredMillivolts: Int32?
  var intervals: [Milliseconds] = []
  var hours = Milliseconds.hours(32)
  var coverage = "good"
  var config: String?
  var runs = 40
  var seed: UInt64 = 1
  var search: Search?
  var sharePercent: Int64 = 95
  var json = false
  var page: String?
  var threads: Int?
  var language: Language?
  var wantsHelp = false

  static let usualIntervals: [Milliseconds] = [
    .minutes(5), .minutes(10), .minutes(20), .minutes(60),
  ]

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ words: [String]) throws {
    var reader = ArgumentReader(words)
    var given: Set<String> = []
    while let word = reader.next() {
      if word != "--interval", !given.insert(word).inserted {
        throw UsageError("\(word) is given twice; give it once")
      }
      try read(word, &reader)
    }
    if wantsHelp { return }
    if search == .interval && !intervals.isEmpty {
      throw UsageError("--search interval tries the intervals itself; leave out --interval")
    }
    if search == .pack && intervals.count > 1 {
      throw UsageError("--search pack needs one interval; give --interval once")
    }
    if search == .pack && intervals.isEmpty { intervals = [.minutes(10)] }
    if intervals.isEmpty { intervals = Self.usualIntervals }
    intervals.sort { $0.count < $1.count }
    if let twice = zip(intervals, intervals.dropFirst()).first(where: { $0 == $1 })?.0 {
      throw UsageError("--interval \(PlanText.time(twice)) is given twice; give it once")
    }
  }

  private mutating func read(_ word: String, _ reader: inout ArgumentReader) throws {
    switch word {
    case "--help", "-h":
      try reader.refuseValue()
      wantsHelp = true
    case "--json":
      try reader.refuseValue()
      json = true
    case "--board": board = try reader.value("a folder in boards/, or a path")
    case "--pack": pack = try reader.value("for example '8 alkaline-aa'")
    case "--measured":
      let range: ClosedRange<Int64> = 1...100_000
      measuredMillivolts = Int32(
        try Self.quantity(word, &reader, .voltage, range, "of the pack, for example 4.02V"))
    case "--interval":
      let range = Milliseconds.seconds(10).count...Milliseconds.hours(24).count
      let wanted = "from 10s to 24h, for example 10min"
      let count = try Self.quantity(word, &reader, .duration, range, wanted)
      intervals.append(Milliseconds(count))
    case "--hours": hours = try Self.hours(try reader.value("a number of hours, 1 to 168"))
    case "--coverage": coverage = try reader.value("good, valleys or a scenario file")
    case "--language": language = try reader.language()
    case "--config": config = try reader.value("a JSON5 file")
    case "--runs": runs = Int(try reader.number(1...100_000))
    case "--seed": seed = UInt64(try reader.number(0...(.max - 100_000)))
    case "--threads": threads = Int(try reader.number(1...256))
    case "--share": sharePercent = try reader.number(1...100)
    case "--html": page = try reader.value("a file")
    case "--search":
      let text = try reader.value("interval or pack")
      guard let search = Search(rawValue: text) else {
        throw UsageError("--search '\(text)': give interval or pack")
      }
      self.search = search
    default: throw Self.unknown(word)
    }
  }

  private static func quantity(
    _ word: String, _ reader: inout ArgumentReader, _ dimension: Dimension,
    _ range: ClosedRange<Int64>, _ wanted: String
  ) throws -> Int64 {
    let text = try reader.value("a \(dimension.name) \(wanted)")
    guard let amount = dimension.amount(text), range.contains(amount) else {
      throw UsageError("\(word) '\(text)': give a \(dimension.name) \(wanted)")
    }
    return amount
  }

  /// `32`, or `27.5`.
  private static func hours(_ text: String) throws -> Milliseconds {
    guard let hours = Double(text), hours >= 1, hours <= 168 else {
      throw UsageError("--hours '\(text)': give a number from 1 to 168")
    }
    return Milliseconds(Int64((hours * 3_600_000).rounded()))
  }

  private static let names = [
    "--board", "--pack", "--measured", "--interval", "--hours", "--coverage", "--config", "--runs",
    "--seed", "--search", "--share", "--json", "--html", "--threads",
    "--language", "--help",
  ]

  private static func unknown(_ word: String) -> UsageError {
    let near = names.first { $0.hasPrefix(word) || word.hasPrefix($0) }
    return UsageError(
      "unknown option '\(word)'; "
        + (near.map { "did you mean \($0)?" } ?? "see tracker-sim plan --help"))
  }
}
