import CommandLineSupport
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
    let path = "\(temporaryDirectory)/bench-\(ownProcess).nmea"
    let recording = isRecording ? path + ".recording" : nil
    defer {
      try? removeFile(path)
      if let recording { try? removeFile(recording) }
    }
    let file = try OutputFile(path: path)
    try file.write(log)
    try file.finish()
    var results: [ClosedLoopBench] = []
    // The first run warms the page cache and is not counted.
    for run in 0...runs {
      // `--record` refuses to overwrite a file.
      if let recording { try? removeFile(recording) }
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
    let report = path + ".timing"
    defer { try? removeFile(report) }
    var spawn = Spawn(
      [program, "--trace", path, "--json", "--timing"]
        + (recording.map { ["--record", $0] } ?? []))
    spawn.streams = [
      (StandardStream.output, .output("/dev/null")), (StandardStream.error, .output(report)),
    ]
    let start = MachineBench.now()
    let child: Int32
    do throws(SystemError) { child = try spawn.start() } catch {
      throw FileAccessError("cannot start", program, code: error.code)
    }
    let outcome = reap(child, isWaiting: true)
    let end = MachineBench.now()
    let text = String(decoding: try InputFile.bytes(of: report, atMost: 65_536), as: UTF8.self)
    guard outcome == .ended(.code(0)) else {
      let said = text.split(separator: "\n").first.map(String.init) ?? "it said nothing"
      throw FileAccessError("cannot measure", path, reason: "the run failed: \(said)")
    }
    let peak = text.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0
    let size = recording.flatMap { try? FileStatus($0) }?.size ?? 0
    return ClosedLoopBench(
      seconds: end - start, peakKilobytes: peak, recordedBytes: Int(size))
  }
}
