import CaptureStore
import Courier
import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore
import Uplink

/// What becomes of the core's effects between the queue and a server.
@Suite struct CourierTests {
  static let again: Comment = "repeat with: swift test --filter CourierTests"
  static let now = HostTime(utc: Walk.start, uptime: .hours(1))
  static let all = UploadRequest(id: RequestID(4), selection: .oldest(limit: 100))

  static func result(_ outcome: UploadOutcome, acknowledged: [CaptureKey] = []) -> UplinkResult {
    var result = UplinkResult(outcome: .upload(outcome))
    result.acknowledged = acknowledged
    return result
  }

  static func answered(
    _ acknowledged: UInt32, refused: UInt32, first: CaptureKey = 0
  ) -> UploadOutcome {
    .answered(
      acknowledged: acknowledged, refused: refused, firstRefused: first,
      code: refused > 0 ? 1016 : 0)
  }

  /// A courier with so many captures, whose server gives every upload this result.
  static func courier(
    _ count: UInt32, _ upload: UplinkResult, in store: CaptureStore? = nil
  ) throws -> Courier<ScriptedDialogue> {
    let store = try store ?? CaptureStore.open(.memory, at: now.utc)
    if count > 0 { try Walk.fill(store, count) }
    return Courier(store, ScriptedDialogue { _ in upload }, boot: "one")
  }

  /// Brings a work to its end.
  static func end(
    _ step: Courier<ScriptedDialogue>.Step, _ courier: inout Courier<ScriptedDialogue>
  ) throws -> Courier<ScriptedDialogue>.Completion {
    var step = step
    while case .send = step { step = courier.receive(.lost, at: now) }
    guard case .done(let end) = step else { throw Problem("no end") }
    return end
  }

