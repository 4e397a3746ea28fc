/// Merges the sentences of each cycle into one epoch.
///
/// Which sentence wins where several speak: position from GGA or GNS, then RMC, then GLL; speed and
/// course from RMC, then VTG; satellites and HDOP from GGA or GNS, then GSA; the date from RMC or
/// ZDA. The order in which they come does not matter.
struct EpochAssembler: Sendable, Equatable {
  private var cycle = CycleDetector()
  private var epoch = Epoch()
  private var fix = FixEvidence()
  private var calendar = CalendarCarry()
  private var view = SatelliteView()
  /// What the fields of `epoch` come from; higher ranks overwrite lower ones.
  private var positionRank: UInt8 = 0
  private var hasSpeedOfRMC = false
  private var hasTrackOfRMC = false
  /// From GSA, for want of GGA and GNS.
  private var usedByGSA: UInt8?
  private var hdopOfGSA: UInt16?
  /// Whether a kind that makes a report has come: not GSA, GSV and VTG alone.
  private var isReport = false
  /// The epoch that the last sentence closed.
  private(set) var finished = Epoch()

  /// Whether there is something to `close()`.
  var isOpen: Bool { cycle.isOpen }

  /// Ends the open epoch and puts it into `finished`.
  ///
  /// - Returns: whether there was one that makes a report.
  mutating func close() -> Bool {
    cycle.close()
    return conclude()
  }

  /// Opens the next epoch if the sentence begins one; tells whether it closed a report.
  @inline(__always)
  private mutating func open(_ kind: SentenceKind, _ talker: Talker, _ time: Int32?) -> Bool {
    let isClosed = cycle.begins(kind, talker, at: time) && conclude()
    epoch.timeOfDayMilliseconds = cycle.timeOfDayMilliseconds
    if kind.isTimed { isReport = true }
    return isClosed
  }

  @inline(never)
  private mutating func conclude() -> Bool {
    defer {
      epoch = Epoch()
      view = SatelliteView()
      positionRank = 0
      hasSpeedOfRMC = false
      hasTrackOfRMC = false
      usedByGSA = nil
      hdopOfGSA = nil
      isReport = false
    }
    let mode = fix.conclude(hasPosition: epoch.latitude != nil)
    guard isReport else { return false }
    calendar.complete(&epoch)
    epoch.mode = mode
    if epoch.satellitesUsed == nil { epoch.satellitesUsed = usedByGSA }
    if epoch.hdopHundredths == nil { epoch.hdopHundredths = hdopOfGSA }
    epoch.satellitesInView = view.total
    epoch.bestSignalDecibelHertz = view.bestSignal
    if mode == .noFix {
      epoch.latitude = nil
      epoch.longitude = nil
      epoch.altitudeMillimetres = nil
      epoch.speedMillimetresPerSecond = nil
      epoch.trackMillidegrees = nil
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
    fix.noteStatus(isValid: sentence.isValid)
    if let day = sentence.dayNumber { epoch.dayNumber = day }
    guard sentence.isValid else { return isClosed }
    place(sentence.position, rank: 2)
    if let speed = sentence.speedMillimetresPerSecond {
      epoch.speedMillimetresPerSecond = speed
      hasSpeedOfRMC = true
    }
    if let track = sentence.trackMillidegrees {
      epoch.trackMillidegrees = track
      hasTrackOfRMC = true
    }
    return isClosed
  }

  mutating func add(_ sentence: VTG, _ talker: Talker) -> Bool {
    let isClosed = open(.vtg, talker, nil)
    if !hasSpeedOfRMC, let speed = sentence.speedMillimetresPerSecond {
      epoch.speedMillimetresPerSecond = speed
    }
    if !hasTrackOfRMC, let track = sentence.trackMillidegrees { epoch.trackMillidegrees = track }
    return isClosed
  }

  mutating func add(_ sentence: GGA, _ talker: Talker) -> Bool {
    let isClosed = open(.gga, talker, sentence.timeOfDayMilliseconds)
    fix.noteQuality(
      sentence.quality, used: sentence.satellitesUsed, hasAltitude: sentence.altitudeMillimetres != nil)
    addFix(
      sentence.position, sentence.altitudeMillimetres, sentence.satellitesUsed,
      sentence.hdopHundredths)
    return isClosed
  }

  mutating func add(_ sentence: GNS, _ talker: Talker) -> Bool {
    let isClosed = open(.gns, talker, sentence.timeOfDayMilliseconds)
    let quality: UInt8? = sentence.hasFix.map { $0 ? 1 : 0 }
    fix.noteQuality(
      quality, used: sentence.satellitesUsed, hasAltitude: sentence.altitudeMillimetres != nil)
    addFix(
      sentence.position, sentence.altitudeMillimetres, sentence.satellitesUsed,
      sentence.hdopHundredths)
    return isClosed
  }

  private mutating func addFix(
    _ position: Position?, _ altitude: Int32?, _ used: UInt8?, _ hdop: UInt16?
  ) {
    place(position, rank: 3)
    if let altitude { epoch.altitudeMillimetres = altitude }
    // One GGA for each system (SiRFstar V): the largest count is the one that holds the others.
    if let used, used >= epoch.satellitesUsed ?? 0 { epoch.satellitesUsed = used }
    if let hdop { epoch.hdopHundredths = hdop }
  }

  mutating func add(_ sentence: GLL, _ talker: Talker) -> Bool {
    let isClosed = open(.gll, talker, sentence.timeOfDayMilliseconds)
    let isValid = sentence.isValid ?? (sentence.position != nil)
    fix.noteStatus(isValid: isValid)
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
    let isClosed = open(.gsa, talker, nil)
    fix.noteMode(sentence.mode)
    let used = (usedByGSA ?? 0).addingReportingOverflow(sentence.satellitesUsed)
    usedByGSA = used.overflow ? 255 : used.partialValue
    if let hdop = sentence.hdopHundredths { hdopOfGSA = hdop }
    return isClosed
  }

  mutating func add(_ sentence: GSV, _ talker: Talker) -> Bool {
    let isClosed = open(.gsv, talker, nil)
    view.note(sentence, talker)
    return isClosed
  }
}
