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

  /// - Parameters:
  ///   - path: `nil` is standard output.
  ///   - isPrivate: only its owner may read a new file.
  public init(path: String?, isPrivate: Bool = false) throws(FileAccessError) {
    guard let path else {
      self.path = "standard output"
      isStandardOutput = true
      return
    }
    isStandardOutput = false
    let status = try? FileStatus(path)
    // Follow symbolic links: renaming over a link would not replace the real file.
    self.path = status == nil ? path : (try? resolved(path)) ?? path
    do throws(SystemError) {
      if let status, status.kind != .file {
        file = try Descriptor(opening: path, .write)
      } else {
        try begin(mode: status.map { $0.permissions & 0o777 } ?? (isPrivate ? 0o600 : nil))
      }
    } catch {
      throw FileAccessError("cannot write", path, code: error.code)
    }
  }

  /// Creates the temporary file. A signal that ends the program removes it.
  ///
  /// - Parameter mode: its permissions; `nil`: the usual ones.
  private func begin(mode: UInt32?) throws(SystemError) {
    let name = "\(path).\(ownProcess).tmp"
    SignalHold.begin(name)
    do throws(SystemError) {
      let made = try Descriptor(opening: name, [.write, .create, .exclusive], mode: mode ?? 0o666)
      if let mode { try? made.setPermissions(mode) }
      file = consume made
    } catch {
      SignalHold.end(name)
      throw error
    }
    temporary = name
  }

  public func write(_ bytes: [UInt8]) throws(FileAccessError) {
    do throws(SystemError) {
      try writeAll(bytes, to: isStandardOutput ? StandardStream.output : file?.number ?? -1)
    } catch {
      throw FileAccessError("cannot write", path, code: error.code)
    }
  }

  /// Closes the file and renames it. Without this call the file is deleted.
  public func finish() throws(FileAccessError) {
    guard let temporary else { return }
    do throws(SystemError) {
      // A USB stick may be pulled out as soon as the program has ended.
      try file?.synchronise()
      // Some file systems only report now that there was no space.
      try file.take()?.closeChecked()
      try renameFile(temporary, to: path)
      self.temporary = nil
      SignalHold.end(temporary)
      try synchroniseDirectory(directory(of: path))
    } catch {
      throw FileAccessError("cannot write", path, code: error.code)
    }
  }

  deinit {
    guard let temporary else { return }
    try? removeFile(temporary)
    SignalHold.end(temporary)
  }
}

/// Writes a text to standard output.
public func printOut(_ text: String) throws(FileAccessError) {
  try OutputFile(path: nil).write(Array(text.utf8))
}
