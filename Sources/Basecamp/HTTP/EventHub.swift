import Synchronization
import SystemCalls
import TrackerCore
import Wording

/// Streams of events (WHATWG HTML, "Server-sent events"): each begins with the whole state, or with
/// what its client has missed, and goes on with changes.
///
/// What happens after a subscription reaches its stream, because it is registered before the state
/// is taken. A client that does not read is cut, and told so when it comes again. The identifier of
/// an event, `BOOT.CHANNEL.STREAM.VERSION`, tells another start, another channel and a stream that
/// was cut.
final class EventHub: Sendable {
  typealias Source = @Sendable (EventChannel, UTC) -> Figure

  /// A channel and its last changes.
  private struct Feed {
    let number: Int
    var state: SharedState
    /// Of the last change.
    var version = 0
    /// The last changes; their versions follow each other up to `version`.
    var changes: [[UInt8]] = []
    var bytes = 0
    /// The state at `version`, once somebody has needed it.
    var whole: [UInt8]?
    var streams: Set<Int> = []
    var quietSince: Milliseconds

    mutating func add(_ change: [UInt8], _ new: SharedState) {
      state = new
      version += 1
      whole = nil
      changes.append(change)
      bytes += change.count
      while changes.count > Bounds.keptChanges
        || (bytes > Bounds.keptChangesBytes && changes.count > 1)
      {
        bytes -= changes.removeFirst().count
      }
    }
  }

  private struct Subscriber {
    let channel: EventChannel
    let audience: EventAudience
    /// The version that it has.
    var version = 0
    var beat: Int
    /// What it is sent next.
    var pieces: [[UInt8]] = []
    /// Of the first of them, what it has been sent.
    var sent = 0
    /// Its connection, while that is suspended.
    var asleep: SuspendedConnection?
    /// Whether it was resumed and has not been read since.
    var isWoken = false
    /// Since when it has not taken what it was given.
    var waiting: Milliseconds?
    var isOver = false
    var end: (@Sendable () -> Void)?
  }

  private struct State {
    var feeds: [EventChannel: Feed] = [:]
    var subscribers: [Int: Subscriber] = [:]
    var lastFeed = 0
    var lastStream = 0
    /// Those that were cut, and when; the oldest first.
    var cut: [(stream: Int, at: UTC)] = []
    var beat = 0
    var beatBytes: [UInt8] = []
    var beatAt: Milliseconds
    /// Streams that were resumed and have not been read since.
    var woken = 0
    var isClosed = false
  }

  private let boot: String
  private let source: Source
  private let state: Mutex<State>
  /// Held while a channel is rendered, which takes longer than the event loop may wait.
  private let rendering = Mutex(())

  /// - Parameter source: the state that a channel's subscribers see.
  init(_ source: @escaping Source) {
    self.source = source
    boot = String(UInt32.random(in: .min ... .max), radix: 16)
    state = Mutex(State(beatAt: HostTime.now.uptime))
  }

  // MARK: Subscribers

  /// - Parameters:
  ///   - audience: who it is, for `end(audience:)`.
  ///   - last: the identifier of the last event that the client has got.
  /// - Returns: `nil` once it is closed.
  func subscribe(
    _ channel: EventChannel, audience: EventAudience, after last: String?
  ) -> EventStream? {
    rendering.withLock { _ in
      let now = HostTime.now
      let (number, isQuiet) = state.withLock { state -> (Int?, Bool) in
        if state.isClosed { return (nil, false) }
        state.lastStream += 1
        state.subscribers[state.lastStream] = Subscriber(
          channel: channel, audience: audience, beat: state.beat)
        let isQuiet = state.feeds[channel]?.streams.isEmpty ?? true
        state.feeds[channel]?.streams.insert(state.lastStream)
        return (state.lastStream, isQuiet)
      }
      guard let number else { return nil }
      if isQuiet { render(channel, at: now) }
      state.withLock { begin(number, channel, after: last, &$0) }
      return EventStream(hub: self, number: number)
    }
  }

  /// Chooses what a stream begins with.
  private func begin(
    _ number: Int, _ channel: EventChannel, after last: String?, _ state: inout State
  ) {
    guard var feed = state.feeds[channel], var subscriber = state.subscribers[number] else {
      return
    }
    subscriber.pieces = [Array("retry: \(Bounds.streamRetryMilliseconds)\n\n".utf8)]
    let parts = (last ?? "").split(separator: ".")
    let numbers = parts.dropFirst().compactMap { Int($0) }
    let isOurs = parts.first.map { $0 == boot } ?? false && numbers.count == 3
    if isOurs, let cut = state.cut.first(where: { $0.stream == numbers[1] }) {
      let text = Figure.object([.init("at", .text(Self.date(cut.at)))]).line
      subscriber.pieces.append(Self.event("cut", text))
    }
    feed.streams.insert(number)
    let oldest = feed.version - feed.changes.count
    if isOurs, numbers[0] == feed.number, (oldest...feed.version).contains(numbers[2]) {
      subscriber.version = numbers[2]
    } else {
      let whole = feed.whole ?? Self.event("state", feed.state.figure.line)
      feed.whole = whole
      subscriber.version = feed.version
      subscriber.pieces += [identifier(feed, number, feed.version), whole]
    }
    // What is kept does not know the time.
    subscriber.pieces.append(Self.beat(at: HostTime.now.utc))
    state.feeds[channel] = feed
    state.subscribers[number] = subscriber
  }

