import SQLite
import Synchronization
public import TrackerCore
import Wording

/// The captures and the course. A lock protects the connection for edits; queries have others.
final class FeatureStore: Sendable {
  private let engine: Mutex<Engine>
  /// `nil` for a database in memory, which has one connection only.
  private let readers: Readers?
  /// The course, in memory, read from its file at every start.
  private let course: Mutex<SQLiteDatabase>
  /// Asked at a query's start; what it returns is asked again and again, whether the query may go
  /// on.
  private let patience: FeatureServerSettings.Patience?
  let stored: (@Sendable ([TakenCapture]) -> Void)?
  let refused: (@Sendable ([RefusedCapture]) -> Void)?
  private let columns: [String]
  /// Grows with each change of the messages and the notes.
  let messageVersion = Mutex(0)

  /// A connection and the statement for inserting captures.
  struct Engine: ~Copyable {
    let database: SQLiteDatabase
    let insert: SQLiteStatement
  }

  /// Opens the database or creates it.
  ///
  /// - Parameters:
  ///   - path: a file, or ":memory:".
  ///   - columns: of the values of a new capture.
  /// - Throws: `ServiceError` or `SQLiteError`, both of one line.
  init(
    path: String, columns: [String], patience: FeatureServerSettings.Patience? = nil,
    stored: (@Sendable ([TakenCapture]) -> Void)? = nil,
    refused: (@Sendable ([RefusedCapture]) -> Void)? = nil
  ) throws {
    let database = try SQLiteDatabase(path: path)
    try FeatureSchema.prepare(database)
    try Self.prepareRefusals(database)
    try database.execute(Self.followed)
    let course = try SQLiteDatabase(path: ":memory:")
    try FeatureSchema.prepareForReading(course)
    try course.execute(FeatureSchema.course)
    self.course = Mutex(course)
    self.patience = patience
    self.stored = stored
    self.refused = refused
    self.columns = columns
    readers = path == ":memory:" ? nil : Readers(path: path)
    let insert = try database.prepare(Self.insertion(columns), isKept: true)
    engine = Mutex(Engine(database: database, insert: insert))
  }

  // SQLite moves its log to the database's file when the last connection is closed, unless that one
  // may only read.
  deinit { readers?.close() }

  private static func insertion(_ columns: [String]) -> String {
    let names = columns + ["GlobalID", "x", "y", "arrived"]
    let values = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO capture (\(names.joined(separator: ", "))) VALUES (\(values))"
  }

  func withEngine<Result: Sendable>(
    _ body: (borrowing Engine) throws -> Result
  ) throws -> Result {
    try engine.withLock { engine in try body(engine) }
  }

  func withCourse<Result: Sendable>(
    _ body: (borrowing SQLiteDatabase) throws -> Result
  ) throws -> Result {
    try course.withLock { course in try body(course) }
  }

  /// Passes a connection on which a layer can be queried, and which ends what takes too long.
  func withReader(
    of layer: Layer, _ body: (borrowing SQLiteDatabase) throws -> Void
  ) throws {
    let mayGoOn = patience?()
    func watched(_ database: borrowing SQLiteDatabase) throws {
      guard let mayGoOn else { return try body(database) }
      do {
        try database.watched(every: Bounds.queryInstructions, while: mayGoOn) {
          try body(database)
        }
      } catch let error as SQLiteError where error.kind == .interrupted {
        throw ArcGISError.query("It takes longer than this server allows; ask for less.")
      }
    }
    if layer.isOfCourse { return try withCourse(watched) }
    if let readers { return try readers.withReader(watched) }
    try withEngine { try watched($0.database) }
  }
}

extension SQLiteStatement {
  func bind(_ value: StoredValue, at place: Int32) throws(SQLiteError) {
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
    let results = try withEngine { engine in
      try engine.database.decidingTransaction { () throws(SQLiteError) in
        var results = EditResults()
        results.adds.reserveCapacity(edit.adds.count)
        for feature in edit.adds { results.adds.append(try Self.add(feature, engine, now)) }
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
        return edit.isAllOrNothing && !results.areDone
          ? .rollback(results.undone) : .commit(results)
      }
    }
    if let stored {
      let captures = zip(edit.adds, results.adds).compactMap {
        TakenCapture($0, $1, columns)
      }
      if !captures.isEmpty { stored(captures) }
    }
    try keep(edit.refusals, at: now)
    if edit.confirmations != nil || edit.notes != nil || edit.history != nil {
      messageVersion.withLock { $0 += 1 }
    }
    return results
  }

