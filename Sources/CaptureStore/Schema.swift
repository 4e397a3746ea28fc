internal import SQLite

/// The tables of a store, and the migration of older files.
///
/// People can read it: `sqlite3 FILE 'SELECT * FROM overview'`. Times are UTC in milliseconds since
/// 1970, coordinates in 1e-7 degree; other units are in the names.
enum Schema {
  /// Marks the file as ours (PRAGMA application_id): "TRKR".
  static let applicationID: Int64 = 0x5452_4B52
  /// The version that this program writes (PRAGMA user_version).
  static let version = Int32(steps.count)

  /// How many sequence numbers are reserved at once. After damage the numbering continues above
  /// them, so that no number is given to two captures although the last one is unknown.
  static let reservation: UInt32 = 4096

  /// The migrations, from an empty file on. Never edit one. Each new one must change the text of
  /// the tables, by which a version is recognised even if its number is damaged.
  static let steps = [
    first, second, third, orders, checksums, holding, moreChecksums, charge, settingOrders,
    history,
  ]

  private static let first = """
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
  private static let second = """
    ALTER TABLE captures ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    CREATE VIEW overview AS SELECT
      sequence, state, attempts, code,
      strftime('%Y-%m-%d %H:%M:%S', utc / 1000, 'unixepoch') AS utcTime,
      latitude / 1e7 AS latitudeDegrees, longitude / 1e7 AS longitudeDegrees,
      batteryPercent, team, "trigger"
    FROM captures ORDER BY sequence;
    """

  /// The first version whose rows count their attempts.
  static let countingVersion: Int32 = 2

  /// A store may contain captures of several devices: each row has its device and a key, because
  /// sequence numbers are only unique per device. The columns of earlier versions keep their
  /// places, so that a row is read in the same way in all versions.
  private static let third = """
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

  /// The first version whose captures have keys; before, the sequence number was the key.
  static let keyedVersion: Int32 = 3

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

  /// The first version whose captures and identities have checksums.
  static let checkedVersion: Int32 = 5

  /// Remembers since when the outcome of captures is unknown, as time since a boot and the
  /// identifier of that boot, because the date may step.
  private static let holding = """
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
  ///
  /// A file may have to fit a nearly full disk, so this takes one page only: there is no index, and
  /// the text is short, so that the first page still has room for the text of all tables.
  private static let settingOrders = """
    CREATE TABLE settingOrders (
    number INTEGER PRIMARY KEY, path TEXT, value TEXT, who TEXT,
    time INTEGER, isTimeTrusted INTEGER, boot TEXT, sinceBootMilliseconds INTEGER,
    session INTEGER, configured TEXT, checksum INTEGER);
    """

  /// What became of captures that did not go smoothly (`HistoryRow`). Short for the same reason as
  /// the one before; the view is the same, written shorter to make room for it.
  private static let history = """
    DROP VIEW overview;
    CREATE VIEW overview AS SELECT key,substr(device,1,4)AS device,sequence,state,attempts,code,
    strftime('%Y-%m-%d %H:%M:%S',utc/1000,'unixepoch')AS utcTime,latitude/1e7 AS latitudeDegrees,
    longitude/1e7 AS longitudeDegrees,batteryPercent,team,"trigger" FROM captures ORDER BY key;
    CREATE TABLE history(key INTEGER PRIMARY KEY,steps,checksum);
    """

  /// The first version whose orders, sessions and holds have checksums, too.
  static let fullyCheckedVersion: Int32 = 7

  /// Migrates a file of an earlier version (0: an empty one) to the current version.
  static func migrate(
    _ database: borrowing SQLiteDatabase, from version: Int32, to last: Int32 = version
  ) throws(SQLiteError) {
    for (index, step) in steps.prefix(Int(last)).enumerated().dropFirst(Int(version)) {
      // One transaction per step, so that a power cut leaves a complete version.
      try database.execute(
        """
        BEGIN IMMEDIATE;
        \(step)
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(index + 1);
        COMMIT;
        """)
    }
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
