import CaptureStore
import FeatureService
public import TrackerCore

// What must hold when a run has ended.
extension InvariantWatch {
  /// Holds the end of a run against the invariants.
  public func finish(_ tracker: borrowing Tracker, _ world: borrowing World) throws {
    keep(tracker, world)
    try endCopies(of: world)
    try judgeEnd(tracker, world)
    try judgeCopies()
  }

  func judgeEnd(_ tracker: borrowing Tracker, _ world: borrowing World) throws {
    let now = world.now
    claim(.fewWakes, world.ending != .stuck, at: now, "it asks to be called at one instant")
    let problem = world.storeProblem.map { "\($0)" }
    claim(.storeSound, problem == nil, at: now, problem ?? "")
    countOutages(world)
    let stored = try world.store.page(limit: .max)
    checkSequence(stored, at: now)
    try checkServer(stored, world)
    checkCounts(stored, tracker, world)
    checkDelivery(stored, tracker, world)
    checkEnergy(world)
    try checkPeople(world)
    try checkOrders(world)
    checkAnswer(tracker, world)
    // Nothing will ever happen again.
    let isForEver = world.ending == .stillPending && world.planned.next == nil
    let isOn = world.modem.activity == .searching || world.modem.activity == .registered
    claim(
      .quietRadio, !(isForEver && isOn && isModemUnwanted) || isModemOdd, at: now,
      "it stays on for ever while the tracker takes the modem for off")
  }

  private func countOutages(_ world: borrowing World) {
    for restart in scenario.restarts where .start + restart.at < world.now {
      switch restart.outage {
      case .kill: hit(restart.afterEffects > 0 ? .killAtEffect : .kill)
      case .powerCut: hit(.powerCut)
      }
    }
    if let disk = world.disk {
      for outage in disk.outages { hit(outage == .kill ? .killInWrite : .powerCutInWrite) }
      if disk.lostSectors > 0 { hit(.unflushedLost) }
    }
    for jump in scenario.clock where .start + jump.at < world.now { hit(.clockJump) }
    for window in scenario.store where .start + window.from < world.now {
      if case .slow = window.content { hit(.slowDisk) }
    }
    if scenario.modemScript != nil { hit(.modemScript) }
    if world.serverNews.displaced > 0 { hit(.identifiersTaken) }
    if world.ending == .batteryEmpty { hit(.batteryEmpty) }
    if world.ending == .stillPending { hit(.stillPending) }
  }

  private func checkSequence(_ stored: [StoredCapture], at now: Instant) {
    let there = Set(stored.map(\.name))
    let lost = announced.keys.filter { !there.contains($0) }.map(\.sequence).min()
    claim(.nothingLost, lost == nil, at: now, "capture \(lost ?? 0) is not in the store")
    for (_, own) in Dictionary(grouping: stored, by: \.device) { checkOrder(own, at: now) }
  }

  /// - Parameter own: the captures of one device.
  private func checkOrder(_ own: [StoredCapture], at now: Instant) {
    let sequences = own.map(\.capture.sequence)
    let misplaced = zip(1..<UInt32(sequences.count) + 1, sequences).first { $0 != $1 }
    claim(
      .noGap, misplaced == nil, at: now,
      "\(misplaced?.1 ?? 0) is where \(misplaced?.0 ?? 0) should be")
    let dated = own.map(\.capture).filter(\.isTimeTrusted)
    let late = zip(dated, dated.dropFirst()).first { earlier, later in
      guard let a = earlier.utc, let b = later.utc else { return false }
      return b < a
    }
    claim(
      .inOrder, late == nil, at: now,
      "capture \(late?.1.sequence ?? 0) is older than the one before")
  }

  /// One capture may be in several stores. A server that takes no identifiers has what an unaware
  /// card sends again, and two captures under one name.
  private func checkServer(_ stored: [StoredCapture], _ world: borrowing World) throws {
    let now = world.now
    let mayRepeat = isTwin || isUnaware && !scenario.service.takesGlobalIDs
    let twice = try world.server.duplicates
    claim(
      .nothingTwice, twice == 0 || mayRepeat, at: now, "\(twice) came again and were stored again")
    let rows = try world.server.features
    claim(
      .countsAgree, rows == taken.count, at: now,
      "the server has \(rows) captures, and has told of \(taken.count)")
    let unit: Milliseconds = scenario.service.kind == .osmAnd ? .seconds(1) : 1
    let all = stored + elsewhere
    let byID = Dictionary(grouping: all.indices, by: { all[$0].id })
    var origins: [(sequence: UInt32, may: [CaptureOrigin])] = []
    var found: Set<Int> = []
    for there in taken {
      guard let claimed = there.id.flatMap({ byID[$0] }) else {
        claim(.nothingForeign, false, at: now, "feature \(there.objectID) is of no capture")
        continue
      }
      let same = claimed.filter { all[$0].capture.isSame(as: there, unit: unit) }
      let sequence = all[claimed[0]].capture.sequence
      claim(
        .nothingChanged, !same.isEmpty, at: now, "time or place of capture \(sequence) differ")
      found.formUnion(isTwin ? claimed.filter { all[$0].capture.isWithinSecond(of: there) } : same)
      found.formUnion(claimed.filter { all[$0].capture.isTaken(for: there) })
      if !same.isEmpty { origins.append((sequence, same.map { CaptureOrigin(all[$0]) })) }
    }
    // What can be of one capture only comes first: without date and place many look the same.
    var seen: Set<CaptureOrigin> = []
    for (sequence, may) in origins.sorted(by: { $0.may.count < $1.may.count }) {
      let new = may.first { !seen.contains($0) }
      claim(
        .nothingTwice, new != nil || mayRepeat, at: now, "capture \(sequence) is there twice")
      if let new { seen.insert(new) }
    }
    let missing = all.indices.first { all[$0].state == .acknowledged && !found.contains($0) }
    claim(
      .onlyTrueAcknowledgements, missing == nil, at: now,
      "capture \(missing.map { all[$0].capture.sequence } ?? 0) is not there")
    elsewhere = all
  }

