import Foundation

/// Thirty races of a season on one server, and how long questions about one of them take as they
/// grow: a tenth of the captures first, then all.
///
/// Trackers deliver a few of each team to a race of its own, by HTTP to a basecamp. The others are
/// copies of these which PostgreSQL makes, each with a time, a number and an identifier of its own.
/// The race that is asked grows with its indexes, as at work. The other twenty-nine get theirs when
/// they are full, which is faster.
struct SeasonHistory {
  private static let races = 30
  private static let teams = 100
  /// What the bench leaves free on the disk, bytes: others work on it, too.
  private static let leftFree: Int64 = 8_000_000_000

  /// What is not written into the log need not be kept there: a race is filled in one transaction.
  static let settings = [
    "wal_level=minimal", "max_wal_senders=0", "max_wal_size=2GB", "maintenance_work_mem=512MB",
  ]

  private let database: BenchedDatabase
  private let captures: Int
  /// Of each team, in the race that trackers deliver to.
  private let each: Int

  init(_ database: BenchedDatabase, captures: Int) {
    (self.database, self.captures) = (database, captures)
    each = min(max(1, captures / 10 / Self.races / Self.teams), 1000)
  }

  func run() throws {
    try deliver()
    try play(captures / 10)
    try play(captures)
    let hot = try bytes(of: "capture")
    try query("VACUUM FULL capture")
    printLine(
      String(
        format: "bytes for each capture: %.0f hot, %.0f sealed; its entry in the diary %.0f", hot,
        try bytes(of: "capture"), try bytes(of: "diary")))
  }

  private func place(_ race: Int) -> [String] {
    ["--database", database.address, "--race", "race\(race)"]
  }

  @discardableResult private func query(_ sql: String, race: Int = 1) throws -> String {
    try database.ask(sql, schema: "race\(race)").text
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func bytes(of table: String) throws -> Double {
    let sizes = try query(
      "SELECT pg_total_relation_size('\(table)')::float8 / (SELECT count(*) FROM \(table))")
    return Double(sizes) ?? 0
  }

  // MARK: Captures

  /// Those that are copied, in race 0.
  private func deliver() throws {
    let camp = try BenchedCamp(database: place(0))
    let fleet = try SeasonFleet(Self.teams, on: camp)
    for member in fleet.members { fleet.capture(member, count: each) }
    try fleet.drain()
    printLine("\(try camp.count()) captures of \(Self.teams) teams delivered to a basecamp")
  }

  /// - Parameter captures: of all races.
  private func play(_ captures: Int) throws {
    let start = Date()
    var made = 0
    // The first one, which is asked, comes last, so that it has just ended.
    for race in (1...Self.races).reversed() {
      _ = try database.ask("DROP SCHEMA IF EXISTS race\(race) CASCADE")
      _ = try BenchedCamp(database: place(race))
      let wanted = captures / Self.races
      guard database.room > Self.leftFree + Int64(wanted) * 600 else {
        printLine("\(database.room / 1_000_000_000) GB are left on the disk: no more races")
        break
      }
      try fill(race, wanted)
      made += wanted
    }
    let time = Date().timeIntervalSince(start)
    printLine(
      String(
        format: "%d captures copied in the database in %.0f s: %.0f/s", made, time,
        Double(made) / time))
    try ask(captures: made)
  }

  /// Copies race 0 into another one as often as it takes, the oldest first; the last one ends now.
  private func fill(_ race: Int, _ count: Int) throws {
    let size = each * Self.teams
    let copies = (count + size - 1) / size
    let inserts = (0..<copies).map { copy in
      let left = copy == 0 ? copies * size - count : 0
      return insert(race, copy, before: copies - 1 - copy, without: left)
    }
    guard race > 1 else {
      for insert in inserts { try query(insert, race: race) }
      try query("VACUUM ANALYZE capture", race: race)
      return
    }
    let indexes = "UPDATE pg_index SET indisready ="
    try query(
      """
      BEGIN; TRUNCATE capture;
      \(indexes) false WHERE indrelid = 'capture'::regclass;
      \(inserts.joined(separator: ";\n"));
      \(indexes) true WHERE indrelid = 'capture'::regclass;
      REINDEX TABLE capture; COMMIT;
      """, race: race)
    try query("VACUUM ANALYZE capture", race: race)
  }

  /// - Parameters:
  ///   - copy: its number in the race.
  ///   - later: how many copies come after it.
  ///   - left: how many of the oldest captures are left out.
  private func insert(_ race: Int, _ copy: Int, before later: Int, without left: Int) -> String {
    let shift = Int(Double(each) * SeasonFleet.pace * 1000) * later
    return """
      INSERT INTO capture (codiequip, equip, bateria, entrada, tipus, uuid, globalid, x, y, fets,
        perfer, lloc, motiu, propercontacte, silenci, arrived, ordre, precisio)
      SELECT codiequip, equip, bateria, t, tipus, id, '{' || upper(id) || '}',
        x + \(copy * 7), y + \(copy * 3 + race), fets, perfer, lloc, motiu, t + 1200000, silenci,
        t + 2000, n, precisio
      FROM (SELECT *, overlay(left(uuid, 28) PLACING '\(String(format: "%04x", race))' FROM 5)
          || lpad(to_hex(n), 8, '0') AS id
        FROM (SELECT *, ordre + \(copy * each) AS n, entrada - \(shift) AS t FROM race0.capture)
          AS numbered) AS made
      ORDER BY t, codiequip OFFSET \(left)
      """
  }

  // MARK: Questions

  private func ask(captures: Int) throws {
    printLine("with \(captures) captures of \(Self.races) races:")
    let started = Date()
    let camp = try BenchedCamp(database: place(1))
    SeasonBench.report("  basecamp listens", [Date().timeIntervalSince(started)])
    while try camp.get("/room/state").text.contains("are being read") { usleep(200_000) }
    SeasonBench.report("  its room knows all", [Date().timeIntervalSince(started)])
    func times(_ path: String) throws -> [Double] {
      try (0..<20).map { _ in try camp.get(path).time }
    }
    SeasonBench.report(
      "  last positions",
      try (0..<20).map { _ in
        let text = try database.run(
          "psql", ["-X", "-q", "-c", "\\timing on", "-c", "SELECT * FROM last_captures"],
          schema: "race1"
        ).text
        let time = text.components(separatedBy: "Time: ").last?.prefix { $0 != " " } ?? ""
        return (Double(time) ?? .infinity) / 1000
      })
    SeasonBench.report(
      "  a team's track (2000 points)",
      try times(
        "\(BenchedCamp.layer)/query?f=json&where=CodiEquip%3D%277%27&orderByFields=Entrada%20DESC"
          + "&outFields=*&resultRecordCount=2000"))
    SeasonBench.report("  a team's story in the room", try times("/room/team?tracker=7"))
    SeasonBench.report("  room page", try times("/room"))
    SeasonBench.report("  room state", try times("/room/state"))
    printLine(String(format: "  basecamp's memory: %.1f MB", Double(try camp.resident()) / 1024))
  }
}
