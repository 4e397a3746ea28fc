import Foundation
import MachineAccess
import NMEA
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// When the machine's date is set by the receiver's. No test here touches this machine's.
@Suite(.blocking) struct ClockKeeperTests {
  private let note: Comment = "repeat with: swift test --filter ClockKeeperTests"

  private final class FakeClock: SystemClock {
    /// The date at the start of the run.
    var atStart: UTC
    var now = Instant.start
    var synchronised: Result<Bool, SystemError> = .success(false)
    var refusal: SystemError?
    private(set) var sets: [UTC] = []

    init(_ date: UTC) { atStart = date }

    var date: UTC { atStart + (now - .start) }
    func isSynchronised() throws(SystemError) -> Bool { try synchronised.get() }
    func set(_ date: UTC) throws(SystemError) -> Bool {
      sets.append(date)
      if let refusal { throw refusal }
      atStart = date + (.start - now)
      return true
    }
  }

  private final class FakeFeed: TimeFeed {
    var refusal: SystemError?
    private(set) var samples: [(time: UTC, received: UTC)] = []
    func feed(_ time: UTC, received: UTC) throws(SystemError) {
      if let refusal { throw refusal }
      samples.append((time, received))
    }
  }

  /// 2026-05-01 06:00:00, the receiver's date at the start of the run.
  private static let day = UTC(milliseconds: 1_777_615_200_000)

  /// A keeper that hears what a tracker reads.
  private struct Ear: EffectSink {
    var keeper: ClockKeeper
    let log: Log
    var now = Instant.start

    mutating func push(_ effect: Effect) {}
    mutating func remember(_ memory: Memory) {}
    mutating func heard(_ report: Epoch) { keeper.heard(report, at: now, log) }
    mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {
      keeper.read(isReportOpen: isReportOpen, at: now)
    }
  }

  /// A keeper whose receiver reports once a second, in two pieces.
  private struct Rig {
    private var ear: Ear
    private var tracker = Tracker(
      board: .none, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText("A"), seed: 1),
      at: .start)
    let clock: FakeClock
    let tape = LogTape()
    /// How far the receiver's date is from the true one.
    var step: Milliseconds = 0
    private var second: Int64 = 0

    init(_ clock: FakeClock, feed: FakeFeed? = nil) {
      self.clock = clock
      ear = Ear(
        keeper: ClockKeeper(feed.map { .feed($0, clock) } ?? .set(clock)), log: tape.log)
    }

    var now: Instant { .start + .seconds(second) }
    var utc: UTC { ClockKeeperTests.day + .seconds(second) + step }

    mutating func report(seconds: Int) {
      for _ in 0..<seconds {
        second += 1
        clock.now = now
        let date = Date(timeIntervalSince1970: Double(utc.milliseconds / 1000))
        let lines = ReceiverLine.report(date, Int(second)).utf8.split(
          separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        for (number, piece) in lines.enumerated() {
          ear.now = now + Milliseconds(Int64(number) * 150)
          clock.now = ear.now
          let bytes = piece + [0x0A]
          tracker.receive(Array(bytes).span, from: .receiver, at: ear.now, into: &ear)
        }
        clock.now = now
      }
    }

    mutating func trust() { ear.keeper.isTrusted(utc, at: now, tape.log) }
    var text: String? { ear.keeper.text(at: now) }
  }

