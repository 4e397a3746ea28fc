/// When something happened, by the clocks that were available.
public struct Moment: Sendable, Equatable {
  /// On the monotonic clock, negative for what happened before the program started; `nil`: the
  /// machine has been restarted since.
  public var at: Instant?
  /// `nil`: no date was trusted, then or later, while the program ran.
  public var utc: UTC?

  public init(at: Instant? = nil, utc: UTC? = nil) {
    self.at = at
    self.utc = utc
  }

  enum Age: Sendable, Equatable {
    case known(Milliseconds)
    /// Not known until a date is trusted.
    case notYet
    /// It has no date, and the machine has been restarted since.
    case lost
  }

  func age(at now: Instant, by clock: Clock) -> Age {
    age(at: now, on: clock.moment(at: now).utc)
  }

  /// - Parameter date: of `now`; `nil`: none is trusted.
  func age(at now: Instant, on date: UTC?) -> Age {
    if let at { return .known(now - at) }
    guard let utc else { return .lost }
    return date.map { .known($0 - utc) } ?? .notYet
  }

  /// Adds the date, now that one is trusted. Returns whether that changed anything.
  mutating func date(_ date: UTC, at now: Instant) -> Bool {
    guard utc == nil, let at else { return false }
    utc = date + (at - now)
    return true
  }
}

/// The source of an order.
public enum Origin: UInt8, Sendable, Equatable {
  /// A program on the same machine: `trackerctl`.
  case socket
  /// A serial console.
  case console
  case button
  /// A scenario of the simulator.
  case script
  /// The control room, over the server.
  case room
}

/// What an order is about.
public enum OrderKey: UInt8, Sendable, Equatable {
  case team
  case session
}

/// A person's order that is still in force.
///
/// An order survives a restart, a power cut or a SIGKILL at any moment: it is on disk, together
/// with what it changed, before the person gets an answer. What ends an order:
///
///                                        team              stop               start
///     a restart                          holds             holds (1)          holds
///     undone                             set or unset team start              stop
///     configuration's team edited        ends              holds              holds
///     startsBySelf edited                holds             ends (2)           ends (3)
///     another key edited                 holds             holds              holds
///     the finish passes                  holds             holds              holds
///     the session ends, none begins      holds             holds              holds
///     the next session begins            ends (4)          ends               ends (5)
///     the date steps back or forward     holds             holds              holds
///     the card moves to another board    holds             holds              holds
///     remoteLimit passes                 holds             ends (6)           holds
///     a store without orders (older)     none              none               none
///
///     (1) for `Bounds.restartLimit` after it was given: a start of the tracker after that begins
///         the next session, so that yesterday's stop does not silence today's race. It needs a
///         trusted date; until there is one, the stop holds. A stop that was given before any date
///         was trusted holds until the machine itself is restarted.
///     (2) true begins a session, false begins none.
///     (3) a session that runs goes on; with false it does not outlive a restart.
///     (4) one given between two sessions is meant for the next one, and holds in it.
///     (5) unless it is the order that begins it.
///     (6) if the control room gave it: then the next session begins. No server silences a tracker
///         for longer.
public struct Order<Value: Sendable & Equatable>: Sendable, Equatable {
  public var value: Value
  public var origin: Origin
  public var given: Moment
  /// The number of the session that it is for.
  public var session: UInt32
  /// The configured value when it was given.
  public var configured: Value

  public init(
    _ value: Value, from origin: Origin, given: Moment, session: UInt32, configured: Value
  ) {
    self.value = value
    self.origin = origin
    self.given = given
    self.session = session
    self.configured = configured
  }
}

/// The current or the last session.
public struct SessionRecord: Sendable, Equatable {
  public enum Ending: UInt8, Sendable, Equatable {
    /// By a person.
    case stopped
    /// By itself, after the finish.
    case finished
  }

  /// Counts from 1.
  public var number: UInt32
  /// Its first start; the tracker may have restarted since.
  public var begun: Moment
  /// Whether a person began it.
  public var isOrdered: Bool
  /// `nil`: it is running, or was when the power failed.
  public var ending: Ending?
  public var ended = Moment()

  public init(
    number: UInt32, begun: Moment, isOrdered: Bool, ending: Ending? = nil,
    ended: Moment = Moment()
  ) {
    self.number = number
    self.begun = begun
    self.isOrdered = isOrdered
    self.ending = ending
    self.ended = ended
  }
}

/// What was left in the battery: all of the estimate, so that the tracker that starts next goes on
/// with what this one has learned.
public struct ChargeRecord: Sendable, Equatable {
  /// In millionths, as in `ChargeEstimate`.
  public var charge: Int32
  public var deviation: Int32
  public var drain: Int32
  public var drainDeviation: Int32
  public var at: Moment
  // In this order it takes the least room: a tracker has it twice, and a controller little stack.
  public var contradictions: Int8
  /// In millionths, as in `ChargeEstimate`.
  public var bias: Int32
  /// What the cells hold back after the loads so far, millionths.
  public var held: Int32
  /// The charge at the last contact that may have been the final one, millionths.
  public var finalContact: Int32?
  /// How long before `at` the battery was measured.
  public var unmeasuredMilliseconds: Int32
  /// Of charge and drain, in billionths.
  public var covarianceBillionths: Int32

