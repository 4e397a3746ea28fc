import CommandLineSupport
import Glibc
import SystemCalls

/// The whole closed loop, measured as a user runs it: a separate process, a file on disk.
struct ClosedLoopBench {
  /// Wall-clock seconds of one run, from start to exit.
  var seconds: Double
  /// The process's peak resident size, kB.
  var peakKilobytes: Int
  /// Size of the recording; 0 without one.
  var recordedBytes = 0

  /// Plays a log `runs` times and returns the medians.
  ///
  /// - Parameter isRecording: whether to record the run (`--record`) to a file beside the log.
  static func measure(
    _ log: [UInt8], runs: Int, isRecording: Bool = false
  ) throws -> ClosedLoopBench {
    let path = "\(temporaryDirectory)/bench-\(getpid()).nmea"
    let recording = isRecording ? path + ".recording" : nil
    defer {
      unlink(path)
      if let recording { unlink(recording) }
    }
    let file = try OutputFile(path: path)
    try file.write(log)
    try file.finish()
    var results: [ClosedLoopBench] = []
    // The first run warms the page cache and is not counted.
    for run in 0...runs {
      // `--record` refuses to overwrite a file.
      if let recording { unlink(recording) }
      let result = try play(path, recording: recording)
      if run > 0 { results.append(result) }
    }
    return ClosedLoopBench(
      seconds: results.map(\.seconds).sorted()[runs / 2],
      peakKilobytes: results.map(\.peakKilobytes).sorted()[runs / 2],
      recordedBytes: results.map(\.recordedBytes).max() ?? 0)
  }

  private static func play(_ path: String, recording: String?) throws -> ClosedLoopBench {
    let program = Program.path(of: "tracker-sim")
    let words =
      [program, "--trace", path, "--json", "--timing"]
      + (recording.map { ["--record", $0] } ?? [])
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let report = path + ".timing"
    defer { unlink(report) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, report, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var child = pid_t()
    let start = MachineBench.now()
    let code = posix_spawn(&child, program, &actions, nil, &arguments, environ)
    guard code == 0 else { throw FileProblem("cannot start", program, code: code) }
    var status: Int32 = 0
    _ = retryingOnInterrupt { waitpid(child, &status, 0) }
    let end = MachineBench.now()
    let text = String(decoding: try InputFile.bytes(of: report, atMost: 65_536), as: UTF8.self)
    guard status == 0 else {
      let said = text.split(separator: "\n").first.map(String.init) ?? "it said nothing"
      throw FileProblem("cannot measure", path, reason: "the run failed: \(said)")
    }
    let peak = text.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0
    var size = stat()
    let isThere = recording.map { stat($0, &size) == 0 } ?? false
    return ClosedLoopBench(
      seconds: end - start, peakKilobytes: peak, recordedBytes: isThere ? Int(size.st_size) : 0)
  }
}
