import SQLite
import Testing

/// Statements that a connection keeps for the next call with the same text.
@Suite struct KeptStatementTests {
  private let note: Comment = "repeat with: swift test --filter KeptStatementTests"
  private let sql = "SELECT value, ?1 FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3)"

  @Test func `A kept statement starts over, without the values of the use before`() throws {
    let database = try SQLiteDatabase(path: ":memory:")
    do {
      let first = try database.prepare(sql, isKept: true)
      try first.bind(7 as Int64, at: 1)
      #expect(try first.step() && first.integer(0) == 1 && first.integer(1) == 7, note)
    }
    let second = try database.prepare(sql, isKept: true)
    #expect(try second.step() && second.integer(0) == 1 && second.isNull(1), note)
  }

  @Test func `Two uses of the same text at once do not meet`() throws {
    let database = try SQLiteDatabase(path: ":memory:")
    for _ in 0..<3 {
      let outer = try database.prepare(sql, isKept: true)
      var pairs: [Int64] = []
      while try outer.step() {
        let inner = try database.prepare(sql, isKept: true)
        while try inner.step() { pairs.append(outer.integer(0) * 10 + inner.integer(0)) }
      }
      #expect(pairs == [11, 12, 13, 21, 22, 23, 31, 32, 33], note)
    }
  }

  @Test func `A statement may outlive its connection`() throws {
    func statement() throws -> SQLiteStatement {
      let database = try SQLiteDatabase(path: ":memory:")
      _ = try database.prepare(sql, isKept: true).step()
      return try database.prepare(sql, isKept: true)
    }
    let last = try statement()
    #expect(try last.step() && last.integer(0) == 1, note)
  }

  @Test func `A transaction that fails leaves nothing begun`() throws {
    let database = try SQLiteDatabase(path: ":memory:")
    try database.execute("CREATE TABLE t (a INTEGER UNIQUE)")
    for _ in 0..<3 {
      #expect(throws: SQLiteError.self, note) {
        try database.transaction { () throws(SQLiteError) in
          try database.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (1)")
        }
      }
    }
    try database.transaction { () throws(SQLiteError) in
      try database.execute("INSERT INTO t VALUES (2)")
    }
    #expect(try database.integer("SELECT sum(a) FROM t") == 2, note)
  }
}