  public init(
    charge: Int32, deviation: Int32, drain: Int32, drainDeviation: Int32, at: Moment,
    covarianceBillionths: Int32 = 0, bias: Int32 = 0, contradictions: Int8 = 0, held: Int32 = 0,
    finalContact: Int32? = nil, unmeasuredMilliseconds: Int32 = 0
  ) {
    self.charge = charge
    self.deviation = deviation
    self.drain = drain
    self.drainDeviation = drainDeviation
    self.at = at
    self.covarianceBillionths = covarianceBillionths
    self.bias = bias
    self.contradictions = contradictions
    self.held = held
    self.finalContact = finalContact
    self.unmeasuredMilliseconds = unmeasuredMilliseconds
  }

  public init(_ estimate: ChargeEstimate, at moment: Moment) {
    self.init(
      charge: Int32(clamping: estimate.charge), deviation: Int32(clamping: estimate.deviation),
      drain: Int32(clamping: estimate.drain),
      drainDeviation: Int32(clamping: estimate.drainDeviation), at: moment,
      covarianceBillionths: Int32(clamping: estimate.covariance / 1000),
      bias: Int32(clamping: estimate.bias),
      contradictions: Int8(clamping: estimate.contradictions))
  }

  /// As it was then.
  var estimate: ChargeEstimate { ChargeEstimate(self) }

  var unmeasured: Milliseconds { Milliseconds(max(0, Int64(unmeasuredMilliseconds))) }

  /// What is left after a restart.
  ///
  /// - Parameter share: what the board may have drawn since then; it may also have been off all
  ///   the time. `nil`: unknown.
  func estimate(afterDrawing share: Int64?) -> ChargeEstimate {
    var estimate = estimate
    let taken = min(max(0, share ?? 0), ChargeEstimate.full) * estimate.drain / ChargeEstimate.full
    estimate.doubt(taken / 2, by: share == nil ? Bounds.unknownPause : taken / 2)
    return estimate
  }
}

/// Where a tracker stood when its machine was halted, for the tracker that starts after it. Times
/// count from `at`.
public struct SleepRecord: Sendable, Equatable {
  public var at: Moment
  /// Contacts in a row that failed, 0...3.
  public var failedContacts: Int32
  /// The plan of the policy `adaptive`, percent of the configured intervals.
  public var capturePercent: Int32
  public var contactPercent: Int32
  /// What the loads took recently, and what its plans should have taken, millionths.
  public var spent: Int32
  public var planned: Int32
  /// Until the alarm.
  public var alarm: Milliseconds
  /// Until the next capture is due.
  public var capture: Milliseconds
  /// Until the next contact may begin.
  public var contact: Milliseconds
  /// Until the reconnect floor ends; 0: it has.
  public var floor: Milliseconds
  /// How long before `at` the last capture was, and where.
  public var captured: Milliseconds
  public var position: Coordinate

  public init(
    at: Moment, alarm: Milliseconds, capture: Milliseconds, contact: Milliseconds,
    floor: Milliseconds = 0, captured: Milliseconds, position: Coordinate,
    failedContacts: Int32 = 0, capturePercent: Int32 = 100, contactPercent: Int32 = 100,
    spent: Int32 = 0, planned: Int32 = 0
  ) {
    self.at = at
    self.alarm = alarm
    self.capture = capture
    self.contact = contact
    self.floor = floor
    self.captured = captured
    self.position = position
    self.failedContacts = failedContacts
    self.capturePercent = capturePercent
    self.contactPercent = contactPercent
    self.spent = spent
    self.planned = planned
  }
}

/// What a tracker has to remember across restarts, apart from its captures.
public struct Memory: Sendable, Equatable {
  public var session: SessionRecord?
  /// `true`: start; `false`: stop. Compared with `Configuration.startsBySelf`.
  public var sessionOrder: Order<Bool>?
  public var teamOrder: Order<InlineText<64>>?
  public var charge: ChargeRecord?
  /// `nil`: it was not on a course in this session.
  public var course: CourseRecord?
  /// `nil`: it was not halted by the tracker.
  public var sleep: SleepRecord?
  /// The current or the last emergency; `nil`: there was none.
  public var emergency: EmergencyRecord?

  public init(
    session: SessionRecord? = nil, sessionOrder: Order<Bool>? = nil,
    teamOrder: Order<InlineText<64>>? = nil, charge: ChargeRecord? = nil,
    course: CourseRecord? = nil, sleep: SleepRecord? = nil, emergency: EmergencyRecord? = nil
  ) {
    self.charge = charge
    self.course = course
    self.sleep = sleep
    self.emergency = emergency
    self.session = session
    self.sessionOrder = sessionOrder
    self.teamOrder = teamOrder
  }

  /// Adds dates to what happened before a date was trusted. Returns whether that changed anything.
  mutating func date(_ date: UTC, at now: Instant) -> Bool {
    var isNew = session?.begun.date(date, at: now) ?? false
    isNew = session?.ended.date(date, at: now) ?? false || isNew
    isNew = sessionOrder?.given.date(date, at: now) ?? false || isNew
    isNew = charge?.at.date(date, at: now) ?? false || isNew
    isNew = course?.at.date(date, at: now) ?? false || isNew
    isNew = sleep?.at.date(date, at: now) ?? false || isNew
    isNew = emergency?.raised.date(date, at: now) ?? false || isNew
    return teamOrder?.given.date(date, at: now) ?? false || isNew
  }
}
