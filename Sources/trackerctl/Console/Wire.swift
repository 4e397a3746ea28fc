import MachineAccess
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
    var set = PollSet()
    reading: while !isGone {
      set.removeAll()
      set.add(input)
      set.add(signals.descriptor)
      let left = end.map { max(0, ($0 - clock.now).count) }
      switch set.wait(atMost: left) {
      case .timedOut: return .nothing
      case .interrupted: continue
      case .failed: break reading
      case .found: break
      }
      if !set.found(signals.descriptor).isEmpty, signals.take() != nil { break }
      guard !set.found(input).isEmpty else { continue }
      var buffer = [UInt8](repeating: 0, count: 256)
      var room = buffer.mutableSpan
      switch Descriptor.read(input, into: &room) {
      case .nothing: continue
      case .ended, .failed: break reading
      case .bytes(let count):
        lastInput = clock.now
        bytes = buffer[..<count]
        return .byte(bytes.removeFirst())
      }
    }
    isGone = true
    isOutputGone = isTerminal
    return .gone
  }

  /// Waits, unless a signal comes. Input is left for later.
  func pause(_ time: Milliseconds) {
    guard !poll(signals.descriptor, atMost: time.count).isEmpty, signals.take() != nil else {
      return
    }
    (isGone, isOutputGone) = (true, true)
  }

  /// These bytes come next, again.
  func pushBack(_ read: [UInt8]) { bytes = (read + bytes).prefix(ControlBounds.pushedBack) }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    var set = PollSet()
    while !rest.isEmpty && !isOutputGone {
      set.removeAll()
      set.add(output, .writable)
      set.add(signals.descriptor)
      // After it got stuck it is not waited for again until it accepts output.
      let patience = isStuck ? 0 : ControlBounds.outputPatience.count
      switch set.wait(atMost: isTerminal ? patience : nil) {
      case .timedOut:
        isStuck = true
        return
      case .interrupted: continue
      case .failed:
        (isGone, isOutputGone) = (true, true)
        return
      case .found: break
      }
      if !set.found(signals.descriptor).isEmpty && signals.take() != nil {
        (isGone, isOutputGone) = (true, true)
        return
      }
      guard !set.found(output).isEmpty else { continue }
      switch Descriptor.write(output, rest.prefix(ControlBounds.outputPiece)) {
      case .bytes(let count):
        rest = rest.dropFirst(count)
        isStuck = false
      case .nothing: continue
      case .ended, .failed: (isGone, isOutputGone) = (true, true)
      }
    }
  }
}
