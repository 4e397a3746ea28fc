import BoardSupport
import CaptureStore
import CommandLineSupport
import Courses
import Reports
import Simulation
import SystemCalls
import Traces
import TrackerCore
import Wording

/// The command line of the default command.
struct SimulateOptions {
  static let usualBoard = "pi-zero-2w-sim7600"

  private let arguments: Arguments
  let expectations: [Expectation]

  var trace: String { arguments.text(.trace) ?? "" }
  var board: String { arguments.text(.board) ?? Self.usualBoard }
  var config: String? { arguments.text(.config) }
  var scenario: String? { arguments.text(.scenario) }
  var course: String? { arguments.text(.course) }
  var seed: UInt64 { UInt64(arguments.number(.seed) ?? 1) }
  var json: Bool { arguments.has(.json) }
  /// Whether the run is held against the invariants.
  var invariants: Bool { arguments.has(.invariants) }
  /// Whether `--json` has what `--report` draws over time.
  var series: Bool { arguments.has(.series) }
  var timing: Bool { arguments.has(.timing) }
  var console: Bool { arguments.has(.console) }
  var events: String? { arguments.text(.events) }
  var store: String? { arguments.text(.store) }
  var record: String? { arguments.text(.record) }
  var report: String? { arguments.text(.report) }
  var tiles: String? { arguments.text(.tiles) }
  var language: Language? { arguments.language }

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    expectations = try arguments.texts(.expect).map { text throws in
      do { return try Expectation(text) } catch { throw UsageError("\(error)") }
    }
    for option in [Option.record, .report] where arguments.text(option) == "-" {
      throw UsageError(SimPhrase.notStandardOutput.texts(option.name))
    }
    let outputs = [store, events, record, report].compactMap { $0 }
    if let name = outputs.first(where: { name in outputs.count { $0 == name } > 1 }) {
      throw UsageError(SimPhrase.sameOutput.texts(name))
    }
    // A console answers instead of a summary, and may leave before the end.
    if console && trace == "-" { throw UsageError(SimPhrase.bothInput.texts) }
    for option in [Option.console, .json] where events == "-" && arguments.has(option) {
      throw UsageError(SimPhrase.bothOutput.texts(option.name))
    }
  }
}

extension Scenario {
  /// Reads a scenario and the modem's script that it names.
  static func load(path: String) throws(FileError) -> Scenario {
    try load(path: path) { path throws in try InputFile.bytes(of: path, atMost: FileBounds.bytes) }
  }
}

/// What a run depends on, and where it is written.
struct RunInputs {
  let options: SimulateOptions
  let board: BoardDescription
  let settings: ConfigurationFile
  let scenario: Scenario
  let events: OutputFile?
  let record: RecordingFile?
  /// `nil`: nobody wants a page.
  var history: RunHistory?
  var queue: QueueFile { QueueFile(path: options.store) }
  /// Without the folder, so that nothing depends on where the trace is.
  var traceName: String { options.trace.split(separator: "/").last.map(String.init) ?? "" }

  /// A tracker at its start.
  func beginning() throws -> RecordingHeader {
    var beginning = RecordingHeader(
      board: board.board, configuration: settings.configuration,
      identity: Identity(
        device: try RunDevice.of(options, settings: settings), team: settings.team,
        seed: options.seed, simPIN: scenario.sim.state),
      at: .start, program: "tracker-sim \(version)",
      comments: ["Trace: \(traceName)", "Board: \(board.identifier)"])
    beginning.course = try course()
    return beginning
  }

  /// What the tracker is to follow; says on standard error what became of the file.
  private func course() throws -> MappedCourse? {
    guard let path = options.course else { return nil }
    let bytes = try InputFile.regularBytes(of: path, atMost: SimulatorBounds.courseBytes)
    do throws(CourseError) {
      var course = try MappedCourse(bytes)
      course.limits = settings.courseLimits
      if let coverage = settings.coverage { course.use(coverage: coverage) }
      complain("\(path): \(course.summary)")
      for doubt in course.doubts { complain("\(path): \(doubt)") }
      return course
    } catch {
      throw UsageError("\(path): \(error.description)")
    }
  }

