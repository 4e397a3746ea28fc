import SQL

/// The tables, and how our databases are recognised.
enum FeatureSchema {
  /// "camp" in ASCII, in the file's header for `application_id`.
  private static let applicationID: Int64 = 0x6361_6D70
  private static let version: Int64 = 11

  /// `team` and `moment` are for finding the last capture of each team: a team without a name is
  /// identified by its device, and a capture without a time comes before all others.
  private static let captures = """
    CREATE TABLE capture (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT,
      CodiEquip TEXT, Equip TEXT, Bateria REAL, Entrada INTEGER, Tipus TEXT, UUID TEXT,
      GlobalID TEXT NOT NULL UNIQUE,
      x REAL, y REAL,
      team TEXT AS (coalesce(nullif(Equip, ''), CodiEquip, '')),
      moment INTEGER AS (coalesce(Entrada, -9223372036854775808))
    );
    CREATE INDEX capture_by_uuid ON capture(UUID);
    """

  /// The last capture of each device, and of these the last of each team, so that neither the old
  /// name of a renamed team nor the old board of a replaced one is shown. A capture without a
  /// device is identified by its team.
  private static let latest = """
    ALTER TABLE capture ADD COLUMN device TEXT
      AS (CASE WHEN CodiEquip <> '' THEN 'device ' || CodiEquip
               ELSE 'team ' || coalesce(Equip, '') END);
    CREATE INDEX capture_by_device ON capture(device, moment, OBJECTID);
    CREATE VIEW latest AS
      SELECT * FROM capture WHERE OBJECTID IN (
        SELECT OBJECTID FROM (
          SELECT OBJECTID, row_number() OVER (
            PARTITION BY team ORDER BY moment DESC, OBJECTID DESC) AS place
          FROM capture WHERE OBJECTID IN (
            SELECT (SELECT OBJECTID FROM capture AS c WHERE c.device = d.device
                    ORDER BY moment DESC, OBJECTID DESC LIMIT 1)
            FROM (SELECT DISTINCT device FROM capture) AS d))
        WHERE place = 1);
    """

  /// Where on the course a capture was taken, since version 3.
  private static let onCourse = """
    ALTER TABLE capture ADD COLUMN Fets INTEGER;
    ALTER TABLE capture ADD COLUMN PerFer INTEGER;
    ALTER TABLE capture ADD COLUMN Lloc TEXT;
    ALTER TABLE capture ADD COLUMN Motiu TEXT;
    """

  /// What a tracker promises of its next contact, and when the capture was stored, since version 4.
  private static let promised = """
    ALTER TABLE capture ADD COLUMN ProperContacte INTEGER;
    ALTER TABLE capture ADD COLUMN Silenci TEXT;
    ALTER TABLE capture ADD COLUMN arrived INTEGER;
    """

  /// The capture's sequence number, since version 5.
  private static let numbered = "ALTER TABLE capture ADD COLUMN Ordre INTEGER"

  /// What people tell trackers, since version 6.
  private static let messages = """
    CREATE TABLE message (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT, Desti TEXT NOT NULL, Numero INTEGER NOT NULL,
      Classe TEXT NOT NULL, Text TEXT NOT NULL, Autor TEXT NOT NULL, Creat INTEGER NOT NULL,
      Ordre INTEGER, Rebut INTEGER, emergency INTEGER, UNIQUE (Desti, Numero));
    """

  /// Versions of notes of teams, since version 7.
  private static let notes = """
    CREATE TABLE note (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT, Desti TEXT NOT NULL, Versio TEXT NOT NULL,
      Nota TEXT NOT NULL, Vist TEXT NOT NULL, Text TEXT, Categoria TEXT NOT NULL,
      Autor TEXT NOT NULL, Creat INTEGER, arrived INTEGER NOT NULL);
    CREATE INDEX note_by_device ON note(Desti);
    """

