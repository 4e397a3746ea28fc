import SQLite
import Synchronization
import TestSupport
import Testing

/// Who looks at the files that SQLite writes.
@Suite struct FileWatchTests {
  private final class Witness: FileWatcher {
    let lines = Mutex<[String]>([])

    func willPerform(_ step: FileStep, on file: WatchedFile) {
      let name = file.path.split(separator: "/").last ?? ""
      let line =
        switch step {
        case .write(let bytes, let offset):
          "\(name) \(offset)+\(bytes.count) was \(file.bytes(bytes.count, at: offset)[0])"
        case .truncate(let size): "\(name) truncate \(size)"
        case .flush: "\(name) flush"
        }
      lines.withLock { $0.append(line) }
    }

    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  @Test func `Each step is told before it is taken, as long as somebody looks`() throws {
    let folder = try ScratchFolder()
    let witness = Witness()
    SQLiteDatabase.watchFiles(in: folder.url.path, by: witness)
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    try database.execute("CREATE TABLE t (x)")
    _ = witness.take()
    try database.execute("INSERT INTO t VALUES (1)")
    let insertion = witness.take()
    // A frame of the log is a header of 24 bytes and a page.
    #expect(insertion.count { $0.hasPrefix("a.db-wal ") && $0.contains("+4096 was 0") } == 1)
    #expect(insertion.last == "a.db-wal flush", "\(insertion)")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let checkpoint = witness.take()
    #expect(checkpoint.contains { $0.hasPrefix("a.db ") && $0.contains("+4096 was ") })
    #expect(checkpoint.contains("a.db flush"), "\(checkpoint)")
    #expect(checkpoint.contains("a.db-wal truncate 0"), "\(checkpoint)")
    SQLiteDatabase.stopWatching(folder: folder.url.path)
    let unseen = try SQLiteDatabase(path: folder.path("b.db"))
    try unseen.execute("CREATE TABLE t (x)")
    #expect(witness.take() == [])
    try database.execute("INSERT INTO t VALUES (2)")
    #expect(!witness.take().isEmpty, "what is open goes on being watched")
  }

  @Test func `A watcher that is gone, and files of other folders, change nothing`() throws {
    let (folder, other) = (try ScratchFolder(), try ScratchFolder())
    var witness: Witness? = Witness()
    if let witness { SQLiteDatabase.watchFiles(in: folder.url.path, by: witness) }
    let elsewhere = try SQLiteDatabase(path: other.path("a.db"))
    try elsewhere.execute("CREATE TABLE t (x)")
    #expect(witness?.take() == [])
    witness = nil
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (3)")
    #expect(try database.integer("SELECT x FROM t") == 3)
  }
}
