import SQL
import Synchronization
import TrackerCore
import Wording

/// The captures and the course. A lock protects the connection for edits; queries have others.
final class FeatureStore: Sendable {
  private let engine: Mutex<Engine>
  private let group = CommitGroup()
  /// Of large layers, by their tables, and when they were found out.
  let reaches = Mutex<[String: (reach: LayerReach, at: Milliseconds)]>([:])
  /// `nil` for a database that has one connection only.
  private let readers: Readers?
  /// The course, in memory, read from its file at every start.
  private let course: Mutex<Engine>
  /// Asked at a query's start; what it returns is asked again and again, whether the query may go
  /// on.
  private let patience: FeatureServerSettings.Patience?
  let stored: (@Sendable ([TakenCapture]) -> Void)?
  let refused: (@Sendable ([RefusedCapture]) -> Void)?
  let columns: [String]
  let insertion: CaptureInsertion
  /// Where that is, is nothing for clients.
  let isOnServer: Bool
  /// Grows with each change of the messages and the notes.
  let messageVersion = Mutex(0)

  /// A connection.
  struct Engine: ~Copyable {
    let database: any SQLConnection
  }

  /// Opens the database or creates it.
  ///
  /// - Parameter columns: of the values of a new capture.
  /// - Throws: `ServiceError` or `SQLError`, both of one line.
  init(
    _ source: any SQLSource, columns: [String], patience: FeatureServerSettings.Patience? = nil,
    stored: (@Sendable ([TakenCapture]) -> Void)? = nil,
    refused: (@Sendable ([RefusedCapture]) -> Void)? = nil
  ) throws {
    let database = try source.connect(isReadOnly: false)
    try FeatureSchema.prepare(database)
    let course = try SQLiteSource(path: ":memory:").connect(isReadOnly: false)
    try FeatureSchema.prepareForReading(course)
    try course.execute(FeatureSchema.course)
    self.course = Mutex(Engine(database: course))
    self.patience = patience
    self.stored = stored
    self.refused = refused
    self.columns = columns
    insertion = CaptureInsertion(columns)
    isOnServer = source.dialect == .postgreSQL
    readers = source.isShared ? Readers(source) : nil
    engine = Mutex(Engine(database: database))
  }

  // SQLite moves its log to the database's file when the last connection is closed, unless that one
  // may only read.
  deinit { readers?.close() }

  func withEngine<Result: Sendable>(
    _ body: (borrowing Engine) throws -> Result
  ) throws -> Result {
    try engine.withLock { engine in try body(engine) }
  }

  /// What all servers of these data know, and nobody else; `nil`: there is only one.
  func secret() throws -> String? {
    guard isOnServer else { return nil }
    return try withEngine { engine in
      let row = try engine.database.prepare("SELECT secret FROM server_secret")
      guard try row.step() else {
        throw ServiceError("\(engine.database.name): has lost its secret")
      }
      return row.text(0)
    }
  }

  /// Tells the other servers a word, if the database can do so now.
  func tell(_ word: String) { try? withEngine { try $0.database.tell(word) } }

  func withCourse<Result: Sendable>(
    _ body: (any SQLConnection) throws -> Result
  ) throws -> Result {
    try course.withLock { course in try body(course.database) }
  }

  /// Passes a connection on which a layer can be queried, and which ends what takes too long.
  func withReader(
    of layer: Layer, _ body: (any SQLConnection) throws -> Void
  ) throws {
    let mayGoOn = patience?()
    func watched(_ database: any SQLConnection) throws {
      guard let mayGoOn else { return try body(database) }
      do {
        try database.watched(while: mayGoOn) { try body(database) }
      } catch let error as SQLError where error.kind == .interrupted {
        throw ArcGISError.query("It takes longer than this server allows; ask for less.")
      }
    }
    if layer.isOfCourse { return try withCourse(watched) }
    if let readers { return try readers.withReader(watched) }
    try withEngine { try watched($0.database) }
  }
}

