import NMEA

// From the receiver's bytes to fixes.
extension Tracker {
  /// - Returns: whether there is anything to act on; most bytes are only a part of a report.
  mutating func receiveFromReceiver(
    _ bytes: Span<UInt8>, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    var isNews = watch.heard(bytes.count, at: now, into: &sink)
    var position = 0
    while let epoch = decoder.next(in: bytes, from: &position) {
      hear(epoch, at: now, into: &sink)
      isNews = true
    }
    epochEndsAt = decoder.hasOpenEpoch ? now + Bounds.epochQuiet : nil
    return isNews
  }

  /// Handles one complete position report.
  mutating func hear(_ epoch: Epoch, at now: Instant, into sink: inout some EffectSink & ~Copyable)
  {
    tally.epochs &+= 1
    let wasTrusted = clock.isTrusted
    let hadCorrection = clock.correctionWeeks
    let utc = clock.hear(epoch, at: now)
    // The clock of a receiver without a fix may look like a rollover, so only a trusted one is
    // reported.
    if clock.isTrusted && clock.correctionWeeks != 0
      && (!wasTrusted || clock.correctionWeeks != hadCorrection)
    {
      sink.note(.weekRolloverCorrected(weeks: clock.correctionWeeks))
    }
    if clock.isTrusted && !wasTrusted, let utc { sink.note(.clockTrusted(utc)) }

    switch filter.judge(epoch, utc: utc, at: now) {
    case .accepted(let fix):
      tally.accepted &+= 1
      odometer.move(to: fix.position, accuracyMetres: fix.accuracyMetres)
      session.missingFixReason = .noFix
      session.offer(fix)
      if session.isRunning, sink.hasCourse { follow(fix, at: now, into: &sink) }
    case .rejected(let rejection):
      tally.count(rejection)
      session.missingFixReason = rejection == .noFix ? .noFix : .poorAccuracy
      // A report without a fix is not news; the others indicate a problem.
      if rejection != .noFix { sink.note(.fixRejected(rejection)) }
    }
  }
}