  /// The world that a tracker meets.
  func host(of beginning: RecordingHeader) throws -> Observed<World, RunRecord> {
    let player = try TracePlayer(path: options.trace)
    if queue.path != nil, scenario.restarts.contains(where: { $0.afterWrites > 0 }) {
      let name = options.scenario ?? ""
      throw UsageError("\(name): \"writes\" needs a store of its own; leave out --store")
    }
    let store = try queue.open(device: beginning.identity.device)
    var world = try World(player, on: board, settings, scenario, store: store, seed: options.seed)
    world.identity = beginning.identity
    world.courseTable = beginning.course.map { CourseTable($0) }
    return Observed(
      world, by: RunRecord(events: events, recorder: record.map { Recorder(beginning, into: $0) }))
  }
}

/// The device identifier of a run's tracker.
///
/// Different runs must not give different captures the same GlobalIDs: a server that has those of
/// one run would take the other's for copies. So the identifier is a hash of everything that the
/// run depends on; repeating a run gives the same device.
struct RunDevice {
  private var high = Digest()
  private var low = Digest()

  /// - Throws: if a file cannot be read.
  init(_ options: SimulateOptions) throws {
    // The two halves use the same hash with different prefixes.
    low.add(0xA5)
    try add(options.trace)
    for path in try BoardDescription.files(named: options.board) { try add(path) }
    try add(options.config)
    try add(options.scenario)
    if let course = options.course { try add(course) }
    withUnsafeBytes(of: options.seed.littleEndian) { for byte in $0 { add(byte) } }
  }

  /// A UUID of version 8 (RFC 9562 §5.8).
  var identifier: UniqueID {
    UniqueID(
      high: high.value & ~0xF000 | 0x8000, low: low.value & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  private mutating func add(_ byte: UInt8) {
    high.add(byte)
    low.add(byte)
  }

  /// Adds a file's content and length.
  private mutating func add(_ file: String?) throws {
    guard let file else { return add(0) }
    var length: UInt64 = 0
    do throws(SystemError) {
      let opened = try Descriptor(opening: file, .read)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = try opened.read(into: &buffer), count > 0 {
        for byte in buffer[..<count] { add(byte) }
        length += UInt64(count)
      }
    } catch {
      throw UsageError("\(file): \(error.reason)")
    }
    withUnsafeBytes(of: length.littleEndian) { for byte in $0 { add(byte) } }
  }

  /// For a trace that can be read only once, such as a pipe.
  static func random() -> UniqueID {
    var generator = SystemRandomNumberGenerator()
    return UniqueID(
      high: generator.next() & ~0xF000 | 0x4000,
      low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  /// The configured device, or one derived from the run's inputs.
  static func of(_ options: SimulateOptions, settings: ConfigurationFile) throws -> UniqueID {
    if let chosen = settings.device { return chosen }
    // A store in memory ends with the run, so it cannot be sent to a real server.
    guard options.store != nil else { return UniqueID(high: 0, low: 1) }
    guard (try? FileStatus(options.trace))?.kind == .file else { return random() }
    return try RunDevice(options).identifier
  }
}

/// The capture store of a run: in memory, or in a file to be inspected afterwards.
struct QueueFile {
  let path: String?

  /// Creates an empty store.
  ///
  /// - Throws: if the file exists or cannot be created.
  func open(device: UniqueID) throws -> CaptureStore {
    // The simulated board's clock begins in 1970.
    let start = UTC(milliseconds: 0)
    guard let path else { return try CaptureStore.open(.memory, for: .device(device), at: start) }
    guard !may(.exist, path) else {
      throw UsageError(SimPhrase.exists.texts("--store", path))
    }
    return try CaptureStore.open(.file(path), for: .device(device), at: start)
  }

  /// Removes the files of a run that failed.
  func remove() {
    guard let path else { return }
    for tail in ["", "-wal", "-shm", ".lock"] { try? removeFile(path + tail) }
  }
}

/// The output of `--record`: one file, without rotation.
final class RecordingFile: TraceSink {
  private let file: OutputFile
  private(set) var problem: FileAccessError?
  let isPartFull = false

  init(path: String) throws(FileAccessError) { file = try OutputFile(path: path) }

  func write(_ lines: [UInt8], at now: Instant) -> Bool {
    guard problem == nil else { return false }
    do throws(FileAccessError) {
      try file.write(lines)
      return true
    } catch {
      problem = error
      return false
    }
  }

  func beginPart() {}

  func finish() {
    guard problem == nil else { return }
    do throws(FileAccessError) { try file.finish() } catch { problem = error }
  }
}
