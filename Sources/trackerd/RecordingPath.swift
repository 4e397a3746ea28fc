import CommandLineSupport
import Glibc
import LinuxHost

/// Where a recording may be written: nowhere that something else stands or will stand.
enum RecordingPath {
  /// - Throws: the recording, or one of its older parts, would take the place of the store, of the
  ///   settings, or of any other file that is no recording.
  static func check(_ options: Options, store: String, secrets: String?) throws {
    guard let path = options.record else { return }
    var ours = [options.config, options.board]
    if let secrets { ours.append(secrets) }
    for name in Set([store, resolved(store)].flatMap({ [$0, $0 + ".second"] })) {
      ours += ["", "-wal", "-shm", "-journal", ".lock", ".pin"].map { name + $0 }
    }
    let names = Set(ours.map(resolved))
    let files = Set(ours.compactMap(FileIdentity.init))
    for number in 0...RecordingBounds().olderFiles {
      let part = RecordingPart.path(number, of: path)
      let what = number == 0 ? "that file" : "\(part), where older parts go,"
      let file = FileIdentity(part)
      if names.contains(resolved(part)) || file.map(files.contains) == true {
        throw UsageError("--record \(path): \(what) is the tracker's own; give another name")
      }
      // A directory or a device is what the recorder says itself.
      if file?.isPlain == true, !RecordingPart.isOne(part) {
        throw UsageError(
          "--record \(path): \(what) is there and is no recording; give another name")
      }
    }
  }

  /// Without links and whatever else makes two names of one, also of a file that is not there yet.
  private static func resolved(_ path: String) -> String {
    if let whole = real(path) { return whole }
    guard let slash = path.lastIndex(of: "/") else { return (real(".") ?? "") + "/" + path }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (real(folder) ?? folder) + path[slash...]
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// One file, whatever its names.
private struct FileIdentity: Hashable {
  let device: UInt64
  let number: UInt64
  let isPlain: Bool

  /// `nil`: there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    isPlain = status.st_mode & S_IFMT == S_IFREG
  }
}
