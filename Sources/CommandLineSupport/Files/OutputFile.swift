import Glibc
import SystemCalls

/// Where a command writes: standard output, or a file that appears only when it is complete.
///
/// A regular file is written under another name beside its own, and renamed by `finish` when it is
/// on the disk; until then an older file of that name stays as it was. Devices and pipes are
/// written directly.
public final class OutputFile {
  private let path: String
  private var descriptor: Int32
  private var temporary: String?

  /// - Parameter path: `nil` is standard output.
  public init(path: String?) throws(FileProblem) {
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
      SignalHold.begin(name)
      descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      let code = errno
      if descriptor >= 0 { temporary = name } else { SignalHold.end(name) }
      errno = code
    }
    guard descriptor >= 0 else { throw FileProblem("cannot write", path, code: errno) }
    if exists, temporary != nil { fchmod(descriptor, status.st_mode & 0o777) }
  }

  public func write(_ bytes: [UInt8]) throws(FileProblem) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        retryingOnInterrupt { Glibc.write(descriptor, rest.baseAddress, rest.count) }
      }
      guard count >= 0 else { throw FileProblem("cannot write", path, code: errno) }
      written += count
    }
  }

  /// Closes the file and gives it its name. Without this call it vanishes.
  public func finish() throws(FileProblem) {
    guard let temporary else { return }
    // A stick may be pulled out as soon as the program has ended.
    guard fsync(descriptor) == 0 else { throw FileProblem("cannot write", path, code: errno) }
    let closing = descriptor
    descriptor = -1
    // Some file systems tell only now that there was no space.
    guard close(closing) == 0 else { throw FileProblem("cannot write", path, code: errno) }
    guard rename(temporary, path) == 0 else {
      throw FileProblem("cannot write", path, code: errno)
    }
    self.temporary = nil
    SignalHold.end(temporary)
    Self.settle(directoryOf: path)
  }

  /// Brings the new name to the disk. Not every file system can; the file itself is there already.
  private static func settle(directoryOf path: String) {
    let descriptor = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  deinit {
    guard let temporary else { return }
    if descriptor >= 0 { close(descriptor) }
    unlink(temporary)
    SignalHold.end(temporary)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

/// Writes a text to standard output.
public func printOut(_ text: String) throws(FileProblem) {
  try OutputFile(path: nil).write(Array(text.utf8))
}

/// Writes a text to standard output, as all that a program has to say.
///
/// - Returns: its exit code; a reader that has gone wants to hear no more.
public func answer(_ text: String, program: String) -> Int32 {
  do {
    try printOut(text)
  } catch {
    if error.isClosedPipe { return 0 }
    complain("\(error)", program: program)
    return 2
  }
  return 0
}

/// Removes half-written files when a signal ends the program.
private enum SignalHold {
  /// Read by the handler, which may interrupt any line; written before the handler is there.
  nonisolated(unsafe) private static var paths:
    (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)

  /// The signals that would end the program; one that is ignored (`nohup`) would not.
  private static let endings: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { signal in
    var action = sigaction()
    sigaction(signal, nil, &action)
    // SIG_IGN is the address 1, which Swift cannot compare as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
  }

  /// A run has two such files at the most: its events and its recording.
  static func begin(_ name: String) {
    if paths.0 == nil { paths.0 = strdup(name) } else { paths.1 = strdup(name) }
    // Some parents start their children with signals blocked; nobody could end this one then.
    var set = sigset_t()
    sigemptyset(&set)
    for ending in endings { sigaddset(&set, ending) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    for ending in endings {
      signal(ending) { received in
        // Only what POSIX allows in a handler: unlink, signal, raise.
        if let path = SignalHold.paths.0 { unlink(path) }
        if let path = SignalHold.paths.1 { unlink(path) }
        signal(received, SIG_DFL)
        raise(received)
      }
    }
  }

  static func end(_ name: String) {
    // The handler sees a path until it is gone, and then none.
    if let path = paths.0, strcmp(path, name) == 0 {
      paths.0 = nil
      free(path)
    } else if let path = paths.1, strcmp(path, name) == 0 {
      paths.1 = nil
      free(path)
    }
    if paths.0 == nil && paths.1 == nil { for ending in endings { signal(ending, SIG_DFL) } }
  }
}
