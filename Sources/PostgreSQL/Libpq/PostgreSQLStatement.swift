internal import CPostgreSQL
import SQL

/// The values of a statement's parameters, as texts.
struct SQLValues {
  private var texts: [[CChar]?] = []
  /// The server's numbers of types (pg_type.dat); 0: it infers one.
  private(set) var types: [Oid] = []

  static let bigint = Oid(20)
  static let double = Oid(701)
  static let text = Oid(25)

  /// - Parameter place: from 1.
  mutating func set(_ text: String?, _ type: Oid, at place: Int32) {
    while texts.count < Int(place) {
      texts.append(nil)
      types.append(0)
    }
    // It has no texts with a zero byte.
    texts[Int(place) - 1] = text.map { text in
      text.utf8.contains(0)
        ? text.map { $0 == "\0" ? "\u{FFFD}" : String($0) }.joined().utf8CString.map { $0 }
        : text.utf8CString.map { $0 }
    }
    types[Int(place) - 1] = type
  }

  /// Passes what libpq takes.
  func withPointers(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?) -> Int32
  ) -> Int32 {
    let bytes = texts.flatMap { $0 ?? [] }
    return bytes.withUnsafeBufferPointer { buffer in
      var start = 0
      let pointers = texts.map { text -> UnsafePointer<CChar>? in
        guard let text, let base = buffer.baseAddress else { return nil }
        defer { start += text.count }
        return base + start
      }
      return body(Int32(texts.count), pointers)
    }
  }
}

/// A statement and its rows.
final class PostgreSQLStatement: SQLStatement {
  private let sql: SQLText
  private let connection: PostgreSQLConnection
  private let isKept: Bool
  private var values = SQLValues()
  /// The current result; `nil`: it has not been sent, or is reset.
  private var result: OpaquePointer?
  private var row: Int32 = 0
  private var isSent = false

  init(_ sql: SQLText, _ connection: PostgreSQLConnection, isKept: Bool) {
    (self.sql, self.connection, self.isKept) = (sql, connection, isKept)
  }

  deinit { PQclear(result) }

  func bind(_ value: Int64, at place: Int32) { values.set("\(value)", SQLValues.bigint, at: place) }
  func bind(_ value: Double, at place: Int32) {
    values.set("\(value)", SQLValues.double, at: place)
  }
  func bind(_ text: String, at place: Int32) { values.set(text, SQLValues.text, at: place) }
  func bindNull(at place: Int32) { values.set(nil, 0, at: place) }

  func step() throws(SQLError) -> Bool {
    if !isSent {
      try connection.send(sql, values, isKept: isKept)
      (isSent, row) = (true, -1)
    }
    row += 1
    while true {
      if let result {
        if row < PQntuples(result) { return true }
        PQclear(result)
        self.result = nil
      }
      do { result = try connection.next(sql.text) } catch {
        isSent = false
        throw error
      }
      row = 0
      if result == nil {
        isSent = false
        return false
      }
    }
  }

  func run() throws(SQLError) -> Int {
    try connection.send(sql, values, isKept: isKept)
    var count = 0
    while let result = try connection.next(sql.text) {
      count += Int(String(cString: PQcmdTuples(result))) ?? 0
      PQclear(result)
    }
    return count
  }

  func reset() {
    PQclear(result)
    (result, isSent) = (nil, false)
  }

  func isNull(_ column: Int32) -> Bool { PQgetisnull(result, row, column) != 0 }

  /// Of a truth value 1 or 0.
  func integer(_ column: Int32) -> Int64 {
    guard let result, let start = PQgetvalue(result, row, column) else { return 0 }
    let text = String(cString: start)
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
      ?? (text == "t" ? 1 : 0)
  }

  func double(_ column: Int32) -> Double {
    guard let result, let start = PQgetvalue(result, row, column) else { return 0 }
    return Double(String(cString: start)) ?? 0
  }

  func text(_ column: Int32) -> String {
    guard let result, let start = PQgetvalue(result, row, column) else { return "" }
    return String(cString: start)
  }
}
