import FeatureService
import Synchronization
import SystemCalls
import TrackerCore

/// One client's connection, and how long it may take for what it does now.
final class Connection: Sendable {
  enum Phase: Sendable {
    /// Until a request's headers are complete: silence between requests counts too.
    case head
    case body
    /// The service works; the client cannot help it.
    case work
    /// Until the client has read its answer.
    case answer
  }

  let descriptor: Int32
  /// The client's address, without its port.
  let client: String
  private let state: Mutex<(phase: Phase, since: Milliseconds)>

  init(descriptor: Int32, client: String) {
    self.descriptor = descriptor
    self.client = client
    state = Mutex((.head, HostTime.now.uptime))
  }

  func enter(_ phase: Phase) {
    let now = HostTime.now.uptime
    state.withLock { $0 = (phase, now) }
  }

  /// Whether it has taken too long.
  ///
  /// - Parameter isCrowded: whether connections are scarce.
  func isOverdue(_ patience: ConnectionPatience, isCrowded: Bool, at uptime: Milliseconds) -> Bool {
    let (phase, since) = state.withLock { $0 }
    let limit: Milliseconds
    switch phase {
    case .head: limit = isCrowded ? patience.headWhenCrowded : patience.head
    case .body: limit = patience.body
    case .work: return false
    case .answer: limit = patience.answer
    }
    return uptime - since >= limit
  }
}

/// How long a client may take.
public struct ConnectionPatience: Sendable {
  /// Silence in the middle of a request, too.
  var idleSeconds = Bounds.idleSeconds
  public var head = Milliseconds.seconds(Bounds.headSeconds)
  public var headWhenCrowded = Milliseconds.seconds(Bounds.crowdedHeadSeconds)
  public var body = Milliseconds.seconds(Bounds.bodySeconds)
  public var answer = Milliseconds.seconds(Bounds.answerSeconds)
  /// Between two looks at all connections.
  public var look = Milliseconds(1000)

  init() {}
}

/// All open connections. libmicrohttpd closes one after silence, but a client that sends a byte now
/// and then would keep its place for ever.
final class Connections: Sendable {
  private let open = Mutex<[ObjectIdentifier: Connection]>([:])
  private let patience: ConnectionPatience

  init(_ patience: ConnectionPatience) { self.patience = patience }

  var idleSeconds: UInt32 { patience.idleSeconds }

  func add(_ connection: Connection) {
    open.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  /// Before its descriptor is closed, so that `endOverdue` never ends another's.
  func remove(_ connection: Connection) {
    open.withLock { $0[ObjectIdentifier(connection)] = nil }
  }

  /// Ends the connections that take too long; the library closes them then.
  func endOverdue() {
    let now = HostTime.now.uptime
    open.withLock { open in
      var byClient: [String: Int] = [:]
      for connection in open.values { byClient[connection.client, default: 0] += 1 }
      for connection in open.values {
        let isCrowded =
          open.count > Int(Bounds.connections) * 3 / 4
          || byClient[connection.client, default: 0] > Int(Bounds.connectionsOfClient) * 3 / 4
        if connection.isOverdue(patience, isCrowded: isCrowded, at: now) {
          endConnection(connection.descriptor)
        }
      }
    }
  }

  /// `endOverdue` again and again, until the server ends.
  func watch(until ending: Ending, _ alsoDo: () -> Void) {
    while !ending.isHere {
      ending.wait(patience.look)
      endOverdue()
      alsoDo()
    }
  }
}