  /// Orders among them, and what tells two trackers with one code apart, since version 8.
  private static let ordered = """
    ALTER TABLE message ADD COLUMN Fins INTEGER;
    ALTER TABLE message ADD COLUMN Resultat TEXT;
    ALTER TABLE message ADD COLUMN Captura TEXT;
    """

  /// Histories that trackers were asked for, since version 9.
  private static let histories = """
    CREATE TABLE history (
      OBJECTID INTEGER PRIMARY KEY AUTOINCREMENT, Desti TEXT NOT NULL, Clau TEXT NOT NULL,
      Numero INTEGER NOT NULL, Part INTEGER NOT NULL, Inici INTEGER NOT NULL, Punts TEXT NOT NULL,
      arrived INTEGER NOT NULL, UNIQUE (Desti, Clau));
    """

  /// How far a position may be off, metres, since version 10.
  private static let accurate = "ALTER TABLE capture ADD COLUMN Precisio INTEGER"

  /// Removes what version 1 had instead.
  private static let withoutLatest = """
    DROP VIEW latest;
    DROP INDEX capture_by_team;
    """

  /// The course, in a database of its own.
  static let course = """
    CREATE TABLE checkpoint (
      OBJECTID INTEGER PRIMARY KEY, Nom TEXT, Altitud REAL, x REAL, y REAL);
    CREATE TABLE stage (
      OBJECTID INTEGER PRIMARY KEY, Nom TEXT, path TEXT,
      west REAL, south REAL, east REAL, north REAL);
    """

  /// Prepares a database for use: creates the tables in an empty one, and refuses another
  /// program's.
  static func prepare(_ database: any SQLConnection) throws {
    switch database.dialect {
    case .sqlite: try prepareFile(database)
    case .postgreSQL: try database.unhurried { try migrate(database) }
    }
  }

  /// An empty database of SQLite's: thousands of simulated races have one each, and to make the
  /// tables takes long.
  ///
  /// Its pages are small: each that a request changes is copied before, for the case that it fails.
  static let blank = try? SQLiteSource.image { database in
    try database.execute("PRAGMA page_size = 1024")
    try prepare(database)
  }

  private static func prepareFile(_ database: any SQLConnection) throws {
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    let application = try database.integer("PRAGMA application_id")
    let version = try database.integer("PRAGMA user_version") ?? 0
    guard isEmpty || application == applicationID else {
      throw ServiceError(
        "\(database.name): is another program's database; choose another directory")
    }
    guard version <= Self.version else {
      throw ServiceError(
        "\(database.name): was written by a newer basecamp (schema version \(version)); "
          + "use that one, or choose another directory")
    }
    if database.name != ":memory:" {
      try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    try prepareForReading(database)
    if isEmpty || version < Self.version {
      try database.transaction { () throws(SQLError) in
        if isEmpty { try database.execute(captures) }
        if version == 1 { try database.execute(withoutLatest) }
        if isEmpty || version < 2 { try database.execute(latest) }
        if version < 3 { try database.execute(onCourse) }
        if version < 4 { try database.execute(promised) }
        if version < 5 { try database.execute(numbered) }
        if version < 6 { try database.execute(messages) }
        if version < 7 { try database.execute(notes) }
        if version < 8 { try database.execute(ordered) }
        if version < 9 { try database.execute(histories) }
        if version < 10 { try database.execute(accurate) }
        try database.execute(FeatureStore.revisions)
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(Self.version)")
      }
    }
    try FeatureStore.prepareRefusals(database)
    try database.execute(FeatureStore.followed)
  }

  /// Sets what queries need on a connection.
  static func prepareForReading(_ database: any SQLConnection) throws {
    // LIKE is case-sensitive, as in the databases behind ArcGIS.
    guard database.dialect == .sqlite else { return }
    try database.execute("PRAGMA case_sensitive_like = ON; PRAGMA temp_store = MEMORY")
  }

  /// Rewrites what captures were deleted from.
  static func compact(_ database: any SQLConnection) throws {
    try database.compact(["capture", "refusal", "revision", "message", "note", "history"])
  }
}