  @Test func `In 1970 it is set once, when the receiver's is trusted and not before`() {
    var rig = Rig(FakeClock(UTC(milliseconds: 40_000)))
    rig.report(seconds: 30)
    #expect(rig.clock.sets.isEmpty && rig.tape.lines().isEmpty, note)
    #expect(rig.text == "waits for the receiver's time", note)
    rig.trust()
    #expect(rig.clock.sets == [rig.utc] && rig.clock.date == rig.utc, note)
    #expect(
      rig.tape.lines() == [
        "<5>the system clock was set by the receiver from=\"1970-01-01 00:01:10\" "
          + "to=\"2026-05-01 06:00:30\""
      ], note)
    rig.report(seconds: 300)
    #expect(rig.clock.sets.count == 1 && rig.text == "set by the receiver 5 min ago", note)
  }

  @Test func `It is set again when it is off again, backward too`() {
    var rig = Rig(FakeClock(Self.day))
    rig.trust()
    rig.report(seconds: 60)
    #expect(rig.clock.sets.isEmpty && rig.text == "agrees with the receiver's", note)
    for step: Int64 in [3600, -3600] {
      rig.clock.atStart = Self.day + .seconds(step)
      rig.report(seconds: 30)
      #expect(rig.clock.date == rig.utc, note)
    }
    #expect(rig.clock.sets.count == 2, note)
  }

  static let offsets: [(milliseconds: Int64, isSet: Bool)] = [
    (2000, false), (-2000, false), (2001, true), (-2001, true),
  ]

  @Test(arguments: offsets)
  func `A difference of two seconds is left alone`(_ milliseconds: Int64, _ isSet: Bool) {
    var rig = Rig(FakeClock(Self.day + Milliseconds(milliseconds)))
    rig.trust()
    #expect(rig.clock.sets.isEmpty != isSet, note)
  }

  @Test func `A date that a time service keeps is never touched`() {
    var rig = Rig(FakeClock(Self.day + .hours(5)))
    rig.clock.synchronised = .success(true)
    rig.trust()
    rig.report(seconds: 60)
    #expect(rig.clock.sets.isEmpty && rig.text == "kept by a time service", note)
    // The service has ended.
    rig.clock.synchronised = .success(false)
    rig.report(seconds: 15)
    #expect(rig.clock.sets.count == 1, note)
  }

  @Test func `Without the right to set it one line says the cure, and it is not tried again`() {
    var rig = Rig(FakeClock(UTC(milliseconds: 0)))
    rig.clock.refusal = SystemError(code: EPERM)
    rig.trust()
    rig.report(seconds: 600)
    #expect(rig.clock.sets.count == 1, note)
    #expect(
      rig.tape.lines() == [
        "<3>the system clock cannot be set why=\"Operation not permitted\" "
          + "cure=\"start trackerd-clock.socket, or give trackerd CAP_SYS_TIME\""
      ], note)
    #expect(rig.text == "not kept: Operation not permitted", note)
    // Nor where the kernel does not say whether its date is right.
    rig = Rig(FakeClock(UTC(milliseconds: 0)))
    rig.clock.synchronised = .failure(SystemError(code: EPERM))
    rig.trust()
    #expect(rig.clock.sets.isEmpty && rig.tape.lines().count == 1, note)
  }

  @Test func `A receiver whose date steps sets nothing until it is trusted again`() {
    var rig = Rig(FakeClock(Self.day))
    rig.trust()
    rig.report(seconds: 20)
    rig.step = .hours(3)
    rig.report(seconds: 60)
    #expect(rig.clock.sets.isEmpty, note)
    // It is believed nowhere until the core says so.
    rig.step = 0
    rig.clock.atStart = Self.day + .hours(1)
    rig.report(seconds: 60)
    #expect(rig.clock.sets.isEmpty, note)
    rig.trust()
    #expect(rig.clock.sets.count == 1 && rig.clock.date == rig.utc, note)
  }

  @Test func `Each report that counts is fed to chrony, with the date of its arrival`() {
    let feed = FakeFeed()
    var rig = Rig(FakeClock(Self.day + .seconds(7)), feed: feed)
    rig.report(seconds: 10)
    rig.trust()
    #expect(feed.samples.isEmpty, note)
    rig.report(seconds: 60)
    #expect((59...60).contains(feed.samples.count) && rig.clock.sets.isEmpty, note)
    #expect(feed.samples.allSatisfy { $0.received - $0.time == .seconds(7) }, note)
    #expect(
      rig.tape.lines() == ["<5>chrony is fed with the receiver's time refclock=\"SHM 0\""], note)
    rig.step = .minutes(1)
    let count = feed.samples.count
    rig.report(seconds: 60)
    #expect(feed.samples.count <= count + 1, note)
  }

  @Test func `What the daemon's tracker reads of the receiver is what its clock is kept by`() throws
  {
    let (feed, clock) = (FakeFeed(), FakeClock(Self.day))
    var parts = try LinuxParts.idle()
    parts.clockKeeper = ClockKeeper(.feed(feed, clock))
    let time = BootClock()
    var world = try LinuxWorld(parts, clock: time)
    world.push(.note(.clockTrusted(Self.day)))
    world.heard(SentenceCounts(), isReportOpen: true)
    var bytes = [UInt8](repeating: 0, count: 64)
    var buffer = bytes.mutableSpan
    _ = world.wait(until: time.now + 50, filling: &buffer)
    var report = Epoch()
    report.mode = .threeDimensional
    report.dayNumber = Int32(Self.day.milliseconds / 86_400_000)
    report.timeOfDayMilliseconds = Int32(Self.day.milliseconds % 86_400_000)
    world.heard(report)
    let sample = try #require(feed.samples.first, note)
    // It was right when the first of its bytes were read.
    #expect(sample.time == Self.day && clock.date - sample.received >= 50, note)
  }

  @Test func `A receiver 1024 weeks early feeds the right date`() throws {
    let feed = FakeFeed()
    var rig = Rig(FakeClock(Self.day), feed: feed)
    rig.report(seconds: 5)
    rig.trust()
    rig.step = .hours(-1024 * 7 * 24)
    rig.report(seconds: 20)
    let last = try #require(feed.samples.last, note)
    #expect(last.time > Self.day && last.received == last.time, note)
  }

  @Test func `A segment that belongs to another user is one line, and is tried again`() {
    let feed = FakeFeed()
    feed.refusal = SystemError(code: EACCES)
    var rig = Rig(FakeClock(Self.day), feed: feed)
    rig.trust()
    rig.report(seconds: 200)
    #expect(
      rig.tape.lines() == [
        "<3>chrony cannot be fed why=\"Permission denied\" "
          + "cure=\"write refclock SHM 0:perm=0666 in chrony.conf\""
      ], note)
    feed.refusal = nil
    rig.report(seconds: 70)
    #expect(!feed.samples.isEmpty && rig.text == "chrony is fed with the receiver's time", note)
  }

  @Test func `Left alone is left alone`() {
    let tape = LogTape()
    var keeper = ClockKeeper(.leave)
    keeper.isTrusted(Self.day, at: .start, tape.log)
    #expect(keeper.text(at: .start) == nil && tape.lines().isEmpty, note)
  }

  @Test func `The kernel can be asked whether its date is synchronised`() throws {
    let clock = KernelClock()
    _ = try clock.isSynchronised()
    #expect((clock.date - BootClock.date).count.magnitude < 60_000, note)
  }
}

