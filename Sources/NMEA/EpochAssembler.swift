/// Merges the sentences of each cycle into one epoch.
///
/// Precedence where several sentences give a value: position from GGA or GNS, then RMC, then GLL;
/// speed and course from RMC, then VTG; satellites and HDOP from GGA or GNS, then GSA; the date
/// from RMC or ZDA. The order of arrival does not matter.
struct EpochAssembler: Sendable, Equatable {
  private var cycle = CycleDetector()
  private var epoch = Epoch()
  private var fix = FixEvidence()
  private var calendar = CalendarCarry()
  private var extras = Extras()
  /// The same from sentences whose cycle is not decided yet.
  private var undecided = Extras()
  /// The kind of sentence that the position comes from; higher ranks overwrite lower ones.
  private var positionRank: UInt8 = 0
  /// Whether a kind that makes a report has come, that is, any but GSA, GSV and VTG.
  private var isReport = false
  /// The epoch that the last sentence closed.
  private(set) var finished = Epoch()

  /// Whether there is something to `close()`.
  var isOpen: Bool { cycle.isOpen }

  /// Ends the open epoch and puts it into `finished`.
  ///
  /// - Returns: whether there was one, with a sentence that makes a report.
  mutating func close() -> Bool {
    cycle.close()
    return conclude()
  }

  /// Opens the next epoch if the sentence begins one; returns whether that closed a report.
  @inline(__always)
  private mutating func open(_ kind: SentenceKind, _ talker: Talker, _ time: Int32?) -> Bool {
    let membership = cycle.note(kind, talker, at: time)
    var isClosed = false
    if membership == .next { isClosed = conclude() }
    if undecided.isUsed {
      extras.merge(undecided)
      undecided = Extras()
    }
    epoch.timeOfDayMilliseconds = cycle.timeOfDayMilliseconds
    isReport = true
    return isClosed
  }

  /// The same for a kind without a time: `body` gets the values that it adds to.
  @inline(__always)
  private mutating func open(
    _ kind: SentenceKind, _ talker: Talker, _ body: (inout Extras) -> Void
  ) -> Bool {
    switch cycle.note(kind, talker, at: nil) {
    case .open:
      body(&extras)
      return false
    case .next:
      let isClosed = conclude()
      body(&extras)
      return isClosed
    case .undecided:
      undecided.isUsed = true
      body(&undecided)
      return false
    }
  }

  @inline(never)
  private mutating func conclude() -> Bool {
    defer {
      epoch = Epoch()
      extras = Extras()
      positionRank = 0
      isReport = false
    }
    let mode = fix.conclude(hasPosition: epoch.latitude != nil, extras.mode)
    guard isReport else { return false }
    calendar.complete(&epoch)
    epoch.mode = mode
    if epoch.satellitesUsed == nil { epoch.satellitesUsed = extras.satellitesUsed }
    if epoch.hdopHundredths == nil { epoch.hdopHundredths = extras.hdopHundredths }
    epoch.satellitesInView = extras.view.total
    epoch.bestSignalDecibelHertz = extras.view.bestSignal
    if mode == .noFix {
      epoch.latitude = nil
      epoch.longitude = nil
      epoch.altitudeMillimetres = nil
      epoch.speedMillimetresPerSecond = nil
      epoch.trackMillidegrees = nil
    } else {
      if epoch.speedMillimetresPerSecond == nil {
        epoch.speedMillimetresPerSecond = extras.speedMillimetresPerSecond
      }
      if epoch.trackMillidegrees == nil { epoch.trackMillidegrees = extras.trackMillidegrees }
    }
    finished = epoch
    return true
  }

  @inline(__always)
  private mutating func place(_ position: Position?, rank: UInt8) {
    guard let position, rank >= positionRank else { return }
    positionRank = rank
    epoch.latitude = position.latitude
    epoch.longitude = position.longitude
  }

  mutating func add(_ sentence: RMC, _ talker: Talker) -> Bool {
    let isClosed = open(.rmc, talker, sentence.timeOfDayMilliseconds)
    fix.noteStatus(isValid: sentence.isValid, isTimed: sentence.timeOfDayMilliseconds != nil)
    if let day = sentence.dayNumber { epoch.dayNumber = day }
    guard sentence.isValid else { return isClosed }
    place(sentence.position, rank: 2)
    if let speed = sentence.speedMillimetresPerSecond { epoch.speedMillimetresPerSecond = speed }
    if let track = sentence.trackMillidegrees { epoch.trackMillidegrees = track }
    return isClosed
  }

  mutating func add(_ sentence: GGA, _ talker: Talker) -> Bool {
    let isClosed = open(.gga, talker, sentence.timeOfDayMilliseconds)
    addFix(
      sentence.position, sentence.altitudeMillimetres, sentence.satellitesUsed,
      sentence.hdopHundredths)
    fix.noteQuality(
      (sentence.quality ?? 0) > 0, used: sentence.satellitesUsed,
      hasAltitude: sentence.altitudeMillimetres != nil,
      isTimed: sentence.timeOfDayMilliseconds != nil)
    return isClosed
  }

  mutating func add(_ sentence: GNS, _ talker: Talker) -> Bool {
    let isClosed = open(.gns, talker, sentence.timeOfDayMilliseconds)
    addFix(
      sentence.position, sentence.altitudeMillimetres, sentence.satellitesUsed,
      sentence.hdopHundredths)
    fix.noteQuality(
      sentence.hasFix ?? false, used: sentence.satellitesUsed,
      hasAltitude: sentence.altitudeMillimetres != nil,
      isTimed: sentence.timeOfDayMilliseconds != nil)
    return isClosed
  }

  private mutating func addFix(
    _ position: Position?, _ altitude: Int32?, _ used: UInt8?, _ hdop: UInt16?
  ) {
    place(position, rank: 3)
    if let altitude { epoch.altitudeMillimetres = altitude }
    // SiRFstar V sends one GGA for each system; the largest count includes the others.
    if let used, used >= epoch.satellitesUsed ?? 0 { epoch.satellitesUsed = used }
    if let hdop { epoch.hdopHundredths = hdop }
  }

  mutating func add(_ sentence: GLL, _ talker: Talker) -> Bool {
    let isClosed = open(.gll, talker, sentence.timeOfDayMilliseconds)
    let isValid = sentence.isValid ?? (sentence.position != nil)
    fix.noteStatus(isValid: isValid, isTimed: sentence.timeOfDayMilliseconds != nil)
    if isValid { place(sentence.position, rank: 1) }
    return isClosed
  }

  mutating func add(_ sentence: ZDA, _ talker: Talker) -> Bool {
    let isClosed = open(.zda, talker, sentence.timeOfDayMilliseconds)
    guard let day = sentence.dayNumber, let time = sentence.timeOfDayMilliseconds else {
      return isClosed
    }
    calendar.note(day: day, at: time)
    if time == epoch.timeOfDayMilliseconds { epoch.dayNumber = day }
    return isClosed
  }

  mutating func add(_ sentence: GSA, _ talker: Talker) -> Bool {
    open(.gsa, talker) { $0.note(sentence) }
  }

  mutating func add(_ sentence: GSV, _ talker: Talker) -> Bool {
    open(.gsv, talker) { $0.view.note(sentence, talker) }
  }

  mutating func add(_ sentence: VTG, _ talker: Talker) -> Bool {
    open(.vtg, talker) { $0.note(sentence) }
  }
}
