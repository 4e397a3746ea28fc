import CaptureStore
import CommandLineSupport
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

/// Writes everything to a stick that is plugged in: the captures in each format, and a report.
struct StickExport {
  /// `nil`: the stick that is found.
  var device: String?

  /// `trackerctl export --stick`.
  ///
  /// - Parameter words: the command line without `export`.
  /// - Returns: the exit code.
  static func run(_ words: [String]) throws -> Int32 {
    var reader = ArgumentReader(words)
    var stick = StickExport()
    var rest: [String] = []
    while let word = reader.next() {
      switch word {
      case "--stick": try reader.refuseValue()
      case "--device": stick.device = try reader.value("the stick's partition, as /dev/sda1")
      case "--store", "--socket", "--config", "--language":
        rest += [word, try reader.value("see trackerctl --help")]
      case "--help", "-h": throw HelpRequested()
      default: throw UsageError(UsagePhrase.unknownOption.texts(word, "trackerctl"))
      }
    }
    let options = try ConsoleOptions(rest)
    var console = Console(
      LinuxBackend(try TrackerPlace(options)), language: options.language,
      fallback: Language.ofEnvironment ?? .english)
    return try say(try stick.export(&console).page.text())
  }

  /// - Throws: what prevents it, and what to do.
  func export(_ console: inout Console<LinuxBackend>) throws -> Answer {
    let stores = try console.backend.stores()
    guard let first = stores.first, case .file(let path) = first.place else { return Answer() }
    let stick = try device.map { Stick(device: $0, mountPoint: nil) } ?? StickFinder().stick()
    let number = String(first.device.lowercaseText.prefix(CaptureName.shownDigits))
    // A stick that stays mounted could not be pulled out.
    let before = [SIGINT, SIGTERM, SIGHUP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in before { signal(number, action) } }
    var mounted = try StickMount(stick)
    let folder = mounted.folder + "/trailtracker-\(number)-\(Self.stamp)"
    guard mkdir(folder, 0o755) == 0 else {
      throw UsageError(
        "\(stick.device): cannot be written: \(reason(of: errno)); is it locked or full?")
    }
    for format in ["gpx", "csv", "geojson", "kml"] {
      let words = [
        "--store", path, "--format", format, "--output", "\(folder)/captures.\(format)",
      ]
      _ = try Export(Options(words, for: .export)).run()
    }
    let report = console.answer(.report("\(folder)/report.txt"))
    try writeNewFile(report.page.text(width: .max), to: "\(folder)/report.txt")
    try mounted.finish()
    return console.exported(
      stores.reduce(0) { $0 + $1.tally.rows }, to: stick.device, isFree: stick.mountPoint == nil)
  }

  /// `20261123-0731`, UTC by the machine's date; FAT takes no colons.
  private static var stamp: String {
    CalendarText.text(BootClock.date).filter { $0.isNumber || $0 == " " }
      .exchanging(" ", for: "-").prefix(13).description
  }
}
