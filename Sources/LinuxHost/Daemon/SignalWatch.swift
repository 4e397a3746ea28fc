import Glibc
import SystemCalls

/// Makes SIGTERM, SIGINT and SIGHUP pollable. SIGCHLD, after the end of a child process, wakes the
/// poll too.
///
/// The handlers write to a pipe, so that the next poll finds a signal, whenever it came. Only one
/// such object may exist in a process, for its whole life: a signal that comes between two runs of
/// the loop is found by the second.
public final class SignalWatch {
  public enum Request: Sendable, Equatable {
    case end
    case reload
  }

  private static let numbers = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]

  private let pipe: DescriptorPipe

  /// Readable when a signal has come.
  public var descriptor: Int32 { pipe.readEnd.number }

  /// - Throws: if the system has no descriptors left.
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
        // If the pipe is full there is already something to read.
        _ = write(signalPipe, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART | SA_NOCLDSTOP
      sigaction(number, &action, nil)
    }
    // The parent process may have blocked them.
    var ours = sigset_t()
    sigemptyset(&ours)
    for number in Self.numbers { sigaddset(&ours, number) }
    sigprocmask(SIG_UNBLOCK, &ours, nil)
    // A closed reader is to be an error code and not to end the process.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    for number in Self.numbers { signal(number, SIG_DFL) }
    if signalPipe == pipe.writeEnd.number { signalPipe = -1 }
  }

  /// What has been requested since the last call; `end` takes precedence.
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

// Signal handlers can only access globals. Set before the first handler is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1
