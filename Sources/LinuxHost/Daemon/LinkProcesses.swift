import Glibc
import SystemCalls

/// The running commands that open and close the link.
///
/// Created once per process: after a restart of the tracker within the process it must still know
/// what is running, or the link would be opened twice.
public final class LinkProcesses {
  /// A report on a command.
  enum Report: Sendable, Equatable {
    case ended(program: String, code: Int32, wasTold: Bool)
    case killed(program: String, signal: Int32, wasTold: Bool)
    /// It could not be run, with the reason.
    case notRun(String)
  }

  private struct Child {
    var id: pid_t
    var program: String
    /// It keeps the link open as long as it runs, like pppd.
    var isOpener: Bool
    /// It has been terminated; when it is killed, on the monotonic clock.
    var killAt: Int64?
  }

  private var children: [Child] = []
  /// The command that opens the link as soon as the current opener has ended.
  private var next: [String]?
  private var reports: [Report] = []

  public init() {}

  deinit { tellOpener() }

  /// Opens the link. If the command is still running it continues; if it has been terminated, the
  /// new one starts when it has ended.
  func open(_ words: [String]) {
    next = nil
    guard let opener = children.first(where: \.isOpener) else {
      return run(words, isOpener: true)
    }
    if opener.killAt != nil { next = words }
  }

  /// Closes the link: terminates the command that opened it, if it is still running.
  func close(_ words: [String]) {
    next = nil
    tellOpener()
    run(words, isOpener: false)
  }

  /// Does what is due, and returns the reports since the last call, in order. SIGCHLD indicates
  /// that there may be some.
  func tend() -> [Report] {
    for child in children { reap(child) }
    if let words = next, !children.contains(where: \.isOpener) {
      next = nil
      run(words, isOpener: true)
    }
    let now = milliseconds(of: CLOCK_MONOTONIC)
    for index in children.indices {
      guard let killAt = children[index].killAt, now >= killAt else { continue }
      kill(children[index].id, SIGKILL)
      // A process that hangs in the kernel ends later, or never.
      children[index].killAt = now + DaemonBounds.linkCommandEnd
    }
    defer { reports.removeAll() }
    return reports
  }

  /// The longest wait before the next `tend`; `nil`: none is due.
  var timeoutMilliseconds: Int64? {
    if !reports.isEmpty { return 0 }
    let now = milliseconds(of: CLOCK_MONOTONIC)
    return children.compactMap(\.killAt).min().map { max(0, $0 - now) }
  }

  private func tellOpener() {
    for index in children.indices where children[index].isOpener && children[index].killAt == nil {
      kill(children[index].id, SIGTERM)
      children[index].killAt = milliseconds(of: CLOCK_MONOTONIC) + DaemonBounds.linkCommandEnd
    }
  }

  private func run(_ words: [String], isOpener: Bool) {
    guard let program = words.first else { return }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // The daemon ignores SIGPIPE, and a program that it starts would inherit that: one that writes
    // to a pipe without a reader would never end.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var id: pid_t = 0
    let code = posix_spawnp(&id, program, nil, &attributes, &arguments, environ)
    guard code == 0 else {
      let option = isOpener ? "network.up" : "network.down"
      reports.append(.notRun("\(program): cannot be run: \(reason(of: code)); check \(option)"))
      return
    }
    children.append(Child(id: id, program: program, isOpener: isOpener))
  }

  private func reap(_ child: Child) {
    var status: Int32 = 0
    guard retryingOnInterrupt({ waitpid(child.id, &status, WNOHANG) }) == child.id else { return }
    children.removeAll { $0.id == child.id }
    let wasTold = child.killAt != nil
    // WIFEXITED, WEXITSTATUS and WTERMSIG (bits/waitstatus.h), macros that Swift does not import.
    let signal = status & 0x7F
    reports.append(
      signal == 0
        ? .ended(program: child.program, code: status >> 8 & 0xFF, wasTold: wasTold)
        : .killed(program: child.program, signal: signal, wasTold: wasTold))
  }
}
