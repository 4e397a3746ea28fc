import CaptureStore
import CommandLineSupport
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// Measures how fast a backlog is delivered: made-up captures in a store on disk, sent as `push`
/// sends them.
struct Bench {
  /// 48 hours at ten seconds.
  static let standardCaptures: UInt32 = 17_280

  private let server: ServerConnection
  private let captures: UInt32
  private let address: String
  private let isConfirmed: Bool

  /// - Throws: if the command line is wrong or the server is not on this machine.
  init(_ arguments: Arguments) throws {
    address = arguments.text(.server) ?? ""
    guard try LayerAddress(address).isThisMachine else {
      throw UsageError(
        "--server: bench fills the layer with made-up captures; give a basecamp on this machine")
    }
    server = try ServerConnection(arguments)
    captures = arguments.number(.captures).map { UInt32(clamping: $0) } ?? Self.standardCaptures
    isConfirmed = arguments.has(.yes)
  }

  /// Refuses other machines: made-up captures would stay in a real layer.
  private func isWanted() throws -> Bool {
    if isConfirmed { return true }
    let question = CommandPhrase.benchFills.texts("\(captures)", address)
    guard isatty(STDIN_FILENO) == 1 else {
      throw UsageError(question.semicolon(CommandPhrase.benchNeedsYes.texts))
    }
    let language = Language.chosen(nil)
    try printOut("\(question[language]). \(CommandPhrase.goOn.texts[language]) ")
    return ConsoleCommand.isYes(readLine() ?? "")
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    guard try isWanted() else { return 2 }
    let folder = try TemporaryFolder()
    let store = try CaptureStore.open(.file("\(folder.path)/bench.store"), at: BootClock.date)
    for sequence in 1...captures {
      try store.append(Self.capture(sequence), at: BootClock.date)
      if sequence % 500 == 0 { ServerConnection.show("stored \(sequence) of \(captures)") }
    }
    let start = Self.seconds()
    guard let report = try server.deliver(store) else { return 2 }
    let seconds = Self.seconds() - start
    let traffic = server.traffic
    let delivered = max(1, report.pushed)
    let rate = Int(Double(report.pushed) / max(seconds, 0.001))
    try printOut(
      """
      backlog   \(captures) captures in a store on disk
      pushed    \(report.pushed) in \(Self.decimal(seconds)) s (\(rate)/s), \
      \(report.requests) requests, \(traffic.newConnections) connections
      sent      \(Self.decimal(Double(traffic.sentBytes) / Double(delivered))) bytes per capture
      received  \(Self.decimal(Double(traffic.receivedBytes) / Double(delivered))) bytes per capture

      """)
    return report.left == 0 && report.setAside == 0 ? 0 : 1
  }

  /// A point of a long walk.
  private static func capture(_ sequence: UInt32) -> Capture {
    let step = Int32(clamping: sequence % 100_000)
    var capture = Capture(
      sequence: sequence, utc: UTC(milliseconds: 1_349_517_600_000 + Int64(sequence) * 10_000),
      isTimeTrusted: true,
      position: Coordinate(latitude: 421_822_000 - step * 23, longitude: 24_890_000 + step * 31),
      team: InlineText("Els Senglars"), trigger: .interval)
    capture.altitudeMillimetres = 443_000 - step
    capture.accuracyMetres = 5
    capture.batteryPercent = UInt8(100 - step % 90)
    return capture
  }

  private static func seconds() -> Double {
    var time = timespec()
    // Cannot fail: every Linux has this clock, and the address is valid.
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The value with one decimal.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// A folder that is removed with its content at the end of its life.
private struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws(FileProblem) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(parent)/trackerctl-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw FileProblem("cannot make a folder in", parent, code: errno)
    }
    path = name.withUnsafeBufferPointer { pointer in
      pointer.baseAddress.map { String(cString: $0) } ?? parent
    }
  }

  deinit {
    for name in names(inFolder: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
