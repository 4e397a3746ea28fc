import CaptureStore
import CommandLineSupport
import FieldConsole
import Glibc
import LinuxHost
import Reports
import SystemCalls
import TrackerCore
import Wording

/// Writes everything to a stick that is plugged in: the captures in each format, and a report.
struct StickExport {
  /// `nil`: the stick that is found.
  var device: String?

  /// `trackerctl export --stick`.
  ///
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try ConsoleOptions(arguments)
    let stick = StickExport(device: arguments.text(.device))
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
    for format in ExportFormat.allCases {
      _ = try Export(path, format, to: "\(folder)/captures.\(format.rawValue)").run()
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
