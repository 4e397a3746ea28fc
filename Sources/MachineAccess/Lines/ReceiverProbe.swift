import NMEA
import SystemCalls
public import TrackerCore
import Wording

/// Listens for a receiver for some seconds, before there is a tracker.
public struct ReceiverProbe {
  public enum Finding: Sendable, Equatable {
    /// - Parameter baud: 0 if the line has no rate.
    case heard(baud: Int, sentences: UInt32, time: Milliseconds)
    /// Bytes, but no sentence at any of the rates.
    case noise
    case silent
    case unavailable(LineError)
  }

  private let line: any ByteLine
  private let isGpsd: Bool
  private let clock = BootClock()
  private var decoder = Decoder()
  private var baud = 0
  private var heardAt: Instant?
  private var isNoisy = false

  /// - Parameter usual: the rate to begin with, bits per second.
  public init(_ address: LineAddress, baud usual: Int) {
    line = address.line(baud: usual, gathering: 0)
    if case .gpsd = address { isGpsd = true } else { isGpsd = false }
  }

  /// - Parameter limit: the longest time to search for the right rate.
  public mutating func listen(atMost limit: Milliseconds = .seconds(20)) -> Finding {
    let start = clock.now
    while true {
      let now = clock.now
      if let heardAt, now - heardAt >= MachineBounds.probeCounting {
        return .heard(baud: baud, sentences: decoder.counts.accepted, time: now - heardAt)
      }
      if now - start >= limit { return heardAt != nil || isNoisy ? .noise : .silent }
      let patience = isGpsd ? MachineBounds.probeSilenceOfGpsd : MachineBounds.probeSilence
      if heardAt == nil, !isNoisy, now - start >= patience { return .silent }
      line.tend(at: now)
      for event in line.takeEvents() {
        switch event {
        case .opened(_, let rate): baud = rate
        case .baudFound(let rate): baud = rate
        case .unavailable(let problem), .lost(_, let problem): return .unavailable(problem)
        }
      }
      do throws(SystemError) {
        guard try wait() else { return isNoisy ? .noise : .silent }
      } catch { return .unavailable(LineError(SystemReason.texts(of: error.code))) }
    }
  }

  /// - Returns: `false` if a signal came.
  private mutating func wait() throws(SystemError) -> Bool {
    var set = PollSet()
    if let descriptor = line.descriptor {
      set.add(descriptor, line.wantsWrite ? [.readable, .writable] : .readable)
    }
    switch set.wait(atMost: 100) {
    case .timedOut: return true
    case .interrupted: return false
    case .failed(let error): throw error
    case .found: break
    }
    let found = line.descriptor.map { set.found($0) } ?? []
    var bytes = [UInt8](repeating: 0, count: 4096)
    var span = bytes.mutableSpan
    let count = line.ready(found, at: clock.now, into: &span)
    // A gpsd greets, and then passes sentences on only.
    isNoisy = isNoisy || !isGpsd && found.contains(.readable)
    var position = 0
    let read = bytes.span.extracting(first: count)
    while decoder.next(in: read, from: &position) != nil {}
    if heardAt == nil, decoder.counts.accepted > 0 { heardAt = clock.now }
    return true
  }
}
