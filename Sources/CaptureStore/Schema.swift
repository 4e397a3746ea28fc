internal import SQLite

/// The tables of a store, and the migration of older files.
///
/// People can read it: `sqlite3 FILE 'SELECT * FROM overview'`. Times are UTC in milliseconds since
/// 1970, coordinates in 1e-7 degree; other units are in the names.
enum Schema {
  /// Marks the file as ours (PRAGMA application_id): "TRKR".
  static let applicationID: Int64 = 0x5452_4B52
  /// The version that this program writes (PRAGMA user_version).
  static let version = Int32(Migration.allCases.count)

  /// The migrations, from an empty file on, by what they brought. Never edit one. Each new one must
  /// change the text of the tables, by which a version is recognised even if its number is damaged.
  enum Migration: Int32, CaseIterable {
    case captures = 1
    case attempts, devices, orders, checksums, holds
    /// Of orders, sessions and holds.
    case moreChecksums
    case charge, settingOrders, history, marks, sleep
    /// All that the estimate of the charge and the plan go on from, and the course's coverage.
    case learned
    case emergency, messages, notes
    /// Captures may have no position.
    case unplaced
    /// What became of the control room's orders.
    case outcomes

    /// The first version that has it.
    var version: Int32 { rawValue }

    fileprivate var sql: String {
      switch self {
      case .captures: Schema.captures
      case .attempts: Schema.attempts
      case .devices: Schema.devices
      case .orders: Schema.orders
      case .checksums: Schema.checksums
      case .holds: Schema.holds
      case .moreChecksums: Schema.moreChecksums
      case .charge: Schema.charge
      case .settingOrders: Schema.settingOrders
      case .history: Schema.history
      case .marks: Schema.marks
      case .sleep: Schema.sleep
      case .learned: Schema.learned
      case .emergency: Schema.emergency
      case .messages: Schema.messages
      case .notes: Schema.notes
      case .unplaced: Schema.unplaced
      case .outcomes: Schema.outcomes
      }
    }
  }

  private static let captures = """
    CREATE TABLE identity (
      device TEXT NOT NULL,
      madeAt INTEGER NOT NULL,
      firstSequence INTEGER NOT NULL,
      reservedBelow INTEGER NOT NULL
    );
    CREATE TABLE captures (
      sequence INTEGER PRIMARY KEY CHECK (sequence BETWEEN 1 AND 4294967294),
      state TEXT NOT NULL
        CHECK (state IN ('pending', 'inFlight', 'acknowledged', 'setAside')),
      stateChangedAt INTEGER NOT NULL,
      code INTEGER,
      takenAt INTEGER NOT NULL,
      utc INTEGER,
      isTimeTrusted INTEGER NOT NULL,
      latitude INTEGER NOT NULL,
      longitude INTEGER NOT NULL,
      altitudeMillimetres INTEGER,
      speedMillimetresPerSecond INTEGER,
      courseMillidegrees INTEGER,
      accuracyMetres INTEGER,
      satellites INTEGER,
      batteryPercent INTEGER,
      batteryMillivolts INTEGER,
      team TEXT NOT NULL,
      "trigger" TEXT NOT NULL
    );
    -- Only what still waits is in it: it stays small however long the walk.
    CREATE INDEX capturesWaiting ON captures (state, sequence) WHERE state <> 'acknowledged';
    """

  /// Counts the attempts, so that captures that may have arrived can be recognised; a view for
  /// people.
  private static let attempts = """
    ALTER TABLE captures ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    CREATE VIEW overview AS SELECT
      sequence, state, attempts, code,
      strftime('%Y-%m-%d %H:%M:%S', utc / 1000, 'unixepoch') AS utcTime,
      latitude / 1e7 AS latitudeDegrees, longitude / 1e7 AS longitudeDegrees,
      batteryPercent, team, "trigger"
    FROM captures ORDER BY sequence;
    """

