import Foundation
import MachineAccess
import SystemCalls
import TestSupport
import TrackerCore

/// Serves a line as the daemon does: with poll(2), and with the line's own interests.
final class LinePump {
  let line: any ByteLine
  private(set) var bytes: [UInt8] = []
  private(set) var events: [LineEvent] = []
  /// Times that poll(2) has slept and come back.
  private(set) var polls = 0
  /// The most that one call has read.
  private(set) var longest = 0
  private let clock: BootClock
  private let speed: Int64
  private let room: Int

  /// - Parameters:
  ///   - room: the buffer for one call, bytes.
  ///   - speed: how much faster than the machine's the line's clock runs.
  init(_ line: any ByteLine, room: Int = 1024, speed: Int64 = 1) {
    self.line = line
    self.room = room
    self.speed = speed
    clock = BootClock(speed: speed)
  }

  var now: Instant { clock.now }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var openings: Int { events.count { if case .opened = $0 { true } else { false } } }
  var losses: Int { events.count { if case .lost = $0 { true } else { false } } }
  var complaints: [LineError] {
    events.compactMap { if case .unavailable(let problem) = $0 { problem } else { nil } }
  }

  /// Goes on until something is so.
  ///
  /// - Throws: that it did not come to be.
  func run(
    _ what: String, seconds: Double = 30, until isSo: (LinePump) throws -> Bool
  ) throws {
    let limit = Date(timeIntervalSinceNow: seconds)
    while try !isSo(self) {
      guard Date() < limit else {
        throw Problem("waited \(seconds) s: \(what); \(events) \(bytes.count) bytes; \(command)")
      }
      step()
    }
  }

  var command: String { "repeat with: swift test --filter MachineAccessTests" }

  func step() {
    if let due = line.wakeAt, now >= due { line.tend(at: now) }
    var limit: Int64 = 20
    if let due = line.wakeAt { limit = max(0, min(limit, (due - now).count / speed + 1)) }
    if let descriptor = line.descriptor {
      let found = poll(
        descriptor, line.wantsWrite ? [.readable, .writable] : .readable, atMost: limit)
      if !found.isEmpty {
        polls += 1
        take(found)
      }
    } else {
      usleep(UInt32(limit) * 1000)
    }
    events += line.takeEvents()
  }

  private func take(_ found: PollEvents) {
    var buffer = [UInt8](repeating: 0, count: room)
    var free = buffer.mutableSpan
    let count = line.ready(found, at: now, into: &free)
    longest = max(longest, count)
    bytes += buffer.prefix(count)
  }
}
