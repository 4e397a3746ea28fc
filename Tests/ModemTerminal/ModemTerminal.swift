import Foundation
public import Simulation
import Synchronization
import SystemCalls
public import TrackerCore
public import Uplink

/// A modem that follows a script behind a pseudo-terminal, on a thread of its own.
///
///     let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 20)
///     defer { modem.stop() }
///     … a program opens modem.path …
///     modem.say("+SIMCARD: NOT AVAILABLE")
///
/// Requests by the modem's own HTTP commands go through `forward`: curl, unless told otherwise.
/// `path` stays the same when the modem is unplugged and comes back, as a link of
/// `/dev/serial/by-id` does; the device behind it is another one then.
public final class ModemTerminal: Sendable {
  private struct Inside: ~Copyable {
    var modem: ModemEmulator
    var terminal: PseudoTerminal?
    /// What the terminal did not take yet.
    var unsent: [UInt8] = []
    var isStopped = false
    /// What the line carries in each direction; `nil`: everything at once.
    var hears: Pace?
    var says: Pace?
  }

  /// What a program opens.
  public let path: String
  private let inside: Mutex<Inside>
  private let speed: Double
  /// Written to when the thread is to look up from its waiting.
  private let wake: DescriptorPipe
  private let forward: @Sendable (HTTPRequest) -> HTTPReply
  private let startedAt = ContinuousClock.now
  private let folder: URL

  /// - Parameters:
  ///   - isOn: whether it has been on for long; else it waits for its key.
  ///   - speed: how many times faster than the script says it lives.
  ///   - baud: bits per second of its serial line; `nil`: as fast as this machine.
  ///   - forward: performs the requests that it is told to send.
  public init(
    _ script: ModemScript, isOn: Bool = true, speed: Double = 1, baud: Int? = nil,
    forward: @escaping @Sendable (HTTPRequest) -> HTTPReply = { $0.performWithCurl() }
  ) throws {
    let terminal = try PseudoTerminal()
    let wake = try DescriptorPipe()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("modem-port-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("modem").path
    try makeLink(path, to: terminal.path)
    inside = Mutex(
      Inside(
        modem: ModemEmulator(script, isOn: isOn, keepsTranscript: true), terminal: terminal,
        hears: baud.map { Pace(baud: $0) }, says: baud.map { Pace(baud: $0) }))
    self.speed = speed
    self.forward = forward
    self.wake = wake
    let thread = Thread { [self] in live() }
    thread.name = "modem"
    thread.start()
  }

  /// Ends the thread and takes the port away.
  public func stop() {
    inside.withLock { $0.isStopped = true }
    nudge()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: What is done to it

  public func setKey(isPressed: Bool) {
    change { modem, now in modem.setKey(isPressed: isPressed, at: now) }
  }

  public func set(_ condition: String, _ holds: Bool = true) {
    change { modem, _ in modem.set(condition, holds) }
  }

  /// Says a line by itself.
  public func say(_ line: String) { change { modem, _ in modem.say(line) } }

  /// A short message comes in.
  public func deliver(_ text: String, from sender: String, sent: UTC? = nil) {
    change { modem, _ in modem.deliver(text, from: sender, sent: sent) }
  }

  /// The same with the bytes of the message, which may be anything.
  public func deliver(message: [UInt8]) { change { modem, _ in modem.deliver(message: message) } }

  /// How many short messages it has stored.
  public var storedTexts: Int { inside.withLock { $0.modem.storedTexts } }

  public func reboot() { change { modem, now in modem.reboot(at: now) } }

  /// Takes the port away: whoever has it open sees a hang-up.
  public func unplug() {
    inside.withLock {
      $0.terminal = nil
      $0.unsent = []
    }
    try? removeFile(path)
    nudge()
  }

  /// Brings the port back, as another device.
  public func plug() throws {
    let terminal = try PseudoTerminal()
    try? removeFile(path)
    try makeLink(path, to: terminal.path)
    inside.withLock { $0.terminal = terminal }
    nudge()
  }

  // MARK: What is known of it

  /// Every line that it was told.
  public var heard: [String] { inside.withLock { $0.modem.heard } }
  public var texts: [String] { inside.withLock { $0.modem.texts } }
  public var requests: [HTTPRequest] { inside.withLock { $0.modem.requests } }
  public var boots: Int { inside.withLock { $0.modem.boots } }
  /// How long its radio has been on, in its own time.
  public var radioOnMilliseconds: Int64 {
    let now = now
    return inside.withLock { $0.modem.radioOnTime(at: now).count }
  }
  public var isRadioOn: Bool { inside.withLock { $0.modem.isRadioOn } }
  public var isOn: Bool { inside.withLock { $0.modem.isOn } }

  // MARK: Its life

  private var now: Instant {
    let elapsed = startedAt.duration(to: .now).components
    let milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
    return Instant(milliseconds: Int64(milliseconds * speed))
  }

  private func change(_ body: (inout ModemEmulator, Instant) -> Void) {
    let now = now
    inside.withLock { body(&$0.modem, now) }
    nudge()
  }

  private func nudge() { wake.signal() }

  private func live() {
    while true {
      let (isStopped, descriptor, deadline, request) = inside.withLock {
        inside -> (Bool, Int32, Instant?, HTTPRequest?) in
        turn(&inside)
        let isFull = inside.hears?.room(at: now) == 0
        let descriptor = isFull ? -1 : inside.terminal?.master ?? -1
        // A line that is busy is looked after often.
        let isBusy = isFull || !inside.unsent.isEmpty
        return (
          inside.isStopped, descriptor, isBusy ? now : inside.modem.nextDeadline,
          inside.modem.takeRequest()
        )
      }
      if isStopped { break }
      if let request {
        let answer = forward(request)
        change { modem, now in modem.answer(answer, at: now) }
        continue
      }
      wait(descriptor, until: deadline)
    }
  }

  private func turn(_ inside: inout Inside) {
    let now = now
    if let terminal = inside.terminal {
      inside.modem.portBaud = terminal.baud
      let bytes = terminal.read(atMost: inside.hears?.room(at: now) ?? 4096)
      inside.hears?.spend(bytes.count)
      inside.modem.receive(bytes, at: now)
    }
    inside.modem.advance(to: now)
    inside.unsent += inside.modem.takeOutput()
    guard let terminal = inside.terminal else {
      inside.unsent = []
      return
    }
    let room = inside.says?.room(at: now) ?? inside.unsent.count
    let count = terminal.write(inside.unsent.prefix(room))
    inside.says?.spend(count)
    inside.unsent.removeFirst(count)
  }

  private func wait(_ descriptor: Int32, until deadline: Instant?) {
    var set = PollSet()
    set.add(wake.readEnd.number)
    set.add(descriptor)
    let milliseconds = deadline.map { Double(($0 - now).count) / speed }
    set.wait(atMost: milliseconds.map { Int64(max(1, min($0.rounded(.up), 60_000))) })
    var bytes = [UInt8](repeating: 0, count: 64)
    while let count = try? wake.readEnd.read(into: &bytes), count > 0 {}
  }
}
