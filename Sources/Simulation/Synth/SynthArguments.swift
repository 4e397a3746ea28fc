import Courses
import TrackerCore

/// The parsed arguments of `tracker-sim synth`.
public struct SynthArguments: Sendable, Equatable {
  public var options = SynthOptions()
  /// Where to write: a path, or `nil` for standard output.
  public var output: String?
  public var wantsHelp = false
  /// The command that makes the same bytes, without the output file: for the header.
  public private(set) var command = "tracker-sim synth"

  /// - Parameter words: the arguments after `synth`.
  public init(_ words: [String]) throws(SynthProblem) {
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--help" || word == "-h" {
        wantsHelp = true
        return
      }
      let (flag, attached) = Self.split(word)
      guard flag.hasPrefix("--") else {
        throw SynthProblem("'\(printable(word))' is not an option: see tracker-sim synth --help")
      }
      guard SynthHelp.flags.contains(flag) else { throw Self.unknown(flag) }
      var value = attached
      if value == nil, index < words.count {
        value = words[index]
        index += 1
      }
      guard let value else {
        throw SynthProblem("\(flag) needs a value: see tracker-sim synth --help")
      }
      try set(flag, to: value)
      if flag != "--out" {
        command += " \(flag) \(ShellWords.quoted(value))"
      }
    }
    if let end = options.toKilometres, end <= options.fromKilometres {
      throw SynthProblem("--to-km is not after --from-km: give a part of the course to walk")
    }
  }

  private static func unknown(_ flag: String) -> SynthProblem {
    SynthProblem("unknown option \(printable(flag)): see tracker-sim synth --help")
  }

  private static func split(_ word: String) -> (flag: String, value: String?) {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  private mutating func set(_ flag: String, to value: String) throws(SynthProblem) {
    let read = ArgumentReader(flag: flag, value: value)
    switch flag {
    case "--out": output = value == "-" ? nil : try read.path()
    case "--name": options.name = try read.text()
    case "--comment": options.comment = try read.text()
    case "--seed": options.seed = try read.seed()
    case "--course": options.courseFile = value == "olot" ? nil : try read.path()
    case "--from-km": options.fromKilometres = try read.decimal(0...10_000, "kilometres")
    case "--to-km": options.toKilometres = try read.decimal(0...10_000, "kilometres")
    case "--start": options.start = try read.date()
    case "--duration": options.duration = try read.length(1000...1_209_600_000, "1s to 336h")
    case "--pace": options.paceKilometresPerHour = try read.decimal(1...15, "km/h")
    case "--checkpoint-rest": options.checkpointRestMinutes = try read.minutes()
    case "--night": options.night = try read.night()
    case "--sentences": options.sentences = try read.sentences()
    case "--talker": options.constellations = try read.talker()
    case "--every": options.interval = try read.interval()
    case "--noise": options.noiseMetres = try read.decimal(0...1000, "metres")
    case "--cold-start": options.coldStart = try read.length(0...86_400_000, "0 to 24h")
    case "--rest": options.rests.append(try read.span())
    case "--dropout": options.dropouts.append(try read.span())
    case "--tunnel": options.tunnels.append(try read.span())
    case "--canyon": options.canyons.append(try read.span())
    case "--garbage": options.garbage.append(try read.span())
    case "--garbage-percent":
      options.garbagePercent = Int(try read.decimal(1...100, "percent"))
    case "--rollover": options.weekRollover = try read.length(0...3_600_000_000, "0 to 1000h")
    default: throw Self.unknown(flag)
    }
  }
}
