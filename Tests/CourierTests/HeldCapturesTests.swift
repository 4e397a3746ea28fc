import CaptureStore
import Courier
import SQLite
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// What the courier does with captures that a server may still act on.
@Suite struct HeldCapturesTests {
  static let again: Comment = "repeat with: swift test --filter HeldCapturesTests"
  static let mayActFor = Milliseconds.minutes(10)

  static func courier(
    _ store: CaptureStore, boot: String = "one", _ result: UplinkResult = lost
  ) -> Courier<ScriptedDialogue> {
    var dialogue = ScriptedDialogue { sequences in
      var result = result
      result.doubtful = sequences
      return result
    }
    dialogue.mayRepeat = false
    return Courier(store, dialogue, mayActFor: mayActFor, boot: boot)
  }

  static let lost = UplinkResult(outcome: .upload(.ambiguous))

  static func moment(_ minute: Int64, utc: UTC = Walk.start) -> HostTime {
    HostTime(utc: utc, uptime: .minutes(minute))
  }

  static func upload(
    _ courier: inout Courier<ScriptedDialogue>, _ selection: Selection, at now: HostTime
  ) throws -> Courier<ScriptedDialogue>.Completion {
    let request = UploadRequest(id: RequestID(1), selection: selection)
    _ = courier.upload(request, at: now)
    guard case .done(let end) = courier.receive(.lost, at: now) else { throw Problem("no end") }
    return end
  }

  /// What a reconciliation asks about; `nil`: it ends without a question.
  static func asked(_ courier: inout Courier<ScriptedDialogue>, at now: HostTime) -> String? {
    guard case .send(let request) = courier.reconcile(RequestID(2), at: now) else { return nil }
    return request.url
  }

  static func store(_ count: UInt32) throws -> CaptureStore {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    try Walk.fill(store, count)
    return store
  }