  @Test func `What the server has leaves the queue before the core hears of it`() throws {
    var courier = try Self.courier(
      3, Self.result(Self.answered(2, refused: 0), acknowledged: [1, 3]))
    let end = try Self.end(courier.upload(Self.all, at: Self.now), &courier)
    #expect(end.acknowledged == [1, 3] && end.problem == nil, Self.again)
    #expect(
      end.event
        == .uploadFinished(
          RequestID(4), Self.answered(2, refused: 0), queue: QueueCounts(pending: 1)), Self.again)
    #expect(courier.store.tally.acknowledged == 2, Self.again)
  }

  /// The core knows whether the server accepts anything at all; the courier does not.
  @Test func `What is refused by name stays in the queue until the core sets it aside`() throws {
    var refusing = Self.result(Self.answered(1, refused: 2, first: 2), acknowledged: [1])
    refusing.refused = [Refusal(key: 2, code: 1016), Refusal(key: 3, code: 1000)]
    var courier = try Self.courier(4, refusing)
    let end = try Self.end(courier.upload(Self.all, at: Self.now), &courier)
    guard case .uploadFinished(_, _, let queue) = end.event else { throw Problem("\(end)") }
    #expect(queue == QueueCounts(pending: 3), Self.again)
    let event = courier.setAside(.refusedOfLastUpload, at: Self.now)
    #expect(event == .queueChanged(QueueCounts(pending: 1, setAside: 2)), Self.again)
    let codes = try courier.store.page(limit: 9, state: .setAside).map(\.code)
    #expect(codes == [1016, 1000], Self.again)
    // Nothing is left of it for a second time.
    #expect(courier.setAside(.refusedOfLastUpload, at: Self.now) == event, Self.again)
  }

  @Test func `What was refused before another upload is forgotten with it`() throws {
    var refusing = Self.result(Self.answered(0, refused: 1, first: 1))
    refusing.refused = [Refusal(key: 1, code: 1016)]
    var courier = try Self.courier(2, refusing)
    _ = try Self.end(courier.upload(Self.all, at: Self.now), &courier)
    _ = courier.upload(Self.all, at: Self.now)
    let event = courier.setAside(.refusedOfLastUpload, at: Self.now)
    #expect(event == .queueChanged(QueueCounts(pending: 2)), Self.again)
  }

  @Test func `A reconciliation asks for all that is in flight, and for nothing else`() throws {
    var courier = try Self.courier(5, Self.result(.ambiguous))
    let request = UploadRequest(id: RequestID(1), selection: .freshest(limit: 2))
    _ = try Self.end(courier.upload(request, at: Self.now), &courier)
    let step = courier.reconcile(RequestID(2), at: Self.now)
    guard case .send(let request) = step else { throw Problem("\(step)") }
    #expect(request.url == "reconcile 2", Self.again)
    let end = try Self.end(step, &courier)
    #expect(
      end.event
        == .reconcileFinished(
          RequestID(2), .settled(confirmed: 0), queue: QueueCounts(pending: 5)), Self.again)
  }

  @Test func `An empty selection ends as such`() throws {
    let store = try CaptureStore.open(.memory, at: Self.now.utc)
    let settings = ArcGISConfiguration(
      address: try LayerAddress("https://gis.example.org/rest/services/T/FeatureServer/0"))
    var courier = Courier(store, try ArcGISDialogue(settings), boot: "one")
    guard case .done(let end) = courier.upload(Self.all, at: Self.now) else {
      throw Problem("a request for nothing")
    }
    #expect(
      end.event == .uploadFinished(RequestID(4), .empty, queue: QueueCounts(pending: 0)),
      Self.again)
  }

  @Test func `A capture that the disk does not take is not announced`() throws {
    let folder = try ScratchFolder()
    let store = try CaptureStore.openForReading(folder.store(2))
    var courier = try Self.courier(0, Self.result(.empty), in: store)
    #expect(courier.keep(Walk.capture(3), at: Self.now) == .storeFailed(sequence: 3), Self.again)
    #expect(courier.storeProblem?.kind == .readOnly, Self.again)
    // What cannot be marked as sent is not sent.
    let end = try Self.end(courier.upload(Self.all, at: Self.now), &courier)
    #expect(
      end.event == .uploadFinished(RequestID(4), .unreachable, queue: QueueCounts(pending: 2)),
      Self.again)
    #expect(end.problem != nil, Self.again)
  }

  @Test func `A problem of the disk stands until a capture is stored again`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(2)
    let store = try CaptureStore.open(.file(path), at: Self.now.utc)
    var courier = try Self.courier(0, Self.result(.empty), in: store)
    let other = try SQLiteDatabase(path: path, access: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    #expect(courier.keep(Walk.capture(3), at: Self.now) == .storeFailed(sequence: 3), Self.again)
    #expect(courier.standingProblem?.kind == .busy, Self.again)
    try other.execute("ROLLBACK")
    let stored = courier.keep(Walk.capture(3), at: Self.now)
    #expect(stored == .captureStored(sequence: 3, queue: QueueCounts(pending: 3)), Self.again)
    #expect(courier.standingProblem == nil && courier.storeProblem?.kind == .busy, Self.again)
    try other.execute("BEGIN IMMEDIATE")
    #expect(courier.keep(Walk.capture(4), at: Self.now) == .storeFailed(sequence: 4), Self.again)
    #expect(courier.standingProblem?.kind == .busy, Self.again)
    try other.execute("ROLLBACK")
    // A file that is gone takes a restart, whatever is written into it.
    try FileManager.default.removeItem(atPath: path)
    #expect(courier.keep(Walk.capture(4), at: Self.now) == .storeFailed(sequence: 4), Self.again)
    #expect(courier.standingProblem?.kind == .gone, Self.again)
  }

  /// The server has them and the disk does not know: what follows is a question, not a second copy.
  @Test func `An acknowledgement that does not get to the disk is as good as lost`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(3)
    let store = try CaptureStore.open(.file(path), at: Self.now.utc)
    var courier = try Self.courier(
      0, Self.result(Self.answered(3, refused: 0), acknowledged: [1, 2, 3]), in: store)
    let step = courier.upload(Self.all, at: Self.now)
    // Somebody else writes to it for longer than the store waits.
    let other = try SQLiteDatabase(path: path, access: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let end = try Self.end(step, &courier)
    #expect(
      end.event == .uploadFinished(RequestID(4), .ambiguous, queue: QueueCounts(pending: 3)),
      Self.again)
    #expect(end.acknowledged == [] && courier.storeProblem?.kind == .busy, Self.again)
    try other.execute("ROLLBACK")
    #expect(try store.inFlight().count == 3, Self.again)
  }
}