/// The segment that chrony and ntpd read.
@Suite(.blocking) struct SharedMemoryClockTests {
  private let note: Comment = "repeat with: swift test --filter SharedMemoryClockTests"

  /// Where `struct shmTime` has its members where `long` has 64 bits.
  private enum Offset {
    static let mode = 0
    static let count = 4
    static let clockSeconds = 8
    static let clockMicroseconds = 16
    static let receiveSeconds = 24
    static let receiveMicroseconds = 32
    static let leap = 36
    static let precision = 40
    static let samples = 44
    static let valid = 48
    static let clockNanoseconds = 52
    static let receiveNanoseconds = 56
    static let size = 96
  }

  @Test func `A reader of mode 1 finds each sample whole`() throws {
    let clock = SharedMemoryClock(key: IPC_PRIVATE)
    try clock.feed(
      UTC(milliseconds: 1_777_615_200_123), received: UTC(milliseconds: 1_777_615_207_456))
    let identifier = try #require(clock.identifier, note)
    defer { shmctl(identifier, IPC_RMID, nil) }
    var facts = shmid_ds()
    #expect(shmctl(identifier, IPC_STAT, &facts) == 0, note)
    #expect(facts.shm_segsz == Offset.size && facts.shm_perm.mode & 0o777 == 0o600, note)
    let segment = try #require(shmat(identifier, nil, 0), note)
    defer { shmdt(segment) }
    func int(_ offset: Int) -> Int32 { segment.load(fromByteOffset: offset, as: Int32.self) }
    func long(_ offset: Int) -> Int { segment.load(fromByteOffset: offset, as: Int.self) }
    #expect(int(Offset.mode) == 1 && int(Offset.valid) == 1 && int(Offset.count) == 2, note)
    #expect(long(Offset.clockSeconds) == 1_777_615_200, note)
    #expect(int(Offset.clockMicroseconds) == 123_000, note)
    #expect(int(Offset.clockNanoseconds) == 123_000_000, note)
    #expect(long(Offset.receiveSeconds) == 1_777_615_207, note)
    #expect(int(Offset.receiveMicroseconds) == 456_000, note)
    #expect(int(Offset.receiveNanoseconds) == 456_000_000, note)
    #expect(int(Offset.leap) == 0 && int(Offset.precision) == -1 && int(Offset.samples) == 3)
    // The reader takes it; the next one is valid again, and counted.
    segment.storeBytes(of: 0, toByteOffset: Offset.valid, as: Int32.self)
    try clock.feed(UTC(milliseconds: 1_777_615_201_123), received: UTC(milliseconds: 1))
    #expect(int(Offset.valid) == 1 && int(Offset.count) == 4, note)
    #expect(long(Offset.clockSeconds) == 1_777_615_201, note)
  }

  @Test func `Without chronyd's segment nothing is fed, and none is made`() {
    // Of ours, and of nobody else.
    let key = Int32.random(in: 0x7472_0000...0x7472_FFFF)
    let clock = SharedMemoryClock(key: key)
    #expect(throws: SystemError("shmget", code: ENOENT), note) {
      try clock.feed(UTC(milliseconds: 1_777_615_200_123), received: UTC(milliseconds: 1))
    }
    #expect(shmget(key_t(key), 1, 0) == -1, note)
  }

  @Test func `A date kept by a time service is left alone, though only the helper knows`() {
    let clock = KeptClock()
    var keeper = ClockKeeper(.set(clock))
    let tape = LogTape()
    keeper.isTrusted(UTC(milliseconds: 1_777_615_200_000), at: .start, tape.log)
    #expect(keeper.text(at: .start) == "kept by a time service", note)
    #expect(clock.asked == 1 && tape.lines().isEmpty, note)
  }

  /// In 1970, and kept there.
  private final class KeptClock: SystemClock {
    private(set) var asked = 0
    var date: UTC { UTC(milliseconds: 0) }
    func isSynchronised() throws(SystemError) -> Bool { false }
    func set(_ date: UTC) throws(SystemError) -> Bool {
      asked += 1
      return false
    }
  }

  @Test func `A date before 1970 is not fed`() throws {
    let clock = SharedMemoryClock(key: IPC_PRIVATE)
    try clock.feed(UTC(milliseconds: -1), received: UTC(milliseconds: 1))
    let identifier = try #require(clock.identifier, note)
    defer { shmctl(identifier, IPC_RMID, nil) }
    let segment = try #require(shmat(identifier, nil, 0), note)
    defer { shmdt(segment) }
    #expect(segment.load(fromByteOffset: Offset.valid, as: Int32.self) == 0, note)
  }
}
