import SystemCalls
import TrackerCore
import Wording

/// A receiver owned by gpsd, through gpsd's port: its sentences arrive unchanged, and nothing can
/// be sent to it. Other output of gpsd is dropped.
///
/// Source: gpsd_json(5), `?WATCH` with `nmea`; the greeting is of class VERSION.
final class GpsdLine: ByteLine {
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

  private static let greeting = Array("{\"class\":\"VERSION\"".utf8)

  private let address: GpsdAddress
  private var state = State.down
  private var socket: Descriptor?
  private var reopening = Reopening()
  private var gathering: Gathering
  private let gatheringTime: Milliseconds
  private var filter = NMEAFilter()
  private var events: [LineEvent] = []

  /// - Parameter gathering: how long a burst may gather before it is read; zero: not at all.
  init(_ address: GpsdAddress, gathering: Milliseconds) {
    self.address = address
    gatheringTime = gathering
    self.gathering = Gathering(gathering)
  }

  // MARK: What to wait for

  var isConnected: Bool { state == .streaming }
  var isGathering: Bool { gathering.isHidden }
  var descriptor: Int32? { gathering.isHidden ? nil : socket?.number }

  var wantsWrite: Bool {
    if case .connecting = state { return true }
    return false
  }

  var wakeAt: Instant? {
    switch state {
    case .down: reopening.tryAt
    case .connecting(let until), .greeting(_, let until): until
    case .streaming: gathering.wakeAt
    }
  }

  func tend(at now: Instant) {
    switch state {
    case .down: if now >= reopening.tryAt { connect(at: now) }
    case .connecting(let until):
      if now >= until { fail(.noGpsd(address, LinePhrase.silent.texts), at: now) }
    case .greeting(_, let until):
      if now >= until { fail(.notGpsd(address), at: now) }
    case .streaming: gathering.tend(at: now)
    }
  }

  func hurry(at now: Instant) {
    if let descriptor = socket?.number, Descriptor.readable(descriptor) > 0 { gathering.hurry() }
  }

  func takeEvents() -> [LineEvent] {
    defer { events = [] }
    return events
  }

  /// Always `false`, because gpsd owns the receiver.
  func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }

  // MARK: Connecting

  private func connect(at now: Instant) {
    guard let place = InternetAddress(address.host, port: address.port) else { return }
    do throws(SystemError) {
      socket = try place.connecting()
      state = .connecting(until: now + MachineBounds.gpsdPatience)
    } catch {
      fail(.noGpsd(address, SystemReason.texts(of: error.code)), at: now)
    }
  }

  private func connected(at now: Instant) {
    guard let descriptor = socket?.number else { return }
    let code = socket?.takeOutcome() ?? 0
    guard code == 0 else { return fail(.noGpsd(address, SystemReason.texts(of: code)), at: now) }
    let device = address.device.map { ",\"device\":\"\($0)\"" } ?? ""
    let words = "?WATCH={\"enable\":true,\"json\":false,\"nmea\":true\(device)};\n"
    // A new connection has room for it.
    let bytes = Array(words.utf8)
    guard Descriptor.write(descriptor, bytes[...]) == .bytes(bytes.count) else {
      return fail(.noGpsd(address, LinePhrase.hungUp.texts), at: now)
    }
    filter = NMEAFilter()
    gathering = Gathering(0)
    state = .greeting(matched: 0, until: now + MachineBounds.gpsdPatience)
  }

  /// The connection could not be established.
  private func fail(_ problem: LineError, at now: Instant) {
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
    events.append(.lost(name: address.text, LineError(why)))
  }

  // MARK: Bytes

  func ready(
    _ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>
  ) -> Int {
    if case .connecting = state { connected(at: now) }
    let isOver = found.contains(.failed)
    guard let descriptor = socket?.number, isOver || found.contains(.readable),
      isOver || gathering.isToRead(at: now)
    else { return 0 }
    let room = buffer.count
    switch Descriptor.read(descriptor, into: &buffer) {
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

extension LineError {
  static func noGpsd(_ address: GpsdAddress, _ why: Texts) -> LineError {
    LineError(LinePhrase.noGpsd.texts(address.text, why))
  }

  static func notGpsd(_ address: GpsdAddress) -> LineError {
    LineError(LinePhrase.notGpsd.texts(address.text))
  }
}

/// The address of a gpsd: `gpsd://HOST[:PORT][/DEVICE]`.
public struct GpsdAddress: Sendable, Equatable {
  static let scheme = "gpsd://"

  /// An IPv4 or IPv6 address; looking up a name would block.
  public var host: String
  public var port: UInt16
  /// The device file of the receiver to listen to; `nil`: all of gpsd's receivers.
  public var device: String?

  /// - Throws: if the text is not valid, with what to write instead.
  init(_ text: String) throws(LineError) {
    let rest = text.dropFirst(Self.scheme.count)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let path = String(rest[slash...])
    device = path.utf8.count > 1 ? path : nil
    // It has to be valid within a JSON string.
    let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    guard text.hasPrefix(Self.scheme), isPlain,
      let (host, port) = Self.endpoint(rest[..<slash])
    else {
      throw LineError(
        inAddress: "\"\(text)\" is not a gpsd address; write numbers, not names, "
          + "and the device if it has several: \"gpsd://127.0.0.1:2947/dev/ttyS0\"")
    }
    self.host = host
    self.port = port
  }

  private static func endpoint(_ text: Substring) -> (host: String, port: UInt16)? {
    var host = text
    var port: UInt16 = 2947
    let bracket = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[bracket...].lastIndex(of: ":") {
      guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
      port = number
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    let numeric = host == "localhost" ? "127.0.0.1" : String(host)
    return InternetAddress(numeric, port: port) == nil ? nil : (numeric, port)
  }

  /// The address as written in settings.
  var text: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(Self.scheme)\(name):\(port)\(device ?? "")"
  }
}

/// Passes only lines of NMEA 0183: those that begin with `$`, `!` or `\` (a TAG block). Other lines
/// from gpsd are JSON.
struct NMEAFilter {
  private enum State { case lineStart, passing, dropping }
  private var state = State.lineStart

  /// Moves the part of the first `count` bytes that passes to the front.
  ///
  /// - Returns: the number of bytes that pass.
  mutating func keep(_ count: Int, in bytes: inout MutableSpan<UInt8>) -> Int {
    var kept = 0
    for index in 0..<min(count, bytes.count) {
      let byte = bytes[index]
      if state == .lineStart { state = Self.begins(byte) ? .passing : .dropping }
      if state == .passing {
        bytes[kept] = byte
        kept += 1
      }
      if byte == UInt8(ascii: "\n") { state = .lineStart }
    }
    return kept
  }

  private static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "\\")
  }
}
