import TrackerCore

/// Where recorded things come from, in order.
public protocol RecordingSource: ~Copyable {
  /// - Returns: `nil` at the end of what there is.
  mutating func next() throws(RecordingError) -> Recorded?
}

/// A world that says what a recorded one said, and compares what the tracker wants of it.
public struct ReplayHost<Source: RecordingSource & ~Copyable>: Host, ~Copyable {
  /// How far the recording went.
  public enum Ending: Sendable, Equatable {
    case whole
    /// It breaks off: the recording program was killed, or the power went.
    case cut
    /// The recorder could not write for a while; what follows hangs in the air.
    case gap(lost: UInt32)
    case different(Difference)
    case unreadable(RecordingError)
  }

  public private(set) var now: Instant
  public private(set) var ending: Ending?
  public private(set) var arrivals = 0
  public private(set) var effects = 0
  /// Where the last thing stands that was repeated.
  public private(set) var part: UInt32 = 1
  public private(set) var line = 0
  public private(set) var source: Source
  private var upcoming: Recorded?
  private var last: Recorded?

  /// - Parameter now: when the recording begins.
  public init(_ source: consuming Source, at now: Instant) {
    self.source = source
    self.now = now
    advance()
  }

  private mutating func advance() {
    if let upcoming { (part, line) = (upcoming.part, upcoming.line) }
    upcoming = nil
    do throws(RecordingError) {
      upcoming = try source.next()
    } catch {
      ending = .unreadable(error)
    }
  }

  public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    if ending != nil { return .end }
    guard let arrived = upcoming else { return end(.cut) }
    switch arrived.content {
    case .effect(let fields):
      return end(.different(Difference(recorded: fields, got: nil, at: arrived, after: last)))
    case .gap(let lost): return end(.gap(lost: lost))
    case .end:
      now = arrived.at
      return end(.whole)
    case .event(let event):
      come(arrived)
      return .event(event)
    case .bytes(let bytes, let role):
      guard bytes.count <= buffer.count else {
        return end(.unreadable(RecordingError(problem: .damaged, line: arrived.line)))
      }
      for index in bytes.indices { buffer[index] = bytes[index] }
      come(arrived)
      return .bytes(count: bytes.count, from: role)
    }
  }

  private mutating func come(_ arrived: Recorded) {
    now = arrived.at
    last = arrived
    arrivals += 1
    advance()
  }

  private mutating func end(_ ending: Ending) -> Arrival {
    self.ending = ending
    return .end
  }

  public mutating func push(_ effect: Effect) {
    switch ending {
    case nil: break
    // The recording is unreadable from here on; what it would have said is not known.
    case .unreadable, .cut, .gap, .different, .whole: return
    }
    var got = FieldWriter()
    got.add(effect)
    guard let recorded = upcoming else {
      // The last lines of a recording that breaks off may be missing.
      return
    }
    guard case .effect(let fields) = recorded.content, fields == got.bytes, recorded.at == now
    else {
      var fields: [UInt8]?
      if case .effect(let recorded) = recorded.content { fields = recorded }
      let place = fields == nil ? last ?? recorded : recorded
      ending = .different(Difference(recorded: fields, got: got.bytes, at: place, after: last))
      return
    }
    effects += 1
    advance()
  }
}
