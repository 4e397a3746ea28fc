internal import CPostgreSQL
public import SQL
import SystemCalls

/// A connection to a PostgreSQL server. To be used by one thread at a time.
///
/// It connects when it is first needed, and again when it was lost: what was under way then ends
/// with an error of the kind `unreachable`. Nothing here waits without a limit.
public final class PostgreSQLConnection: SQLConnection {
  private let source: PostgreSQLAddress
  private let isReadOnly: Bool
  private var handle: OpaquePointer?
  /// The server's names of statements that it has compiled, by their texts.
  private var compiled: [String: String] = [:]
  private var isInTransaction = false
  /// To be told at the transaction's end.
  private var words: [String] = []
  /// Until this time of `KernelTimer.monotonic` a failure stands for all that is asked: who waits
  /// in a row behind it is answered at once.
  private var failure: (until: Int64, error: SQLError)?
  private var mayGoOn: (() -> Bool)?
  /// Which of the server's addresses is tried first.
  private var turn = 0
  private var isListening = false
  /// For a statement.
  private var limit: Int64

  /// How long a failure stands.
  private static let failurePause: Int64 = 1000
  /// Between two questions whether a statement may go on.
  private static let slice: Int64 = 100
  /// The server's own word that a statement took too long is waited for: a busy machine is late.
  private static let grace: Int64 = 1000
  /// Rows that nobody reads any more are taken from the server, or else the connection is closed.
  private static let unreadRows = 1000

  /// - Parameter isReadOnly: what it is for; the server refuses anything else.
  public init(_ source: PostgreSQLAddress, isReadOnly: Bool = false) {
    self.source = source
    self.isReadOnly = isReadOnly
    limit = source.limits.statement
  }

  deinit { PQfinish(handle) }

  public var dialect: SQLDialect { .postgreSQL }
  public var name: String { source.name }

  public func prepare(_ sql: String, isKept: Bool) throws(SQLError) -> any SQLStatement {
    PostgreSQLStatement(SQLText(sql), self, isKept: isKept)
  }

  public func execute(_ sql: String) throws(SQLError) {
    let handle = try connected()
    try execute(sql, on: handle)
  }

  /// One transaction that writes comes after the other, so that whoever reads rows in the order of
  /// their numbers misses none that is written down later under a smaller one.
  public func begin() throws(SQLError) {
    guard !isInTransaction else { throw SQLError(.other, "\(name): a transaction is open") }
    do {
      try execute(
        isReadOnly
          ? "BEGIN"
          : """
          BEGIN ISOLATION LEVEL READ COMMITTED;
          SELECT pg_advisory_xact_lock(hashtext('basecamp'), hashtext(current_schema()))
          """)
    } catch {
      // It may have begun, and wait for a lock only.
      drop()
      throw error.kind == .interrupted ? SQLError(.busy, error.description) : error
    }
    isInTransaction = true
    words = []
  }

  public func commit() throws(SQLError) {
    if let handle { do { try settle(handle) } catch { drop() } }
    guard isInTransaction, let handle, PQtransactionStatus(handle) == PQTRANS_INTRANS else {
      rollBack()
      throw SQLError(.unreachable, "\(name): the transaction was lost")
    }
    defer { isInTransaction = false }
    // In one message: each answer takes as long as a small statement.
    let told = words.map { "SELECT pg_notify(\(quoted(source.channel)), \(quoted($0)));" }
    do { try execute(told.joined() + "COMMIT") } catch {
      // Nobody knows whether the server has written it.
      drop()
      throw error
    }
  }

