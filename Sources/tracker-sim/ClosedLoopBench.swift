import Glibc

/// The whole closed loop, measured as a user runs it: a process of its own, a file on disk.
struct ClosedLoopBench {
  /// Wall-clock seconds of one run, from start to exit.
  var seconds: Double
  /// Largest resident size of the process, bytes.
  var peakBytes: Int

  /// Plays a log `runs` times; the medians count.
  static func measure(_ log: [UInt8], runs: Int) throws -> ClosedLoopBench {
    let path = "\(temporaryDirectory)/tracker-sim-bench-\(getpid()).nmea"
    defer { unlink(path) }
    let file = try OutputFile(path: path)
    try file.write(log)
    try file.finish()
    var results: [ClosedLoopBench] = []
    // The first run brings the program and the file into memory; it does not count.
    for run in 0...runs {
      let result = try play(path)
      if run > 0 { results.append(result) }
    }
    return ClosedLoopBench(
      seconds: results.map(\.seconds).sorted()[runs / 2],
      peakBytes: results.map(\.peakBytes).sorted()[runs / 2])
  }

  private static var temporaryDirectory: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private static func play(_ path: String) throws -> ClosedLoopBench {
    let words = ["tracker-sim", "--trace", path, "--json"]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var child = pid_t()
    let start = Bench.now()
    let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, &arguments, environ)
    guard code == 0 else { throw FileProblem("cannot start", "/proc/self/exe", code: code) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    let end = Bench.now()
    guard status == 0 else {
      throw FileProblem(
        "cannot measure", path, reason: "the run failed; try tracker-sim --trace on it")
    }
    return ClosedLoopBench(seconds: end - start, peakBytes: usage.ru_maxrss * 1024)
  }
}
