import Glibc
import LinuxHost
import SystemCalls
import TrackerCore

/// The two ends of a terminal or of a pipe, read and written without ever waiting for long: by
/// poll(2), which a signal ends too.
final class Wire {
  enum Input: Equatable {
    case byte(UInt8)
    /// Nothing came in time.
    case nothing
    /// The other side hung up, or a signal came.
    case gone
  }

  private let input: Int32
  private let output: Int32
  /// Whether output may be dropped; a pipe's reader may be slow.
  private let isTerminal: Bool
  private let signals: SignalWatch
  private let clock = BootClock()
  private var bytes: ArraySlice<UInt8> = []
  private(set) var isGone = false
  /// A pipe's input may end before its output.
  private var isOutputGone = false
  private(set) var isStuck = false
  private var lastInput = Instant.start

  init(input: Int32, output: Int32, isTerminal: Bool, signals: SignalWatch) {
    self.input = input
    self.output = output
    self.isTerminal = isTerminal
    self.signals = signals
    lastInput = clock.now
  }

  /// How long there has been no input.
  var quietFor: Milliseconds { clock.now - lastInput }
  var now: Instant { clock.now }

  /// What is left of the time in which input has to come.
  ///
  /// - Parameter idle: 0: no limit.
  /// - Returns: `nil`: no limit.
  func timeLeft(of idle: Milliseconds) -> Milliseconds? {
    idle == 0 ? nil : max(0, idle - quietFor)
  }

  /// Whether there are bytes that were read already.
  var hasMore: Bool { !bytes.isEmpty }

  /// - Parameter time: `nil`: no limit.
  func next(within time: Milliseconds?) -> Input {
    if let byte = bytes.popFirst() { return .byte(byte) }
    let end = time.map { clock.now + $0 }
    while !isGone {
      var left: Int32 = -1
      if let end { left = Int32(clamping: max(0, (end - clock.now).count)) }
      var entries = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let found = poll(&entries, 2, left)
      if found == 0 { return .nothing }
      if found < 0 && errno != EINTR { break }
      if found > 0, entries[1].revents != 0, signals.take() != nil { break }
      guard found > 0, entries[0].revents != 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = retryingOnInterrupt { read(input, &buffer, buffer.count) }
      if count < 0 && errno == EAGAIN { continue }
      guard count > 0 else { break }
      lastInput = clock.now
      bytes = buffer[..<count]
      return .byte(bytes.removeFirst())
    }
    isGone = true
    isOutputGone = isTerminal
    return .gone
  }

  /// Waits, unless a signal comes. Input is left for later.
  func pause(_ time: Milliseconds) {
    var entry = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(clamping: time.count)) > 0, signals.take() != nil else { return }
    (isGone, isOutputGone) = (true, true)
  }

  /// These bytes come next, again.
  func pushBack(_ read: [UInt8]) { bytes = (read + bytes).prefix(ControlBounds.pushedBack) }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty && !isOutputGone {
      var entries = [
        pollfd(fd: output, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // After it got stuck it is not waited for again until it accepts output.
      let found = poll(
        &entries, 2, isTerminal ? (isStuck ? 0 : Int32(ControlBounds.outputPatience.count)) : -1)
      if found == 0 {
        isStuck = true
        return
      }
      if found < 0 && errno == EINTR { continue }
      if found < 0 || entries[1].revents != 0 && signals.take() != nil {
        (isGone, isOutputGone) = (true, true)
        return
      }
      guard entries[0].revents != 0 else { continue }
      let count = rest.prefix(ControlBounds.outputPiece).withUnsafeBytes {
        Glibc.write(output, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        isStuck = false
      } else if errno != EAGAIN && errno != EINTR {
        (isGone, isOutputGone) = (true, true)
      }
    }
  }
}
