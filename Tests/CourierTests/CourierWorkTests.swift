import CaptureStore
import Courier
import SQLite
import TestSupport
import Testing
import TrackerCore
import Uplink

/// What a courier asks for, in which words a work ends, and what remains of it.
@Suite struct CourierWorkTests {
  private let again: Comment = "repeat with: swift test --filter CourierWorkTests"
  private typealias Post = Courier<TellingDialogue>

  private func post(
    _ count: UInt32, _ results: [UplinkResult], mayRepeat: Bool = false
  ) throws -> Post {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    try Walk.fill(store, count)
    return post(store, results, mayRepeat: mayRepeat)
  }

  private func post(
    _ store: CaptureStore, _ results: [UplinkResult], mayRepeat: Bool = false, boot: String = "one"
  ) -> Post {
    Courier(
      store, TellingDialogue(results, mayRepeat: mayRepeat), mayActFor: .minutes(10), boot: boot)
  }

  private func moment(_ minute: Int64) -> HostTime {
    HostTime(utc: Walk.start, uptime: .minutes(minute))
  }

  private func begin(_ post: inout Post, _ selection: Selection, at minute: Int64) -> Post.Step {
    post.upload(UploadRequest(id: RequestID(1), selection: selection), at: moment(minute))
  }

  /// What is sent, one request after the other, until the work ends.
  private func run(
    _ step: Post.Step, _ post: inout Post, at minute: Int64
  ) throws -> (sent: [String], end: Post.Completion) {
    var (step, sent) = (step, [String]())
    while case .send(let request) = step {
      sent.append(request.url)
      try #require(sent.count < 5, "it never ends: \(sent); \(again)")
      step = post.receive(.lost, at: moment(minute))
    }
    guard case .done(let end) = step else { throw Problem("no end") }
    return (sent, end)
  }

  private func upload(
    _ post: inout Post, _ selection: Selection = .oldest(limit: 100), at minute: Int64 = 100
  ) throws -> (sent: [String], end: Post.Completion) {
    try run(begin(&post, selection, at: minute), &post, at: minute)
  }

  private func reconcile(
    _ post: inout Post, at minute: Int64
  ) throws -> (sent: [String], end: Post.Completion) {
    try run(post.reconcile(RequestID(2), at: moment(minute)), &post, at: minute)
  }

  // MARK: What is sent

  @Test func `What was handed out before may have arrived, and the dialogue is told so`() throws {
    var post = try post(2, [.lost], mayRepeat: true)
    #expect(try upload(&post, .oldest(limit: 1)).sent == ["upload 1"], again)
    // A server that takes no second copy gets it again at once, and the next one with it.
    #expect(try upload(&post).sent == ["upload 1* 2"], again)
    #expect(try upload(&post).sent == ["upload 1* 2*"], again)
  }

  /// Or a list of captures would show a request where none is.
  @Test(arguments: [UploadOutcome.unreachable, .stalled, .ambiguous])
  func `Captures that reached no server wait again, also for one that refuses second copies`(
    _ outcome: UploadOutcome
  ) throws {
    for mayRepeat in [false, true] {
      let result = UplinkResult(outcome: .upload(outcome))
      var post = try post(2, [result], mayRepeat: mayRepeat)
      _ = try upload(&post)
      let isKept = outcome == .ambiguous && mayRepeat
      #expect(try post.store.inFlight().count == (isKept ? 2 : 0), "\(mayRepeat); \(again)")
    }
  }

  @Test func `A displaced capture goes out once more in the same work, under a new identifier`()
    throws
  {
    var post = try post(4, [.doubtful([4]), .displaced([2]), .lost])
    _ = try upload(&post, .freshest(limit: 1))
    // What is held is not sent with it.
    let sent = try upload(&post, at: 101).sent
    #expect(sent == ["upload 1 2 3", "upload 1 2' 3"], again)
    #expect(post.counts(at: moment(101)).held == 1, again)
  }

