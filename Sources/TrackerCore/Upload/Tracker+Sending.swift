import NMEA

// From a due transmission to an empty queue.
extension Tracker {
  mutating func receiveFromModem(
    _ bytes: Span<UInt8>, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let words = board.modem.family.words
    for index in 0..<bytes.count where modemLine.append(bytes[index]) {
      link.modem?.hear(ModemLine(modemLine, words), at: now, into: &sink)
      modemLine.clear()
    }
  }

  mutating func uploadFinished(
    _ id: RequestID, _ outcome: UploadOutcome, queue: QueueCounts, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let isOpen = uploader.isOpen(id)
    if let aside = uploader.finished(id, outcome, queue: queue, at: now) {
      sink.push(.setAside(aside))
    }
    guard isOpen else { return }
    switch outcome {
    case .answered(let acknowledged, _, _, _):
      if acknowledged > 0 { link.modem?.lastResort.delivered(at: now) }
    case .unreachable, .stalled, .ambiguous: link.modem?.uploadFailed(at: now, into: &sink)
    case .refused, .unauthorised, .busy, .empty: break
    }
  }

  mutating func reconcileFinished(
    _ id: RequestID, _ outcome: ReconcileOutcome, queue: QueueCounts, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let isOpen = uploader.isOpen(id)
    uploader.reconciled(id, outcome, queue: queue, at: now)
    guard isOpen else { return }
    switch outcome {
    case .settled(let confirmed): if confirmed > 0 { link.modem?.lastResort.delivered(at: now) }
    case .failed(let status): if status == 0 { link.modem?.uploadFailed(at: now, into: &sink) }
    }
  }

  /// Begins a contact when it is due, moves it on, and lets the modem sleep when it is over.
  mutating func considerSending(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if let failure = link.modem?.takeFailure() {
      uploader.contactFailed(failure, interval: transmitInterval, at: now)
    }
    if !uploader.isInContact, let due = uploader.contactDue, now >= due, let contactDue,
      now >= contactDue
    {
      uploader.beginContact(interval: transmitInterval, at: now)
      if uploader.isInContact { lastContactAt = now }
    }
    if uploader.isBackingOff {
      link.setInUse(false)
      link.modem?.considerText(at: now, into: &sink)
    }
    guard uploader.wantsModem(at: now) else { return releaseModem(at: now, into: &sink) }
    if let later = alignedWithCaptures(at: now) {
      return uploader.postpone(link.reason(at: now) ?? .reconnectFloor, until: later)
    }
    link.modem?.connect(at: now, into: &sink)
    guard link.isReady else { return }
    guard let request = uploader.nextRequest(at: now) else {
      if !uploader.isInContact { releaseModem(at: now, into: &sink) }
      return
    }
    link.setInUse(true)
    switch request {
    case .upload(let id, let selection):
      sink.push(
        .upload(UploadRequest(id: id, selection: selection, nextContactBy: promise(at: now))))
    case .reconcile(let id): sink.push(.reconcile(id))
    }
  }

  private mutating func releaseModem(at now: Instant, into sink: inout some EffectSink & ~Copyable)
  {
    link.setInUse(false)
    guard configuration.betweenUploads == .off || !session.isRunning else { return }
    link.modem?.release(at: now, into: &sink)
  }

  /// Where the reconnect floor holds a contact back for long, the slot of a capture after its end.
  ///
  /// With a floor as long as the interval a contact that was late once would be late for ever, and
  /// bring captures that are minutes old.
  private mutating func alignedWithCaptures(at now: Instant) -> Instant? {
    guard let connectableAt = link.modem?.connectableAt, connectableAt - now > Bounds.attachedWait,
      let schedule = session.schedule, schedule.goesByTime
    else { return nil }
    let step = schedule.opportunity(pace: currentPace).count
    // A slot that is a little early is good enough: the contact waits for the floor's end then.
    let behind = max(0, (connectableAt - Bounds.attachedWait - schedule.slot).count)
    return schedule.slot + Milliseconds((behind &+ step &- 1) / step &* step)
  }

  // MARK: Times

  // `mutating` so that they read in place; see those of capturing.

  var transmitInterval: Milliseconds {
    currentPace?.stretch(configuration.transmitInterval) ?? configuration.transmitInterval
  }

  /// Whether the battery may only be used for rare transmissions. After the finish it serves
  /// nothing else.
  private var isInReserve: Bool {
    mutating get {
      guard session.isRunning, let percent = gauge.percent else { return false }
      return Int32(percent) <= configuration.reservePercent
    }
  }

  /// When the next contact begins; `nil`: there is nothing to do in it.
  private var contactDue: Instant? {
    mutating get {
      guard let due = uploader.contactDue else { return nil }
      guard isInReserve, let lastContactAt else { return due }
      return max(due, lastContactAt + Bounds.reserveTransmitInterval)
    }
  }

  mutating func sendingDeadline(at now: Instant) -> Instant? {
    guard uploader.isInContact else { return contactDue }
    if uploader.wantsModem(at: now), let connectableAt = link.modem?.connectableAt {
      var earliest = Earliest()
      earliest.consider(uploader.deadline)
      earliest.consider(connectableAt)
      return earliest.instant
    }
    return uploader.deadline
  }

  /// The latest time of the next contact: when the next transmission is due, there is something to
  /// send and the floor allows it, and all the limits that a good connection may use up.
  private mutating func promise(at now: Instant) -> UTC? {
    guard clock.isTrusted, let schedule = session.schedule, let utc = clock.utc(at: now) else {
      return nil
    }
    let next = schedule.latestNext(at: now)
    // The session ends first: nothing more is promised.
    if let end = sessionEnd(at: now).instant, next >= end { return nil }
    // Without another capture there is nothing to send.
    var contact = max(uploader.due, next)
    if isInReserve { contact = max(contact, now + Bounds.reserveTransmitInterval) }
    // The floor counts from the last power-on; held back by it, a contact joins the next slot.
    if configuration.betweenUploads == .off, let floorEnd = link.modem?.floorEnd,
      contact + Bounds.attachedWait < floorEnd
    {
      contact = floorEnd + schedule.opportunity(pace: currentPace)
    }
    return utc + (contact - now) + board.modem.bootLimit + Bounds.searchLimit + Bounds.linkLimit
      + Bounds.uploadLimit
  }

  // MARK: Reasons

  /// Why nothing is being sent at this instant.
  mutating func sendingNow(at now: Instant) -> Reason? {
    switch uploader.state {
    case .sending, .reconciling: return nil
    case .backingOff(_, let reason): return reason
    case .connecting: return link.reason(at: now)
    case nil:
      if uploader.pending == 0 { return .nothingPending }
      if isInReserve && now >= uploader.due { return .batteryReserve }
      return uploader.lastFailure ?? .notDue
    }
  }
}
