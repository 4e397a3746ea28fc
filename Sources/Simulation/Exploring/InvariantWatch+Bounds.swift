import ModemDialogues
import TrackerCore

// What may not grow: queues, requests, and how often the tracker asks to be called.
extension InvariantWatch {
  /// At most five a second on average: a modem is asked each second, and a receiver's report ends
  /// with a pause each second.
  func woke(at now: Instant) {
    if now - wakes.since >= .minutes(10) { wakes = (0, now) }
    wakes.count += 1
    claim(.fewWakes, wakes.count < 3000, at: now, "\(wakes.count) deadlines in 10 minutes")
  }

  /// By the table of waits a server in trouble is asked five times in ten minutes, and more often
  /// only if it takes something in between; a contact that is due then, and a person's order, are
  /// tries of their own. A call for help waits less.
  func countFailure(_ outcome: UploadOutcome, at now: Instant) {
    switch outcome {
    case .busy, .unreachable, .unauthorised: break
    case .answered(1..., _, _, _):
      failuresInRow = []
      return
    case .answered, .refused, .stalled, .ambiguous, .empty: return
    }
    failures.removeAll { now - $0 > .minutes(10) }
    failures.append(now)
    failuresInRow.removeAll { now - $0 > .minutes(10) }
    failuresInRow.append(now)
    let isUrgent = orders.called != nil || now - urgentAt < .minutes(12)
    claim(
      .fewRequests, failures.count <= 40 || isUrgent, at: now,
      "\(failures.count) uploads failed within 10 minutes")
    claim(
      .fewRequests, failuresInRow.count <= 15 || isUrgent, at: now,
      "\(failuresInRow.count) uploads in a row failed within 10 minutes")
  }

  /// Servers fail on large payloads: `Bounds.batchLimit`.
  func checkSize(of request: UploadRequest, at now: Instant) {
    let limit =
      switch request.selection {
      case .freshest(let limit), .oldest(let limit): limit
      }
    claim(.queuesBounded, limit <= 100, at: now, "a request for \(limit) captures")
  }

  func checkQueues(_ world: borrowing World) {
    let now = world.now
    // What each may hold, whatever happens.
    let lists: [(name: StaticString, count: Int, most: Int)] = [
      ("events wait", world.deliveries.count, 100),
      ("requests wait for a late server", world.lateExchanges.count, 1000),
      ("things are planned", world.planned.count, 1000),
      ("bytes wait for the modem", world.toModem.count, ModemBounds.outgoingBytes),
      ("bytes of the modem wait", world.fromModem.count, 300_000),
    ]
    for list in lists {
      claim(.queuesBounded, list.count <= list.most, at: now, "\(list.count) \(list.name)")
    }
    let before = requestsBefore.first { now - $0.at <= .hours(1) }
    requestsBefore.removeAll { now - $0.at > .hours(1) }
    requestsBefore.append((now, world.requestCount))
    let made = world.requestCount - (before?.count ?? world.requestCount)
    claim(
      .fewRequests, made < 2000, at: now, "\(made) requests within an hour")
  }
}
