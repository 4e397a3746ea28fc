import Glibc

/// SIGTERM, SIGINT and SIGHUP as something to poll for.
///
/// A pipe that the handlers write to: a signal that comes at any moment is found by the next poll.
/// One object in a process.
public final class SignalWatch {
  public enum Request: Sendable, Equatable {
    case end
    case reload
  }

  /// Readable when a signal has come.
  public let descriptor: Int32
  private let writeEnd: Int32

  /// - Throws: that the system has no descriptor left.
  public init() throws(HostProblem) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw HostProblem("signals cannot be watched: \(reason(errno)); close other programs")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writeEnd = ends[1]
    signalPipe = writeEnd
    for number in [SIGTERM, SIGINT, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe has told already.
        _ = write(signalPipe, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
    // Whoever started us may have held them back.
    var ours = sigset_t()
    sigemptyset(&ours)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ours, number) }
    sigprocmask(SIG_UNBLOCK, &ours, nil)
    // A reader that goes away is an error code, not the end.
    signal(SIGPIPE, SIG_IGN)
  }

  /// What has been asked for since the last call; `end` comes before all else.
  public func take() -> Request? {
    var bytes = [UInt8](repeating: 0, count: 16)
    var interest: Request?
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return interest }
      for byte in bytes[..<count] where interest != .end {
        interest = Int32(byte) == SIGHUP ? .reload : .end
      }
    }
  }
}

// A handler can reach nothing but globals. Written once, before the first handler is in place.
nonisolated(unsafe) private var signalPipe: Int32 = -1
