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

  private let pipe: SignalPipe

  /// Readable when a signal has come.
  public var descriptor: Int32 { pipe.descriptor }

  /// - Throws: if the system has no descriptors left.
  public init() throws(HostError) {
    do throws(SystemError) {
      pipe = try SignalPipe([.terminate, .interrupt, .hangUp, .childEnded])
    } catch {
      throw HostError("signals cannot be watched: \(error.reason); close other programs")
    }
  }

  /// What has been requested since the last call; `end` takes precedence.
  public func take() -> Request? {
    var request: Request?
    for signal in pipe.take() where request != .end {
      switch signal {
      case .childEnded: break
      case .hangUp: request = .reload
      case .terminate, .interrupt, .quit, .kill: request = .end
      }
    }
    return request
  }
}

/// Why a program cannot do something: one line that says what, where and what to do.
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
