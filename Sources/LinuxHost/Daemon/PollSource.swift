import Courier
import MachineAccess
import ModemDialogues
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// Something that can wake the loop: a line, a socket, a sensor, a timer.
///
/// In each pass the loop goes through its list of sources three times. It lets each do what is due
/// (`tend`), asks each what it waits for (`register`), sleeps, and lets each handle what has come
/// (`handle`). What a source cannot do alone comes out as `News`, on which the world acts before it
/// turns to the next source.
///
/// Most passes only pass on what the receiver sends, and ask its line alone (`SourceLoop.asked`).
/// The others are asked when one of them has been given something to do, has found something at its
/// descriptors or has reached its deadline, and every `HostBounds.allAskedPause` on such an
/// occasion.
protocol PollSource: AnyObject {
  /// Does what is due.
  func tend(_ pass: inout Pass)
  /// States the descriptors to wait for, and the next deadline.
  func register(in wait: inout LoopWait, at now: Instant)
  /// Handles what was found at its descriptors.
  func handle(_ wait: LoopWait, _ pass: inout Pass)
}

extension PollSource {
  func tend(_ pass: inout Pass) {}
  func register(in wait: inout LoopWait, at now: Instant) {}
  func handle(_ wait: LoopWait, _ pass: inout Pass) {}
}

extension SignalWatch: PollSource {
  func register(in wait: inout LoopWait, at now: Instant) { wait.add(descriptor) }

  func handle(_ wait: LoopWait, _ pass: inout Pass) {
    if !wait.found(descriptor).isEmpty, let request = take() { pass.news.append(.signal(request)) }
  }
}

/// What comes out of a source.
enum News {
  /// For the tracker.
  case event(Event)
  case signal(SignalWatch.Request)
  /// A line was opened or lost.
  case line(SerialRole, isPresent: Bool)
  /// An operation of the daemon's own on the modem is complete.
  case modem(ModemOperations.Completed)
  /// A request of the network client has ended.
  case reply(HTTPReply)
  case link(BearerControl.Report)
  case question(ControlSocket.Question)
  /// A person should know of it.
  case trouble(Texts)
  /// It is time to save again what could not be saved.
  case memoryUnsaved(Memory)
  case settingsUnsaved
  /// Recent events are to be written to their file.
  case eventsDue
  /// A restart would repair the store.
  case storeCanBeMended(StoreWatch.Finding)
}

/// The present pass of the loop.
struct Pass {
  var now: Instant
  let log: Log
  /// What the sources have given and nobody has acted on yet.
  var news: [News] = []

  init(at now: Instant, _ log: Log) {
    self.now = now
    self.log = log
  }
}

/// What the loop waits for: all descriptors, and the earliest of all deadlines.
struct LoopWait {
  private var set = PollSet()
  private var wakeAt = Instant.distantFuture
  /// Milliseconds of real time.
  private var limit = Int64.max
  /// Why the last sleep failed.
  private var failure: SystemError?
  /// What all but the receiver's line wait for; the last is on the monotonic clock.
  private var kept: (descriptors: Int, wakeAt: Instant, limitAt: Int64?) =
    (0, .distantFuture, nil)

  mutating func begin() {
    set.removeAll()
    wakeAt = .distantFuture
    limit = .max
  }

  /// What has been registered is waited for after `beginWithKept` too.
  mutating func keep() {
    let limitAt = limit == .max ? nil : KernelTimer.monotonic.milliseconds + limit
    kept = (set.count, wakeAt, limitAt)
  }

  mutating func beginWithKept() {
    set.removeAll(after: kept.descriptors)
    wakeAt = kept.wakeAt
    limit = kept.limitAt.map { max(0, $0 - KernelTimer.monotonic.milliseconds) } ?? .max
  }

  /// Whether something was found for what is kept, or one of its deadlines is reached.
  func isKeptDue(at now: Instant) -> Bool {
    now >= kept.wakeAt || set.hasFound(inFirst: kept.descriptors)
      || kept.limitAt.map { KernelTimer.monotonic.milliseconds >= $0 } ?? false
  }

  mutating func add(_ descriptor: Int32, _ events: PollEvents = .readable) {
    set.add(descriptor, events)
  }

  mutating func wake(at instant: Instant?) {
    if let instant { wakeAt = min(wakeAt, instant) }
  }

