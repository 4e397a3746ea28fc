import BoardSupport
import CaptureStore
import CommandLineSupport
import Courses
import Reports
import Simulation
import Traces
import TrackerCore

extension Scenario {
  /// Reads a scenario and the modem's script that it names.
  static func load(path: String) throws(FileError) -> Scenario {
    try load(path: path) { path throws in try InputFile.bytes(of: path, atMost: 1 << 20) }
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
    let bytes = try InputFile.regularBytes(of: path, atMost: 64 << 20)
    do throws(CourseProblem) {
      var course = try MappedCourse(bytes)
      course.limits = settings.courseLimits
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
    let store = try queue.open(device: beginning.identity.device)
    var world = try World(
      trace: player, board: board.board, scenario: scenario, store: store, seed: options.seed,
      variation: Variation(seed: options.seed), mayActFor: settings.mayActFor)
    world.use(settings.configuration)
    world.use(board.radio)
    world.courseTable = beginning.course.map { CourseTable($0) }
    return Observed(
      world, by: RunRecord(events: events, recorder: record.map { Recorder(beginning, into: $0) }))
  }
}
