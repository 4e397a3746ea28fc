import FieldConsole
import Glibc
import SystemCalls

/// A program that is asked for a few lines, and given up when they take too long.
final class BriefProgram {
  private let process: pid_t
  private let output: Descriptor
  private var hasEnded = false

  /// A tracker's kept events are the longest.
  private static let longestOutput = EventMemory.mostBytes

  /// Starts it, without input and without a terminal.
  ///
  /// - Returns: `nil` if it cannot be run.
  init?(_ words: [String]) {
    guard let program = words.first, let pipe = try? DescriptorPipe() else { return nil }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd.number, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    // This program ignores SIGPIPE, which would be inherited.
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var id: pid_t = 0
    guard posix_spawnp(&id, program, &actions, &attributes, &arguments, environ) == 0 else {
      return nil
    }
    process = id
    output = Self.readEnd(of: pipe)
  }

  /// The write end is closed here, so that the output ends with the program.
  private static func readEnd(of pipe: consuming DescriptorPipe) -> Descriptor {
    Descriptor(owning: fcntl(pipe.readEnd.number, F_DUPFD_CLOEXEC, 3))
  }

  deinit {
    guard !hasEnded else { return }
    kill(-process, SIGKILL)
    // One that waits for a disk in the kernel ends later, or never: nobody waits for it.
    for _ in 0..<20 where waitpid(process, nil, WNOHANG) == 0 { usleep(2000) }
  }

  /// Its output.
  ///
  /// - Parameter deadline: milliseconds of CLOCK_MONOTONIC.
  /// - Returns: `nil` if it has failed or was not done by then.
  func text(until deadline: Int64) -> String? {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while text.count < Self.longestOutput {
      let rest = deadline - milliseconds(of: CLOCK_MONOTONIC)
      var waiting = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      let found = retryingOnInterrupt { poll(&waiting, 1, Int32(clamping: max(0, rest))) }
      guard found > 0, let count = try? output.read(into: &bytes) else { return nil }
      if count == 0 { return isGood(until: deadline) ? String(decoding: text, as: UTF8.self) : nil }
      text += bytes[..<count]
    }
    return nil
  }

  private func isGood(until deadline: Int64) -> Bool {
    while true {
      var status: Int32 = 0
      let ended = retryingOnInterrupt { waitpid(process, &status, WNOHANG) }
      if ended != 0 {
        hasEnded = true
        return ended == process && status == 0
      }
      guard milliseconds(of: CLOCK_MONOTONIC) < deadline else { return false }
      usleep(1000)
    }
  }
}