  /// - Parameter milliseconds: of real time, whatever the speed of the tracker's clock.
  mutating func wake(within milliseconds: Int64?) {
    if let milliseconds { limit = min(limit, milliseconds) }
  }

  /// A poll that fails finds nothing, and takes some time: what is due is done, and the log has it
  /// once.
  mutating func sleep(from now: Instant, _ clock: BootClock, _ log: Log) -> PollSet.Outcome {
    let outcome = set.wait(atMost: min(limit, clock.sleep(wakeAt - now)))
    guard case .failed(let error) = outcome else {
      failure = nil
      return outcome
    }
    if error != failure {
      log.write(.error, "waiting for input fails; restart trackerd", ["error": "\(error)"])
    }
    failure = error
    return outcome
  }

  /// What was found at a descriptor; empty for nothing.
  func found(_ descriptor: Int32?) -> PollEvents { descriptor.map { set.found($0) } ?? [] }
  func found(_ interest: PollInterest) -> PollInterest? { set.found(interest) }
}

/// The state of the loop over all sources.
struct SourceLoop {
  /// In the order in which they are tended and handled.
  let sources: [any PollSource]
  var pass: Pass
  private var wait = LoopWait()
  /// What the tracker gets next: events and new settings.
  var arrivals: [Arrival] = []
  /// Whether there was a poll since the tracker's deadline was due: input that is ready then comes
  /// first, once.
  private var hasPolledSinceDue = false
  /// The last poll ended with the tracker's deadline, and nothing lay ready.
  private var wasQuietWhenDue = false
  /// The index of the receiver's line; `nil`: no source is asked alone.
  private let receiver: Int?
  /// Another source than the receiver's line may have something to do, or may wait for something
  /// else than before.
  private(set) var isAskingAll = true
  /// When all are asked at the next occasion.
  private var askAllAt = Instant.start

  init(_ sources: [any PollSource], receiver: Int? = nil, at now: Instant, _ log: Log) {
    self.sources = sources
    self.receiver = receiver
    pass = Pass(at: now, log)
  }

  /// Which sources are asked in this pass: all, or only the receiver's line.
  ///
  /// Without the receiver's bytes the loop would still be asleep, so what wakes it up for the
  /// others is all that they can count on.
  var asked: Range<Int> {
    guard !isAskingAll, let receiver else { return sources.indices }
    return receiver..<receiver + 1
  }

  /// A source may have been given something to do.
  mutating func askAll() { isAskingAll = true }

  mutating func append(_ event: Event) { arrivals.append(.event(event)) }

  /// Whether the tracker's deadline is next, or else when it is due, whether input is to be polled
  /// before it.
  mutating func isTurn(of deadline: Instant?) -> (isDue: Bool, isNext: Bool, isPollDue: Bool) {
    let isDue = deadline.map { pass.now >= $0 } ?? false
    let isNext = isDue && hasPolledSinceDue
    hasPolledSinceDue = isDue && !isNext
    defer { wasQuietWhenDue = false }
    return (isDue, isNext, isDue && !wasQuietWhenDue)
  }

  /// Sleeps until something comes or is due.
  ///
  /// - Parameter isAllPolled: whether no input gathers unseen.
  mutating func sleep(until deadline: Instant?, isAllPolled: Bool, _ clock: BootClock) {
    register()
    wait.wake(at: deadline)
    let outcome = wait.sleep(from: pass.now, clock, pass.log)
    pass.now = clock.now
    switch outcome {
    case .found, .timedOut:
      isAskingAll =
        receiver == nil || pass.now >= askAllAt || wait.isKeptDue(at: pass.now)
    case .interrupted, .failed: isAskingAll = true
    }
    wasQuietWhenDue =
      outcome == .timedOut && isAllPolled && deadline.map { pass.now >= $0 } == true
  }

  private mutating func register() {
    if isAskingAll {
      wait.begin()
      for index in sources.indices where index != receiver {
        sources[index].register(in: &wait, at: pass.now)
      }
      wait.keep()
      askAllAt = pass.now + HostBounds.allAskedPause
    } else {
      wait.beginWithKept()
    }
    if let receiver { sources[receiver].register(in: &wait, at: pass.now) }
  }

  mutating func tend(_ index: Int) {
    let source = sources[index]
    source.tend(&pass)
  }

  mutating func handle(_ index: Int) {
    let source = sources[index]
    source.handle(wait, &pass)
  }
}
