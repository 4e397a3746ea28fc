internal import Glibc
public import TrackerCore

// Captures that leave by another way than a server.
extension CaptureStore {
  /// All files that a store is made of, the one of its name first.
  public static func files(of path: String) -> [String] {
    ["", "-wal", "-shm", ".lock"].map { path + $0 }
  }

  /// Notes in a store's file that what waits in it was handed out, as by a file on a stick: it may
  /// reach the server that way, so that the tracker asks for it before it sends it.
  ///
  /// Also while a tracker uses the store: the rows are marked a few at a time, so that it never
  /// waits long. What was handed out before is marked already.
  ///
  /// - Parameters:
  ///   - path: the file of a store that `openForReading` has opened.
  ///   - key: the last one that was handed out.
  /// - Throws: what keeps the file from being written.
  public static func noteHandedOut(
    _ path: String, through key: CaptureKey
  ) throws(StoreError) {
    // Somebody else's log beside it would lock the tracker out, for as long as that other program
    // runs or, where it is killed, for good.
    var status = stat()
    guard stat(path, &status) == 0 else { throw StoreError(path, code: errno) }
    guard geteuid() == 0 || geteuid() == status.st_uid else {
      throw StoreError(.readOnly, path: path, detail: "it is another user's")
    }
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(path: path, access: .readWrite)
      try database.execute("PRAGMA synchronous = FULL")
      let mark = try database.prepare(
        CaptureRow.update(
          [("attempts", "1")],
          where: """
            attempts = 0 AND key IN (
              SELECT key FROM captures WHERE state <> 'acknowledged' AND attempts = 0
              AND key <= ?1 AND checksum = \(CaptureRow.checksum) LIMIT 500)
            """))
      repeat {
        try mark.bind(Int64(key.number), at: 1)
      } while try mark.run() > 0
    } catch {
      throw StoreError(error)
    }
  }
}
