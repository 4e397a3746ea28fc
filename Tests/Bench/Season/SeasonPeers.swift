import Foundation

/// What PostgreSQL's own client, a program in C, takes for the same rows: COPY, and an INSERT with
/// ON CONFLICT for each hundred, over one connection, into a table with the same indexes.
struct SeasonPeers {
  private let database: BenchedDatabase

  init(_ database: BenchedDatabase) { self.database = database }

  func run() throws {
    let file = "\(database.folder)/rows"
    for peer in ["copied", "inserted"] {
      _ = try ask("CREATE TABLE \(peer) (LIKE capture INCLUDING ALL)")
    }
    try psql("\\copy capture TO '\(file)'")
    try report("COPY", try psql("\\copy copied FROM '\(file)'"), "copied")
    // Without the geometry that PostGIS generates.
    let columns = try ask(
      """
      SELECT string_agg(quote_ident(attname), ',' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = 'capture'::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped
      """)
    let values =
      "SELECT string_agg(quote_nullable(v), ',' ORDER BY n) "
      + "FROM json_each_text(row_to_json(c)) WITH ORDINALITY AS e(k, v, n) WHERE k <> 'position'"
    _ = try database.run(
      "psql",
      [
        "-X", "-A", "-t", "-q", "-o", file, "-c",
        "SELECT 'INSERT INTO inserted (\(columns)) VALUES ' "
          + "|| string_agg('(' || (\(values)) || ')', ',') || ' ON CONFLICT DO NOTHING;' "
          + "FROM capture AS c GROUP BY objectid / 100",
      ], schema: "season")
    try report(
      "INSERT ... ON CONFLICT",
      try database.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file], schema: "season")
        .time, "inserted")
  }

  private func ask(_ sql: String) throws -> String {
    try database.ask(sql, schema: "season").text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @discardableResult private func psql(_ command: String) throws -> Double {
    try database.run("psql", ["-X", "-q", "-c", command], schema: "season").time
  }

  private func report(_ name: String, _ time: Double, _ table: String) throws {
    let rows = Double(try ask("SELECT count(*) FROM \(table)")) ?? 0
    printLine(
      String(format: "%@ by psql: %.0f rows in %.1f s: %.0f/s", name, rows, time, rows / time))
  }
}