  @Test func `A capture that is displaced twice waits for the next upload`() throws {
    var post = try post(1, [.displaced([1])])
    let (sent, end) = try upload(&post)
    #expect(sent.count == 2, "\(sent); \(again)")
    #expect(
      end.event == .uploadFinished(RequestID(1), .ambiguous, queue: QueueCounts(pending: 1)), again)
  }

  @Test(
    arguments: [
      { $0.acknowledged = [1] }, { $0.refused = [Refusal(key: 1, code: 7)] },
      { $0.doubtful = [1] },
    ] as [@Sendable (inout UplinkResult) -> Void])
  func `A displaced capture waits where something else came of the upload`(
    _ change: @Sendable (inout UplinkResult) -> Void
  ) throws {
    var result = UplinkResult.displaced([2])
    change(&result)
    var post = try post(2, [result])
    #expect(try upload(&post).sent == ["upload 1 2"], again)
    #expect(
      try post.store.page(limit: 9).map(\.id)[1]
        != UniqueID(
          device: post.store.device, sequence: 2), again)
  }

  @Test func `A question is about so many captures as a dialogue takes`() throws {
    let count = UInt32(UplinkBounds.captures)
    var post = try post(count + 1, [.lost], mayRepeat: true)
    _ = try upload(&post, .oldest(limit: count + 1))
    let step = post.reconcile(RequestID(2), at: moment(100))
    guard case .send(let request) = step else { throw Problem("\(step)") }
    let words = request.url.split(separator: " ")
    #expect(words.count == 1 + Int(count) && words.last == "\(count)", again)
  }

  // MARK: Ends

  @Test func `An end that a work cannot have counts as no answer`() throws {
    let ready = UplinkResult(outcome: .ready)
    var post = try post(1, [ready], mayRepeat: true)
    let queue = QueueCounts(pending: 1)
    #expect(
      try upload(&post).end.event == .uploadFinished(RequestID(1), .ambiguous, queue: queue), again)
    #expect(
      try reconcile(&post, at: 100).end.event
        == .reconcileFinished(RequestID(2), .failed(status: 0), queue: queue), again)
  }

  @Test func `With nothing to ask about a reconciliation ends as settled`() throws {
    var post = try post(1, [.doubtful([1])])
    _ = try upload(&post)
    let (sent, end) = try reconcile(&post, at: 109)
    #expect(sent == [], again)
    let queue = QueueCounts(pending: 1, held: 1, heldFor: .minutes(1))
    #expect(
      end.event == .reconcileFinished(RequestID(2), .settled(confirmed: 0), queue: queue), again)
  }

  @Test func `A disk that takes no note of what is in flight keeps both works from beginning`()
    throws
  {
    let folder = try ScratchFolder()
    let path = try folder.store(2)
    do {
      let store = try CaptureStore.open(.file(path), at: Walk.start)
      _ = try store.select(.oldest(limit: 1), at: Walk.start)
    }
    for isUpload in [true, false] {
      var post = post(try CaptureStore.openForReading(path), [.lost])
      let (sent, end) = isUpload ? try upload(&post) : try reconcile(&post, at: 100)
      #expect(sent == [] && post.storeProblem?.kind == .readOnly, again)
      switch end.event {
      case .uploadFinished(let id, let outcome, _):
        #expect(isUpload && id == RequestID(1) && outcome == .unreachable, "\(end); \(again)")
      case .reconcileFinished(let id, let outcome, _):
        #expect(
          !isUpload && id == RequestID(2) && outcome == .failed(status: 0), "\(end); \(again)")
      default: Issue.record("\(end); \(again)")
      }
    }
  }

  @Test func `A confirmation that does not get to the disk is as good as no answer`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(1)
    let store = try CaptureStore.open(.file(path), at: Walk.start)
    let confirmed = UplinkResult.acknowledged([1], .reconcile(.settled(confirmed: 1)))
    var post = post(store, [.lost, confirmed], mayRepeat: true)
    _ = try upload(&post)
    let other = try SQLiteDatabase(path: path, access: .readWrite)
    try other.execute(
      "CREATE TRIGGER broken BEFORE UPDATE ON captures BEGIN SELECT RAISE(ABORT, 'no'); END")
    let end = try reconcile(&post, at: 100).end
    #expect(
      end.event
        == .reconcileFinished(
          RequestID(2), .failed(status: 0), queue: QueueCounts(pending: 1)), again)
    #expect(end.acknowledged == [], again)
  }

  @Test func `What a person put back is not set aside by an answer that was dealt with`() throws {
    var refusing = UplinkResult(outcome: .upload(CourierTests.answered(0, refused: 1, first: 1)))
    refusing.refused = [Refusal(key: 1, code: 1016)]
    var post = try post(1, [refusing])
    _ = try upload(&post)
    #expect(
      post.setAside(.refusedOfLastUpload, at: moment(100))
        == .queueChanged(QueueCounts(pending: 0, setAside: 1)), again)
    #expect(try post.store.requeue(at: Walk.start) == 1, again)
    #expect(
      post.setAside(.refusedOfLastUpload, at: moment(100))
        == .queueChanged(QueueCounts(pending: 1)), again)
  }

  // MARK: What is held

  @Test func `What a new upload drops may have been carried out: it is held`() throws {
    var post = try post(2, [.lost])
    _ = begin(&post, .freshest(limit: 1), at: 100)
    _ = try upload(&post, .oldest(limit: 1), at: 101)
    #expect(
      post.counts(at: moment(102)) == QueueCounts(pending: 2, held: 1, heldFor: .minutes(9)), again)
    #expect(try upload(&post, at: 102).sent == ["upload 1*"], again)
  }

  @Test func `While an upload is under way nothing of it is held`() throws {
    var post = try post(2, [.lost])
    let step = begin(&post, .oldest(limit: 2), at: 100)
    #expect(
      post.keep(Walk.capture(3), at: moment(101))
        == .captureStored(sequence: 3, queue: QueueCounts(pending: 3)), again)
    // Nothing of it is there, says the server: it may all be sent again.
    _ = try run(step, &post, at: 102)
    #expect(post.counts(at: moment(102)) == QueueCounts(pending: 3), again)
    #expect(try upload(&post, at: 103).sent == ["upload 1* 2* 3"], again)
  }

  @Test func `What a question finds is held no longer, and what it does not find is sent`() throws {
    let found = UplinkResult.acknowledged([1], .reconcile(.settled(confirmed: 1)))
    var post = try post(2, [.doubtful([1, 2]), found, .lost])
    _ = try upload(&post)
    #expect(
      post.counts(at: moment(120)) == QueueCounts(pending: 2, held: 2, heldFor: 0),
      "the wait is over; \(again)")
    let (sent, end) = try reconcile(&post, at: 120)
    #expect(sent == ["reconcile 1 2"], again)
    #expect(
      end.event
        == .reconcileFinished(
          RequestID(2), .settled(confirmed: 1), queue: QueueCounts(pending: 1)), again)
    #expect(try upload(&post, at: 121).sent == ["upload 2*"], again)
  }

  @Test func `A question that breaks off lets go of what it found, and of nothing else`() throws {
    let part = UplinkResult.acknowledged([1], .reconcile(.failed(status: 500)))
    var post = try post(2, [.doubtful([1, 2]), part])
    _ = try upload(&post)
    let queue = QueueCounts(pending: 1, held: 1, heldFor: 0)
    #expect(
      try reconcile(&post, at: 120).end.event
        == .reconcileFinished(RequestID(2), .failed(status: 500), queue: queue), again)
    #expect(try reconcile(&post, at: 120).sent == ["reconcile 2"], again)
  }

  @Test func `A server that takes no second copy holds nothing, also of an earlier start`() throws {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    try Walk.fill(store, 2)
    _ = try store.select(.oldest(limit: 1), at: Walk.start)
    var post = post(store, [.lost], mayRepeat: true)
    #expect(post.counts(at: moment(100)) == QueueCounts(pending: 2), again)
  }

  @Test func `A wait of another run of the machine, or one that begins later, starts over`() throws
  {
    for (boot, minute) in [("one", 105), ("two", 200), ("one", 90)] as [(String, Int64)] {
      let folder = try ScratchFolder()
      let path = try folder.store(1)
      do {
        var first = post(try CaptureStore.open(.file(path), at: Walk.start), [.doubtful([1])])
        _ = try upload(&first)
      }
      var next = post(
        try CaptureStore.open(.file(path), at: Walk.start), [.lost], boot: boot)
      let left = Milliseconds.minutes(minute == 105 ? 5 : 10)
      #expect(
        next.counts(at: moment(minute)) == QueueCounts(pending: 1, held: 1, heldFor: left),
        "\(boot), \(minute); \(again)")
    }
  }

  @Test func `Another server, another wait; what was sent meanwhile waits from then on`() throws {
    var post = try post(1, [.doubtful([1])])
    _ = try upload(&post)
    post.use(TellingDialogue([.doubtful([1])]), mayActFor: .minutes(30))
    #expect(
      post.counts(at: moment(101)) == QueueCounts(pending: 1, held: 1, heldFor: .minutes(29)), again
    )
    // One that takes no second copy gets it at once.
    post.use(TellingDialogue([.lost], mayRepeat: true), mayActFor: .minutes(10))
    #expect(try upload(&post, at: 120).sent == ["upload 1*"], again)
    post.use(TellingDialogue([.lost]), mayActFor: .minutes(10))
    #expect(try reconcile(&post, at: 121).sent == [], again)
    #expect(
      post.counts(at: moment(121)) == QueueCounts(pending: 1, held: 1, heldFor: .minutes(10)), again
    )
  }
}
