import CommandLineSupport
import Foundation
import Synchronization

/// `bench daemon`: what trackerd costs beside gpsd: the same receiver's sentences go to both at
/// once, over a pseudo-terminal each, 1 Hz and seven sentences, one by one as a serial line brings
/// them. Beside them, what it costs to wake up as often and do nothing.
enum DaemonBench {
  static let standardSeconds = 120
  /// Read and gathered once a second, and the report's end after a silence.
  static let wakesEachSecond = 3

  static func run(_ arguments: Arguments) throws {
    let seconds = arguments.number(.seconds).map { Int($0) } ?? standardSeconds
    let program = Program.path(of: "trackerd")
    let gatherings = arguments.texts(.gathering)
    let rivals =
      try (gatherings.isEmpty ? [nil] : gatherings.map(Optional.some))
      .map { try Rival.tracker(program, $0) } + [Rival.gpsd()]
    // What a start costs is counted apart from what it costs to run.
    Thread.sleep(forTimeInterval: 5)
    let before = try rivals.map { try $0.usage() }
    let idler = Idler(wakes: seconds * wakesEachSecond)
    for second in 0..<seconds {
      for sentence in Sentences.at(second) {
        for rival in rivals { rival.feed(sentence) }
        Thread.sleep(forTimeInterval: 0.07)
      }
      Thread.sleep(forTimeInterval: 0.51)
    }
    for (rival, before) in zip(rivals, before) {
      try printOut(rival.report(since: before, seconds: Double(seconds)) + "\n")
    }
    let idle = idler.finish() / Double(seconds) * 3600
    try printOut(
      String(format: "%d empty wake-ups/s: %.2f s of processor per hour\n", wakesEachSecond, idle))
  }
}

/// A thread that only wakes up.
final class Idler: Sendable {
  private let used = Mutex<Double?>(nil)

  init(wakes: Int) {
    Thread.detachNewThread { [self] in
      for _ in 0..<wakes { poll(nil, 0, Int32(1000 / DaemonBench.wakesEachSecond)) }
      let times = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
      let nanoseconds = times?.split(separator: " ").first.flatMap { Double($0) } ?? .nan
      used.withLock { $0 = nanoseconds / 1e9 }
    }
  }

