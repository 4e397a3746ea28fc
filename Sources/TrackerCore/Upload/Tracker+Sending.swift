import NMEA

// From a due transmission to an empty queue.
extension Tracker {
  mutating func uploadFinished(
    _ id: RequestID, _ outcome: UploadOutcome, queue: QueueCounts, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    guard let end = uploader.finished(id, outcome, queue: queue, at: now) else { return }
    requestEnded(end, at: now, into: &sink)
    emergencyUploaded(outcome, at: now, into: &sink)
  }

  mutating func fetchFinished(
    _ id: RequestID, _ outcome: FetchOutcome, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    guard uploader.fetched(id, outcome, at: now) else { return }
    halt.mayGetOrders(at: now)
    switch outcome {
    case .answered(let answer?), .owing(let answer?):
      emergencyAnswered(answer, at: now, into: &sink)
    case .answered(nil), .owing(nil), .failed, .unsupported: break
    }
  }

  mutating func reconcileFinished(
    _ id: RequestID, _ outcome: ReconcileOutcome, queue: QueueCounts, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    guard let end = uploader.reconciled(id, outcome, queue: queue, at: now) else { return }
    requestEnded(end, at: now, into: &sink)
    emergencyReconciled(outcome, at: now, into: &sink)
  }

  private mutating func requestEnded(
    _ end: Uploader.End, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if let aside = end.setAside {
      // It may be among them.
      emergency.isNewest = false
      sink.push(.setAside(aside))
    }
    if end.isDelivered {
      link.modem?.delivered(at: now)
      noteCoverage(.reached, at: now, on: sink)
    }
    if end.isUnanswered { link.modem?.uploadFailed(at: now, into: &sink) }
  }

  /// Begins a contact when it is due, advances it, and releases the modem when it is over.
  mutating func considerSending(
    _ terms: ContactTerms, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    uploader.isUrgent = isEmergency
    suspendFloorInEmergency()
    uploader.answerWish = answerWish(
      isAttached: terms.betweenUploads == .attached, at: now)
    if let failure = link.modem?.takeFailure() {
      let (isContact, promised) = (uploader.isInContact, uploader.due)
      uploader.contactFailed(failure, interval: terms.interval, at: now)
      if !isContact { textFailed(at: now) }
      if isContact, failure == .searching || failure == .noBearer {
        noteCoverage(.silent, at: now, on: sink)
        if !isEmergency {
          retryWhereReached(until: min(promised, now + terms.interval), at: now, on: sink)
        }
      }
    }
    if !uploader.isInContact, let due = uploader.contactDue(terms), now >= due {
      uploader.beginContact(
        interval: terms.interval, isInReserve: terms.isInReserve, at: now)
      if !isEmergency { contactOutsideHoles(terms, at: now, on: sink) }
    }
    if uploader.isBackingOff {
      link.setInUse(false)
      link.modem?.considerText(at: now, into: &sink)
      // The modem stays on until a message that is due is sent.
      if link.modem?.isAboutToText(at: now) ?? false { return }
    }
    if isTexting(at: now, into: &sink) { return }
    let isWanted = uploader.wantsModem ? true : wantsText(at: now)
    guard isWanted else { return releaseModem(terms, at: now, into: &sink) }
    hastenInEmergency(at: now)
    // If the floor is as long as the interval, a contact that was late once would always be late,
    // and send captures that are minutes old. So it waits for the first capture after the end of
    // the floor, or one shortly before it, since the contact then waits for the floor anyway.
    if let connectableAt = link.modem?.connectableAt, connectableAt - now > Bounds.attachedWait,
      let slot = session.schedule?.firstSlot(
        from: connectableAt - Bounds.attachedWait, budget: budget)
    {
      return uploader.postpone(link.reason(at: now) ?? .reconnectFloor, until: slot)
    }
    link.modem?.connect(isSparing: terms.isInReserve, at: now, into: &sink)
    guard link.isReady else { return }
    let limit = configuration.bearer.uploadLimit
    guard let request = uploader.nextRequest(within: limit, at: now) else {
      if !uploader.isInContact { releaseModem(terms, at: now, into: &sink) }
      return
    }
    link.setInUse(true)
    push(request, terms, at: now, into: &sink)
  }

  /// Sends the text message of an emergency between two requests; one that is being sent keeps
  /// them waiting.
  @inline(never)
  private mutating func isTexting(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    guard link.modem?.lastResort.isCalling ?? false, !uploader.isRequesting, uploader.hasTried,
      link.modem?.isAboutToText(at: now) ?? false
    else { return false }
    link.setInUse(false)
    link.modem?.considerText(at: now, into: &sink)
    return true
  }

  @inline(never)
  private mutating func suspendFloorInEmergency() {
    let isSuspended = isEmergency
    link.modem?.power.floor.isSuspended = isSuspended
  }

  @inline(never)
  private mutating func hastenInEmergency(at now: Instant) {
    if isEmergency { link.modem?.power.hasten(at: now) }
  }

  /// It was connected for the text message of an emergency alone, in vain.
  @inline(never)
  private mutating func textFailed(at now: Instant) {
    if isEmergency { link.modem?.lastResort.ended(wasSent: false, at: now) }
  }

  /// Whether an emergency needs the modem for its text message alone. Mutating although it only
  /// looks, as the tracker would be copied otherwise.
  @inline(never)
  mutating func wantsText(at now: Instant) -> Bool {
    if uploader.isInContact || !isEmergency { return false }
    return link.modem?.lastResort.isUrgentAndDue(at: now) ?? false
  }

  // Not inlined: its effects would otherwise be on the stack during all that comes before.
  @inline(never)
  private mutating func push(
    _ request: Uploader.Request, _ terms: ContactTerms, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    switch request {
    case .upload(let id, let selection):
      var upload = UploadRequest(
        id: id, selection: selection, silence: session.silence(of: identity.memory.session?.ending))
      if case .freshest = selection {
        emergency.isInFlight = emergency.isNewest
      } else {
        emergency.isInFlight = false
      }
      if let schedule = session.schedule {
        let promise = ContactPromise(
          schedule: schedule, budget: budget, terms: terms, due: uploader.due,
          floorEnd: mayReconnect(terms) ? link.modem?.floorEnd : nil,
          sessionEnd: configuration.finishRule
            .end(of: identity.memory.session, by: clock, at: now).instant,
          bootLimit: board.modem.bootLimit,
          searchLimit: link.modem?.patience.terms(at: now).limit ?? Bounds.searchLimit,
          uploadLimit: configuration.bearer.uploadLimit)
        upload.nextContactBy = promise.date(by: clock, at: now)
        upload.silence = promise.silence(at: now)
        // A contact as usual is promised, whatever the battery said when this one began.
        if !terms.isInReserve { uploader.waiveReserve() }
      }
      sink.push(.upload(upload))
    case .reconcile(let id): sink.push(.reconcile(id))
    case .fetch(let id): sink.push(.fetch(id))
    }
  }

  /// Whether the next contact may have to join the network again: the policy adaptive may switch an
  /// attached modem off.
  private func mayReconnect(_ terms: ContactTerms) -> Bool {
    if case .adaptive = configuration.capture { return true }
    return terms.betweenUploads == .off
  }

  private mutating func releaseModem(
    _ terms: ContactTerms, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    link.setInUse(false)
    if session.isRunning || isEmergency {
      guard terms.betweenUploads == .off else { return }
      // Once off, it could not connect before the end of the floor.
      if configuration.betweenUploads == .attached, let end = link.modem?.floorEnd, now < end {
        return
      }
    }
    link.modem?.release(at: now, into: &sink)
  }
}
