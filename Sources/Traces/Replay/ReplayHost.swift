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
  /// What is compared with the recording.
  public enum Comparison: Sendable {
    /// Each effect.
    case effects
    /// The digests that a controller records in place of its effects.
    case digests
    /// Nothing: only the input is repeated.
    case nothing
  }

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
  public private(set) var newSettings: NewSettings?
  public private(set) var arrivals = 0
  public private(set) var effects = 0
  /// The position of the last item that was replayed.
  public private(set) var part: UInt32 = 1
  public private(set) var line = 0
  public private(set) var source: Source
  /// As the recording has it.
  // Not a `let` as long as Swift 6.2 has to compile this: the initialiser goes on after it.
  public private(set) var courseTable: CourseTable?
  public private(set) var courseView: CourseView?
  private let comparison: Comparison
  private var digest = EffectDigest()
  private var upcoming: Recorded?
  private var last: Recorded?

  /// - Parameters:
  ///   - now: the instant at which the recording begins.
  ///   - course: `RecordingHeader.course`.
  ///   - comparison: `effects` but for a controller's recording.
  public init(
    _ source: consuming Source, at now: Instant, course: MappedCourse? = nil,
    comparing comparison: Comparison = .effects
  ) {
    self.source = source
    self.comparison = comparison
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
    while case .digest(let recorded)? = upcoming?.content {
      if comparison == .digests, recorded != digest.value { return endDifferent(recorded) }
      advance()
    }
    // What comes after a digest may be unreadable.
    if ending != nil { return .end }
    guard let arrived = upcoming else { return end(.cut) }
    switch arrived.content {
    case .digest: return end(.cut)
    case .effect(let fields):
      return end(.different(Difference(recorded: fields, got: nil, at: arrived, after: last)))
    case .gap(let lost): return end(.gap(lost: lost))
    case .end:
      now = arrived.at
      return end(.whole)
    case .event(let event):
      come(arrived)
      return .event(event)
    case .settings(let settings):
      newSettings = settings
      come(arrived)
      return .newSettings
    case .bytes(let bytes, let role):
      guard bytes.count <= buffer.count else {
        return end(.unreadable(RecordingError(problem: .damaged, line: arrived.line)))
      }
      for index in bytes.indices { buffer[index] = bytes[index] }
      come(arrived)
      return .bytes(count: bytes.count, from: role)
    }
  }

  private mutating func endDifferent(_ recorded: UInt32) -> Arrival {
    func words(_ digest: UInt32) -> [UInt8] { Array("digest \(String(digest, radix: 16))".utf8) }
    guard let last = last ?? upcoming else { return end(.cut) }
    return end(
      .different(
        Difference(
          recorded: words(recorded), got: words(digest.value), at: last, after: last)))
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
    if comparison != .effects {
      digest.add(effect)
      effects += 1
      return
    }
    var got = FieldWriter()
    got.add(effect)
    compare(got)
  }

  public mutating func remember(_ memory: Memory) {
    if comparison != .effects {
      digest.add(memory)
      effects += 1
      return
    }
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
    guard case .effect(let fields) = recorded.content, fields == got.bytes.kept, recorded.at == now
    else {
      var fields: [UInt8]?
      if case .effect(let recorded) = recorded.content { fields = recorded }
      let place = fields == nil ? last ?? recorded : recorded
      ending = .different(Difference(recorded: fields, got: got.bytes.kept, at: place, after: last))
      return
    }
    effects += 1
    advance()
  }
}

/// The items of a recording in order. A receiver's chunk waits until its bytes, which are in the
/// lines that follow, have been read.
struct ReplayQueue {
  private struct Entry {
    var recorded: Recorded
    var bytes: [UInt8] = []
    /// Bytes still to be read.
    var missing = 0
    /// Takes all bytes that follow.
    var isOpen = false
  }

  private var entries: [Entry] = []

  /// Whether more items wait than in any valid recording.
  var isOverfull: Bool { entries.count > TraceBounds.waiting }

  /// Appends a complete item.
  mutating func append(_ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded))
  }

  /// Appends a chunk that takes the lines that follow.
  mutating func open(_ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded, isOpen: true))
  }

  /// Appends a chunk of `count` bytes.
  mutating func expect(_ count: Int, _ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded, missing: count))
  }

  /// Closes the open chunk, which has `count` more bytes.
  ///
  /// - Returns: the chunk; `nil` if none is open.
  @discardableResult
  mutating func closeOpen(expecting count: Int) -> Recorded? {
    guard let last = entries.indices.last, entries[last].isOpen else { return nil }
    entries[last].isOpen = false
    entries[last].missing = count
    return entries[last].recorded
  }

  /// Closes the open chunk, if there is one.
  mutating func close() { closeOpen(expecting: 0) }

  /// Gives bytes of the receiver to the first chunks that are incomplete.
  ///
  /// - Returns: `false` if bytes are left over.
  mutating func fill(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    for index in entries.indices where !rest.isEmpty {
      let count = entries[index].isOpen ? rest.count : min(entries[index].missing, rest.count)
      if count == 0 { continue }
      entries[index].bytes += rest.prefix(count)
      if !entries[index].isOpen { entries[index].missing -= count }
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty
  }

  /// Removes the first incomplete chunk and everything after it, whose order is lost.
  mutating func dropUnfinished() {
    if let index = entries.firstIndex(where: { $0.isOpen || $0.missing > 0 }) {
      entries.removeSubrange(index...)
    }
  }

  /// Completes all chunks with the bytes that they have.
  mutating func finishAll() {
    for index in entries.indices {
      entries[index].isOpen = false
      entries[index].missing = 0
    }
  }

  mutating func takeReady() -> Recorded? {
    guard let first = entries.first, !first.isOpen, first.missing == 0 else { return nil }
    entries.removeFirst()
    var recorded = first.recorded
    if case .bytes(let known, let role) = recorded.content, known.isEmpty {
      recorded.content = .bytes(first.bytes, from: role)
    }
    return recorded
  }
}

/// The first difference between a replay and its recording.
public struct Difference: Sendable, Equatable {
  /// The recorded effect; `nil` if there is none at this point.
  public var recorded: String?
  /// The replayed tracker's effect; `nil` if there is none at this point.
  public var got: String?
  public var at: Instant
  public var part: UInt32
  public var line: Int
  /// The tracker's last input.
  public var cause: String

  init(recorded: [UInt8]?, got: [UInt8]?, at place: Recorded, after last: Recorded?) {
    self.recorded = recorded.map { String(decoding: $0, as: UTF8.self) }
    self.got = got.map { String(decoding: $0, as: UTF8.self) }
    at = place.at
    part = place.part
    line = place.line
    cause = last?.summary ?? "the start"
  }
}

extension Recorded {
  /// A short description.
  var summary: String {
    switch content {
    case .bytes(let bytes, let role): return "\(bytes.count) bytes from the \(role)"
    case .event(let event): return words(event)
    case .settings(let settings): return words(settings)
    case .effect, .digest, .gap, .end: return "the start"
    }
  }

  private func words(_ arrival: some FieldWritable) -> String {
    var fields = FieldWriter()
    fields.add(arrival)
    return "'\(String(decoding: fields.bytes.kept, as: UTF8.self))'"
  }
}