extension SQLStatement {
  func bind(_ value: StoredValue, at place: Int32) throws(SQLError) {
    switch value {
    case .null: try bindNull(at: place)
    case .text(let text): try bind(text, at: place)
    case .integer(let number): try bind(number, at: place)
    case .number(let number): try bind(number, at: place)
    }
  }
}

extension FeatureStore {
  /// Carries out an edit in one transaction, and returns when it is on disk.
  ///
  /// - Parameter now: when its captures are said to have arrived, if they do not say so themselves.
  func perform(_ edit: Edit, at now: UTC) throws -> EditResults {
    var results =
      edit.onlyAddsCaptures
      ? try group.perform(edit, at: now, add) : try performAlone(edit, at: now)
    if edit.isAllOrNothing, !results.areDone { results = results.undone }
    if let stored {
      let captures = zip(edit.adds, results.adds).compactMap {
        TakenCapture($0, $1, columns)
      }
      if !captures.isEmpty { stored(captures) }
    }
    try keep(edit.refusals, at: now)
    if edit.hasLetters {
      messageVersion.withLock { $0 += 1 }
    }
    return results
  }

  private func performAlone(_ edit: Edit, at now: UTC) throws -> EditResults {
    try withEngine { engine in
      let isKept = { (results: EditResults) in !edit.isAllOrNothing || results.areDone }
      return try engine.database.transaction(keptIf: isKept) { () throws(SQLError) in
        var results = EditResults()
        results.adds = try Self.add(
          edit.adds.map { $0.map { $0.arrived(by: now) } }, insertion, engine)
        for feature in edit.updates { results.updates.append(try Self.update(feature, engine)) }
        for confirmation in edit.confirmations ?? [] {
          switch confirmation {
          case .success(let one): results.updates.append(try Self.confirm(one, engine))
          case .failure(let problem):
            results.updates.append(ItemResult(outcome: .refused(problem)))
          }
        }
        for note in edit.notes ?? [] {
          switch note {
          case .success(let one): results.adds.append(try Self.add(one, engine, now))
          case .failure(let problem): results.adds.append(ItemResult(outcome: .refused(problem)))
          }
        }
        for part in edit.history ?? [] {
          switch part {
          case .success(let one): results.adds.append(try Self.add(one, engine, now))
          case .failure(let problem): results.adds.append(ItemResult(outcome: .refused(problem)))
          }
        }
        for key in edit.deletes { results.deletes.append(try Self.delete(key, engine)) }
        try engine.database.tell(
          edit.hasLetters ? FeatureServer.letters : FeatureServer.captures)
        return results
      }
    }
  }

  // MARK: Existing features

  private static func update(
    _ feature: Result<ChangedFeature, ItemError>, _ engine: borrowing Engine
  ) throws(SQLError) -> ItemResult {
    let changed: ChangedFeature
    switch feature {
    case .failure(let problem): return ItemResult(outcome: .refused(problem))
    case .success(let feature): changed = feature
    }
    guard let found = try find(changed.key, engine) else {
      return ItemResult(outcome: .refused(.missing("there is no such feature")))
    }
    var columns = changed.values.map { "\"\($0.name)\" = ?" }
    var values = changed.values.map(\.value)
    if let place = changed.place {
      columns += ["x = ?", "y = ?"]
      values += [.number(place.x), .number(place.y)]
    }
    if columns.isEmpty { return found.result }
    let before = try capture(found.number, engine)
    let statement = try engine.database.prepare(
      "UPDATE capture SET \(columns.joined(separator: ", ")) WHERE OBJECTID = ?")
    for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
    try statement.bind(found.number, at: Int32(values.count) + 1)
    try statement.run()
    try revise(before, engine)
    return found.result
  }

