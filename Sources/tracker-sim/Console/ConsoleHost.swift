import CaptureStore
import CommandLineSupport
import FieldConsole
import Simulation
import TrackerCore

/// A world that stops for the questions of a console.
struct ConsoleHost: Host, ~Copyable {
  var base: Observed<World, RunRecord>
  var door: ConsoleDoor

  init(_ base: consuming Observed<World, RunRecord>, _ door: ConsoleDoor) {
    self.base = base
    self.door = door
    self.base.base.pausesAt = .start
    var status = StatusBoard()
    status.course = self.base.base.course
    self.base.observer.status = status
  }

  // MARK: Host

  var now: Instant { base.now }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    base.wait(until: deadline, filling: &buffer)
  }

  var coursePointCount: Int32 { base.coursePointCount }
  func coursePoint(_ index: Int32) -> CoursePoint { base.coursePoint(index) }
  var coursePlaceCount: Int32 { base.coursePlaceCount }
  func coursePlace(_ index: Int32) -> CoursePlace { base.coursePlace(index) }
  var courseErrorMetres: Int32 { base.courseErrorMetres }
  var courseLimits: CourseLimits { base.courseLimits }

  mutating func push(_ effect: Effect) {
    base.push(effect)
  }

  mutating func remember(_ memory: Memory) {
    base.remember(memory)
    guard let session = memory.session else { return }
    if let event = door.console.backend.begin(session: session.number) {
      base.base.give(event, at: now)
    }
  }

  /// Between two events: one line is answered. What it asks for happens before the next one.
  mutating func inspect(_ tracker: borrowing Tracker) {
    turn(tracker, at: base.base.pausesAt, isOver: false)
  }

  /// After the run, until nobody asks any more.
  mutating func answerRest(_ tracker: borrowing Tracker) {
    while !door.isLeft { turn(tracker, at: base.now, isOver: true) }
  }

  private mutating func turn(_ tracker: borrowing Tracker, at moment: Instant, isOver: Bool) {
    look(tracker, at: moment, isOver: isOver)
    let next = door.turn()
    for order in door.console.backend.takeOrders() {
      switch order {
      case .event(let event): base.base.give(event, at: moment)
      case .recount: base.base.give(.queueChanged(base.base.queue), at: moment)
      }
    }
    switch next {
    case .again: break
    case .pause(let instant): base.base.pausesAt = instant
    case .leave: base.base.breaksOffAt = .start
    }
  }

  /// Passes all that is known to the console.
  private mutating func look(_ tracker: borrowing Tracker, at moment: Instant, isOver: Bool) {
    let board = lookedAtBoard
    var facts = TrackerFacts(tracker, board, at: moment)
    let store = base.base.store
    facts.identity.version = version
    facts.identity.device = store.device.lowercaseText
    facts.identity.number = String(facts.identity.device.prefix(CaptureName.shownDigits))
    facts.take(
      StoreFacts(store, date: base.base.boardDate + (moment - base.now)),
      oldest: (try? store.oldestWaiting()) ?? nil)
    let queue = base.base.queue
    facts.queue.held = Int64(queue.held)
    facts.queue.heldFor = queue.held > 0 ? queue.heldFor : nil
    facts.store.displaced = Int64(base.base.serverNews.displaced)
    facts.sending.pathLimit = base.base.pathLimit.map { Int64($0) }
    facts.store.problem = base.base.storeProblem?.texts
    facts.receiver.port = .connected
    if facts.modem.isPresent { facts.modem.port = .connected }
    facts.battery.state = board.reading == nil ? .notYet : .measured
    if let reading = board.reading {
      let percent = tracker.board.battery.percent(atMillivolts: reading.millivolts)
      facts.battery.percent = Int64(percent)
    }
    door.look(
      SimulatedMoment(
        facts: facts, board: board, at: moment, date: base.base.boardDate, isOver: isOver,
        hasPIN: base.base.hasPIN))
  }

  private var lookedAtBoard: StatusBoard {
    var board = base.observer.status ?? StatusBoard()
    let news = base.base.serverNews
    if let problem = news.problem, let at = news.problemAt {
      board.learned(StatusBoard.Trouble(text: problem, cause: news.cause, at: at))
    }
    return board
  }
}
