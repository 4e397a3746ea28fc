import CommandLineSupport
import LinuxHost
import SystemCalls

/// Checks that a recording does not overwrite other files.
enum RecordingPath {
  /// - Throws: if the recording, or one of its older parts, would overwrite the store, the
  ///   settings, or any other file that is not a recording.
  static func check(_ options: Options, store: String, secrets: String?) throws {
    guard let path = options.record else { return }
    var ours = [options.config, options.board]
    if let secrets { ours.append(secrets) }
    for name in Set([store, resolved(store)].flatMap({ [$0, $0 + ".second"] })) {
      let ends = ["-wal", "-shm", "-journal", ".lock", ".pin", ".link", ".events", ".events.new"]
      ours += ([""] + ends).map { name + $0 }
    }
    let names = Set(ours.map(resolved))
    let files = Set(ours.compactMap(FileIdentity.init))
    for number in 0...RecordingBounds().olderFiles {
      let part = RecordingPart.path(number, of: path)
      let file = FileIdentity(part)
      if names.contains(resolved(part)) || file.map(files.contains) == true {
        throw UsageError(DaemonPhrase.recordTaken.texts(path, part))
      }
      // The recorder itself reports a directory or a device.
      if file?.isPlain == true, !RecordingPart.isOne(part) {
        throw UsageError(DaemonPhrase.recordExists.texts(path, part))
      }
    }
  }

  /// The path with links resolved, even if the file does not exist yet.
  private static func resolved(_ path: String) -> String {
    if let whole = real(path) { return whole }
    guard let slash = path.lastIndex(of: "/") else { return (real(".") ?? "") + "/" + path }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (real(folder) ?? folder) + path[slash...]
  }

  private static func real(_ path: String) -> String? { try? SystemCalls.resolved(path) }
}

/// Identifies a file independent of its path.
private struct FileIdentity: Hashable {
  let fileSystem: UInt64
  let number: UInt64
  let isPlain: Bool

  /// `nil` if the file does not exist.
  init?(_ path: String) {
    guard let status = try? FileStatus(path) else { return nil }
    fileSystem = status.fileSystem
    number = status.number
    isPlain = status.kind == .file
  }
}

/// The folder of the store and the files beside it.
enum StateFolder {
  /// Creates the folder of a file if only that folder is missing, readable by owner and group only.
  /// If that fails, opening the file reports it.
  static func make(for path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if (try? makeFolder(folder, mode: 0o700)) != nil { try? setPermissions(0o750, of: folder) }
  }
}
