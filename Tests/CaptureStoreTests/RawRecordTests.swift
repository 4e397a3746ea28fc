import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// Pages read without SQLite hold what SQLite wrote.
@Suite final class RawRecordTests {
  private let note = again("RawRecordTests")
  private let scratch: Scratch
  private let database: SQLiteDatabase

  init() throws {
    scratch = try Scratch()
    database = try SQLiteDatabase.store(path: scratch.path)
  }

  /// The rows of all pages, as `key: values`.
  private func rows() throws -> [String] {
    let image = try StoreImage(path: scratch.path)
    return (2...max(2, image.count)).flatMap { image.rows(ofPage: $0) }.map { record in
      let values = record.values.map { value in
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .other(let bytes): "x\(Array(bytes))"
        }
      }
      return "\(record.row): " + values.joined(separator: " ")
    }
  }

  @Test func `Numbers of every length, texts, blobs and nulls`() throws {
    let numbers: [Int64] = [
      0, 1, 2, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 8_388_607, 8_388_608,
      -8_388_608, 2_147_483_647, 2_147_483_648, -2_147_483_648, 140_737_488_355_327,
      140_737_488_355_328, -140_737_488_355_328, .max, .min,
    ]
    try database.execute("CREATE TABLE t (a, b, c, d)")
    for (index, number) in numbers.enumerated() {
      try database.execute(
        "INSERT INTO t (rowid, a, b, c, d) VALUES (\(index + 1), NULL, \(number), 't', x'0102')")
    }
    #expect(
      try rows()
        == numbers.enumerated().map { "\($0 + 1): null \($1) t x[1, 2]" }, note)
  }

  @Test(arguments: [1, 127, 128, 16_383, 16_384, 1 << 35, 1 << 55, 1 << 56, Int64.max, -1, .min])
  func `Keys of every length`(_ key: Int64) throws {
    try database.execute("CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (\(key), 'x')")
    #expect(try rows() == ["\(key): x"], note)
  }

  @Test func `Rows of up to 32 columns, and none that goes on in another page`() throws {
    for count in [32, 33] {
      let names = (1...count).map { "c\($0)" }.joined(separator: ", ")
      let values = (1...count).map { "\($0)" }.joined(separator: ", ")
      try database.execute(
        "DROP TABLE IF EXISTS t; CREATE TABLE t (\(names)); INSERT INTO t VALUES (\(values))")
      let expected = count == 32 ? ["1: " + (1...32).map { "\($0)" }.joined(separator: " ")] : []
      #expect(try rows() == expected, "\(count) columns; \(note)")
    }
    try database.execute(
      "DROP TABLE t; CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(9000)), ('short')")
    #expect(try rows() == ["2: short"], note)
    try database.execute("DELETE FROM t; INSERT INTO t VALUES (3.5), ('number')")
    #expect(try rows() == ["2: number"], "we store no real numbers; \(note)")
  }

  @Test func `What stands in a page at its very end, and what would stand behind it`() {
    var page = [UInt8](repeating: 0, count: 512)
    page[0] = 13
    // One row of four bytes at the end: size 2, key 5, header of one byte more than its own, 1.
    page[4] = 1
    (page[8], page[9]) = (1, 252)
    (page[508], page[509], page[510], page[511]) = (2, 5, 2, 9)
    #expect(RawRecord.rows(of: page, from: 0).map(\.row) == [5], note)
    // A size that leads beyond the page, a header longer than the row, and none.
    for (place, value) in [(508, 3), (508, 0), (510, 3), (510, 0)] as [(Int, UInt8)] {
      var other = page
      other[place] = value
      #expect(RawRecord.rows(of: other, from: 0).isEmpty, "\(place) \(value); \(note)")
    }
    // A type that goes on behind the header.
    var long = page
    (long[8], long[9]) = (1, 144)
    (long[400], long[401], long[402], long[403], long[404]) = (2, 5, 2, 0x80, 9)
    #expect(RawRecord.rows(of: long, from: 0).isEmpty, note)
    // More cells than the page has places for, and each of these behind its end.
    var many = page
    (many[3], many[4]) = (0xFF, 0xFF)
    for place in 10..<508 { many[place] = 0xFF }
    #expect(RawRecord.rows(of: many, from: 0).map(\.row).first == 5, note)
    for length in 0..<8 { #expect(RawRecord.rows(of: Array(page.prefix(length)), from: 0).isEmpty) }
    #expect(RawRecord.rows(of: [13, 0, 0, 0, 0, 0, 0, 0], from: 0).isEmpty, note)
    #expect(RawRecord.rows(of: [13, 0, 0, 0, 1, 0, 0, 0], from: 0).isEmpty, note)
    #expect(RawRecord.rows(of: [13, 0, 0, 0, 1, 0, 0, 0, 0], from: 0).isEmpty, note)
    page[0] = 5
    #expect(RawRecord.rows(of: page, from: 0).isEmpty, "no leaf of a table; \(note)")
  }

  @Test func `A checksum of nothing makes no row whole`() throws {
    try database.execute("CREATE TABLE t (a); INSERT INTO t SELECT row_checksum()")
    let image = try StoreImage(path: scratch.path)
    #expect(image.rows(ofPage: 2).map(\.isWhole) == [false], note)
  }

  // MARK: Images

  @Test(arguments: [512, 1024, 4096, 65_536])
  func `Pages of each size, with the log played in`(_ size: Int) throws {
    try database.execute(
      """
      PRAGMA page_size = \(size); PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t (a); CREATE TABLE u (a);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT printf('%0200d', i) FROM n;
      PRAGMA wal_checkpoint(TRUNCATE);
      INSERT INTO u VALUES ('in the log');
      """)
    try expectImage(size, rows: 2000)
    // The file shrinks: what is behind its new end in the old one is not part of it any more.
    try database.execute("DELETE FROM t WHERE rowid > 100; VACUUM")
    try expectImage(size, rows: 100)
    // And grows beyond the file.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t SELECT a FROM t")
    for _ in 0..<3 { try database.execute("INSERT INTO t SELECT a FROM t") }
    try expectImage(size, rows: 1600)
  }

  private func expectImage(_ size: Int, rows: Int64) throws {
    let image = try StoreImage(path: scratch.path)
    #expect(image.pageBytes == size && image.log.damage == nil, note)
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let bytes = image.database()
    #expect(bytes.count == Int(pages) * size && image.count >= Int(pages), "\(size); \(note)")
    let copy = try SQLiteDatabase(image: bytes, path: "copy")
    #expect(try copy.text("PRAGMA integrity_check") == "ok", "\(size); \(note)")
    #expect(try copy.integer("SELECT count(*) FROM t") == rows, "\(size); \(note)")
    #expect(try copy.text("SELECT a FROM u") == "in the log", "\(size); \(note)")
  }

  @Test func `A size of pages that none can have is taken for the usual one`() {
    for (high, low, size) in [
      (0x10, 0, 4096), (0, 1, 65_536), (2, 0, 512), (1, 0, 4096), (0x30, 0, 4096), (0, 0, 4096),
      (0x80, 0, 32_768),
    ] as [(UInt8, UInt8, Int)] {
      var head = [UInt8](repeating: 0, count: 100)
      (head[16], head[17]) = (high, low)
      #expect(StoreImage(main: head, log: []).pageBytes == size, "\(high) \(low); \(note)")
    }
    #expect(StoreImage(main: [UInt8](repeating: 2, count: 17), log: []).pageBytes == 4096, note)
    #expect(StoreImage(main: [UInt8](repeating: 0, count: 4097), log: []).count == 2, note)
  }
}
