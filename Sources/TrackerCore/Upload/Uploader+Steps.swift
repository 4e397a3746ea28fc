// What becomes of a contact after an outcome: it goes on, waits, or is over.
extension Uploader {
  mutating func accepted() {
    failures = 0
    batchLimit = min(batchLimit * 2, Bounds.batchLimit)
    contact?.trial.accepted()
  }

  /// The server judges captures individually, and accepts others.
  mutating func setAside(_ refused: UInt32, besides acknowledged: UInt32) -> SetAside {
    if acknowledged == 0 { contact?.trial.useUp() }
    queue.remove(refused)
    continueOrEnd(done: acknowledged &+ refused)
    return .refusedOfLastUpload
  }

  /// The server refused the whole request, without saying which capture is to blame.
  mutating func refusedWhole(
    _ selection: Selection, code: Int32, first: CaptureKey, count: UInt32, at now: Instant
  ) -> SetAside? {
    if count > 1 {
      batchLimit = max(1, min(batchLimit, count) / 2)
      enter(.connecting)
      return nil
    }
    if count == 1 { batchLimit = 1 }
    guard contact?.trial.hasAccepted ?? false, count == 1 else {
      callWitness(against: selection, refused: count, code: code, at: now)
      return nil
    }
    guard contact?.trial.refusedAlone(first) ?? false else {
      enter(.connecting)
      return nil
    }
    queue.remove(1)
    continueOrEnd(done: 1)
    return .capture(first, code: code)
  }

  mutating func callWitness(
    against selection: Selection, refused: UInt32, code: Int32, at now: Instant
  ) {
    // No capture was refused, or all that there are, or the witness itself.
    guard refused > 0, queue.sendable > refused,
      contact?.trial.callWitness(against: selection) ?? false
    else { return backOff(.serverRejected(code: code), at: now) }
    enter(.connecting)
  }

  mutating func continueOrEnd(done: UInt32) {
    let remaining = contact?.remaining ?? 0
    contact?.remaining -= min(remaining, done)
    let hasMore = pending > 0 && remaining > done
    if hasMore || wantsFetch { enter(.connecting) } else { endContact() }
  }

  /// The outcome of an upload is unknown: nothing is sent until it is known.
  mutating func loseTrack() {
    shrink()
    mustReconcile = true
    hasWaited = false
    contact?.trial = UploadTrial()
    enter(.connecting)
  }

  mutating func shrink() { batchLimit = max(1, batchLimit / 2) }

  mutating func backOff(
    _ reason: Reason, atLeast: Milliseconds? = nil, at now: Instant
  ) {
    failures = min(failures + 1, 100)
    lastFailure = reason
    // The call came after this request: it is not what the server puts off.
    if isUrgent, hasUrgent, queue.sendable > 0 {
      contact?.trial = UploadTrial()
      return enter(.connecting)
    }
    hasWaited = true
    var delay = Backoff.delay(failures: failures)
    // It has waited long enough for the answer that did not come.
    if isUrgent { delay = min(delay, Bounds.urgentWait) }
    var wait = jitter.around(delay)
    if let atLeast { wait = max(wait, min(atLeast, Bounds.retryAfterLimit)) }
    // At the end of the wait there would be nothing to do; captures taken meanwhile go with the
    // next contact.
    let isAllHeld = pending > 0 && queue.sendable == 0 && queue.askAt > now + wait
    contact?.trial = UploadTrial()
    let keepsLink = wait <= Bounds.attachedWait
    enter(isAllHeld ? nil : .backingOff(until: now + wait, reason, keepsLink: keepsLink))
  }
}