  private static func delete(
    _ key: Result<ObjectKey, ItemError>, _ engine: borrowing Engine
  ) throws(SQLError) -> ItemResult {
    let found: Found
    switch key {
    case .failure(let problem): return ItemResult(outcome: .refused(problem))
    case .success(let key):
      guard let object = try find(key, engine) else {
        return ItemResult(outcome: .refused(.missing("there is no such feature")))
      }
      found = object
    }
    let before = try capture(found.number, engine)
    let statement = try engine.database.prepare(
      "DELETE FROM capture WHERE OBJECTID = ?", isKept: true)
    try statement.bind(found.number, at: 1)
    try statement.run()
    try revise(before, engine)
    return found.result
  }

  private struct Found {
    var number: Int64
    var globalID: String

    var result: ItemResult {
      ItemResult(outcome: .done(objectID: number), globalID: globalID)
    }
  }

  private static func find(
    _ key: ObjectKey, _ engine: borrowing Engine
  ) throws(SQLError) -> Found? {
    let column =
      switch key {
      case .number: "OBJECTID"
      case .globalID: "GlobalID"
      }
    let statement = try engine.database.prepare(
      "SELECT OBJECTID, GlobalID FROM capture WHERE \(column) = ?", isKept: true)
    switch key {
    case .number(let number): try statement.bind(number, at: 1)
    case .globalID(let text): try statement.bind(text, at: 1)
    }
    guard try statement.step() else { return nil }
    return Found(number: statement.integer(0), globalID: statement.text(1))
  }

  /// Stores the course for queries.
  func keep(_ course: Course) throws {
    try withCourse { database in
      let point = try database.prepare(
        "INSERT INTO checkpoint (Nom, Altitud, x, y) VALUES (?, ?, ?, ?)")
      for checkpoint in course.checkpoints {
        try point.bind(checkpoint.name, at: 1)
        try point.bind(checkpoint.altitude, at: 2)
        try point.bind(checkpoint.place.x, at: 3)
        try point.bind(checkpoint.place.y, at: 4)
        try point.run()
      }
      let line = try database.prepare(
        "INSERT INTO stage (Nom, path, west, south, east, north) VALUES (?, ?, ?, ?, ?, ?)")
      for stage in course.stages {
        let (xs, ys) = (stage.path.map(\.x), stage.path.map(\.y))
        try line.bind(stage.name, at: 1)
        try line.bind(LinePath.text(stage.path), at: 2)
        for (index, edge) in [xs.min(), ys.min(), xs.max(), ys.max()].enumerated() {
          try line.bind(edge, at: Int32(index) + 3)
        }
        try line.run()
      }
    }
  }
}

/// The connections for queries, one for each that runs: with SQLite's write-ahead log, and on a
/// server, they neither wait for the connection for edits nor hold it up.
final class Readers: Sendable {
  /// Used by one thread at a time: by whoever took it from `idle`.
  private final class Reader: @unchecked Sendable {
    let database: any SQLConnection
    init(_ database: any SQLConnection) { self.database = database }
  }

  private let source: any SQLSource
  private let idle = Mutex<[Reader]>([])

  /// - Parameter source: SQLite's is in WAL mode.
  init(_ source: any SQLSource) { self.source = source }

  func withReader<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    let reader = try idle.withLock { $0.popLast() } ?? open()
    defer {
      idle.withLock { if $0.count < Bounds.idleReaders { $0.append(reader) } }
    }
    return try body(reader.database)
  }

  /// Closes those that nobody uses.
  func close() { idle.withLock { $0 = [] } }

  private func open() throws -> Reader {
    let database = try source.connect(isReadOnly: true)
    try FeatureSchema.prepareForReading(database)
    return Reader(database)
  }
}

extension Edit {
  /// Messages, notes or histories.
  var hasLetters: Bool { confirmations != nil || notes != nil || history != nil }
}

extension FeatureServer {
  /// What is told to other servers of one database when there are new messages, notes or histories.
  public static let letters = "letters"
  /// The same of captures.
  static let captures = "captures"

  /// Takes note that another server has written some.
  public func noteLetters() { store.messageVersion.withLock { $0 += 1 } }
}
