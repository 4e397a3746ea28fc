import FeatureService
import Glibc
import Synchronization
import SystemCalls
import TrackerCore

/// Logs each capture on standard error, one line each. More than some a second are only counted,
/// and a reader that is too slow is not waited for: then lines are lost, never captures.
final class CaptureLog: Sendable {
  private struct State: ~Copyable {
    let outlet: LogOutlet
    /// Lines that may be written now.
    var credit = Bounds.logLinesAtOnce
    var refilled: Milliseconds
    /// Captures without a line of their own since the last count.
    var uncounted = 0
  }

  private let state: Mutex<State>

  init(descriptor: Int32 = STDERR_FILENO, at now: Milliseconds = HostTime.now.uptime) {
    state = Mutex(State(outlet: LogOutlet(descriptor), refilled: now))
  }

  func write(_ captures: [TakenCapture], at now: Milliseconds = HostTime.now.uptime) {
    state.withLock { state in
      Self.refill(&state, now)
      for capture in captures {
        guard state.credit > 0, Self.put(Self.line(capture), state.outlet) else {
          state.uncounted += 1
          continue
        }
        state.credit -= 1
      }
    }
  }

  /// Says how many captures had no line, as soon as there is room for one.
  func flush(at now: Milliseconds = HostTime.now.uptime) {
    state.withLock { state in
      Self.refill(&state, now)
      guard state.uncounted > 0, state.credit > 0,
        Self.put("more captures stored count=\(state.uncounted)", state.outlet)
      else { return }
      state.credit -= 1
      state.uncounted = 0
    }
  }

  private static func refill(_ state: inout State, _ now: Milliseconds) {
    let seconds = (now - state.refilled).count / 1000
    guard seconds > 0 else { return }
    state.credit = min(
      Bounds.logLinesAtOnce, state.credit + Int(min(seconds, 3600)) * Bounds.logLinesPerSecond)
    state.refilled = state.refilled + .seconds(seconds)
  }

  /// A line is written whole, or cut where the reader's room ends.
  private static func put(_ line: String, _ outlet: borrowing LogOutlet) -> Bool {
    outlet.write(Array("\(line)\n".utf8)[...]) > 0
  }

  /// `2026-04-18T09:30:00.250Z`
  private static func text(_ moment: Int64) -> String {
    guard let time = CivilTime(UTC(milliseconds: moment)) else { return String(moment) }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func line(_ capture: TakenCapture) -> String {
    var line = "capture stored object=\(capture.objectID)"
    if let device = capture.device { line += " device=\(quotedForLog(device))" }
    if let team = capture.team { line += " team=\(quotedForLog(team))" }
    if let moment = capture.moment { line += " taken=\(Self.text(moment))" }
    return line
  }
}