  /// A store may contain captures of several devices: each row has its device and a key, because
  /// sequence numbers are only unique per device. The columns of earlier versions keep their
  /// places, so that a row is read in the same way in all versions. Before, the sequence number was
  /// the key.
  private static let devices = """
    CREATE TABLE identities (
      number INTEGER PRIMARY KEY,
      device TEXT NOT NULL UNIQUE,
      madeAt INTEGER NOT NULL,
      firstSequence INTEGER NOT NULL,
      reservedBelow INTEGER NOT NULL,
      deviceTreeSerial TEXT,
      firmwareSerial TEXT,
      installationID TEXT
    );
    INSERT INTO identities (device, madeAt, firstSequence, reservedBelow)
      SELECT device, madeAt, firstSequence, reservedBelow FROM identity LIMIT 1;
    DROP TABLE identity;
    DROP VIEW overview;
    DROP INDEX capturesWaiting;
    ALTER TABLE captures RENAME TO oldCaptures;
    CREATE TABLE captures (
      key INTEGER PRIMARY KEY CHECK (key BETWEEN 1 AND 4294967294),
      state TEXT NOT NULL
        CHECK (state IN ('pending', 'inFlight', 'acknowledged', 'setAside')),
      stateChangedAt INTEGER NOT NULL,
      code INTEGER,
      takenAt INTEGER NOT NULL,
      utc INTEGER,
      isTimeTrusted INTEGER NOT NULL,
      latitude INTEGER NOT NULL,
      longitude INTEGER NOT NULL,
      altitudeMillimetres INTEGER,
      speedMillimetresPerSecond INTEGER,
      courseMillidegrees INTEGER,
      accuracyMetres INTEGER,
      satellites INTEGER,
      batteryPercent INTEGER,
      batteryMillivolts INTEGER,
      team TEXT NOT NULL,
      "trigger" TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      device TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence BETWEEN 1 AND 4294967294),
      -- NULL: made from device and sequence.
      globalID TEXT
    );
    INSERT INTO captures SELECT *, (SELECT device FROM identities), sequence, NULL
      FROM oldCaptures WHERE EXISTS (SELECT 1 FROM identities) ORDER BY sequence;
    DROP TABLE oldCaptures;
    -- Only what still waits is in it: it stays small however long the walk.
    CREATE INDEX capturesWaiting ON captures (state, key) WHERE state <> 'acknowledged';
    CREATE VIEW overview AS SELECT
      key, substr(device, 1, 4) AS device, sequence, state, attempts, code,
      strftime('%Y-%m-%d %H:%M:%S', utc / 1000, 'unixepoch') AS utcTime,
      latitude / 1e7 AS latitudeDegrees, longitude / 1e7 AS longitudeDegrees,
      batteryPercent, team, "trigger"
    FROM captures ORDER BY key;
    """

  /// The orders in force and the last sessions: `Memory`.
  ///
  /// `time`, `startedAt` and `endedAt` are dates; if they are not trusted, they are the machine's,
  /// which may begin in 1970. The boot and the milliseconds since then say how long ago something
  /// was, independently of the date, until the machine restarts.
  private static let orders = """
    CREATE TABLE orders (
      key TEXT NOT NULL UNIQUE CHECK (key IN ('team', 'session')),
      value TEXT NOT NULL,
      origin TEXT NOT NULL,
      time INTEGER NOT NULL,
      isTimeTrusted INTEGER NOT NULL,
      boot TEXT NOT NULL,
      sinceBootMilliseconds INTEGER NOT NULL,
      session INTEGER NOT NULL,
      configured TEXT NOT NULL
    );
    CREATE TABLE sessions (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 4294967295),
      isOrdered INTEGER NOT NULL,
      startedAt INTEGER NOT NULL,
      isStartTrusted INTEGER NOT NULL,
      startBoot TEXT NOT NULL,
      startSinceBootMilliseconds INTEGER NOT NULL,
      ending TEXT CHECK (ending IN ('stopped', 'finished')),
      endedAt INTEGER,
      isEndTrusted INTEGER,
      endBoot TEXT,
      endSinceBootMilliseconds INTEGER
    );
    """

