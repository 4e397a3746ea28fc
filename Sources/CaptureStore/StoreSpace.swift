internal import SQLite
internal import SystemCalls

/// Watches the disk of a store: that there is room for acknowledgements, and that the file is still
/// the one that was opened.
///
/// SQLite writes to its log first and moves the log into the file later. On a disk that is nearly
/// full the log could use up the rest of the space, and the move needs space too: the store would
/// be stuck for good, even with everything delivered. So with little space left each change is
/// moved at once, and the last of it is reserved for acknowledgements.
struct StoreSpace {
  /// Twice the size at which SQLite moves the log by itself (1000 pages).
  private static let little: Int64 = 8 << 20
  /// For the log of one acknowledgement: 100 captures are on some 40 pages of 4 KiB.
  private static let mostReserve: Int64 = 256 << 10
  /// For the log's header and new pages of the file.
  private static let leastReserve: Int64 = 32 << 10

  private let path: String
  private let folder: String
  private let file: FileStatus

  /// `nil` when the file's status cannot be read.
  init?(path: String) {
    guard let file = try? FileStatus(path) else { return nil }
    self.file = file
    self.path = path
    folder = directory(of: path)
  }

  /// - Throws: `gone` when the file no longer exists, or is another one.
  func checkFile() throws(StoreError) {
    let present: FileStatus
    do throws(SystemError) { present = try FileStatus(path) } catch {
      if error.code == Errno.noSuchFile { throw StoreError(.gone, path: path) }
      // Other problems of the disk are reported by the store's operations.
      return
    }
    guard present.isSame(as: file) else { throw StoreError(.gone, path: path) }
  }

  /// If space is low, moves the log into the file.
  ///
  /// - Returns: whether there is room for more captures.
  func keep(_ database: borrowing SQLiteDatabase) -> Bool {
    guard let free = Disk.freeBytes(at: folder), free < Self.little else { return true }
    moveLog(database)
    // A change does not touch more pages than there are.
    let reserve = min(Self.mostReserve, Self.leastReserve + Disk.size(of: path))
    guard let free = Disk.freeBytes(at: folder), free < reserve else { return true }
    // Each free page of the file takes a few captures.
    return (try? database.integer("PRAGMA freelist_count")) ?? 0 >= 4
  }

  /// If a reader prevents it, the log is moved the next time.
  private func moveLog(_ database: borrowing SQLiteDatabase) {
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