  private static func add(
    _ feature: Result<NewFeature, ItemError>, _ engine: borrowing Engine, _ now: UTC
  ) throws(SQLiteError) -> ItemResult {
    let new: NewFeature
    switch feature {
    case .failure(let problem): return ItemResult(outcome: .refused(problem))
    case .success(let feature): new = feature
    }
    var place: Int32 = 1
    for value in new.values {
      try engine.insert.bind(value, at: place)
      place += 1
    }
    try engine.insert.bind(new.globalID, at: place)
    try engine.insert.bind(new.place?.x, at: place + 1)
    try engine.insert.bind(new.place?.y, at: place + 2)
    try engine.insert.bind(min(now, new.arrived ?? now).milliseconds, at: place + 3)
    do {
      try engine.insert.run()
      let objectID = engine.database.lastInsertedRow
      try noteReturn(of: objectID, engine)
      return ItemResult(outcome: .done(objectID: objectID), globalID: new.globalID)
    } catch {
      guard error.kind == .constraint else { throw error }
      return ItemResult(outcome: .refused(.notUnique), globalID: new.globalID)
    }
  }

  // MARK: Existing features

  private static func update(
    _ feature: Result<ChangedFeature, ItemError>, _ engine: borrowing Engine
  ) throws(SQLiteError) -> ItemResult {
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
  ) throws(SQLiteError) -> ItemResult {
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
  ) throws(SQLiteError) -> Found? {
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

/// The connections for queries, one for each that runs: with SQLite's write-ahead log they neither
/// wait for the connection for edits nor hold it up.
final class Readers: Sendable {
  /// Used by one thread at a time: by whoever took it from `idle`.
  private final class Reader: @unchecked Sendable {
    let database: SQLiteDatabase
    init(_ database: consuming SQLiteDatabase) { self.database = database }
  }

  private let path: String
  private let idle = Mutex<[Reader]>([])

  /// - Parameter path: of a database in WAL mode.
  init(path: String) { self.path = path }

  func withReader<Result>(_ body: (borrowing SQLiteDatabase) throws -> Result) throws -> Result {
    let reader = try idle.withLock { $0.popLast() } ?? open()
    defer {
      idle.withLock { if $0.count < Bounds.idleReaders { $0.append(reader) } }
    }
    return try body(reader.database)
  }

  /// Closes those that nobody uses.
  func close() { idle.withLock { $0 = [] } }

  private func open() throws -> Reader {
    let database = try SQLiteDatabase(path: path, access: .readOnly)
    try FeatureSchema.prepareForReading(database)
    return Reader(database)
  }
}

/// A capture that is on disk, for a log and for whoever watches the race.
public struct TakenCapture: Sendable, Equatable {
  public var objectID: Int64
  /// The attributes as the client sent them, of up to 100 characters.
  public var device: String?
  public var team: String?
  /// When it was taken, in milliseconds since 1970.
  public var moment: Int64?
  /// When it was stored; of a capture of an earlier version, when it was taken.
  public var arrived: UTC?
  /// The capture's own identifier.
  public var id: UniqueID?
  public var position: Coordinate?
  public var batteryPercent: Double?
  /// The name of the reason for which it was taken.
  public var trigger: String?
  /// The latest time at which the tracker promised to make contact again.
  public var promise: UTC?
  /// Why it will be silent, if it said so.
  public var silence: String?
  /// The tracker's sequence number, without gaps.
  public var sequence: UInt32?
  /// How far the position may be off, metres.
  public var accuracyMetres: Int64?
}

extension TakenCapture {
  /// - Parameter columns: what the feature's values are of.
  /// - Returns: `nil` if it was refused.
  init?(_ feature: Result<NewFeature, ItemError>, _ result: ItemResult, _ columns: [String]) {
    guard case .success(let new) = feature, case .done(let number) = result.outcome else {
      return nil
    }
    objectID = number
    position = new.place?.coordinate
    for (column, value) in zip(columns, new.values) { take(value, of: column) }
  }

  mutating func take(_ value: StoredValue, of column: String) {
    switch (column, value) {
    case ("CodiEquip", .text(let text)): device = text
    case ("Equip", .text(let text)): team = text
    case ("Bateria", .number(let number)): batteryPercent = number
    case ("Entrada", .integer(let number)): moment = number
    case ("UUID", .text(let text)): id = UniqueID(text: text)
    case ("Motiu", .text(let text)): trigger = text
    case ("ProperContacte", .integer(let number)): promise = UTC(milliseconds: number)
    case ("Silenci", .text(let text)): silence = text
    case ("Ordre", .integer(let number)): sequence = UInt32(exactly: number)
    case ("Precisio", .integer(let number)): accuracyMetres = number
    default: break
    }
  }
}

extension Place {
  /// In the tracker's units.
  var coordinate: Coordinate {
    let (longitude, latitude) = Projection.degrees.project(self)
    return Coordinate(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }
}
