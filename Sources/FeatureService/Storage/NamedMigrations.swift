public import SQL

extension SQLConnection {
  /// Applies to the schema of a PostgreSQL server what it lacks, each in a transaction of its own
  /// and once, however many programs do so.
  ///
  /// - Parameters:
  ///   - migrations: in this order; a new one comes last, and none is changed or taken away.
  ///   - table: which has the names of those that were applied; made if it is missing.
  /// - Throws: `ServiceError` for what a newer program has written, `SQLError`.
  public func migrate(_ migrations: [(name: String, sql: String)], notedIn table: String) throws {
    try transaction { () throws(SQLError) in
      try execute(
        """
        CREATE TABLE IF NOT EXISTS \(table) (
          name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())
        """)
    }
    var applied: Set<String> = []
    let rows = try prepare("SELECT name FROM \(table)")
    while try rows.step() { applied.insert(rows.text(0)) }
    if let unknown = applied.subtracting(migrations.map(\.name)).min() {
      throw ServiceError(
        "\(name): was written by a newer basecamp (it has '\(unknown)'); use that one, or another "
          + "--race")
    }
    for (name, sql) in migrations where !applied.contains(name) {
      try transaction { () throws(SQLError) in
        // Another basecamp may have been faster.
        let row = try prepare(
          "INSERT INTO \(table) (name) VALUES (?) ON CONFLICT DO NOTHING")
        try row.bind(name, at: 1)
        if try row.run() == 1 { try execute(sql) }
      }
    }
  }
}
