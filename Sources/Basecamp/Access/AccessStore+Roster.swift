import ControlRoom
import SQLite

/// The teams as people have written them down in the room: they stand for those of the table.
extension AccessStore {
  static let roster = """
    CREATE TABLE IF NOT EXISTS team (number TEXT PRIMARY KEY, name TEXT NOT NULL, phone TEXT,
      public INTEGER NOT NULL);
    """

  /// The teams of a table, with what was changed since, and those that were added.
  func roster(of table: [RosterTeam]) throws -> [RosterTeam] {
    let written = try writtenTeams()
    let numbers = Set(table.map(\.number))
    return table.map { team in written.first { $0.number == team.number } ?? team }
      + written.filter { !numbers.contains($0.number) }
  }

  func writtenTeams() throws -> [RosterTeam] {
    try withDatabase { database in
      let rows = try database.prepare(
        "SELECT number, name, phone, public FROM team ORDER BY number")
      var teams: [RosterTeam] = []
      while try rows.step() {
        teams.append(
          RosterTeam(
            number: rows.text(0), name: rows.text(1), phone: rows.isNull(2) ? nil : rows.text(2),
            isPublic: rows.integer(3) != 0))
      }
      return teams
    }
  }

  func write(_ team: RosterTeam) throws {
    try withDatabase { database in
      let row = try database.prepare("INSERT OR REPLACE INTO team VALUES (?, ?, ?, ?)")
      try row.bind(team.number, at: 1)
      try row.bind(team.name, at: 2)
      try row.bind(team.phone, at: 3)
      try row.bind(Int64(team.isPublic ? 1 : 0), at: 4)
      try row.run()
    }
  }

  /// What the table says holds again.
  func forgetTeam(_ number: String) throws {
    try withDatabase { database in
      let row = try database.prepare("DELETE FROM team WHERE number = ?")
      try row.bind(number, at: 1)
      try row.run()
    }
  }
}
