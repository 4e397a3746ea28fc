import Foundation

/// Thirty races of a season on one server, and how long questions about one of them take as they
/// grow: a tenth of the captures first, then all.
struct SeasonHistory {
  private static let races = 30
  private static let teams = 100

  private let database: BenchedDatabase
  private let captures: Int

  init(_ database: BenchedDatabase, captures: Int) {
    (self.database, self.captures) = (database, captures)
  }

  func run() throws {
    for race in 1...Self.races { _ = try BenchedCamp(database: place(race)) }
    let tenth = captures / 10 / Self.races
    let all = captures / Self.races
    try fill(from: 0, to: tenth)
    try ask(captures: tenth * Self.races)
    try fill(from: tenth, to: all)
    try ask(captures: all * Self.races)
    let hot = try bytes()
    try query("VACUUM FULL capture")
    printLine(String(format: "bytes for each capture: %.0f hot, %.0f sealed", hot, try bytes()))
  }

  private func place(_ race: Int) -> [String] {
    ["--database", database.address, "--race", "race\(race)"]
  }

  @discardableResult private func query(_ sql: String, race: Int = 1) throws -> String {
    try database.ask(sql, schema: "race\(race)").text
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func bytes() throws -> Double {
    let sizes = try query(
      "SELECT pg_total_relation_size('capture')::float8 / (SELECT count(*) FROM capture)")
    return Double(sizes) ?? 0
  }

  /// Captures of a race with these numbers: its teams walk, and one after the other reports.
  private func fill(from first: Int, to end: Int) throws {
    let start = Date()
    let chunk = 200_000
    for race in 1...Self.races {
      for from in stride(from: first, to: end, by: chunk) {
        try query(
          """
          INSERT INTO capture (codiequip, equip, bateria, entrada, tipus, uuid, globalid, x, y,
            motiu, propercontacte, silenci, arrived, ordre, precisio)
          SELECT n % \(Self.teams), 'Team ' || n % \(Self.teams), 100 - n % 90, t, 'trailtracker',
            id, '{' || upper(id) || '}', 277000 + n % 50000, 5180000 + n % 40000, 'interval',
            t + 1200000, 'none', t + 2000, n / \(Self.teams), 5
          FROM (SELECT n, 1776000000000 + n * 100 AS t, gen_random_uuid()::text AS id
            FROM generate_series(\(from), \(min(end, from + chunk) - 1)) AS n) AS made
          """, race: race)
      }
    }
    let (count, time) = ((end - first) * Self.races, Date().timeIntervalSince(start))
    for race in 1...Self.races { try query("VACUUM ANALYZE capture", race: race) }
    printLine(
      String(
        format: "%d captures written by the server in %.0f s: %.0f/s", count, time,
        Double(count) / time))
  }

  private func ask(captures: Int) throws {
    printLine("with \(captures) captures of \(Self.races) races:")
    let started = Date()
    let camp = try BenchedCamp(database: place(1))
    // Until the room knows all.
    while try !camp.get("/room/state").text.contains("\"Team 0\"") { usleep(20_000) }
    SeasonBench.report("  start", [Date().timeIntervalSince(started)])
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
