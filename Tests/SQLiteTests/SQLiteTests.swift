import Foundation
import SQLite
import TestSupport
import Testing

/// The wrapper by itself; what the stores make of it is tested with them.
@Suite struct SQLiteTests {
  private let note: Comment = "repeat with: swift test --filter SQLiteTests"

  @Test(
    arguments: [
      .busy, .full, .readOnly, .inputOutput, .corrupt, .notADatabase, .cannotOpen, .constraint,
      .other,
    ] as [SQLiteError.Kind])
  func `An error that is made by its kind has that kind, and a line`(_ kind: SQLiteError.Kind) {
    let error = SQLiteError(kind, operation: "read", path: "race.store", message: "a\nb")
    #expect(error.kind == kind, note)
    #expect(error.description.hasPrefix("race.store: read: "), "\(error); \(note)")
    #expect(!error.description.contains { $0.isNewline }, note)
  }

  @Test func `A mistake in a statement is told with its first words and its file`() throws {
    let database = try SQLiteDatabase(path: ":memory:")
    let error = #expect(throws: SQLiteError.self, note) {
      try database.execute("SELECT a FROM nowhere WHERE b = 1")
    }
    #expect(error?.operation == "SELECT a FROM nowhere" && error?.path == ":memory:", note)
    #expect(error?.kind == .other, note)
  }

  @Test(arguments: [
    ("SELECT 1", nil), ("SELECT 1;", nil), (" SELECT 1 ; -- one\n /* and no more */ ", nil),
    ("SELECT 1; SELECT 2", "more than one statement in it"),
    ("SELECT 1; DROP TABLE t;", "more than one statement in it"),
    ("", "no statement in it"), ("-- nothing", "no statement in it"),
    ("SELECT 1; nonsense", "near \"nonsense\": syntax error"),
  ])
  func `One statement is prepared, and a second one, which would never run, is refused`(
    _ sql: String, _ problem: String?
  ) throws {
    let database = try SQLiteDatabase(path: ":memory:")
    try database.execute("CREATE TABLE t (a)")
    do throws(SQLiteError) {
      let statement = try database.prepare(sql)
      #expect(problem == nil, "\(sql); \(note)")
      #expect(try statement.step() && statement.integer(0) == 1, "\(sql); \(note)")
    } catch {
      #expect(error.message == problem, "\(sql); \(note)")
    }
  }

  @Test func `A transaction does all or nothing, and a part of it can be undone by itself`() throws
  {
    let database = try SQLiteDatabase(path: ":memory:")
    try database.execute("CREATE TABLE t (a UNIQUE)")
    func add(_ numbers: [Int]) throws(SQLiteError) {
      for number in numbers { try database.execute("INSERT INTO t VALUES (\(number))") }
    }
    let error = #expect(throws: SQLiteError.self, note) {
      try database.transaction { () throws(SQLiteError) in try add([1, 2, 2]) }
    }
    #expect(error?.kind == .constraint, note)
    #expect(try database.integer("SELECT count(*) FROM t") == 0, note)
    try database.transaction { () throws(SQLiteError) in
      try add([1])
      try? database.savepoint { () throws(SQLiteError) in try add([2, 2]) }
      try add([3])
    }
    #expect(try database.text("SELECT group_concat(a) FROM t") == "1,3", note)
  }

  @Test func `Values come back as they were bound`() throws {
    let database = try SQLiteDatabase(path: ":memory:")
    let row = try database.prepare("SELECT ?1, ?2, ?3, ?4, ?5")
    try row.bind(Int64.min, at: 1)
    try row.bind(-0.25, at: 2)
    try row.bind("", at: 3)
    try row.bind(nil as String?, at: 4)
    try row.bind(text: [0x41, 0xFF], at: 5)
    #expect(try row.step(), note)
    #expect(row.integer(0) == .min && row.double(1) == -0.25 && row.text(2).isEmpty, note)
    #expect(!row.isNull(2) && row.isNull(3), note)
    #expect(row.bytes(4) == [0x41, 0xFF] && row.text(4) == "A\u{FFFD}", note)
    #expect(try !row.step(), note)
  }

  @Test func `SQL calls a function that was defined, with every kind of value`() throws {
    let database = try SQLiteDatabase(path: ":memory:")
    try database.define("shape") { values in
      (0..<values.count).reduce(0) { sum, index in
        switch values[index] {
        case .null: sum * 1000 + 1
        case .integer(let number): sum * 1000 + number
        case .text(let bytes): sum * 1000 + 100 + Int64(bytes.count)
        case .other(let bytes): sum * 1000 + 200 + Int64(bytes.count)
        }
      }
    }
    #expect(try database.integer("SELECT shape()") == 0, note)
    let all = "SELECT shape(NULL, 7, 'four', x'0102', 2.5, '')"
    #expect(try database.integer(all) == 1_007_104_202_203_100, note)
    // Another connection knows nothing of it.
    let other = try SQLiteDatabase(path: ":memory:")
    #expect(throws: SQLiteError.self, note) { try other.integer("SELECT shape()") }
  }

  @Test func `A database is read from its bytes, and changes in memory alone`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("a.db")
    try SQLiteDatabase(path: path).execute("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let copy = try SQLiteDatabase(image: Array(bytes), path: "copy of a.db")
    try copy.execute("INSERT INTO t VALUES (6)")
    #expect(try copy.integer("SELECT sum(a) FROM t") == 11, note)
    #expect(try SQLiteDatabase(path: path).integer("SELECT sum(a) FROM t") == 5, note)
    #expect(throws: SQLiteError.self, note) {
      try SQLiteDatabase(path: path, access: .readOnly).execute("DELETE FROM t")
    }
  }
}