  /// Each capture and identity has a checksum (`RowChecksum`), so that a flipped bit is detected;
  /// damaged rows are kept as text.
  private static let checksums = """
    ALTER TABLE captures ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE identities ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE damaged (foundAt TEXT NOT NULL, row TEXT NOT NULL);
    UPDATE captures SET checksum = row_checksum(
      key, state, stateChangedAt, code, takenAt, utc, isTimeTrusted, latitude, longitude,
      altitudeMillimetres, speedMillimetresPerSecond, courseMillidegrees, accuracyMetres,
      satellites, batteryPercent, batteryMillivolts, team, "trigger", attempts, device, sequence,
      globalID);
    UPDATE identities SET checksum = row_checksum(
      number, device, madeAt, firstSequence, reservedBelow, deviceTreeSerial, firmwareSerial,
      installationID);
    """

  /// Remembers since when the outcome of captures is unknown, as time since a boot and the
  /// identifier of that boot, because the date may step.
  private static let holds = """
    CREATE TABLE held (
      key INTEGER PRIMARY KEY,
      boot TEXT NOT NULL,
      sinceMilliseconds INTEGER NOT NULL
    );
    CREATE TRIGGER heldIsInFlight AFTER UPDATE OF state ON captures
    WHEN OLD.state = 'inFlight' AND NEW.state <> 'inFlight'
    BEGIN
      DELETE FROM held WHERE key = NEW.key;
    END;
    """

  /// Checksums for orders, sessions and holds, too. A hold is deleted with its capture.
  private static let moreChecksums = """
    ALTER TABLE orders ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    UPDATE orders SET checksum = row_checksum(
      key, value, origin, time, isTimeTrusted, boot, sinceBootMilliseconds, session, configured);
    UPDATE sessions SET checksum = row_checksum(
      number, isOrdered, startedAt, isStartTrusted, startBoot, startSinceBootMilliseconds, ending,
      endedAt, isEndTrusted, endBoot, endSinceBootMilliseconds);
    ALTER TABLE held ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    UPDATE held SET checksum = row_checksum(key, boot, sinceMilliseconds);
    CREATE TRIGGER heldIsThere AFTER DELETE ON captures
    BEGIN
      DELETE FROM held WHERE key = OLD.key;
    END;
    """

  /// The charge of the battery, in one row. Its moment is stored as those of orders are.
  private static let charge = """
    CREATE TABLE battery (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      chargeMillionths INTEGER NOT NULL,
      deviationMillionths INTEGER NOT NULL,
      drainMillionths INTEGER NOT NULL,
      drainDeviationMillionths INTEGER NOT NULL,
      time INTEGER NOT NULL,
      isTimeTrusted INTEGER NOT NULL,
      boot TEXT NOT NULL,
      sinceBootMilliseconds INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    """

  /// What people ordered instead of the configuration file's values (`SettingOrder`), numbered as
  /// it was given. Its moment is stored as those of orders are.
  private static let settingOrders = """
    CREATE TABLE settingOrders (
    number INTEGER PRIMARY KEY, path TEXT, value TEXT, who TEXT,
    time INTEGER, isTimeTrusted INTEGER, boot TEXT, sinceBootMilliseconds INTEGER,
    session INTEGER, configured TEXT, checksum INTEGER);
    """

  /// What became of captures that did not go smoothly (`HistoryRow`). The view is the same as
  /// before, with fewer blanks.
  private static let history = """
    DROP VIEW overview;
    CREATE VIEW overview AS SELECT key,substr(device,1,4)AS device,sequence,state,attempts,code,
    strftime('%Y-%m-%d %H:%M:%S',utc/1000,'unixepoch')AS utcTime,latitude/1e7 AS latitudeDegrees,
    longitude/1e7 AS longitudeDegrees,batteryPercent,team,"trigger" FROM captures ORDER BY key;
    CREATE TABLE history(key INTEGER PRIMARY KEY,steps,checksum);
    """