  private func checkCounts(
    _ stored: [StoredCapture], _ tracker: borrowing Tracker, _ world: borrowing World
  ) {
    let now = world.now
    let tally = world.tally
    let waiting = stored.count { $0.state == .pending || $0.state == .inFlight }
    claim(
      .countsAgree, tally.rows == stored.count && tally.pending == waiting, at: now,
      "the store counts \(tally.rows) and \(tally.pending), and has \(stored.count) and \(waiting)")
    guard world.haltedMachine == nil, world.offer == nil, !isStoring else { return }
    let believed = Int(tracker.pending)
    claim(
      .countsAgree, believed == tally.pending, at: now,
      "the tracker counts \(believed), the store \(tally.pending)")
  }

  /// A server that refuses whole requests by a throw of dice, or every second one, looks now and
  /// then like one that refuses a capture: three refusals alone among acceptances.
  var isDice: Bool {
    scenario.server.contains {
      switch ($0.content.kind, $0.content.occasion) {
      case (.rejectRequest, .probability), (.rejectRequest, .every), (.partial, _): true
      default: false
      }
    }
  }

  private func checkDelivery(
    _ stored: [StoredCapture], _ tracker: borrowing Tracker, _ world: borrowing World
  ) {
    let now = world.now
    let bad = Set(scenario.badCaptures.map { Name(device: firstDevice, sequence: $0) })
    let blamed = stored.first { $0.state == .setAside && !bad.contains($0.name) }
    claim(
      .onlyBadSetAside, blamed == nil || isDice || hasTurned, at: now,
      "capture \(blamed?.capture.sequence ?? 0) was set aside with code \(blamed?.code ?? 0)")
    guard world.ending != .batteryEmpty, world.ending != .stuck else { return }
    let isBad = stored.contains { bad.contains($0.name) }
    // While an emergency stands, or a session that nobody stopped, there is always a new one.
    let isRunning = tracker.isSessionRunning
    // A withdrawal that a full disk did not take is forgotten with the program.
    let isUrgent = tracker.isEmergency
    let goesOn = orders.called != nil || isUrgent || isRunning
    let isAll =
      world.ending == .finished || isBad || goesOn && world.tally.pending <= 3
      || calmFrom == .distantFuture
    let (reason, deadline) = (tracker.sendReason, tracker.nextDeadline)
    claim(
      .allDelivered, isAll, at: now,
      "\(world.tally.pending) still wait, modem \(world.modem.activity), reason "
        + "\(reason.map { "\($0.key)" } ?? "none"), next deadline "
        + "\(deadline.map { clockText($0 - .start) } ?? "none")")
    claim(
      .neverForgotten,
      deadline != nil || world.planned.next != nil || world.tally.pending == 0, at: now,
      "\(world.tally.pending) wait, and the tracker for nothing")
    if orders.called != nil, world.ending == .finished {
      let isHeard = taken.contains { $0.trigger == "\(Trigger.emergency.name)" }
      claim(.emergencyHeard, isHeard || isBad, at: now, "no capture of it is there")
    }
  }

  private func checkEnergy(_ world: borrowing World) {
    let meter = world.meter
    let lost = meter.conversionMillijoules
    claim(
      .energyOnce, lost >= -1 && lost <= meter.drawnMillijoules / 2, at: world.now,
      "the converter took \(Int(lost)) of \(Int(meter.drawnMillijoules)) mJ")
  }
}

/// A capture as it was taken, whatever it is called now.
struct CaptureOrigin: Hashable {
  private let name: InvariantWatch.Name
  private let takenAt: Int64
  /// A clock that jumps may have been at one time twice.
  private let utc: Int64?

  init(_ stored: StoredCapture) {
    (name, takenAt) = (stored.name, stored.takenAt.milliseconds)
    utc = stored.capture.utc?.milliseconds
  }
}

extension StoredCapture {
  var name: InvariantWatch.Name {
    InvariantWatch.Name(device: device, sequence: capture.sequence)
  }
}

extension Capture {
  /// Twins walk the same way here: what one takes within a second, or either without a date, counts
  /// as the other's.
  fileprivate func isWithinSecond(of there: TakenCapture) -> Bool {
    guard isTimeTrusted, let utc, let moment = there.moment else { return true }
    return (utc.milliseconds - moment).magnitude <= 1000
  }

  /// After a loss of the disk a number is given again. Without a date the tracker knows two
  /// captures of one number apart from a metre on, north or east (`QueriedRow`).
  fileprivate func isTaken(for there: TakenCapture) -> Bool {
    guard !isTimeTrusted, there.moment == nil, let position, let place = there.position else {
      return false
    }
    return position.distanceMillimetres(to: place) <= 1450
  }

  /// Whether what the server has is this one.
  ///
  /// - Parameter unit: in which it is told of times.
  fileprivate func isSame(as there: TakenCapture, unit: Milliseconds) -> Bool {
    let moment = isTimeTrusted ? utc?.milliseconds : nil
    guard there.moment == moment.map({ $0 - $0 % unit.count }) else { return false }
    guard let position else { return true }
    // Web Mercator, rounded to a millimetre.
    return there.position.map {
      abs($0.latitude - position.latitude) <= 2 && abs($0.longitude - position.longitude) <= 2
    } ?? false
  }
}
