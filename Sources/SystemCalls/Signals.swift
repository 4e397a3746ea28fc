internal import Glibc

/// Makes signals pollable: what comes is written to a pipe, so that the next poll finds it,
/// whenever it came.
///
/// Only one may exist in a process at a time.
public final class SignalPipe: Sendable {
  private let signals: [Signal]
  private let pipe: DescriptorPipe

  /// Readable when a signal has come.
  public var descriptor: Int32 { pipe.readEnd.number }

  /// Also lets a closed reader be an error code and not the end of the process (SIGPIPE).
  public init(_ signals: [Signal]) throws(SystemError) {
    self.signals = signals
    pipe = try DescriptorPipe()
    signalPipe = pipe.writeEnd.number
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // If the pipe is full there is already something to read.
        _ = write(signalPipe, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART | SA_NOCLDSTOP
      sigaction(signal.number, &action, nil)
    }
    // The parent process may have blocked them.
    var ours = sigset_t()
    sigemptyset(&ours)
    for signal in signals { sigaddset(&ours, signal.number) }
    sigprocmask(SIG_UNBLOCK, &ours, nil)
    ignoreBrokenPipes()
  }

  deinit {
    for signal in signals { Glibc.signal(signal.number, SIG_DFL) }
    if signalPipe == pipe.writeEnd.number { signalPipe = -1 }
  }

  /// The signals that have come since the last call, in order.
  public func take() -> [Signal] {
    var taken: [Signal] = []
    var bytes = [UInt8](repeating: 0, count: 16)
    while let count = try? pipe.readEnd.read(into: &bytes), count > 0 {
      for byte in bytes[..<count] {
        if let signal = signals.first(where: { $0.number == Int32(byte) }) { taken.append(signal) }
      }
    }
    return taken
  }
}

// Signal handlers can only access globals. Set before the first handler is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// From now on a closed reader is an error code and does not end the process.
public func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

/// Holds back signals that would end the program. They are held for all threads that are made
/// afterwards, too.
///
/// One that has come and was not taken ends the program when this goes.
public struct HeldSignals: ~Copyable {
  private let signals: [Signal]
  private let set: sigset_t
  private let before: sigset_t

  public init(_ signals: [Signal]) {
    self.signals = signals
    // Not in place as long as Swift 6.2 has to compile this: it takes two properties of `self` for
    // one.
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.number) }
    pthread_sigmask(SIG_BLOCK, &set, &before)
    self.set = set
    self.before = before
  }

  /// Waits for one of them.
  public func wait() -> Signal {
    var set = set
    var number: Int32 = 0
    while true {
      if sigwait(&set, &number) == 0, let signal = signals.first(where: { $0.number == number }) {
        return signal
      }
    }
  }

  /// Whether one has come. Those that are ignored (`nohup`) never do.
  public var isPending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return signals.contains { sigismember(&pending, $0.number) == 1 }
  }

  deinit {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
