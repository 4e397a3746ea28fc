import Glibc
import SystemCalls

/// The output of a command: standard output, or a file that appears only when it is complete.
///
/// A regular file is written under a temporary name in the same directory, and renamed by `finish`
/// when it is on disk; until then an existing file is unchanged. Devices and pipes are written
/// directly.
public final class OutputFile {
  private let path: String
  private let isStandardOutput: Bool
  /// `nil` for standard output, which must not be closed, and after `finish`.
  private var file: Descriptor?
  private var temporary: String?

  /// - Parameter path: `nil` is standard output.
  public init(path: String?) throws(FileProblem) {
    guard let path else {
      self.path = "standard output"
      isStandardOutput = true
      return
    }
    isStandardOutput = false
    var status = stat()
    let exists = stat(path, &status) == 0
    // Follow symbolic links: renaming over a link would not replace the real file.
    self.path = exists ? Self.resolved(path) : path
    do throws(SystemError) {
      if exists, status.st_mode & S_IFMT != S_IFREG {
        file = try Descriptor(opening: path, O_WRONLY)
      } else {
        try begin(mode: exists ? status.st_mode & 0o777 : nil)
      }
    } catch {
      throw FileProblem("cannot write", path, code: error.code)
    }
  }

  /// Creates the temporary file. A signal that ends the program removes it.
  ///
  /// - Parameter mode: the permissions of the file that it replaces.
  private func begin(mode: mode_t?) throws(SystemError) {
    let name = "\(path).\(getpid()).tmp"
    SignalHold.begin(name)
    do throws(SystemError) {
      let made = try Descriptor(opening: name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
      if let mode { fchmod(made.number, mode) }
      file = consume made
    } catch {
      SignalHold.end(name)
      throw error
    }
    temporary = name
  }

  public func write(_ bytes: [UInt8]) throws(FileProblem) {
    do throws(SystemError) {
      try writeAll(bytes, to: isStandardOutput ? STDOUT_FILENO : file?.number ?? -1)
    } catch {
      throw FileProblem("cannot write", path, code: error.code)
    }
  }

  /// Closes the file and renames it. Without this call the file is deleted.
  public func finish() throws(FileProblem) {
    guard let temporary else { return }
    do throws(SystemError) {
      // A USB stick may be pulled out as soon as the program has ended.
      try file?.synchronise()
      // Some file systems only report now that there was no space.
      try file.take()?.closeChecked()
      guard rename(temporary, path) == 0 else { throw .last }
      self.temporary = nil
      SignalHold.end(temporary)
      try synchroniseDirectory(directory(of: path))
    } catch {
      throw FileProblem("cannot write", path, code: error.code)
    }
  }

  deinit {
    guard let temporary else { return }
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

/// Removes incomplete files when a signal ends the program.
enum SignalHold {
  /// Read by the handler, which may interrupt any line; set before the handler is installed.
  nonisolated(unsafe) private static var paths:
    (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)

  /// The signals that would end the program, except those that are ignored (`nohup`).
  private static let endings: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { signal in
    var action = sigaction()
    sigaction(signal, nil, &action)
    // SIG_IGN is the address 1, which Swift cannot compare as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
  }

  /// A run has at most three such files: its events, its recording and its page.
  static func begin(_ name: String) {
    if paths.0 == nil {
      paths.0 = strdup(name)
    } else if paths.1 == nil {
      paths.1 = strdup(name)
    } else {
      paths.2 = strdup(name)
    }
    begin()
  }

  static func begin() {
    // Unblock them, because some parents start their children with signals blocked.
    var set = sigset_t()
    sigemptyset(&set)
    for ending in endings { sigaddset(&set, ending) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    for ending in endings {
      signal(ending) { received in
        // Only what POSIX allows in a handler: unlink, write, signal, raise, _exit.
        if let path = SignalHold.paths.0 { unlink(path) }
        if let path = SignalHold.paths.1 { unlink(path) }
        if let path = SignalHold.paths.2 { unlink(path) }
        if received == SIGINT { Interruption.end() }
        signal(received, SIG_DFL)
        raise(received)
      }
    }
  }

  static func end(_ name: String) {
    // The handler must never see a freed path.
    if let path = paths.0, strcmp(path, name) == 0 {
      paths.0 = nil
      free(path)
    } else if let path = paths.1, strcmp(path, name) == 0 {
      paths.1 = nil
      free(path)
    } else if let path = paths.2, strcmp(path, name) == 0 {
      paths.2 = nil
      free(path)
    }
    if paths.0 == nil && paths.1 == nil && paths.2 == nil {
      for ending in endings { signal(ending, SIG_DFL) }
    }
  }
}
