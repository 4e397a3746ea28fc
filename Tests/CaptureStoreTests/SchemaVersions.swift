/// What earlier versions of the program wrote, word for word: never to be edited. Each goes on from
/// the one before; three captures stand in all of them.
enum SchemaVersions {
  /// What version 1 wrote, word for word: never to be edited.
  static let versionOne = """
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
  static let versionTwo =
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
  static let versionThree =
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

  static let versionFour =
    versionThree + """
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
      INSERT INTO orders VALUES ('team', 'Els Tardans', 'socket', 5, 1, 'b1', 9, 1, 'A');
      INSERT INTO sessions (number, isOrdered, startedAt, isStartTrusted, startBoot,
        startSinceBootMilliseconds) VALUES (1, 0, 5, 1, 'b1', 9);
      PRAGMA user_version = 4;
      """

  static let versionFive =
    versionFour + """
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
      PRAGMA user_version = 5;
      """

  static let versionSix =
    versionFive + """
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
      PRAGMA user_version = 6;
      """

  static let versionSeven =
    versionSix + """
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
      PRAGMA user_version = 7;
      """

  static let versionEight =
    versionSeven + """
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
      PRAGMA user_version = 8;
      """

  static let versionNine =
    versionEight + """
      CREATE TABLE settingOrders (
      number INTEGER PRIMARY KEY, path TEXT, value TEXT, who TEXT,
      time INTEGER, isTimeTrusted INTEGER, boot TEXT, sinceBootMilliseconds INTEGER,
      session INTEGER, configured TEXT, checksum INTEGER);
      PRAGMA user_version = 9;
      """

  static let versionTen =
    versionNine + """
      DROP VIEW overview;
      CREATE VIEW overview AS SELECT key,substr(device,1,4)AS device,sequence,state,attempts,code,
      strftime('%Y-%m-%d %H:%M:%S',utc/1000,'unixepoch')AS utcTime,latitude/1e7 AS latitudeDegrees,
      longitude/1e7 AS longitudeDegrees,batteryPercent,team,"trigger" FROM captures ORDER BY key;
      CREATE TABLE history(key INTEGER PRIMARY KEY,steps,checksum);
      INSERT INTO history SELECT column1, column2, row_checksum(column1, column2) FROM (VALUES
        (0, 'c12000:3:-1:0'), (1, 'm5:6:Coll\u{A0}de\u{A0}Nargó'), (2, 'n610'),
        (3, 'm7:8: n610 a1210:400'));
      PRAGMA user_version = 10;
      """

  static let versionEleven =
    versionTen + """
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
      DELETE FROM history WHERE key IN (0, 1, 3);
      INSERT INTO history VALUES (3, 'n610 a1210:400', row_checksum(3, 'n610 a1210:400'));
      INSERT INTO marks SELECT column1, column2, column3, column4,
        row_checksum(column1, column2, column3, column4)
        FROM (VALUES (1, 5, 6, 'Coll de Nargó'), (3, 7, 8, NULL));
      INSERT INTO course (id, doneMetres, nextPlace, insidePlace, isFinished, checksum)
        VALUES (1, 12000, 3, -1, 0, row_checksum(1, 12000, 3, -1, 0, NULL, NULL, NULL, NULL, NULL,
          NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
      PRAGMA user_version = 11;
      """

  static let versionTwelve =
    versionEleven + """
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
      INSERT INTO battery VALUES (1, 463210, 31000, 1400000, 90000, 77000, 1, 'b1', 9,
        row_checksum(1, 463210, 31000, 1400000, 90000, 77000, 1, 'b1', 9));
      INSERT INTO sleep VALUES (1, 480000, 540000, 1140000, 420000, 50000, 421800000, -24900000, 2,
        50, 600, 77000, 1, 'b1', 9, row_checksum(1, 480000, 540000, 1140000, 420000, 50000,
        421800000, -24900000, 2, 50, 600, 77000, 1, 'b1', 9));
      PRAGMA user_version = 12;
      """

  static let versionThirteen =
    versionTwelve + """
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
      UPDATE battery SET biasMillionths = 23456, checksum = row_checksum(
        1, 463210, 31000, 1400000, 90000, 77000, 1, 'b1', 9, 0, 23456, 0, 0, NULL, 0);
      PRAGMA user_version = 13;
      """

  /// What version 14 added, word for word: never to be edited.
  static let versionFourteen =
    versionThirteen + """

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
      PRAGMA user_version = 14;
      """

  /// What version 15 added, word for word: never to be edited.
  static let versionFifteen =
    versionFourteen + """

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
      PRAGMA user_version = 15;
      """

  /// What version 16 added, word for word: never to be edited.
  static let versionSixteen =
    versionFifteen + """

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
      PRAGMA user_version = 16;
      """

  /// What version 17 added, word for word: never to be edited.
  static let versionSeventeen =
    versionSixteen + """

      DROP VIEW overview;
      CREATE VIEW overview AS SELECT key,substr(device,1,4)AS device,sequence,state,attempts,code,
      strftime('%Y-%m-%d %H:%M:%S',utc/1000,'unixepoch')AS utcTime,
      nullif(latitude,2147483647)/1e7 AS latitudeDegrees,
      nullif(longitude,2147483647)/1e7 AS longitudeDegrees,batteryPercent,team,"trigger"
      FROM captures ORDER BY key;
      PRAGMA user_version = 17;
      """

  static let all = [
    versionOne, versionTwo, versionThree, versionFour, versionFive, versionSix, versionSeven,
    versionEight, versionNine, versionTen, versionEleven, versionTwelve,
    versionThirteen, versionFourteen, versionFifteen, versionSixteen, versionSeventeen,
  ]
}
