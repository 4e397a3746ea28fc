internal import Glibc
internal import SQLite
internal import SystemCalls

/// Looks after the disk on which a store lives: that there is room for what is already promised,
/// and that the file is still the one that was opened.
///
/// SQLite writes to its log first and moves that into the file later. On a disk that is nearly full
/// the log could take the last of the room, and the move needs room too: the store would be stuck
/// for good, even with everything delivered. So with little room left each change is moved at once,
/// and what is left at the end is kept for acknowledgements.
struct StoreSpace {
  /// As large as the log may grow before SQLite moves it by itself (1000 pages), and the same
  /// again.
  private static let little: Int64 = 8 << 20
  /// For the log of what a server acknowledges at once: 100 captures lie on some 40 pages of 4 KiB.
  private static let mostReserve: Int64 = 256 << 10
  /// For the log's own header and new pages of the file.
  private static let leastReserve: Int64 = 32 << 10

  private let path: String
  private let folder: String
  private let device: dev_t
  private let inode: ino_t

  /// `nil`: it cannot be looked at, and neither will it be.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    folder = directory(of: path)
    device = status.st_dev
    inode = status.st_ino
  }

  /// - Throws: the file is not there any more, or another one is.
  func checkFile() throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { throw StoreError(.gone, path: path) }
      // What else is wrong with the disk the store will say.
      return
    }
    guard status.st_dev == device, status.st_ino == inode else {
      throw StoreError(.gone, path: path)
    }
  }

  /// Moves the log into the file while there is room for that.
  ///
  /// - Returns: whether there is room for more captures.
  func keep(_ database: borrowing SQLiteDatabase) -> Bool {
    guard let free = Disk.freeBytes(at: folder), free < Self.little else { return true }
    moveLog(database)
    // No change touches more pages than there are.
    let reserve = min(Self.mostReserve, Self.leastReserve + Disk.size(of: path))
    guard let free = Disk.freeBytes(at: folder), free < reserve else { return true }
    // Pages that nothing uses any more take a few captures each.
    return (try? database.integer("PRAGMA freelist_count")) ?? 0 >= 4
  }

  /// A reader may be in the way: then it stays until the next time.
  private func moveLog(_ database: borrowing SQLiteDatabase) {
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
