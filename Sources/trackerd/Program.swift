import BoardSupport
import CommandLineWords
import Glibc
import LinuxHost

/// From words to a daemon, and from what goes wrong to one line and an exit code.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    do {
      let options = try Options(words)
      if options.wantsHelp { return say(Help.text) }
      if options.wantsVersion { return say("trackerd \(Help.version)\n") }
      IANAZone.prepare()
      let settings = try Settings(options)
      if options.checksOnly {
        try settings.core.checkFinish(at: BootClock.date, path: options.config)
        return say("the settings can be used\n")
      }
      forbidCoreDumps()
      return try Daemon.run(settings, options)
    } catch {
      complain("\(error)", program: "trackerd")
      return 2
    }
  }

  /// A dump would hold the secrets.
  private static func forbidCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    // A core_pattern that is a pipe knows no limit; then the dump holds no memory (core(5)).
    let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    _ = write(filter, "0", 1)
    close(filter)
  }

  private static func say(_ text: String) -> Int32 {
    let bytes = Array(text.utf8)
    return write(STDOUT_FILENO, bytes, bytes.count) == bytes.count || errno == EPIPE ? 0 : 2
  }
}