  /// Where on the course captures were taken (`MarkRow`), and the tracker's record of the course
  /// (`CourseRow`), in one row. Before, both were words in `history` (`HistoryWords`).
  private static let marks = """
    CREATE TABLE marks (
      key INTEGER PRIMARY KEY,
      doneMetres INTEGER NOT NULL,
      toGoMetres INTEGER NOT NULL,
      place TEXT,
      checksum INTEGER NOT NULL
    );
    CREATE TABLE course (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      doneMetres INTEGER NOT NULL,
      nextPlace INTEGER NOT NULL,
      insidePlace INTEGER NOT NULL,
      isFinished INTEGER NOT NULL,
      unseenPlace INTEGER,
      knownFromMillimetres INTEGER,
      courseFingerprint INTEGER,
      latitude INTEGER,
      longitude INTEGER,
      awayMetres INTEGER,
      offSeconds INTEGER,
      entered INTEGER,
      inferred INTEGER,
      leaving INTEGER,
      time INTEGER,
      isTimeTrusted INTEGER,
      boot TEXT,
      sinceBootMilliseconds INTEGER,
      forecast TEXT,
      checksum INTEGER NOT NULL
    );
    """

  /// Where the tracker stood when it had its machine halted (`SleepRow`), in one row.
  private static let sleep = """
    CREATE TABLE sleep (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      alarmMilliseconds INTEGER NOT NULL,
      captureMilliseconds INTEGER NOT NULL,
      contactMilliseconds INTEGER NOT NULL,
      floorMilliseconds INTEGER NOT NULL,
      capturedMilliseconds INTEGER NOT NULL,
      latitude INTEGER NOT NULL,
      longitude INTEGER NOT NULL,
      failedContacts INTEGER NOT NULL,
      capturePercent INTEGER NOT NULL,
      contactPercent INTEGER NOT NULL,
      time INTEGER NOT NULL,
      isTimeTrusted INTEGER NOT NULL,
      boot TEXT NOT NULL,
      sinceBootMilliseconds INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    """

  /// More of the estimate of the charge, what was spent and planned, and the course's coverage. A
  /// row whose checksum is wrong keeps a wrong one.
  private static let learned = """
    ALTER TABLE battery ADD COLUMN covarianceBillionths INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE battery ADD COLUMN biasMillionths INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE battery ADD COLUMN contradictions INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE battery ADD COLUMN heldMillionths INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE battery ADD COLUMN finalContactMillionths INTEGER;
    ALTER TABLE battery ADD COLUMN unmeasuredMilliseconds INTEGER NOT NULL DEFAULT 0;
    UPDATE battery SET checksum = row_checksum(
      id, chargeMillionths, deviationMillionths, drainMillionths, drainDeviationMillionths,
      time, isTimeTrusted, boot, sinceBootMilliseconds, covarianceBillionths, biasMillionths,
      contradictions, heldMillionths, finalContactMillionths, unmeasuredMilliseconds)
    WHERE checksum = row_checksum(
      id, chargeMillionths, deviationMillionths, drainMillionths, drainDeviationMillionths,
      time, isTimeTrusted, boot, sinceBootMilliseconds);
    ALTER TABLE sleep ADD COLUMN spentMillionths INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sleep ADD COLUMN plannedMillionths INTEGER NOT NULL DEFAULT 0;
    UPDATE sleep SET checksum = row_checksum(
      id, alarmMilliseconds, captureMilliseconds, contactMilliseconds, floorMilliseconds,
      capturedMilliseconds, latitude, longitude, failedContacts, capturePercent, contactPercent,
      time, isTimeTrusted, boot, sinceBootMilliseconds, spentMillionths, plannedMillionths)
    WHERE checksum = row_checksum(
      id, alarmMilliseconds, captureMilliseconds, contactMilliseconds, floorMilliseconds,
      capturedMilliseconds, latitude, longitude, failedContacts, capturePercent, contactPercent,
      time, isTimeTrusted, boot, sinceBootMilliseconds);
    CREATE TABLE coverage (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      reachedLow INTEGER NOT NULL,
      reachedHigh INTEGER NOT NULL,
      silentLow INTEGER NOT NULL,
      silentHigh INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    """

  /// The current or the last emergency (`EmergencyRow`), in one row. Its moment is stored as those
  /// of orders are.
  private static let emergency = """
    CREATE TABLE emergency (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      stage TEXT NOT NULL,
      origin TEXT NOT NULL,
      firstSequence INTEGER NOT NULL,
      person TEXT NOT NULL,
      answeredAt INTEGER,
      time INTEGER NOT NULL,
      isTimeTrusted INTEGER NOT NULL,
      boot TEXT NOT NULL,
      sinceBootMilliseconds INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    """

