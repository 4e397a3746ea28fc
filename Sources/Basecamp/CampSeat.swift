import FeatureService
import PostgreSQL
import SQL
import Synchronization
import TrackerCore

/// A basecamp's seat at its data: alone in a folder, or among others on a server, where one of them
/// is first: it evaluates alarms and calls people. Who dies loses its seat.
final class CampSeat: Sendable {
  private struct Engine: ~Copyable {
    let database: PostgreSQLConnection
    var isFirst = false
    var asked: Milliseconds?
  }

  private final class Server: Sendable {
    let engine: Mutex<Engine>
    init(_ database: sending PostgreSQLConnection) { engine = Mutex(Engine(database: database)) }
  }

  /// In a folder: held until this is deinitialised.
  private let lock: FolderLock?
  private let server: Server?
  /// When it came there was no other.
  let isAlone: Bool

  /// - Throws: an error of one line, of a folder in which another one is at work.
  init(at place: CampPlace) throws {
    switch place {
    case .folder(let path):
      lock = try FolderLock(folder: path)
      (server, isAlone) = (nil, true)
    case .server(let address):
      lock = nil
      var address = address
      // Without a sign of it another one takes over.
      address.limits.idle = Bounds.seatIdle.count
      let database = PostgreSQLConnection(address)
      isAlone = try database.integer("SELECT pg_try_advisory_lock(\(Self.workers))::int") == 1
      if !isAlone {
        do { try database.execute("SELECT pg_advisory_lock_shared(\(Self.workers))") } catch {
          throw ServiceError("\(address.name): another basecamp starts or erases; try again later")
        }
      }
      server = Server(database)
      _ = isFirst(at: HostTime.now.uptime)
    }
  }

  /// For a change of all that is there: nobody comes as long as this seat is held.
  ///
  /// - Throws: an error of one line if a basecamp is at work there.
  static func alone(at place: CampPlace) throws -> CampSeat {
    let seat = try CampSeat(at: place)
    guard seat.isAlone else {
      throw ServiceError(
        "\(place.name(.captures)): a basecamp is at work in it; stop that one first")
    }
    return seat
  }

  /// Others may come: everything is as one that is alone has to make it.
  func admitOthers() {
    guard isAlone, let server else { return }
    server.engine.withLock { engine in
      // Where the seat was lost meanwhile there is nothing to give back.
      try? engine.database.execute(
        """
        SELECT pg_advisory_lock_shared(\(Self.workers));
        SELECT pg_advisory_unlock(\(Self.workers))
        """)
    }
  }

  private static let workers = "hashtext('basecamp at work'), hashtext(current_schema())"

  /// Whether this one evaluates alarms. Asked again after a while, so that another one takes over
  /// soon where the first one has died, or has lost the server.
  func isFirst(at now: Milliseconds) -> Bool {
    guard let server else { return true }
    return server.engine.withLock { engine in
      if let asked = engine.asked, now - asked < Bounds.seatPause { return engine.isFirst }
      engine.asked = now
      do {
        // Whoever has it already gets it again: a new connection would have lost it.
        engine.isFirst =
          try engine.database.integer(
            """
            SELECT (pg_try_advisory_lock_shared(\(Self.workers))
              AND pg_try_advisory_lock(hashtext('basecamp first'), hashtext(current_schema())))::int
            """) == 1
      } catch { engine.isFirst = false }
      return engine.isFirst
    }
  }
}
