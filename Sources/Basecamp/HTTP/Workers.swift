import SystemCalls
import TrackerCore

/// The threads that carry out requests: the event loop of the server only moves bytes.
///
/// Each kind of work has threads of its own, so that none waits for another kind. What is to be
/// done later holds no thread until then.
final class Workers: Sendable {
  typealias Job = @Sendable () -> Void

  /// A kind of work.
  enum Lane: Int, CaseIterable, Sendable {
    case edit, backlog, largeEdit, query, room, login, other

    /// Threads, and how many of them one address may have at once.
    fileprivate var width: (all: Int, ofClient: Int) {
      switch self {
      case .edit: (Bounds.editThreads, Bounds.editThreads)
      case .backlog: (Bounds.backlogThreads, Bounds.backlogThreads)
      // Each takes several times its size in memory while it is read.
      case .largeEdit: (1, 1)
      case .query: (Bounds.queryThreads, Bounds.queryThreadsOfClient)
      case .room: (Bounds.roomThreads, Bounds.roomThreads)
      // A password's slow hash.
      case .login: (1, 1)
      case .other: (1, 1)
      }
    }
  }

  private struct LaneState: Sendable {
    var turns: Turns
    var isClosed = false
  }

  private struct Later: Sendable {
    var at: Milliseconds
    var lane: Lane
    var client: String
    var job: Job
  }

  private let lanes: [Monitor<LaneState>]
  /// In any order: no more than connections.
  private let timers = Monitor<(waiting: [Later], isClosed: Bool)>(([], false))
  private let threads: [SmallThread]
  private let clock: SmallThread

  /// - Throws: if the system has no room for its threads.
  init() throws(SystemError) {
    let lanes = Lane.allCases.map { Monitor(LaneState(turns: Turns(ofClient: $0.width.ofClient))) }
    let timers = timers
    self.lanes = lanes
    var threads: [SmallThread] = []
    for lane in Lane.allCases {
      let monitor = lanes[lane.rawValue]
      for _ in 0..<lane.width.all {
        // As large as a program's first one: queries are nested.
        let thread = try SmallThread(isDetached: false, stackBytes: 8 << 20) { Self.work(monitor) }
        threads.append(thread)
      }
    }
    self.threads = threads
    clock = try SmallThread(isDetached: false) {
      while let due = Self.due(timers) {
        for later in due { Self.submit(later.job, lanes[later.lane.rawValue], later.client) }
      }
    }
  }

  /// - Parameter client: whose turn it is; those of one address follow each other, and addresses
  ///   take turns.
  /// - Returns: whether it will be done; not once it is closed.
  func submit(_ lane: Lane, of client: String, _ job: @escaping Job) -> Bool {
    Self.submit(job, lanes[lane.rawValue], client)
  }

  /// Whether so much waits there that its clients would give up before their turn.
  func isBehind(_ lane: Lane) -> Bool {
    (lane == .backlog || lane == .largeEdit) && waiting(lane) >= Bounds.backlogsWaiting
  }

  /// How many wait there for their turn.
  func waiting(_ lane: Lane) -> Int {
    lanes[lane.rawValue].change(waking: .none) { $0.turns.count }
  }

  @discardableResult private static func submit(
    _ job: @escaping Job, _ lane: Monitor<LaneState>, _ client: String
  ) -> Bool {
    lane.change(waking: .one) { lane in
      if lane.isClosed { return false }
      lane.turns.add(job, of: client)
      return true
    }
  }

  /// The same after some time, or at the end if that is sooner.
  func submit(_ lane: Lane, of client: String, after time: Milliseconds, _ job: @escaping Job) {
    let at = HostTime.now.uptime + time
    let isLate = timers.change { timers in
      if timers.isClosed { return true }
      timers.waiting.append(Later(at: at, lane: lane, client: client, job: job))
      return false
    }
    if isLate { job() }
  }

  /// Does what waits, whenever it was to be done, and ends.
  func close() {
    timers.change { $0.isClosed = true }
    clock.join()
    for lane in lanes { lane.change { $0.isClosed = true } }
    for thread in threads { thread.join() }
  }

  private static func work(_ lane: Monitor<LaneState>) {
    while true {
      let turn: (client: String, job: Job)? = lane.wait { lane in
        if let turn = lane.turns.next() { return .done(turn) }
        return lane.isClosed && lane.turns.isEmpty ? .done(nil) : .wait(until: nil)
      }
      guard let turn else {
        // At the end nobody else would wake those that still wait.
        lane.change { _ in }
        return
      }
      turn.job()
      lane.change(waking: .one) { $0.turns.end(of: turn.client) }
    }
  }

  /// Waits for what is due.
  ///
  /// - Returns: `nil` when it is closed and nothing waits any more.
  private static func due(
    _ timers: Monitor<(waiting: [Later], isClosed: Bool)>
  ) -> [Later]? {
    timers.wait { timers in
      if timers.isClosed {
        defer { timers.waiting = [] }
        return .done(timers.waiting.isEmpty ? nil : timers.waiting)
      }
      let now = HostTime.now.uptime
      let due = timers.waiting.filter { $0.at <= now }.sorted { $0.at < $1.at }
      guard due.isEmpty else {
        timers.waiting.removeAll { $0.at <= now }
        return .done(due)
      }
      return .wait(until: timers.waiting.map(\.at.count).min())
    }
  }
}

/// What waits for its turn: addresses one after the other, and of each in the order in which it
/// came.
struct Turns: Sendable {
  private let ofClient: Int
  private var waiting: [String: [Workers.Job]] = [:]
  /// Those that have something waiting, the next one first.
  private var order: [String] = []
  private var running: [String: Int] = [:]
  /// Jobs that wait.
  private(set) var count = 0

  /// - Parameter ofClient: how many of one address may run at once.
  init(ofClient: Int) { self.ofClient = ofClient }

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ job: @escaping Workers.Job, of client: String) {
    if waiting[client] == nil { order.append(client) }
    waiting[client, default: []].append(job)
    count += 1
  }

  /// The next one that may run.
  mutating func next() -> (client: String, job: Workers.Job)? {
    let place = order.firstIndex { running[$0, default: 0] < ofClient }
    guard let place else { return nil }
    let client = order.remove(at: place)
    guard var jobs = waiting.removeValue(forKey: client) else { return nil }
    let job = jobs.removeFirst()
    count -= 1
    if !jobs.isEmpty {
      waiting[client] = jobs
      order.append(client)
    }
    running[client, default: 0] += 1
    return (client, job)
  }

  mutating func end(of client: String) {
    let left = running[client, default: 1] - 1
    running[client] = left > 0 ? left : nil
  }
}