  /// What people have told the tracker (`MessageRow`). `created` is 0 where the server did not say
  /// when.
  private static let messages = """
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY,
      device TEXT NOT NULL,
      number INTEGER NOT NULL,
      created INTEGER NOT NULL,
      kind TEXT NOT NULL,
      text TEXT NOT NULL,
      author TEXT NOT NULL,
      sequence INTEGER,
      checksum INTEGER NOT NULL
    );
    """

  /// Versions of notes (`NoteRow`). `object` is null until a server has one.
  private static let notes = """
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY,
      object INTEGER,
      version TEXT NOT NULL,
      note TEXT NOT NULL,
      seen TEXT NOT NULL,
      text TEXT,
      category TEXT NOT NULL,
      author TEXT NOT NULL,
      written INTEGER,
      checksum INTEGER NOT NULL
    );
    """

  /// A capture without a position has 2147483647 for both coordinates (`CaptureRow`): NULL would
  /// take a new table, for which a small disk may have no room. The view shows none.
  private static let unplaced = """
    DROP VIEW overview;
    CREATE VIEW overview AS SELECT key,substr(device,1,4)AS device,sequence,state,attempts,code,
    strftime('%Y-%m-%d %H:%M:%S',utc/1000,'unixepoch')AS utcTime,
    nullif(latitude,2147483647)/1e7 AS latitudeDegrees,
    nullif(longitude,2147483647)/1e7 AS longitudeDegrees,batteryPercent,team,"trigger"
    FROM captures ORDER BY key;
    """

  /// What became of orders among the messages (`OutcomeRow`), by a message's `id`.
  private static let outcomes = """
    CREATE TABLE outcomes (
      id INTEGER PRIMARY KEY,
      device TEXT NOT NULL,
      outcome TEXT NOT NULL,
      checksum INTEGER NOT NULL
    );
    """

  /// Migrates a file of an earlier version (0: an empty one) to the current version.
  static func migrate(
    _ database: borrowing SQLiteDatabase, from version: Int32, to last: Int32 = version
  ) throws(SQLiteError) {
    let migrations = Migration.allCases.prefix(Int(last)).dropFirst(Int(version))
    // A new file takes one transaction: the log has each page once, on a disk that may be nearly
    // full. Otherwise each step has its own, so that a power cut leaves a complete version.
    guard version > 0 else {
      return try database.transaction { () throws(SQLiteError) in
        for migration in migrations { try apply(migration, to: database) }
      }
    }
    for migration in migrations {
      try database.transaction { () throws(SQLiteError) in try apply(migration, to: database) }
    }
  }

  private static func apply(
    _ migration: Migration, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    try database.execute(migration.sql)
    if migration == .marks { try HistoryWords.move(in: database) }
    try database.execute(
      """
      PRAGMA application_id = \(applicationID);
      PRAGMA user_version = \(migration.version);
      """)
  }

  /// The file of an empty database of this version, for one in memory.
  ///
  /// Its pages are small: each that a change touches is copied before, for the case that it fails.
  static func image() throws(SQLiteError) -> [UInt8] {
    let database = try SQLiteDatabase.store(path: ":memory:")
    try database.execute("PRAGMA page_size = 1024")
    try migrate(database, from: 0)
    return try database.image()
  }

  // MARK: Recognising

  /// The tables, indexes, triggers and views of a database, each as one line without spaces and
  /// quotes, which SQLite versions write differently.
  static func objects(of database: borrowing SQLiteDatabase) throws(SQLiteError) -> Set<String> {
    let rows = try database.prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    var objects: Set<String> = []
    while try rows.step() {
      guard !rows.text(1).hasPrefix("sqlite_stat") else { continue }
      let text = rows.text(3).filter { !$0.isWhitespace && $0 != "\"" }
      objects.insert("\(rows.text(0)) \(rows.text(1)) \(rows.text(2)) \(text)")
    }
    return objects
  }

  /// Those of a schema version, from 1.
  static func objects(version: Int32) throws(SQLiteError) -> Set<String> {
    let database = try SQLiteDatabase.store(path: ":memory:")
    try migrate(database, from: 0, to: version)
    return try objects(of: database)
  }
}
