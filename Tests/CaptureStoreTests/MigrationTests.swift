import CaptureStore
import Testing
import TrackerCore

/// Files that earlier versions of the program made.
@Suite struct MigrationTests {
  private let note = again("MigrationTests")

  /// What version 1 wrote, word for word: never to be edited.
  private static let versionOne = """
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
    CREATE INDEX capturesWaiting ON captures (state, sequence) WHERE state <> 'acknowledged';
    INSERT INTO identity VALUES ('0011aabb-ccdd-4eef-8011-223344556677', 5, 1, 4097);
    INSERT INTO captures VALUES
      (1, 'acknowledged', 9, NULL, 8, 7, 1, 10, 20, 30, 40, 50, 60, 7, 80, 3700, 'A', 'start'),
      (2, 'inFlight', 9, NULL, 8, NULL, 0, -1, -2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '',
        'command'),
      (3, 'setAside', 9, 1003, 8, 7, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 'B', 'distance');
    PRAGMA application_id = 1414679378;
    PRAGMA user_version = 1;
    """

  /// What version 2 added, word for word: never to be edited.
  private static let versionTwo =
    versionOne + """
      ALTER TABLE captures ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
      CREATE VIEW overview AS SELECT
        sequence, state, attempts, code,
        strftime('%Y-%m-%d %H:%M:%S', utc / 1000, 'unixepoch') AS utcTime,
        latitude / 1e7 AS latitudeDegrees, longitude / 1e7 AS longitudeDegrees,
        batteryPercent, team, "trigger"
      FROM captures ORDER BY sequence;
      UPDATE captures SET attempts = 3 WHERE sequence = 2;
      PRAGMA user_version = 2;
      """

  /// What version 3 made of it, word for word: never to be edited.
  private static let versionThree =
    versionTwo + """

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
      PRAGMA user_version = 3;
      """

  private static let versions = [versionOne, versionTwo, versionThree]

  @Test(arguments: versions.indices)
  func `A store of any version is read without writing`(_ index: Int) throws {
    let version = Self.versions[index]
    let scratch = try Scratch()
    // As it was left by a clean stop, by a kill, and while it is in use.
    let database = try SQLiteDatabase(path: scratch.path)
    try database.execute("PRAGMA journal_mode = WAL; BEGIN; \(version); COMMIT")
    let device = UniqueID(high: 0x0011_AABB_CCDD_4EEF, low: 0x8011_2233_4455_6677)
    func expectRead(_ scratch: Scratch, _ place: SourceLocation = #_sourceLocation) throws {
      let before = scratch.files
      let store = try CaptureStore.openForReading(scratch.path)
      #expect(store.device == device && store.damage == nil, note, sourceLocation: place)
      let rows = try store.page(limit: 9)
      #expect(rows.map(\.capture.sequence) == [1, 2, 3], note, sourceLocation: place)
      #expect(rows.map(\.state) == [.acknowledged, .inFlight, .setAside], note)
      #expect(rows[0].capture.position == Coordinate(latitude: 10, longitude: 20), note)
      #expect(scratch.files == before, "it left a trace; \(note)", sourceLocation: place)
      // What is damaged is read too.
      var bytes = scratch.bytes()
      if bytes.count > 100 { bytes[8] ^= 0xFF }
      let copy = try Scratch()
      try copy.put(before)
      try copy.write(bytes)
      let damaged = try CaptureStore.openForReading(copy.path)
      // The log has the first page too, where there is one.
      let isHealed = before["race.store-wal"]?.isEmpty == false
      #expect((damaged.damage != nil) != isHealed, note, sourceLocation: place)
      #expect(damaged.device == device, note, sourceLocation: place)
      #expect(try damaged.numbers() == [1, 2, 3], note, sourceLocation: place)
    }
    try expectRead(scratch)
    let killed = try Scratch()
    try killed.put(scratch.files.filter { !$0.key.hasSuffix("-shm") })
    #expect(killed.names.contains("race.store-wal"), note)
    try expectRead(killed)
    _ = consume database
    #expect(scratch.names == ["race.store"], "\(scratch.names); \(note)")
    try expectRead(scratch)
  }

  @Test func `A store of version 1 keeps its identity and captures`() throws {
    let scratch = try Scratch()
    try SQLiteDatabase(path: scratch.path).execute(Self.versionOne)
    let device = UniqueID(high: 0x0011_AABB_CCDD_4EEF, low: 0x8011_2233_4455_6677)
    do {
      let store = try CaptureStore.open(
        .file(scratch.path), for: .board(BoardSerials(deviceTree: "10000000abc")), at: start)
      #expect(store.opening == .migrated(from: 1), note)
      #expect(store.device == device, "no board was known; \(note)")
      #expect(store.nextSequence == 4, note)
      #expect(store.counts == QueueCounts(pending: 1, setAside: 1), note)
      let rows = try store.page(limit: 9)
      #expect(rows.map(\.state) == [.acknowledged, .inFlight, .setAside], note)
      #expect(rows.map(\.code) == [nil, nil, 1003] && rows.allSatisfy { $0.attempts == 0 }, note)
      try store.fill(1)
    }
    let store = try scratch.open()
    #expect(store.opening == .opened && store.device == device, note)
    #expect(try store.numbers() == [1, 2, 3, 4], note)
  }

  @Test func `A damaged store of version 1 is salvaged into one of today`() throws {
    let scratch = try Scratch()
    try SQLiteDatabase(path: scratch.path).execute(Self.versionOne)
    var bytes = scratch.bytes()
    // The first page: nothing of the tables' names is left.
    for index in 16..<4096 { bytes[index] = 0xEE }
    try scratch.write(bytes)
    try scratch.write([], ".lock")
    let store = try scratch.open()
    guard case .salvaged(let salvage) = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(salvage.isIdentityKept && salvage.recovered == 3 && salvage.missing == 0, note)
    #expect(salvage.continuesAt == 4097, note)
    #expect(try store.page(limit: 9).map(\.state) == [.acknowledged, .inFlight, .setAside], note)
  }
}