  @Test func `Each batch of unknown fate has its own time, and others are sent meanwhile`() throws {
    let store = try Self.store(6)
    var courier = Self.courier(store)
    let first = try Self.upload(&courier, .freshest(limit: 2), at: Self.moment(100))
    #expect(
      first.event
        == .uploadFinished(
          RequestID(1), .ambiguous,
          queue: QueueCounts(pending: 6, held: 2, heldFor: Self.mayActFor)), Self.again)
    let second = try Self.upload(&courier, .freshest(limit: 1), at: Self.moment(104))
    #expect(second.doubtful == [4], Self.again)
    #expect(Self.asked(&courier, at: Self.moment(109)) == nil, Self.again)
    #expect(Self.asked(&courier, at: Self.moment(110)) == "reconcile 2", Self.again)
    _ = courier.receive(.lost, at: Self.moment(110))
    // Not there, and never will be: these two may be sent again. The third still may not.
    #expect(
      courier.counts(at: Self.moment(111))
        == QueueCounts(pending: 6, held: 1, heldFor: .minutes(3)), Self.again)
    let third = try Self.upload(&courier, .freshest(limit: 9), at: Self.moment(112))
    #expect(third.doubtful == [6, 5, 3, 2, 1], Self.again)
  }

  @Test(arguments: [500, 502] as [Int32])
  func `A server that broke down under way may still act`(_ status: Int32) throws {
    let store = try Self.store(1)
    var courier = Self.courier(
      store, UplinkResult(outcome: .upload(.busy(status: status, retryAfter: nil))))
    _ = try Self.upload(&courier, .freshest(limit: 1), at: Self.moment(1))
    #expect(courier.counts(at: Self.moment(1)).held == 1, Self.again)
    let none = try Self.upload(&courier, .oldest(limit: 9), at: Self.moment(2))
    #expect(none.doubtful == [], Self.again)
  }

  /// A board without a clock begins in 1970, and GNSS sets it; a wrong date may go back.
  @Test(arguments: [
    (UTC(milliseconds: 0), Walk.start), (Walk.start, UTC(milliseconds: 0)),
  ])
  func `A step of the date neither shortens the wait nor makes it longer`(
    _ before: UTC, _ after: UTC
  ) throws {
    let store = try Self.store(1)
    var courier = Self.courier(store)
    _ = try Self.upload(&courier, .freshest(limit: 1), at: Self.moment(100, utc: before))
    #expect(Self.asked(&courier, at: Self.moment(109, utc: after)) == nil, Self.again)
    // Nor does it for the next program that has the store.
    var next = Self.courier(store)
    #expect(Self.asked(&next, at: Self.moment(109, utc: after)) == nil, Self.again)
    #expect(Self.asked(&next, at: Self.moment(110, utc: after)) == "reconcile 1", Self.again)
  }

  @Test func `A program that starts anew goes on with the wait, and begins it anew after a reboot`()
    throws
  {
    let folder = try ScratchFolder()
    let path = try folder.store(3)
    func open() throws -> CaptureStore { try CaptureStore.open(.file(path), at: Walk.start) }
    do {
      var courier = Self.courier(try open())
      _ = try Self.upload(&courier, .oldest(limit: 1), at: Self.moment(100))
    }
    do {
      var courier = Self.courier(try open())
      #expect(
        courier.counts(at: Self.moment(104))
          == QueueCounts(pending: 3, held: 1, heldFor: .minutes(6)), Self.again)
      // It dies with a request under way: nobody knows when it gave that up.
      _ = courier.upload(
        UploadRequest(id: RequestID(1), selection: .oldest(limit: 1)), at: Self.moment(104))
    }
    do {
      var courier = Self.courier(try open())
      #expect(
        courier.counts(at: Self.moment(107))
          == QueueCounts(pending: 3, held: 2, heldFor: .minutes(3)), Self.again)
      #expect(Self.asked(&courier, at: Self.moment(110)) == "reconcile 1", Self.again)
    }
    // The machine starts: its clock counts from nothing, and how long it was off nobody knows.
    var courier = Self.courier(try open(), boot: "two")
    #expect(
      courier.counts(at: Self.moment(1))
        == QueueCounts(pending: 3, held: 2, heldFor: Self.mayActFor), Self.again)
    #expect(Self.asked(&courier, at: Self.moment(10)) == nil, Self.again)
    #expect(Self.asked(&courier, at: Self.moment(11)) == "reconcile 2", Self.again)
  }

  @Test func `A layer with GlobalIDs takes no second copy: nothing waits for it`() throws {
    let store = try Self.store(2)
    var dialogue = ScriptedDialogue { _ in Self.lost }
    dialogue.mayRepeat = true
    var courier = Courier(store, dialogue, mayActFor: Self.mayActFor, boot: "one")
    _ = try Self.upload(&courier, .freshest(limit: 1), at: Self.moment(1))
    #expect(courier.counts(at: Self.moment(1)) == QueueCounts(pending: 2), Self.again)
    #expect(Self.asked(&courier, at: Self.moment(1)) == "reconcile 1", Self.again)
  }

  /// A card's bit flips while the program runs, or while it is off.
  @Test(arguments: [false, true])
  func `Nothing is held for a capture that turns out to be damaged`(_ isRestarted: Bool) throws {
    let folder = try ScratchFolder()
    let path = try folder.store(3)
    func open() throws -> CaptureStore { try CaptureStore.open(.file(path), at: Walk.start) }
    var courier = Self.courier(try open())
    _ = try Self.upload(&courier, .oldest(limit: 2), at: Self.moment(100))
    try SQLiteDatabase(path: path).execute("UPDATE captures SET latitude = 7 WHERE key = 1")
    if isRestarted {
      courier = Self.courier(try CaptureStore.open(.memory, at: Walk.start))
      courier = Self.courier(try open())
    }
    // The other one's time has come; nobody asks about the damaged one, now or later.
    #expect(Self.asked(&courier, at: Self.moment(110)) == "reconcile 1", Self.again)
    _ = courier.receive(.lost, at: Self.moment(110))
    #expect(courier.counts(at: Self.moment(110)) == QueueCounts(pending: 2), Self.again)
    #expect(try SQLiteDatabase(path: path).integer("SELECT count(*) FROM held") == 0, Self.again)
  }
}
