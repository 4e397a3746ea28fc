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
    /// A stream of events, which has no end.
    case stream(EventStream)
  }

  let descriptor: Int32
  /// The client's address, without its port.
  let client: String
  /// Whether that is a trusted proxy.
  let isOfProxy: Bool
  private let state: Mutex<(phase: Phase, since: Milliseconds)>

  init(descriptor: Int32, client: String, isOfProxy: Bool) {
    self.descriptor = descriptor
    self.client = client
    self.isOfProxy = isOfProxy
    state = Mutex((.head, HostTime.now.uptime))
  }

  func enter(_ phase: Phase) {
    let now = HostTime.now.uptime
    state.withLock { $0 = (phase, now) }
  }

  /// Whether a request is carried out or its answer sent.
  var isAnswering: Bool {
    switch state.withLock({ $0.phase }) {
    case .head, .body, .stream: false
    case .work, .answer: true
    }
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
    case .stream(let stream): return stream.cutIfStalled(for: patience.stream, at: uptime)
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
  /// Without reading what a stream sends.
  public var stream = Milliseconds.seconds(Bounds.stalledSeconds)
  /// Between two looks at all connections.
  public var look = Milliseconds(1000)

  init() {}
}

/// All open connections, and their bounds. libmicrohttpd closes one after silence, but a client
/// that sends a byte now and then would keep its place for ever.
final class Connections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: Connection] = [:]
    /// Without those of proxies.
    var byClient: [String: Int] = [:]
    var direct = 0
    /// Those of them that have a stream, which has no end.
    var streaming: Set<ObjectIdentifier> = []
    var streamsOfClient: [String: Int] = [:]
    /// Requests in progress that proxies have passed on.
    var forwarded: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let patience: ConnectionPatience
  /// The addresses that say whom their requests are from, and that are not bounded themselves.
  let proxies: Set<String>
  /// Of all at once.
  let limit: Int

  /// - Parameters:
  ///   - proxies: the addresses of trusted ones.
  ///   - limit: of all at once.
  init(_ patience: ConnectionPatience, proxies: Set<String>, limit: Int) {
    self.patience = patience
    self.proxies = proxies
    self.limit = limit
  }

  var idleSeconds: UInt32 { patience.idleSeconds }

  /// Whether a client may have another connection.
  func mayBegin(_ client: String) -> Bool {
    if proxies.contains(client) { return true }
    return state.withLock {
      $0.direct < Bounds.connections
        && $0.byClient[client, default: 0] < Bounds.connectionsOfClient
    }
  }

  func add(_ connection: Connection) {
    state.withLock { state in
      state.open[ObjectIdentifier(connection)] = connection
      if connection.isOfProxy { return }
      state.direct += 1
      state.byClient[connection.client, default: 0] += 1
    }
  }

  /// Before its descriptor is closed, so that `endOverdue` never ends another's.
  func remove(_ connection: Connection) {
    state.withLock { state in
      state.open[ObjectIdentifier(connection)] = nil
      if connection.isOfProxy { return }
      if state.streaming.remove(ObjectIdentifier(connection)) != nil {
        let left = state.streamsOfClient[connection.client, default: 1] - 1
        state.streamsOfClient[connection.client] = left > 0 ? left : nil
      }
      state.direct -= 1
      let left = state.byClient[connection.client, default: 1] - 1
      state.byClient[connection.client] = left > 0 ? left : nil
    }
  }

  /// Whether a connection may have a stream: those leave room for everything else.
  func beginStream(on connection: Connection?) -> Bool {
    guard let connection else { return false }
    if connection.isOfProxy { return true }
    return state.withLock { state in
      let key = ObjectIdentifier(connection)
      if state.streaming.contains(key) { return true }
      guard state.streaming.count < Bounds.streams,
        state.streamsOfClient[connection.client, default: 0] < Bounds.streamsOfClient
      else { return false }
      state.streaming.insert(key)
      state.streamsOfClient[connection.client, default: 0] += 1
      return true
    }
  }

  /// Ends one that may be closed already.
  func end(_ connection: Connection) {
    state.withLock { state in
      if state.open[ObjectIdentifier(connection)] != nil { endConnection(connection.descriptor) }
    }
  }

  // MARK: Proxies

  /// Whom a trusted proxy has a request from; `nil`: it is of the connection's own client.
  func sender(_ head: RequestHead, on connection: Connection) -> String? {
    guard connection.isOfProxy else { return nil }
    let addresses = (head.forwardedFor ?? "").split(separator: ",").map {
      Self.withoutPort(String($0.filter { $0 != " " && $0 != "\t" }))
    }
    // What stands before the last one that is not ours anybody may have written.
    let sender = addresses.last { !proxies.contains($0) }
    return sender.flatMap { ListenAddress.isAddress($0) ? $0 : nil } ?? connection.client
  }

  /// Some proxies write `192.0.2.7:4711` or `[2001:db8::7]:4711`.
  private static func withoutPort(_ text: String) -> String {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return String(text[text.index(after: text.startIndex)..<end])
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].contains(".") ? String(parts[0]) : text
  }

  /// - Returns: whether a client behind a proxy may have another request; `endRequest` follows in
  ///   any case.
  func beginRequest(of client: String) -> Bool {
    state.withLock { state in
      state.forwarded[client, default: 0] += 1
      return state.forwarded[client, default: 0] <= Bounds.connectionsOfClient
    }
  }

  func endRequest(of client: String) {
    state.withLock { state in
      let left = state.forwarded[client, default: 1] - 1
      state.forwarded[client] = left > 0 ? left : nil
    }
  }

  // MARK: Patience

  /// Ends the connections that take too long; the library closes them then.
  func endOverdue() {
    let now = HostTime.now.uptime
    state.withLock { state in
      for connection in state.open.values {
        let isCrowded =
          !connection.isOfProxy
          && (state.direct > Bounds.connections * 3 / 4
            || state.byClient[connection.client, default: 0] > Bounds.connectionsOfClient * 3 / 4)
        if connection.isOverdue(patience, isCrowded: isCrowded, at: now) {
          endConnection(connection.descriptor)
        }
      }
    }
  }

  /// Waits until the answers that are being sent have been read, or for a short time.
  func waitForAnswers() {
    let end = HostTime.now.uptime + Milliseconds(Bounds.lastAnswersMilliseconds)
    while HostTime.now.uptime < end {
      if !state.withLock({ $0.open.values.contains { $0.isAnswering } }) { return }
      pause(milliseconds: 5)
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
