import NMEA

/// The result of `Host.wait`.
public enum Arrival: Sendable, Equatable {
  /// This many bytes are at the front of the buffer.
  case bytes(count: Int, from: SerialRole)
  case event(Event)
  /// `Host.newSettings` has them.
  case newSettings
  /// Somebody wants to look at the tracker: `Host.inspect` is called with it. Not an input.
  case inspection
  /// The machine was halted, or the simulated program was killed, and has started again:
  /// `Host.restart` is called with the tracker. Not an input. A real program that ends and begins
  /// again never gets it.
  case restart
  /// The run is over, or the daemon was told to stop.
  case end
}

/// The environment that a tracker runs in: Linux, the simulator, or bare metal.
///
/// `push` performs or starts an effect; it must not call the tracker. `wait` returns completions
/// later, in order.
public protocol Host: EffectSink, ~Copyable {
  /// The monotonic clock. It does not advance while the tracker handles an input.
  var now: Instant { get }
  /// Sleeps until something arrives or `deadline` is reached (`.event(.deadlineReached)`),
  /// whichever is first. Never returns earlier. Bytes are written to `buffer`.
  mutating func wait(until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>) -> Arrival
  /// After `wait` has returned `newSettings`, until it is called again. Without a default: a host
  /// around another one would lose them.
  var newSettings: NewSettings? { get }
  /// After `wait` has returned `inspection`.
  mutating func inspect(_ tracker: borrowing Tracker)
  /// After `wait` has returned `restart`: replaces the tracker by one that has just started. A host
  /// around another one passes it on.
  mutating func restart(_ tracker: inout Tracker)
}

extension Host where Self: ~Copyable {
  public mutating func inspect(_ tracker: borrowing Tracker) {}
  public mutating func restart(_ tracker: inout Tracker) {}
}

/// The one loop. Daemon, simulator and firmware all run this.
public func run(_ tracker: inout Tracker, in host: inout some Host & ~Copyable) {
  var buffer = InlineArray<1024, UInt8>(repeating: 0)
  while true {
    var free = buffer.mutableSpan
    switch host.wait(until: tracker.nextDeadline, filling: &free) {
    case .bytes(let count, let role):
      tracker.receive(
        buffer.span.extracting(first: count), from: role, at: host.now, into: &host)
    case .event(let event):
      tracker.handle(event, at: host.now, into: &host)
    case .newSettings:
      adoptSettings(&tracker, of: &host)
    case .inspection:
      inspect(&tracker, by: &host)
    case .restart:
      host.restart(&tracker)
    case .end:
      return
    }
  }
}

// Apart, for the stack that they take.

@inline(never)
private func adoptSettings(_ tracker: inout Tracker, of host: inout some Host & ~Copyable) {
  guard let new = host.newSettings else { return }
  tracker.adopt(new, at: host.now, into: &host)
}

/// What looks at a tracker may take a copy of it.
@inline(never)
private func inspect(_ tracker: inout Tracker, by host: inout some Host & ~Copyable) {
  host.inspect(tracker)
}

/// Observes everything that passes between a tracker and its host.
public protocol HostObserver {
  /// The bytes of the arrival that is reported next. Most observers do not need them.
  mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant)
  /// The settings of the arrival that is reported next.
  mutating func received(_ settings: NewSettings, at now: Instant)
  mutating func arrived(_ arrival: Arrival, at now: Instant)
  mutating func pushed(_ effect: Effect, at now: Instant)
  mutating func remembered(_ memory: Memory, at now: Instant)
  // What the tracker reads of the receiver, as `EffectSink` says.
  mutating func heard(
    _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant)
  mutating func heard(_ report: Epoch, at now: Instant)
  mutating func heard(_ counts: SentenceCounts, at now: Instant)
}

extension HostObserver {
  public mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {}
  public mutating func received(_ settings: NewSettings, at now: Instant) {}
  public mutating func remembered(_ memory: Memory, at now: Instant) {}
  public mutating func heard(
    _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant
  ) {}
  public mutating func heard(_ report: Epoch, at now: Instant) {}
  public mutating func heard(_ counts: SentenceCounts, at now: Instant) {}
}

/// Any host with an observer in between, which sees exactly what the tracker sees.
public struct Observed<Base: Host & ~Copyable, Observer: HostObserver>: Host, ~Copyable {
  public var base: Base
  public var observer: Observer

  public init(_ base: consuming Base, by observer: Observer) {
    self.base = base
    self.observer = observer
  }

  public var now: Instant { base.now }

  @inline(never) public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    let arrival = base.wait(until: deadline, filling: &buffer)
    if case .bytes(let count, let role) = arrival {
      observer.received(buffer.span.extracting(first: count), from: role, at: base.now)
    }
    if case .newSettings = arrival, let new = base.newSettings {
      observer.received(new, at: base.now)
    }
    if arrival != .inspection { observer.arrived(arrival, at: base.now) }
    return arrival
  }

  public var newSettings: NewSettings? { base.newSettings }
  public mutating func inspect(_ tracker: borrowing Tracker) { base.inspect(tracker) }
  public mutating func restart(_ tracker: inout Tracker) { base.restart(&tracker) }

  public var coursePointCount: Int32 { base.coursePointCount }
  public func coursePoint(_ index: Int32) -> CoursePoint { base.coursePoint(index) }
  public var coursePlaceCount: Int32 { base.coursePlaceCount }
  public func coursePlace(_ index: Int32) -> CoursePlace { base.coursePlace(index) }
  public var courseErrorMetres: Int32 { base.courseErrorMetres }
  public var courseLimits: CourseLimits { base.courseLimits }
  public var courseCoverage: CourseCoverage { base.courseCoverage }

  public mutating func push(_ effect: Effect) {
    observer.pushed(effect, at: base.now)
    base.push(effect)
  }

  public mutating func remember(_ memory: Memory) {
    observer.remembered(memory, at: base.now)
    base.remember(memory)
  }

  public mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {
    observer.heard(kind, talker, fields, at: base.now)
    base.heard(kind, talker, fields)
  }

  public mutating func heard(_ report: Epoch) {
    observer.heard(report, at: base.now)
    base.heard(report)
  }

  public mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {
    observer.heard(counts, at: base.now)
    base.heard(counts, isReportOpen: isReportOpen)
  }
}
