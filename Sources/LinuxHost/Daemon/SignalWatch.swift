import Glibc
import SystemCalls

/// SIGTERM, SIGINT and SIGHUP as something to poll for. SIGCHLD wakes the poll too: a program that
/// was started has ended.
///
/// A pipe that the handlers write to: a signal that comes at any moment is found by the next poll.
/// One object in a process, for as long as it lives: what comes between two runs of the loop is
/// found by the second.
public final class SignalWatch {
  public enum Request: Sendable, Equatable {
    case end
    case reload
  }

  private static let numbers = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]

  private let pipe: DescriptorPipe

  /// Readable when a signal has come.
  public var descriptor: Int32 { pipe.readEnd.number }

  /// - Throws: that the system has no descriptor left.
  public init() throws(HostProblem) {
    do throws(SystemError) {
      pipe = try DescriptorPipe()
    } catch {
      throw HostProblem("signals cannot be watched: \(error.reason); close other programs")
    }
    signalPipe = pipe.writeEnd.number
    for number in Self.numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe has told already.
        _ = write(signalPipe, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART | SA_NOCLDSTOP
      sigaction(number, &action, nil)
    }
    // Whoever started us may have held them back.
    var ours = sigset_t()
    sigemptyset(&ours)
    for number in Self.numbers { sigaddset(&ours, number) }
    sigprocmask(SIG_UNBLOCK, &ours, nil)
    // A reader that goes away is an error code, not the end.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    for number in Self.numbers { signal(number, SIG_DFL) }
    if signalPipe == pipe.writeEnd.number { signalPipe = -1 }
  }

  /// What has been asked for since the last call; `end` comes before all else.
  public func take() -> Request? {
    var bytes = [UInt8](repeating: 0, count: 16)
    var request: Request?
    while true {
      let count = retryingOnInterrupt { read(descriptor, &bytes, bytes.count) }
      guard count > 0 else { return request }
      for byte in bytes[..<count] where request != .end {
        switch Int32(byte) {
        case SIGCHLD: break
        case SIGHUP: request = .reload
        default: request = .end
        }
      }
    }
  }
}

// A handler can reach nothing but globals. Written before the first handler is in place.
nonisolated(unsafe) private var signalPipe: Int32 = -1