  private func identifier(_ feed: Feed, _ stream: Int, _ version: Int) -> [UInt8] {
    Array("id: \(boot).\(feed.number).\(stream).\(version)\n".utf8)
  }

  /// Its response is gone.
  fileprivate func remove(_ number: Int) {
    state.withLock { state in
      guard let subscriber = state.subscribers.removeValue(forKey: number) else { return }
      if subscriber.isWoken { state.woken -= 1 }
      state.feeds[subscriber.channel]?.streams.remove(number)
      state.feeds[subscriber.channel]?.quietSince = HostTime.now.uptime
    }
  }

  /// Whoever has a stream.
  var audiences: Set<EventAudience> {
    state.withLock { Set($0.subscribers.values.map(\.audience)) }
  }

  /// Ends all streams of an audience, such as a follower whose link is revoked.
  func end(audience: EventAudience) {
    end { $0.audience == audience }
  }

  /// Ends all streams, and takes no others.
  func close() {
    state.withLock { $0.isClosed = true }
    end { _ in true }
  }

  private func end(where isEnded: (Subscriber) -> Bool) {
    let ends = state.withLock { state in
      state.subscribers.filter { isEnded($0.value) }.compactMap { number, subscriber in
        state.subscribers[number]?.isOver = true
        Self.wake(number, &state)
        return subscriber.end
      }
    }
    // Those that wait for their client to read would not notice.
    for end in ends { end() }
  }

  // MARK: Events

  private static func event(_ name: String, _ data: String) -> [UInt8] {
    Array("event: \(name)\ndata: \(data)\n\n".utf8)
  }

  private static func beat(at now: UTC) -> [UInt8] {
    event("beat", Figure.object([.init("now", .text(date(now)))]).line)
  }

  private static func date(_ utc: UTC) -> String {
    guard let time = CivilTime(utc) else { return "" }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Tells all channels what has changed, and now and then that there is somebody.
  func publish(at now: HostTime) {
    var told = rendering.withLock { _ in
      let channels = state.withLock { state in
        state.feeds = state.feeds.filter {
          !$0.value.streams.isEmpty
            || now.uptime - $0.value.quietSince < .seconds(Bounds.quietChannelSeconds)
        }
        return state.feeds.filter { !$0.value.streams.isEmpty }.map(\.key)
      }
      // Followers are many, and can wait.
      let order =
        channels.filter { $0.role != .follower } + channels.filter { $0.role == .follower }
      return order.flatMap { render($0, at: now) }
    }
    told += state.withLock { state in
      guard now.uptime - state.beatAt >= .seconds(Bounds.beatSeconds) else { return [] }
      state.beatAt = now.uptime
      state.beat += 1
      state.beatBytes = Self.beat(at: now.utc)
      return Array(state.subscribers.keys)
    }
    wake(told)
  }

  /// Renders a channel. `rendering` is held.
  ///
  /// - Returns: the streams that have to tell of a change.
  @discardableResult private func render(_ channel: EventChannel, at now: HostTime) -> [Int] {
    let new = SharedState(source(channel, now.utc))
    let old = state.withLock { $0.feeds[channel]?.state }
    guard let old else {
      state.withLock { state in
        state.lastFeed += 1
        state.feeds[channel] = Feed(number: state.lastFeed, state: new, quietSince: now.uptime)
      }
      return []
    }
    guard let changes = new.changes(since: old) else { return [] }
    let bytes = Self.event("change", changes.line)
    return state.withLock { state in
      state.feeds[channel]?.add(bytes, new)
      return Array(state.feeds[channel]?.streams ?? [])
    }
  }

  /// Has streams read again that have something to send: some at a time, so that the event loop has
  /// time for others in between.
  private func wake(_ numbers: [Int]) {
    for start in stride(from: 0, to: numbers.count, by: Bounds.wokenAtOnce) {
      if start > 0 { waitUntilRead() }
      state.withLock { state in
        for number in numbers[start...].prefix(Bounds.wokenAtOnce) { Self.wake(number, &state) }
      }
    }
  }

  private func waitUntilRead() {
    let end = HostTime.now.uptime + Milliseconds(Bounds.wakingMilliseconds)
    while state.withLock({ $0.woken > 0 }), HostTime.now.uptime < end { pause(milliseconds: 1) }
  }

  private static func wake(_ number: Int, _ state: inout State) {
    if let connection = state.subscribers[number]?.asleep {
      state.subscribers[number]?.asleep = nil
      state.subscribers[number]?.isWoken = true
      state.woken += 1
      connection.resume()
    } else if state.subscribers[number]?.waiting == nil {
      state.subscribers[number]?.waiting = HostTime.now.uptime
    }
  }

  // MARK: Sending

  /// On the event loop: what a stream sends next.
  ///
  /// - Parameter connection: suspended if there is nothing to send.
  /// - Returns: how many bytes; 0: it is suspended; `nil`: the stream ends.
  fileprivate func read(
    _ number: Int, into buffer: UnsafeMutableRawBufferPointer, _ connection: StreamedConnection
  ) -> Int? {
    state.withLock { state in
      if state.subscribers[number]?.isWoken == true {
        state.subscribers[number]?.isWoken = false
        state.woken -= 1
      }
      guard var subscriber = state.subscribers[number], !subscriber.isOver, !state.isClosed else {
        return nil
      }
      // Taken out, so that its arrays are changed where they are.
      state.subscribers[number] = nil
      defer { state.subscribers[number] = subscriber }
      var count = 0
      let room = min(buffer.count, Bounds.streamPieceBytes)
      while count < room {
        if subscriber.pieces.isEmpty {
          guard addPieces(number, &subscriber, &state) else {
            subscriber.isOver = true
            return nil
          }
        }
        guard let piece = subscriber.pieces.first else { break }
        let part = piece[subscriber.sent...].prefix(room - count)
        part.withUnsafeBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        }
        count += part.count
        subscriber.sent += part.count
        if subscriber.sent == piece.count {
          subscriber.pieces.removeFirst()
          subscriber.sent = 0
        }
      }
      subscriber.waiting = count > 0 ? HostTime.now.uptime : nil
      if count == 0 { subscriber.asleep = connection.suspend() }
      return count
    }
  }

