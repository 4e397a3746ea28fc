import FeatureService
public import PostgreSQL
import SQL
import SystemCalls

/// Where a server has its data: a folder with three files of SQLite, or the schema of a race on a
/// PostgreSQL server, which several basecamps share.
public enum CampPlace: Sendable {
  case folder(String)
  case server(PostgreSQLAddress)

  /// What is kept apart in a folder.
  enum Part: String {
    case captures = "basecamp.db"
    case accounts = "access.db"
    case diary = "control.db"
  }

  var folder: String? { if case .folder(let path) = self { path } else { nil } }

  /// What errors call it.
  func name(_ part: Part) -> String {
    switch self {
    case .folder(let path): "\(path)/\(part.rawValue)"
    case .server(let address): address.name
    }
  }

  func source(_ part: Part) -> any SQLSource {
    switch self {
    case .folder: SQLiteSource(path: name(part))
    case .server(let address): address
    }
  }

  /// Whether there is something: of a server only its tables say so.
  func has(_ part: Part) -> Bool {
    switch self {
    case .folder: may(.exist, name(part))
    case .server: true
    }
  }

  /// Makes a folder that does not exist.
  func make() throws {
    if case .folder(let path) = self { try makeDataFolder(path) }
  }
}
