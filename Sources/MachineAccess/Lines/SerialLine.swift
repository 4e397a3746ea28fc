import NMEA
public import SystemCalls
public import TrackerCore
import Wording

/// A serial port of this machine, or a pseudo-terminal.
///
/// It is found again after it was unplugged, even under another name (`SerialPlace`). It is raw,
/// with 8 data bits, no parity and no flow control, and locked against other programs.
public final class SerialLine: ByteLine {
  private let configuration: SerialLineConfiguration
  private var port: SerialPort?
  /// The open device file.
  private var name = ""
  private var reopening = Reopening()
  private var gathering = Gathering(0)
  private var baudSearch: BaudRateSearch?
  /// Instead of the configuration's.
  private var ordered: Int?
  /// What it was when it was last open, if it is on USB, and where others of its kind were.
  private var known: (port: USBPorts.Identity, others: [String])?
  private var outgoing: [UInt8] = []
  private var events: [LineEvent] = []

  public init(_ configuration: SerialLineConfiguration) { self.configuration = configuration }

  // MARK: What to wait for

  public var isConnected: Bool { port != nil }

  public var isGathering: Bool { gathering.isHidden }

  public var device: String? {
    port == nil ? nil : try? resolved(name)
  }

  public var descriptor: Int32? {
    // Pending output needs the descriptor in any case.
    gathering.isHidden && outgoing.isEmpty ? nil : port?.descriptor
  }

  public var wantsWrite: Bool { !outgoing.isEmpty }

  public var wakeAt: Instant? {
    guard port != nil else { return reopening.tryAt }
    guard let searching = baudSearch?.wakeAt else { return gathering.wakeAt }
    return gathering.wakeAt.map { min($0, searching) } ?? searching
  }

  public func tend(at now: Instant) {
    guard port != nil else {
      if now >= reopening.tryAt { open(at: now) }
      return
    }
    gathering.tend(at: now)
    if baudSearch?.tend(at: now) == true, let baud = baudSearch?.baud { changeRate(to: baud) }
  }

  public func hurry(at now: Instant) {
    if let descriptor = port?.descriptor, Descriptor.readable(descriptor) > 0 {
      gathering.hurry()
    }
  }

  public func takeEvents() -> [LineEvent] {
    guard !events.isEmpty else { return [] }
    defer { events = [] }
    return events
  }

  // MARK: Opening and closing

  private func open(at now: Instant) {
    do throws(LineError) {
      let path = try findPath()
      let baud = rate(at: now)
      port = try SerialPort.open(path, baud: baud)
      name = path
      know(path)
      // The terminal may contain input received at another rate.
      if baudSearch != nil { port?.discardInput() }
      reopening.opened()
      gathering = Gathering(configuration.gathering(at: baud))
      events.append(.opened(name: path, baud: baud))
    } catch {
      if let said = reopening.failed(error, at: now) { events.append(said) }
    }
  }

  private func findPath() throws(LineError) -> String {
    switch configuration.place {
    case .path(let path): return try follow(path)
    case .usb(let vendor, let product, let interface):
      if let name = ports.name(vendor: vendor, product: product, interface: interface) {
        return "\(configuration.deviceFolder)/\(name)"
      }
      throw .noUSBDevice(vendor, product, interface)
    }
  }

  private var ports: USBPorts { USBPorts(root: configuration.systemFolder) }

  /// The port at this path, or what has become of it: after a reset of the USB device its port may
  /// have another name, and its old name be another port of the device.
  private func follow(_ path: String) throws(LineError) -> String {
    guard let known else { return path }
    let present = ports.identity(atPath: path)
    if let present, present.isLike(known.port) || !present.isOfKind(of: known.port) { return path }
    if let name = ports.name(of: known.port, besides: known.others) {
      return "\(configuration.deviceFolder)/\(name)"
    }
    if present != nil { throw .cannotOpen(path, Errno.noSuchFile) }
    return path
  }

  private func know(_ path: String) {
    known = ports.identity(atPath: path).map { ($0, ports.sockets(besides: $0)) }
  }

  /// The rate for opening the port: a rate that was found is kept.
  private func rate(at now: Instant) -> Int {
    if let ordered { return ordered }
    switch configuration.baud {
    case .fixed(let baud): return baud
    case .search:
      var search = baudSearch ?? BaudRateSearch(first: configuration.firstTried, at: now)
      search.start(at: now)
      baudSearch = search
      return search.baud
    }
  }

  public func setBaud(_ baud: Int?) {
    ordered = baud
    outgoing.removeAll()
    if case .fixed(let usual) = configuration.baud { changeRate(to: baud ?? usual) }
  }

  private func changeRate(to baud: Int) {
    // If the device does not support the rate nothing arrives, and the next one is tried in turn.
    _ = port?.configure(baud: baud)
    port?.discardInput()
    gathering = Gathering(configuration.gathering(at: baud))
  }

  private func lose(_ why: Texts, at now: Instant) {
    port = nil
    outgoing.removeAll(keepingCapacity: true)
    reopening.lost(at: now)
    events.append(.lost(name: name, LineError(why)))
  }

  // MARK: Bytes

