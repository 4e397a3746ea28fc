internal import CSQLite
internal import Synchronization

/// What SQLite does to a file.
public enum FileStep {
  case write(UnsafeRawBufferPointer, at: Int64)
  case truncate(to: Int64)
  case flush
}

/// Is told of each step before it is taken.
public protocol FileWatcher: AnyObject, Sendable {
  func willPerform(_ step: FileStep, on file: WatchedFile)
}

/// A file that a step is about to change.
public struct WatchedFile {
  public let path: String
  private let handle: UnsafeMutablePointer<sqlite3_file>
  private let methods: UnsafePointer<sqlite3_io_methods>

  fileprivate init(
    _ path: String, _ handle: UnsafeMutablePointer<sqlite3_file>,
    _ methods: UnsafePointer<sqlite3_io_methods>
  ) {
    (self.path, self.handle, self.methods) = (path, handle, methods)
  }

  /// In bytes; 0 if it cannot be told.
  public var size: Int64 {
    var size: Int64 = 0
    return methods.pointee.xFileSize(handle, &size) == SQLITE_OK ? size : 0
  }

  /// Zeros after its end.
  public func bytes(_ count: Int, at offset: Int64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // A short read fills the rest with zeros.
    _ = methods.pointee.xRead(handle, &bytes, Int32(count), offset)
    return bytes
  }
}

extension SQLiteDatabase {
  /// From now on all files that SQLite opens in this folder, by any connection of the process, are
  /// watched, as long as the watcher exists.
  public static func watchFiles(in folder: String, by watcher: some FileWatcher) {
    FileWatch.shared.add(Watching(watcher: watcher), folder)
  }

  /// Files that are open go on being watched.
  public static func stopWatching(folder: String) { FileWatch.shared.remove(folder) }
}

private struct Watching: Sendable {
  weak var watcher: (any FileWatcher)?
}

/// The default of SQLite's operating system interfaces, with another `xOpen`, which gives the
/// watched files methods that tell the watcher first (sqlite.org/vfs.html).
private final class FileWatch: Sendable {
  static let shared = FileWatch()

  private struct Opened {
    var path: String
    var watching: Watching
    /// The addresses of the methods that the file had, and of those that it has.
    var original: UInt
    var own: UInt
  }

  private struct State {
    var folders: [String: Watching] = [:]
    /// By the addresses of their handles.
    var files: [UInt: Opened] = [:]
  }

  private let state = Mutex(State())
  /// The address of the interface that does the work.
  private let base: UInt

  private init() {
    guard let base = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has a default") }
    self.base = UInt(bitPattern: base)
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: base.pointee)
    own.pointee.pNext = nil
    own.pointee.xOpen = { _, name, file, flags, outFlags in
      FileWatch.shared.open(name, file, flags, outFlags)
    }
    // For the rest of the process.
    sqlite3_vfs_register(own, 1)
  }

  func add(_ watching: Watching, _ folder: String) {
    state.withLock { $0.folders[folder] = watching }
  }

  func remove(_ folder: String) { state.withLock { $0.folders[folder] = nil } }

  private func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let base = UnsafeMutablePointer<sqlite3_vfs>(bitPattern: base) else {
      return SQLITE_ERROR
    }
    let code = base.pointee.xOpen(base, name, file, flags, outFlags)
    guard code == SQLITE_OK, let name, let file, let original = file.pointee.pMethods else {
      return code
    }
    let path = String(cString: name)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    state.withLock { state in
      guard let watching = state.folders[folder] else { return }
      let own = Self.methods(like: original.pointee)
      state.files[UInt(bitPattern: file)] = Opened(
        path: path, watching: watching, original: UInt(bitPattern: original),
        own: UInt(bitPattern: own))
      file.pointee.pMethods = UnsafePointer(own)
    }
    return code
  }

  private static func methods(
    like original: sqlite3_io_methods
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    own.initialize(to: original)
    own.pointee.xWrite = { file, bytes, count, offset in
      let step = FileStep.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      return FileWatch.shared.perform(step, on: file) { $0.xWrite(file, bytes, count, offset) }
    }
    own.pointee.xTruncate = { file, size in
      FileWatch.shared.perform(.truncate(to: size), on: file) { $0.xTruncate(file, size) }
    }
    own.pointee.xSync = { file, flags in
      FileWatch.shared.perform(.flush, on: file) { $0.xSync(file, flags) }
    }
    own.pointee.xClose = { FileWatch.shared.close($0) }
    return own
  }

  private func perform(
    _ step: FileStep, on file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (sqlite3_io_methods) -> Int32
  ) -> Int32 {
    guard let file, let opened = state.withLock({ $0.files[UInt(bitPattern: file)] }),
      let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: opened.original)
    else { return SQLITE_IOERR }
    opened.watching.watcher?.willPerform(step, on: WatchedFile(opened.path, file, methods))
    return body(methods.pointee)
  }

  private func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let file else { return SQLITE_IOERR }
    let key = UInt(bitPattern: file)
    guard let opened = state.withLock({ $0.files.removeValue(forKey: key) }) else {
      return SQLITE_IOERR
    }
    file.pointee.pMethods = UnsafePointer(bitPattern: opened.original)
    UnsafeMutablePointer<sqlite3_io_methods>(bitPattern: opened.own)?.deallocate()
    return file.pointee.pMethods.pointee.xClose(file)
  }
}
