import Synchronization
import SystemCalls
import TrackerCore
public import Uplink
import Wording

/// One connection to a broker, from its connect to its end, on a thread of its own: libmosquitto's
/// connect blocks. No call of the caller's waits.
///
///     let connection = try MQTTConnection(settings)
///     …  poll(connection.descriptor)  …
///     for event in connection.takeEvents() { … }
public final class MQTTConnection: Sendable {
  struct Outgoing: Sendable {
    var topic: String
    var payload: [UInt8]
    var number: Int
    /// Seconds; 0: the broker keeps it for ever.
    var expiry: UInt32
  }

  /// What the thread and the caller have in common.
  final class Exchange: Sendable {
    struct State {
      var outbox: [Outgoing] = []
      var inbox: [MQTTEvent] = []
      var isClosing = false
    }

    let state = Mutex(State())
    /// Tells the caller of events, and the thread of work.
    let (bell, wake): (Doorbell, Doorbell)

    init() throws(SystemError) { (bell, wake) = (try Doorbell(), try Doorbell()) }

    func tell(_ event: MQTTEvent) {
      state.withLock { $0.inbox.append(event) }
      bell.ring()
    }
  }

  private let exchange: Exchange
  private static let threads = Atomic<Int>(0)

  /// Begins to connect. It fails where this machine lacks something; all else comes as `ended`.
  public init(_ settings: MQTTSettings) throws(HTTPError) {
    do throws(SystemError) {
      exchange = try Self.begin(settings)
    } catch {
      throw HTTPError(
        .broken, server: settings.broker.description,
        message: error.code == Errno.again ? MQTTPhrase.tooMany.texts : error.reason.texts,
        mayHaveArrived: false)
    }
  }

  private static func begin(_ settings: MQTTSettings) throws(SystemError) -> Exchange {
    guard threads.load(ordering: .relaxed) < MQTTBounds.threads else {
      throw SystemError(code: Errno.again)
    }
    let exchange = try Exchange()
    threads.add(1, ordering: .relaxed)
    do throws(SystemError) {
      // OpenSSL wants more than the usual small stack.
      try SmallThread(isDetached: true, stackBytes: 512 << 10) {
        MosquittoClient(settings, exchange).run()
        threads.subtract(1, ordering: .relaxed)
      }
    } catch {
      threads.subtract(1, ordering: .relaxed)
      throw error
    }
    return exchange
  }

  deinit { close() }

  /// Readable while there are events.
  public var descriptor: Int32 { exchange.bell.descriptor }

  public func takeEvents() -> [MQTTEvent] {
    exchange.bell.silence()
    let events = exchange.state.withLock { state in
      defer { state.inbox = [] }
      return state.inbox
    }
    // It may have stopped reading.
    if events.count >= MQTTBounds.waitingEvents { exchange.wake.ring() }
    return events
  }

  /// Publishes with QoS 1, after `ready`.
  ///
  /// - Parameters:
  ///   - number: of `published`.
  ///   - expiry: in seconds; 0: the broker keeps it until somebody takes it.
  public func publish(_ payload: [UInt8], on topic: String, number: Int, expiry: UInt32 = 0) {
    let message = Outgoing(topic: topic, payload: payload, number: number, expiry: expiry)
    exchange.state.withLock { $0.outbox.append(message) }
    exchange.wake.ring()
  }

  /// Ends the connection; the session goes on.
  public func close() {
    exchange.state.withLock { $0.isClosing = true }
    exchange.wake.ring()
  }
}

/// A pipe by which one thread wakes another.
final class Doorbell: Sendable {
  private let pipe: DescriptorPipe

  init() throws(SystemError) { pipe = try DescriptorPipe() }

  var descriptor: Int32 { pipe.readEnd.number }
  func ring() { pipe.signal() }

  /// Whoever calls it looks for work afterwards.
  func silence() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while let count = try? pipe.readEnd.read(into: &bytes), count == bytes.count {}
  }
}
