public import Courses
import TrackerCore

/// A source of recorded items, in order.
public protocol RecordingSource: ~Copyable {
  /// - Returns: `nil` at the end.
  mutating func next() throws(RecordingError) -> Recorded?
}

/// A host that repeats a recording's input and compares the tracker's effects with the recorded
/// ones.
public struct ReplayHost<Source: RecordingSource & ~Copyable>: Host, CourseHolder, ~Copyable {
  /// How the replay ended.
  public enum Ending: Sendable, Equatable {
    case whole
    /// The recording breaks off: the program was killed or lost its power.
    case cut
    /// The recorder could not write for a while; what follows cannot be replayed.
    case gap(lost: UInt32)
    case different(Difference)
    case unreadable(RecordingError)
  }

  public private(set) var now: Instant
  public private(set) var ending: Ending?
  public private(set) var arrivals = 0
  public private(set) var effects = 0
  /// The position of the last item that was replayed.
  public private(set) var part: UInt32 = 1
  public private(set) var line = 0
  public private(set) var source: Source
  /// As the recording has it. (Swift 6.2 takes no `let` here, as the initialiser goes on.)
  public private(set) var courseTable: CourseTable?
  public private(set) var courseView: CourseView?
  private var upcoming: Recorded?
  private var last: Recorded?

  /// - Parameters:
  ///   - now: the instant at which the recording begins.
  ///   - course: `RecordingHeader.course`.
  public init(_ source: consuming Source, at now: Instant, course: MappedCourse? = nil) {
    self.source = source
    courseTable = course.map { CourseTable($0) }
    courseView = courseTable?.view
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
    var got = FieldWriter()
    got.add(effect)
    compare(got)
  }

  public mutating func remember(_ memory: Memory) {
    var got = FieldWriter()
    got.remember(memory)
    compare(got)
  }

  private mutating func compare(_ got: FieldWriter) {
    switch ending {
    case nil: break
    // There is nothing left to compare with.
    case .unreadable, .cut, .gap, .different, .whole: return
    }
    guard let recorded = upcoming else {
      // The recording breaks off; its last lines may be missing.
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
