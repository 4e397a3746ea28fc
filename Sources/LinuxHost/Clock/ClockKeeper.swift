import NMEA
import SystemCalls
import TrackerCore
import Wording

/// Keeps the machine's date by the receiver's time, if the settings say so: a Raspberry Pi has no
/// clock that runs while it is off, and TLS fails in 1970.
///
/// The date is only set when the core trusts the receiver's, the kernel counts its own as not
/// synchronised, and the two differ by more than `tolerance`, in either direction. A date that a
/// time service keeps is never touched.
public struct ClockKeeper {
  public enum Way {
    case leave
    case set(any SystemClock)
    /// chrony sets the date; it is told the receiver's time.
    case feed(any TimeFeed, any SystemClock)
  }

  private enum State: Equatable {
    /// The receiver's time is not trusted yet.
    case waiting
    /// A time service keeps the date.
    case synchronised
    case agrees
    case set(at: Instant)
    case fed
    case failed(String)
  }

  private let way: Way
  private var receiver = ReceiverTime()
  private var state = State.waiting
  private var lookAt = Instant.start
  /// Setting is not allowed, and would not be later.
  private var hasGivenUp = false

  public init(_ way: Way) { self.way = way }

  var isActive: Bool { if case .leave = way { false } else { true } }

  /// The core trusts the receiver's date.
  mutating func isTrusted(_ utc: UTC, at now: Instant, _ log: Log) {
    guard isActive else { return }
    let dated = receiver.isTrusted(utc, at: now)
    // The instant is that of the decision, which is good enough to compare dates, not for chrony.
    guard case .set = way else { return }
    lookAt = now
    use(dated, at: now, log)
  }

  /// The receiver has reported.
  mutating func heard(_ report: Epoch, at now: Instant, _ log: Log) {
    guard isActive, let dated = receiver.heard(report, at: now) else { return }
    use(dated, at: now, log)
  }

  /// A piece of the receiver's bytes was read.
  mutating func read(isReportOpen: Bool, at now: Instant) {
    receiver.read(isReportOpen: isReportOpen, at: now)
  }

  private mutating func use(_ dated: DatedInstant, at now: Instant, _ log: Log) {
    guard now >= lookAt else { return }
    switch way {
    case .leave: break
    case .set(let clock):
      lookAt = now + HostBounds.clockInterval
      if !hasGivenUp { compare(clock, with: dated.utc(at: now), at: now, log) }
    case .feed(let feed, let clock): self.feed(dated, to: feed, by: clock, at: now, log)
    }
  }

  private mutating func compare(
    _ clock: any SystemClock, with date: UTC, at now: Instant, _ log: Log
  ) {
    do throws(SystemError) {
      if try clock.isSynchronised() {
        state = .synchronised
        return
      }
      let before = clock.date
      guard (date - before).count.magnitude > HostBounds.clockTolerance.count.magnitude else {
        if case .set = state { return }
        state = .agrees
        return
      }
      guard try clock.set(date) else {
        state = .synchronised
        lookAt = now + HostBounds.clockRetry
        return
      }
      state = .set(at: now)
      log.write(
        .notice, "the system clock was set by the receiver",
        ["from": CalendarText.text(before), "to": CalendarText.text(date)])
    } catch {
      // A helper that is just being started, or restarted, does it later.
      hasGivenUp = [Errno.notPermitted, Errno.accessDenied, Errno.invalid].contains(error.code)
      lookAt = now + HostBounds.clockRetry
      let failed = State.failed(error.reason)
      guard state != failed else { return }
      state = failed
      log.write(
        .error, "the system clock cannot be set",
        [
          "why": error.reason,
          "cure": "start trackerd-clock.socket, or give trackerd CAP_SYS_TIME",
        ])
    }
  }

  private mutating func feed(
    _ dated: DatedInstant, to feed: any TimeFeed, by clock: any SystemClock, at now: Instant,
    _ log: Log
  ) {
    // The date that the machine had when the report arrived.
    let received = clock.date + (dated.at - now)
    do throws(SystemError) {
      try feed.feed(dated.utc, received: received)
      if case .fed = state { return }
      state = .fed
      log.write(.notice, "chrony is fed with the receiver's time", ["refclock": "SHM 0"])
    } catch {
      lookAt = now + HostBounds.clockRetry
      if case .failed(error.reason) = state { return }
      state = .failed(error.reason)
      log.write(
        .error, "chrony cannot be fed",
        ["why": error.reason, "cure": "write refclock SHM 0:perm=0666 in chrony.conf"])
    }
  }

  /// For people; `nil` if the machine's date is left alone.
  func text(at now: Instant) -> String? {
    guard isActive else { return nil }
    switch state {
    case .waiting: return "waits for the receiver's time"
    case .synchronised: return "kept by a time service"
    case .agrees: return "agrees with the receiver's"
    case .set(let at): return "set by the receiver \(Quantity.span(now - at, in: .english)) ago"
    case .fed: return "chrony is fed with the receiver's time"
    case .failed(let why): return "not kept: \(why)"
    }
  }
}

/// A date and the instant at which it was right.
struct DatedInstant: Equatable {
  var utc: UTC
  var at: Instant

  func utc(at instant: Instant) -> UTC { utc + (instant - at) }
}

/// The receiver's time, each time it reports it and as long as the core trusts it.
///
/// The core says when it begins to trust the date. From then on a report counts if it agrees with
/// those before. The first that does not ends this, as it ends the core's trust.
struct ReceiverTime {
  /// When the first sentence of the open report arrived.
  private var openedAt: Instant?
  private var trusted: DatedInstant?

  /// The core trusts this date now.
  mutating func isTrusted(_ utc: UTC, at now: Instant) -> DatedInstant {
    let dated = DatedInstant(utc: utc, at: now)
    trusted = dated
    return dated
  }

  /// - Returns: the report's time if it counts.
  mutating func heard(_ report: Epoch, at now: Instant) -> DatedInstant? {
    // What is open from now on is the next report.
    defer { openedAt = nil }
    return judge(report, at: openedAt ?? now)
  }

  mutating func read(isReportOpen: Bool, at now: Instant) {
    openedAt = isReportOpen ? openedAt ?? now : nil
  }

  private mutating func judge(_ epoch: Epoch, at arrived: Instant) -> DatedInstant? {
    guard let trusted, let raw = epoch.utcMilliseconds, epoch.mode != .noFix else { return nil }
    let expected = trusted.utc(at: arrived)
    // A receiver whose 10-bit week number has rolled over is 1024 weeks early, or a multiple.
    let rollover = Int64(Bounds.rolloverWeeks) * 7 * 86_400_000
    let (gap, isTooFar) = expected.milliseconds.subtractingReportingOverflow(raw)
    guard !isTooFar else { return nil }
    let (near, isTooLarge) = gap.addingReportingOverflow(rollover / 2)
    guard !isTooLarge else { return nil }
    let rollovers = near >= 0 ? near / rollover : -((rollover - 1 - near) / rollover)
    let utc = UTC(milliseconds: raw + rollovers * rollover)
    guard (utc - expected).count.magnitude <= Bounds.clockTolerance.count.magnitude else {
      self.trusted = nil
      return nil
    }
    let dated = DatedInstant(utc: utc, at: arrived)
    self.trusted = dated
    return dated
  }
}