  public func ready(
    _ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>
  ) -> Int {
    if found.contains(.writable) { flush(at: now) }
    let isOver = found.contains(.failed)
    guard let descriptor = port?.descriptor, isOver || found.contains(.readable) else { return 0 }
    // A descriptor that is polled for output cannot be left out.
    guard isOver || !outgoing.isEmpty || gathering.isToRead(at: now) else { return 0 }
    let room = buffer.count
    switch Descriptor.read(descriptor, into: &buffer) {
    case .bytes(let count):
      gathering.read(isAll: count < room)
      reopening.heard()
      return listen(buffer.span.extracting(first: count), at: now) ? count : 0
    case .nothing where !isOver: gathering.read(isAll: true)
    case .nothing, .ended: lose(LinePhrase.hungUp.texts, at: now)
    case .failed(let code): lose(SystemReason.texts(of: code), at: now)
    }
    return 0
  }

  /// - Returns: whether to pass the bytes on: not those of a wrong rate.
  private func listen(_ bytes: Span<UInt8>, at now: Instant) -> Bool {
    guard baudSearch != nil else { return true }
    let wasFound = baudSearch?.isFound == true
    let isSentence = baudSearch?.hear(bytes, at: now) == true
    if isSentence, !wasFound, let baud = baudSearch?.baud { events.append(.baudFound(baud)) }
    return isSentence || wasFound
  }

  public func send(_ bytes: [UInt8], at now: Instant) -> Bool {
    guard port != nil, outgoing.count + bytes.count <= configuration.outgoingBytes
    else { return false }
    outgoing += bytes
    flush(at: now)
    return port != nil
  }

  public func discardUnsent() {
    outgoing.removeAll()
    port?.discardOutput()
  }

  private func flush(at now: Instant) {
    while let descriptor = port?.descriptor, !outgoing.isEmpty {
      switch Descriptor.write(descriptor, outgoing[...]) {
      case .bytes(let count) where count > 0: outgoing.removeFirst(count)
      case .bytes, .nothing: return
      case .ended: return lose(LinePhrase.hungUp.texts, at: now)
      case .failed(let code): return lose(SystemReason.texts(of: code), at: now)
      }
    }
  }
}

extension LineError {
  static func noUSBDevice(_ vendor: UInt16, _ product: UInt16, _ interface: UInt8?) -> LineError {
    let numbers = [vendor, product].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 4 - text.count) + text
    }
    let name = numbers.joined(separator: ":")
    var problem = LineError(
      interface.map { LinePhrase.noUSBInterface.texts(name, "\($0)") }
        ?? LinePhrase.noUSB.texts(name))
    problem.isAbsence = true
    return problem
  }
}

/// The settings of a serial line.
public struct SerialLineConfiguration: Sendable {
  var place: SerialPlace
  var baud: BaudRate
  /// The first rate of a search, bits per second.
  var firstTried = 9600
  /// The longest time that a burst may gather before it is read; zero: it is read piece by piece. A
  /// fast line is read sooner, before the kernel's buffer is full.
  var gathering: Milliseconds = 0
  /// How much output may be queued; a command to a receiver has some 100 bytes.
  var outgoingBytes = 1024
  /// Replacements for /sys and /dev, for rehearsals.
  public var systemFolder = "/sys"
  public var deviceFolder = "/dev"

  public init(_ place: SerialPlace, _ baud: BaudRate) {
    self.place = place
    self.baud = baud
  }

  /// `gathering`, limited by the buffer: with 10 bits per byte to 3.2 s at 9600 baud, 266 ms at 115
  /// 200.
  func gathering(at baud: Int) -> Milliseconds {
    min(gathering, Milliseconds(MachineBounds.gatheredBytes * 10 * 1000 / Int64(max(baud, 1))))
  }

}

/// Finds the baud rate of a receiver: the one at which sentences arrive.
///
/// At a wrong rate only garbage arrives, so a rate is given up some time after its first byte. Some
/// adapters drop bytes with framing errors, so before a rate is found silence counts too, after a
/// longer time; afterwards the receiver may sleep for a while.
struct BaudRateSearch {
  private let rates: [Int]
  private var index = 0
  private var decoder = Decoder()
  private(set) var isFound = false
  /// When the first byte came since the rate was set or a sentence came.
  private var rubbishAt: Instant?
  /// When the rate was set or a byte came, whichever is later.
  private var heardAt: Instant

  /// - Parameter first: the rate to try first.
  init(first: Int, at now: Instant) {
    let likely = (1...LineRate.count).compactMap { LineRate.likely($0).map(Int.init) }
    rates = [first] + likely.filter { $0 != first }
    heardAt = now
  }

  var baud: Int { rates[index] }

  /// When to call `tend(at:)`.
  var wakeAt: Instant {
    if isFound { return heardAt + MachineBounds.rateLongSilence }
    return rubbishAt.map { $0 + MachineBounds.rateListening }
      ?? (heardAt + MachineBounds.rateSilence)
  }

  /// Examines received bytes.
  ///
  /// - Returns: whether they contained a sentence.
  mutating func hear(_ bytes: Span<UInt8>, at now: Instant) -> Bool {
    heardAt = now
    let before = decoder.counts.accepted
    var position = 0
    while decoder.next(in: bytes, from: &position) != nil {}
    guard decoder.counts.accepted == before else {
      isFound = true
      rubbishAt = nil
      return true
    }
    rubbishAt = rubbishAt ?? now
    if isFound, let rubbishAt, now - rubbishAt >= MachineBounds.rateGarbage { isFound = false }
    return false
  }

  /// - Returns: whether to set another rate, now in `baud`.
  mutating func tend(at now: Instant) -> Bool {
    guard now >= wakeAt else { return false }
    isFound = false
    index = (index + 1) % rates.count
    start(at: now)
    return true
  }

  /// The line was reopened: starts to listen again, at the same rate.
  mutating func start(at now: Instant) {
    decoder = Decoder()
    rubbishAt = nil
    heardAt = now
  }
}