  private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0 != "\0" }
    return scalars.reduce(into: "'") { $0 += $1 == "'" ? "''" : String($1) } + "'"
  }

  public func rollBack() {
    guard isInTransaction else { return }
    if handle != nil { do { try execute("ROLLBACK") } catch { drop() } }
    isInTransaction = false
  }

  public func tell(_ word: String) throws(SQLError) {
    if isInTransaction {
      if !words.contains(word) { words.append(word) }
      return
    }
    let row = try prepare("SELECT pg_notify(?, ?)", isKept: true)
    try row.bind(source.channel, at: 1)
    try row.bind(word, at: 2)
    while try row.step() {}
  }

  /// Waits for words that were told.
  ///
  /// - Returns: `nil` after a new connection: some may have been missed. Empty after the time.
  public func heard(within milliseconds: Int64) throws(SQLError) -> [String]? {
    let handle = try connected()
    if !isListening {
      try execute("LISTEN \"\(source.channel)\"", on: handle)
      isListening = true
      return nil
    }
    var words: [String] = []
    _ = poll(PQsocket(handle), atMost: milliseconds)
    guard PQconsumeInput(handle) == 1 else {
      let problem = error(of: handle, in: "LISTEN")
      drop()
      throw problem
    }
    while let notice = PQnotifies(handle) {
      words.append(String(cString: notice.pointee.extra))
      PQfreemem(notice)
    }
    return words
  }

  public func watched<Result>(
    while mayGoOn: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    self.mayGoOn = mayGoOn
    defer { self.mayGoOn = nil }
    return try body()
  }

  public func unhurried<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SET statement_timeout = 0")
    limit = source.limits.work
    defer {
      limit = source.limits.statement
      do { try execute("SET statement_timeout = \(limit)") } catch { drop() }
    }
    return try body()
  }

  // MARK: Connecting

  /// The connection, with nothing under way; made if there is none.
  private func connected() throws(SQLError) -> OpaquePointer {
    if let handle, isInTransaction {
      try settle(handle)
      return handle
    }
    // A server that was started again has ended it: nothing is lost with a new one.
    if let handle, isIdle(handle) { return handle }
    drop()
    guard !isInTransaction else { throw SQLError(.unreachable, "\(name): the connection was lost") }
    if let failure, KernelTimer.monotonic.milliseconds < failure.until { throw failure.error }
    do {
      let new = try connect()
      try execute(source.beginning(isReadOnly: isReadOnly), on: new)
      failure = nil
      return new
    } catch {
      drop()
      // Who gave up waiting says nothing about the server.
      if error.kind != .interrupted {
        failure = (KernelTimer.monotonic.milliseconds + Self.failurePause, error)
      }
      throw error
    }
  }

  /// Whether a connection can be asked something; rows that nobody has read are taken first.
  private func isIdle(_ handle: OpaquePointer) -> Bool {
    do { try settle(handle) } catch { return false }
    // A server that ends it says so, and then hangs up.
    while !poll(PQsocket(handle), atMost: 0).isEmpty {
      if PQconsumeInput(handle) == 0 { return false }
    }
    return PQtransactionStatus(handle) == PQTRANS_IDLE
  }

  private func connect() throws(SQLError) -> OpaquePointer {
    let words = try source.arguments(startingAt: turn).map { "\($0.name)='\(quotable($0.value))'" }
    guard let new = PQconnectStart(words.joined(separator: " ")) else {
      throw SQLError(.unreachable, "\(name): out of memory")
    }
    handle = new
    // With the SQLSTATE, which a refused connection gives in no other way.
    PQsetErrorVerbosity(new, PQERRORS_VERBOSE)
    let end = KernelTimer.monotonic.milliseconds + source.limits.connect
    var state = PQstatus(new) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard state != PGRES_POLLING_FAILED else { throw refusal(of: new) }
      let left = end - KernelTimer.monotonic.milliseconds
      guard left > 0 else {
        // Another address has its turn next: a machine that is off says nothing.
        turn += 1
        throw SQLError(
          .unreachable, "\(name): connect: no answer; check the server and the network")
      }
      if mayGoOn?() == false {
        turn += 1
        throw SQLError(.interrupted, "\(name): connect: it took too long and was ended")
      }
      let events: PollEvents = state == PGRES_POLLING_READING ? .readable : .writable
      if !poll(PQsocket(new), events, atMost: min(left, Self.slice)).isEmpty {
        state = PQconnectPoll(new)
      }
    }
    PQsetnonblocking(new, 1)
    PQsetErrorVerbosity(new, PQERRORS_DEFAULT)
    return new
  }

  /// In a value of a connection string, between quotes.
  private func quotable(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : String($1) }
  }

  private func drop() {
    PQfinish(handle)
    handle = nil
    compiled = [:]
    isListening = false
  }

  // MARK: Asking

  private func execute(_ sql: String, on handle: OpaquePointer) throws(SQLError) {
    try require(PQsendQuery(handle, sql), sql, handle)
    while let result = try next(sql) { PQclear(result) }
  }

  /// Sends a statement; `next` gives its results.
  ///
  /// - Parameter isKept: the server compiles it once, and infers the types of its parameters from
  ///   what they are used for; its rows come in one result. Else each row is a result.
  func send(_ sql: SQLText, _ values: SQLValues, isKept: Bool) throws(SQLError) {
    let handle = try connected()
    let code: Int32
    if isKept {
      let name = try compile(sql, on: handle)
      code = values.withPointers { PQsendQueryPrepared(handle, name, $0, $1, nil, nil, 0) }
    } else {
      code = values.withPointers { count, texts in
        PQsendQueryParams(handle, sql.text, count, values.types, texts, nil, nil, 0)
      }
    }
    try require(code, sql.text, handle)
    if !isKept { PQsetSingleRowMode(handle) }
  }

  private func compile(_ sql: SQLText, on handle: OpaquePointer) throws(SQLError) -> String {
    if let name = compiled[sql.text] { return name }
    let name = "s\(compiled.count)"
    try require(PQsendPrepare(handle, name, sql.text, 0, nil), sql.text, handle)
    while let result = try next(sql.text) { PQclear(result) }
    compiled[sql.text] = name
    return name
  }

  private func require(
    _ code: Int32, _ sql: String, _ handle: OpaquePointer
  ) throws(SQLError) {
    if code == 1 { return }
    let problem = error(of: handle, in: sql)
    drop()
    throw problem
  }

  /// The next result of what was sent; the caller clears it.
  ///
  /// - Parameter sql: what was sent, for errors.
  /// - Returns: `nil` after the last one.
  func next(_ sql: String) throws(SQLError) -> OpaquePointer? {
    guard let handle else { throw SQLError(.unreachable, "\(name): the connection was lost") }
    let end = KernelTimer.monotonic.milliseconds + limit + Self.grace
    // Rows that have come are taken before more are read: each reading moves all of them.
    while PQisBusy(handle) == 1 {
      let isFlushed = PQflush(handle)
      if isFlushed < 0 || PQconsumeInput(handle) == 0 {
        let problem = error(of: handle, in: sql)
        drop()
        throw problem
      }
      if PQisBusy(handle) == 0 { break }
      let left = end - KernelTimer.monotonic.milliseconds
      if mayGoOn?() == false || left <= 0 {
        drop()
        throw mayGoOn?() == false
          ? SQLError(.interrupted, "\(name): \(summary(sql)): it took too long and was ended")
          : SQLError(
            .unreachable,
            "\(name): \(summary(sql)): no answer; check the server and the network")
      }
      let events: PollEvents = isFlushed == 1 ? [.readable, .writable] : .readable
      _ = poll(PQsocket(handle), events, atMost: min(left, Self.slice))
    }
    guard let result = PQgetResult(handle) else { return nil }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: return result
    default:
      let problem = error(of: result, handle, in: sql)
      PQclear(result)
      // After it nothing comes but the end.
      if PQstatus(handle) == CONNECTION_BAD || problem.kind == .readOnly { drop() }
      throw problem
    }
  }

  /// Takes from the server what nobody has read.
  private func settle(_ handle: OpaquePointer) throws(SQLError) {
    guard PQtransactionStatus(handle) == PQTRANS_ACTIVE else { return }
    var left = Self.unreadRows
    while let result = try next("") {
      PQclear(result)
      left -= 1
      if left == 0 {
        drop()
        throw SQLError(.unreachable, "\(name): too many rows were not read")
      }
    }
  }

  // MARK: Errors

  private func summary(_ sql: String) -> String {
    String(sql.split(whereSeparator: \.isWhitespace).prefix(4).joined(separator: " ").prefix(60))
  }

  /// Of the connection itself.
  private func error(of handle: OpaquePointer, in sql: String) -> SQLError {
    SQLError(
      .unreachable, "\(name): \(summary(sql)): \(String(cString: PQerrorMessage(handle)).trimmed)")
  }

  /// Of one that was not made; of several servers, what each has said.
  private func refusal(of handle: OpaquePointer) -> SQLError {
    let text = String(cString: PQerrorMessage(handle))
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
      .map { RefusedConnection(String($0)) }
    let message = lines.map(\.message).joined(separator: "; ")
    let isReadOnly = lines.contains { $0.isReadOnly }
    var error = SQLError(isReadOnly ? .readOnly : .unreachable, "\(name): connect: \(message)")
    let isKnown = PQconnectionNeedsPassword(handle) == 0 && !lines.contains { $0.isUserUnknown }
    error.cause = isKnown ? .closed : .password
    return error
  }

  private func error(
    of result: OpaquePointer, _ handle: OpaquePointer, in sql: String
  ) -> SQLError {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    guard let state = field("C") else { return error(of: handle, in: sql) }
    let message = field("M")?.trimmed ?? ""
    let kind = SQLError.Kind(state: state)
    let advice: String =
      switch kind {
      case .full: "; make room on the server's disk"
      case .readOnly: "; it is a standby: give the address of the server that takes writes"
      case .unreachable, .busy, .damaged, .constraint, .interrupted, .other: ""
      }
    return SQLError(kind, "\(name): \(summary(sql)): \(message)\(advice) (SQLSTATE \(state))")
  }
}

extension SQLError.Kind {
  /// - Parameter state: five characters (PostgreSQL's documentation, "Error Codes").
  init(state: String) {
    self =
      switch state {
      case "57014": .interrupted
      case "53100": .full
      case "25006": .readOnly
      case "40001", "40P01", "55P03": .busy
      default:
        switch state.prefix(2) {
        case "23": .constraint
        case "XX": .damaged
        // The connection, its authorisation, no resources, an operator's doing.
        case "08", "28", "53", "57": .unreachable
        default: .other
        }
      }
  }
}
