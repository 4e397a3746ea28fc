import Glibc

/// Where a command writes: standard output, or a file that appears only when it is complete.
///
/// A regular file is written under another name beside its own, and renamed by `finish`; until then
/// an older file of that name stays as it was. Devices and pipes are written directly.
final class OutputFile {
  private let path: String
  private var descriptor: Int32
  private var temporary: String?

  /// - Parameter path: `nil` is standard output.
  init(path: String?) throws(FileProblem) {
    guard let path else {
      self.path = "standard output"
      descriptor = STDOUT_FILENO
      return
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    // Through a symbolic link: renaming over the link would leave the real file alone.
    self.path = exists ? Self.resolved(path) : path
    if exists, status.st_mode & S_IFMT != S_IFREG {
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      let name = "\(self.path).\(getpid()).tmp"
      SignalHold.begin()
      descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      let code = errno
      if descriptor >= 0 { temporary = name } else { SignalHold.end() }
      errno = code
    }
    guard descriptor >= 0 else { throw FileProblem("cannot write", path, code: errno) }
    if exists, temporary != nil { fchmod(descriptor, status.st_mode & 0o777) }
  }

  func write(_ bytes: [UInt8]) throws(FileProblem) {
    if temporary != nil, SignalHold.isSignalWaiting { leaveBySignal() }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw FileProblem("cannot write", path, code: errno)
      }
    }
  }

  /// Closes the file and gives it its name. Without this call it vanishes.
  func finish() throws(FileProblem) {
    guard let temporary else { return }
    let closing = descriptor
    descriptor = -1
    // Some file systems tell only now that there was no space.
    guard close(closing) == 0 else { throw FileProblem("cannot write", path, code: errno) }
    guard rename(temporary, path) == 0 else {
      throw FileProblem("cannot write", path, code: errno)
    }
    self.temporary = nil
    SignalHold.end()
  }

  deinit {
    guard let temporary else { return }
    if descriptor >= 0 { close(descriptor) }
    unlink(temporary)
    SignalHold.end()
  }

  /// Removes what was written and lets the signal do what it came for.
  private func leaveBySignal() -> Never {
    if let temporary { unlink(temporary) }
    SignalHold.end()
    // Not reached: the signal that waited has ended the program.
    exit(2)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

/// Makes signals that end the program wait while there is a half-written file.
private enum SignalHold {
  /// The signals that would end the program; one that is ignored (`nohup`) would not.
  private static var endings: [Int32] {
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { signal in
      var action = sigaction()
      sigaction(signal, nil, &action)
      // SIG_IGN is the address 1, which Swift cannot compare as a function.
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
    }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in endings { sigaddset(&set, signal) }
    return set
  }

  static func begin() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  static func end() {
    var set = set
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  static var isSignalWaiting: Bool {
    var waiting = sigset_t()
    sigpending(&waiting)
    return endings.contains { sigismember(&waiting, $0) == 1 }
  }
}
