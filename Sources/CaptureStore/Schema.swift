internal import SQLite

/// The tables of a store's file, and how an older file becomes a new one.
///
/// People read it: `sqlite3 FILE 'SELECT * FROM overview'`. Times are UTC in milliseconds since
/// 1970, coordinates in 1e-7 degree; other units stand in the names.
enum Schema {
  /// Marks the file as ours (PRAGMA application_id): "TRKR".
  static let applicationID: Int64 = 0x5452_4B52
  /// The version that this program writes (PRAGMA user_version).
  static let version = Int32(steps.count)

  /// Numbers that are set apart at once. After damage the count goes on above them: no number is
  /// ever given to two captures, though nobody knows which was the last.
  static let reservation: UInt32 = 4096

  /// What leads from each version to the next, from nothing on. Never edit one: add one,
  /// and let it change the tables' text: a version is known by it even where its number is damaged.
  static let steps = [
    first, second, third, orders, checksums, holding, moreChecksums,
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

  /// Counts the attempts, so that one can be told that may have arrived; a view for people.
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

  /// A store may hold captures of several devices: each row says whose it is, and has a key of its
  /// own, as the sequence number is only the device's. The columns of the earlier versions keep
  /// their places, so that a row reads alike in all of them.
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

  /// The first version whose captures have keys of their own; before, the number was the key.
  static let keyedVersion: Int32 = 3

  /// What people ordered, as long as it holds, and the last sessions: `Memory`.
  ///
  /// `time`, `startedAt` and `endedAt` are dates; where they are not trusted, those of the machine,
  /// which may begin in 1970. The machine's boot and the milliseconds since tell how long ago
  /// something was until it is restarted, whatever its date.
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

  /// Each capture and identity carries a checksum (`RowChecksum`), so that a flipped bit is not
  /// believed; rows that are damaged are kept as text.
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

  /// The first version whose captures and identities carry checksums.
  static let checkedVersion: Int32 = 5

  /// Remembers until when a server may still act on captures whose upload failed. A clock that goes
  /// on evenly while the machine runs, and which run of the machine it counts from: the date may
  /// step.
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

  /// A flipped bit in an order, a session or the time of a hold is not believed either. A hold goes
  /// with its capture.
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

  /// The first version whose orders, sessions and holds do, too.
  static let fullyCheckedVersion: Int32 = 7

  /// Brings a file of an earlier version (0: an empty one) up to this program's.
  static func migrate(
    _ database: borrowing SQLiteDatabase, from version: Int32, to last: Int32 = version
  ) throws(SQLiteError) {
    for (index, step) in steps.prefix(Int(last)).enumerated().dropFirst(Int(version)) {
      // One statement list and one transaction per step: a power cut leaves a whole version.
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

  /// The tables, indexes and views of a database, each as one line without spaces and quotes, which
  /// versions of SQLite write differently.
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

  /// Those of a version, from 1.
  static func objects(version: Int32) throws(SQLiteError) -> Set<String> {
    let database = try SQLiteDatabase.store(path: ":memory:")
    try migrate(database, from: 0, to: version)
    return try objects(of: database)
  }
}