  /// - Returns: seconds on a processor.
  func finish() -> Double {
    while true {
      if let seconds = used.withLock({ $0 }) { return seconds }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}

/// What a process has used so far.
struct Usage {
  /// On a processor, seconds.
  var processor: Double
  /// Times that it went to sleep of its own will: each is a wake-up.
  var sleeps: Int
  /// Most that it ever had resident, and has now, KiB; of that private memory.
  var peak: Int
  var resident: Int
  var anonymous: Int
}

struct BenchError: Error, CustomStringConvertible { var description: String }

/// A program that reads a receiver from a pseudo-terminal of its own.
final class Rival {
  let name: String
  private let master: Int32
  private let line: String
  private var processes: [Process] = []
  private let folder: URL
  var control: String { folder.path + "/control" }
  var settings: String { folder.path + "/settings.json5" }

  private init(
    _ name: String, below parent: URL = FileManager.default.temporaryDirectory
  ) throws {
    self.name = name
    folder =
      parent
      .appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN (asm-generic/ioctls.h), macros that Swift does not see.
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &unlocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw BenchError(description: "no pseudo-terminal can be had") }
    line = "/dev/pts/\(number)"
    var settings = termios()
    tcgetattr(master, &settings)
    cfmakeraw(&settings)
    tcsetattr(master, TCSANOW, &settings)
  }

  deinit {
    end()
    close(master)
    try? FileManager.default.removeItem(at: folder)
  }

  /// - Parameters:
  ///   - gathering: how long bursts gather; `nil`: as is usual.
  ///   - parent: where its folder is made.
  ///   - prepare: what to do with its store before it starts.
  static func tracker(
    _ program: String, _ gathering: String?,
    below parent: URL = FileManager.default.temporaryDirectory,
    prepare: (String) throws -> Void = { _ in }
  ) throws -> Rival {
    let rival = try Rival(
      gathering.map { "trackerd, gathering \($0)" } ?? "trackerd", below: parent)
    try prepare(rival.folder.path + "/queue.db")
    let setting = gathering.map { "gathering: \"\($0)\"," } ?? ""
    let settings = """
      { team: "Els Caminants", bearer: "none", store: "\(rival.folder.path)/queue.db",
        control: "\(rival.folder.path)/control", \(setting) receiverPort: "\(rival.line)",
        server: { address: "http://127.0.0.1:9/rest/services/Walk/FeatureServer/0" } }
      """
    let file = rival.folder.appendingPathComponent("settings.json5")
    try Data(settings.utf8).write(to: file)
    try rival.start(program, ["--board", "pi-zero-2w-sim7600", "--config", file.path])
    return rival
  }

  /// With one client that has everything sent to it, as a tracker would.
  static func gpsd() throws -> Rival {
    let rival = try Rival("gpsd, one client")
    try rival.start("/usr/sbin/gpsd", ["-N", "-n", "-S", "29471", rival.line])
    Thread.sleep(forTimeInterval: 1)
    try rival.start("/usr/bin/gpspipe", ["-w", "127.0.0.1:29471"])
    return rival
  }

  private func start(_ path: String, _ arguments: [String]) throws {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      let cure =
        path.hasPrefix("/usr/")
        ? "apt-get install gpsd gpsd-clients" : "swift build -c release"
      throw BenchError(description: "\(path) is not there; \(cure)")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    processes.append(process)
  }

  /// Kills it.
  func end() {
    for process in processes {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    // Their numbers may belong to others from here on.
    processes = []
  }

  func feed(_ bytes: [UInt8]) { _ = write(master, bytes, bytes.count) }

  func usage() throws -> Usage {
    guard let process = processes.first, process.isRunning else {
      throw BenchError(
        description:
          "\(name) has ended; run it in a clone, where the boards are, or start it by hand")
    }
    let folder = "/proc/\(process.processIdentifier)"
    let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
    func value(_ key: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
      return line.flatMap { Int($0.split(whereSeparator: { " \t".contains($0) })[1]) } ?? 0
    }
    // The second column would be the time that it waited for a processor.
    var nanoseconds = 0.0
    for task in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task") {
      let times = try String(contentsOfFile: "\(folder)/task/\(task)/schedstat", encoding: .utf8)
      nanoseconds += times.split(separator: " ").first.flatMap { Double($0) } ?? 0
    }
    return Usage(
      processor: nanoseconds / 1e9, sleeps: value("voluntary_ctxt_switches"),
      peak: value("VmHWM"), resident: value("VmRSS"), anonymous: value("RssAnon"))
  }

  func report(since before: Usage, seconds: Double) throws -> String {
    let after = try usage()
    let hour = (after.processor - before.processor) * 3600 / seconds
    let wakes = Double(after.sleeps - before.sleeps) / seconds
    return String(
      format: "%@: %.2f s of processor per hour, %.1f wake-ups/s, "
        + "resident %.1f MB (private %.1f, at its start %.1f)",
      name, hour, wakes, Double(after.resident) / 1024, Double(after.anonymous) / 1024,
      Double(after.peak) / 1024)
  }
}

/// What a usual receiver says in a second: RMC, VTG, GGA, GSA and three GSV.
enum Sentences {
  static func at(_ second: Int) -> [[UInt8]] {
    let time = Date(timeIntervalSinceNow: 0)
    let parts = Calendar(identifier: .gregorian).dateComponents(
      in: TimeZone(identifier: "UTC") ?? .current, from: time)
    let clock = String(
      format: "%02d%02d%02d.00", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    let day = String(
      format: "%02d%02d%02d", parts.day ?? 1, parts.month ?? 1, (parts.year ?? 2000) % 100)
    let place = String(format: "4210.%05d,N,00229.34000,E", (second * 70) % 100_000)
    return [
      "GPRMC,\(clock),A,\(place),2.437,191.20,\(day),,,A",
      "GPVTG,191.20,T,,M,2.437,N,4.513,K,A",
      "GPGGA,\(clock),\(place),1,08,1.01,443.2,M,49.5,M,,",
      "GPGSA,A,3,04,05,09,12,17,24,29,31,,,,,1.79,1.01,1.48",
      "GPGSV,3,1,11,04,77,048,42,05,26,120,38,09,33,293,39,12,07,043,30",
      "GPGSV,3,2,11,17,52,240,44,24,14,085,33,25,06,325,28,28,03,201,",
      "GPGSV,3,3,11,29,29,164,40,31,18,268,35,33,39,201,41",
    ].map { text in
      let sum = text.utf8.reduce(UInt8(0), ^)
      return Array(("$\(text)*" + String(format: "%02X", sum) + "\r\n").utf8)
    }
  }
}
