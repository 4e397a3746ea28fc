import Glibc
import SystemCalls
public import TrackerCore
import Wording

/// A receiver owned by gpsd, through gpsd's port: its sentences arrive unchanged, and nothing can
/// be sent to it. Other output of gpsd is dropped.
///
/// Source: gpsd_json(5), `?WATCH` with `nmea`; the greeting is of class VERSION.
public final class GpsdLine: ByteLine {
  private enum State: Equatable {
    /// No connection. To `connecting` when a try is due.
    case down
    /// To `greeting`, or `down`.
    case connecting(until: Instant)
    /// Connected; `matched` bytes of the greeting have been verified. To `streaming`, or `down`.
    case greeting(matched: Int, until: Instant)
    /// To `down`.
    case streaming
  }

  /// The time limit for connecting and for the greeting, each.
  private static let patience = Milliseconds.seconds(5)
  private static let greeting = Array("{\"class\":\"VERSION\"".utf8)

  private let address: GpsdAddress
  private var state = State.down
  private var socket: StreamSocket?
  private var reopening = Reopening()
  private var gathering: Gathering
  private let gatheringTime: Milliseconds
  private var filter = NMEAFilter()
  private var events: [LineEvent] = []

  /// - Parameter gathering: how long a burst may gather before it is read; zero: not at all.
  public init(_ address: GpsdAddress, gathering: Milliseconds) {
    self.address = address
    gatheringTime = gathering
    self.gathering = Gathering(gathering)
  }

  // MARK: What to wait for

  public var isConnected: Bool { state == .streaming }
  public var descriptor: Int32? { gathering.isHidden ? nil : socket?.descriptor }

  public var wantsWrite: Bool {
    if case .connecting = state { return true }
    return false
  }

  public var wakeAt: Instant? {
    switch state {
    case .down: reopening.tryAt
    case .connecting(let until), .greeting(_, let until): until
    case .streaming: gathering.wakeAt
    }
  }

  public func tend(at now: Instant) {
    switch state {
    case .down: if now >= reopening.tryAt { connect(at: now) }
    case .connecting(let until):
      if now >= until { fail(.noGpsd(address, LinePhrase.silent.texts), at: now) }
    case .greeting(_, let until):
      if now >= until { fail(.notGpsd(address), at: now) }
    case .streaming: gathering.tend(at: now)
    }
  }

  public func hurry(at now: Instant) {
    guard let descriptor = socket?.descriptor else { return }
    var waiting: Int32 = 0
    if ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting > 0 { gathering.hurry() }
  }

  public func takeEvents() -> [LineEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Always `false`, because gpsd owns the receiver.
  public func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }

  // MARK: Connecting

  private func connect(at now: Instant) {
    guard let place = SocketAddress(address.host, port: address.port) else { return }
    do throws(SocketFailure) {
      socket = try StreamSocket(place)
      state = .connecting(until: now + Self.patience)
    } catch {
      fail(.noGpsd(address, SystemReason.texts(of: error.code)), at: now)
    }
  }

  private func connected(at now: Instant) {
    guard let descriptor = socket?.descriptor else { return }
    let code = socket?.takeOutcome() ?? 0
    guard code == 0 else { return fail(.noGpsd(address, SystemReason.texts(of: code)), at: now) }
    let device = address.device.map { ",\"device\":\"\($0)\"" } ?? ""
    let words = "?WATCH={\"enable\":true,\"json\":false,\"nmea\":true\(device)};\n"
    // A new connection has room for it.
    let bytes = Array(words.utf8)
    guard DescriptorTransfer.write(descriptor, bytes[...]) == .bytes(bytes.count) else {
      return fail(.noGpsd(address, LinePhrase.hungUp.texts), at: now)
    }
    filter = NMEAFilter()
    gathering = Gathering(0)
    state = .greeting(matched: 0, until: now + Self.patience)
  }

  /// The connection could not be established.
  private func fail(_ problem: LineProblem, at now: Instant) {
    socket = nil
    state = .down
    if let said = reopening.failed(problem, at: now) { events.append(said) }
  }

  private func lose(_ why: Texts, at now: Instant) {
    guard state == .streaming else { return fail(.noGpsd(address, why), at: now) }
    socket = nil
    state = .down
    gathering = Gathering(0)
    reopening.lost(at: now)
    events.append(.lost(name: address.text, LineProblem(why)))
  }

  // MARK: Bytes

  public func ready(
    _ revents: Int16, at now: Instant, into buffer: inout MutableSpan<UInt8>
  ) -> Int {
    if case .connecting = state { connected(at: now) }
    let events = Int32(revents)
    let isOver = events & (POLLHUP | POLLERR | POLLNVAL) != 0
    guard let descriptor = socket?.descriptor, isOver || events & POLLIN != 0,
      isOver || gathering.isToRead(at: now)
    else { return 0 }
    let room = buffer.count
    switch DescriptorTransfer.read(descriptor, into: &buffer) {
    case .bytes(let count):
      gathering.read(isAll: count < room)
      guard isGpsd(buffer.span.extracting(first: count), at: now) else { return 0 }
      let kept = filter.keep(count, in: &buffer)
      if kept > 0 { reopening.heard() }
      return kept
    case .nothing where !isOver: gathering.read(isAll: true)
    case .nothing, .ended: lose(LinePhrase.hungUp.texts, at: now)
    case .failed(let code): lose(SystemReason.texts(of: code), at: now)
    }
    return 0
  }

  /// Compares the first bytes with gpsd's greeting.
  private func isGpsd(_ bytes: Span<UInt8>, at now: Instant) -> Bool {
    guard case .greeting(var matched, let until) = state else { return true }
    for index in 0..<bytes.count where matched < Self.greeting.count {
      guard bytes[index] == Self.greeting[matched] else {
        fail(.notGpsd(address), at: now)
        return false
      }
      matched += 1
    }
    state = .greeting(matched: matched, until: until)
    if matched == Self.greeting.count {
      state = .streaming
      gathering = Gathering(gatheringTime)
      reopening.opened()
      events.append(.opened(name: address.text, baud: 0))
    }
    return true
  }
}

extension LineProblem {
  static func noGpsd(_ address: GpsdAddress, _ why: Texts) -> LineProblem {
    LineProblem(LinePhrase.noGpsd.texts(address.text, why))
  }

  static func notGpsd(_ address: GpsdAddress) -> LineProblem {
    LineProblem(LinePhrase.notGpsd.texts(address.text))
  }
}
