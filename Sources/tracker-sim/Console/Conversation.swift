import BoardSupport
import CommandLineSupport
import FieldConsole
import TrackerCore
import Wording

extension Simulate {
  /// Plays a trace as far as a console wants.
  ///
  /// - Returns: the exit code: of the last answer; 0 on a terminal.
  static func converse(_ inputs: RunInputs) throws -> Int32 {
    let options = inputs.options
    let file = try options.config.map { path throws in
      try SettingsFile(try FileNode.load(path: path), on: inputs.board)
    }
    ProgressBar().sayInterrupted(
      inputs.traceName,
      in: Language.chosen(options.language, configured: inputs.settings.language))
    let beginning = try inputs.beginning()
    var tracker = beginning.tracker
    var observed = try inputs.host(of: beginning)
    observed.base.progress = { _, now in
      Interruption.reached(seconds: Int32(clamping: now.milliseconds / 1000))
    }
    let console = Console(
      SimulatedBackend(file ?? SettingsFile(), observed.base.store), language: options.language,
      fallback: Language.ofEnvironment ?? .english)
    var host = ConsoleHost(observed, ConsoleDoor(console, isJSON: options.json))
    TrackerCore.run(&tracker, in: &host)
    host.answerRest(tracker)
    try host.base.observer.finish()
    try inputs.events?.finish()
    if let error = host.base.base.traceError {
      inputs.queue.remove()
      throw error
    }
    if let problem = host.base.base.storeProblem { throw problem }
    if let problem = host.door.problem { throw problem }
    return host.door.exitCode
  }
}