  /// - Returns: `false` if it has missed what is not kept any more.
  private func addPieces(
    _ number: Int, _ subscriber: inout Subscriber, _ state: inout State
  ) -> Bool {
    guard let feed = state.feeds[subscriber.channel] else { return true }
    if subscriber.version < feed.version {
      let place = subscriber.version - (feed.version - feed.changes.count)
      guard feed.changes.indices.contains(place) else {
        Self.noteCut(number, &state)
        return false
      }
      subscriber.version += 1
      subscriber.pieces = [identifier(feed, number, subscriber.version), feed.changes[place]]
    } else if subscriber.beat < state.beat {
      subscriber.pieces = [state.beatBytes]
    }
    subscriber.beat = state.beat
    return true
  }

  fileprivate func setEnd(_ number: Int, _ end: @escaping @Sendable () -> Void) {
    state.withLock { $0.subscribers[number]?.end = end }
  }

  /// Whether a stream's client has not read for so long; it is over then.
  fileprivate func cutIfStalled(_ number: Int, for patience: Milliseconds, _ now: Milliseconds)
    -> Bool
  {
    state.withLock { state in
      guard let since = state.subscribers[number]?.waiting, now - since >= patience else {
        return false
      }
      if state.subscribers[number]?.isOver == false { Self.noteCut(number, &state) }
      state.subscribers[number]?.isOver = true
      return true
    }
  }

  private static func noteCut(_ number: Int, _ state: inout State) {
    if state.cut.count >= Bounds.cutStreams { state.cut.removeFirst() }
    state.cut.append((number, HostTime.now.utc))
  }
}

/// One client's stream of events.
final class EventStream: Sendable {
  private let hub: EventHub
  private let number: Int

  fileprivate init(hub: EventHub, number: Int) {
    self.hub = hub
    self.number = number
  }

  // When its response is gone, sent or not.
  deinit { hub.remove(number) }

  func read(into buffer: UnsafeMutableRawBufferPointer, _ connection: StreamedConnection) -> Int? {
    hub.read(number, into: buffer, connection)
  }

  /// - Parameter end: ends its connection, from any thread.
  func begin(end: @escaping @Sendable () -> Void) { hub.setEnd(number, end) }

  /// Cuts it if its client has not read for too long.
  ///
  /// - Returns: whether it has.
  func cutIfStalled(for patience: Milliseconds, at now: Milliseconds) -> Bool {
    hub.cutIfStalled(number, for: patience, now)
  }
}

/// Tells that something has happened, so that it is published soon.
final class Bell: Sendable {
  private let hasRung = Atomic(false)
  private let isOver = Monitor(false)

  func ring() {
    // Whoever rings as well wakes nobody: there are hundreds in a second.
    if !hasRung.exchange(true, ordering: .acquiringAndReleasing) { isOver.change { _ in } }
  }

  func end() { isOver.change { $0 = true } }

  /// Calls again and again, when it has rung and once a second, until it ends.
  func answer(_ body: (HostTime) -> Void) {
    while true {
      let start = HostTime.now.uptime
      body(.now)
      let pause = min(
        (HostTime.now.uptime - start).count * Bounds.publishShare,
        Bounds.publishSlowestMilliseconds)
      let next = start + Milliseconds(max(pause, Bounds.publishMilliseconds))
      let end = start + .seconds(1)
      let isOver = isOver.wait { isOver -> Monitor.Step in
        if isOver { return .done(true) }
        let due = hasRung.load(ordering: .acquiring) ? next : end
        if HostTime.now.uptime < due { return .wait(until: due.count) }
        hasRung.store(false, ordering: .releasing)
        return .done(false)
      }
      if isOver { return }
    }
  }
}
