import CaptureStore
public import TrackerCore
import Uplink

// What people tell this tracker.
extension Courier {
  /// Begins the effect `fetch`: asks for messages, keeps them, and then tells the server that the
  /// tracker has them.
  public mutating func fetch(_ id: RequestID, at now: HostTime) -> Step {
    do throws(StoreError) {
      try endLastWork(at: now)
      work = .fetch(id, .failed(status: 0))
      var question = MailQuestion(device: store.device, after: try newestMessage())
      let open = try store.messages().filter { $0.kind == .order && $0.outcome == nil }
      toldOrders.removeAll { told in !open.contains { $0.number == told.number } }
      question.exceptions = toldOrders.suffix(CourierBounds.toldOrders)
      return try proceed(dialogue.fetch(question, at: now.utc), at: now)
    } catch {
      work = .fetch(id, .failed(status: 0))
      return unusable(error, .mail(.failed(status: 0)), at: now)
    }
  }

  /// The number of the newest message that is here; 0: none is. The last that came may be older: of
  /// many that wait the newest come first, and the last may be the oldest by far. Nor is it the
  /// highest number, as numbers begin again in a new table.
  private func newestMessage() throws(StoreError) -> UInt32 {
    let newest = try store.messages().max {
      ($0.created?.milliseconds ?? 0, $0.number) < ($1.created?.milliseconds ?? 0, $1.number)
    }
    return newest?.number ?? 0
  }

  /// A step's result of a fetch.
  ///
  /// - Returns: the next step; `nil`: it is over, and `work` has its outcome.
  mutating func take(
    _ outcome: MailOutcome, for id: RequestID, at now: HostTime
  ) -> UplinkStep? {
    switch outcome {
    case .unsupported, .failed:
      // If the confirmation failed, the messages are here: they are confirmed the next time.
      guard case .fetch(_, .failed) = work else { return nil }
      if case .failed(let status) = outcome { work = .fetch(id, .failed(status: status)) }
      if case .unsupported = outcome { work = .fetch(id, .unsupported) }
      return nil
    case .confirmed: return nil
    case .fetched(let messages):
      do throws(StoreError) {
        let isFirst = try store.messages().isEmpty
        // Orders that were confirmed before are another device's with its code. One that is here
        // already has come in time, whatever has become of it.
        try store.keep(
          messages.filter { $0.kind != .order || !$0.isConfirmed }
            .map { message in
              var kept = own(message, isFirst: isFirst)
              if message.isLate(at: now.utc) { kept.outcome = OrderOutcome.tooLate }
              return kept
            })
        try judgeHistories(messages)
        // Of all that are kept: a kill may have come before the tracker heard of it.
        let kept = try store.messages()
        work = .fetch(id, .answered(Self.answer(in: kept, at: now.utc)))
        var open: [MailConfirmation] = []
        for message in messages {
          let outcome = kept.last { $0.number == message.number }?.outcome
          let progress = history.progress[message.number]
          if let confirmation = MailConfirmation(message, outcome: outcome, progress: progress) {
            open.append(confirmation)
          }
          toldOrders.removeAll { $0.number == message.number }
          if let told = ToldOrder(message, outcome: outcome, progress: progress) {
            toldOrders.append(told)
          }
        }
        return open.isEmpty ? nil : dialogue.confirm(open, to: store.device, at: now.utc)
      } catch {
        // Whoever waits for help is told all the same; it is fetched again.
        storeProblem = error
        let all = messages.map { own($0, isFirst: false) }
        work = .fetch(id, .answered(Self.answer(in: all, at: now.utc)))
        return nil
      }
    }
  }

  /// A message as it is kept. What was said about a capture of another device with this one's code
  /// is no answer to this one.
  private func own(_ message: ServedMessage, isFirst: Bool) -> KeptMessage {
    var kept = KeptMessage(message, isFirst: isFirst)
    guard let capture = message.capture else {
      // One that this device has not taken yet is another's, or made up: the highest counts.
      if let sequence = kept.sequence, sequence >= store.nextSequence { kept.sequence = nil }
      return kept
    }
    guard let sequence = kept.sequence else {
      // The layer may have no field for numbers.
      let isAnswer = message.kind == .read || message.kind == .ended
      let number = isAnswer && !message.isConfirmed ? capture.sequence(of: store.device) : nil
      kept.sequence = number.flatMap { $0 < store.nextSequence ? $0 : nil }
      return kept
    }
    // One that this device has had and dropped may be its own.
    let own = try? store.identifier(ofSequence: sequence)
    if sequence >= store.nextSequence || (own ?? capture) != capture { kept.sequence = nil }
    return kept
  }

  /// What they say of an emergency: the last word on the latest one.
  private static func answer(in messages: [KeptMessage], at now: UTC) -> EmergencyAnswer? {
    var last: EmergencyAnswer?
    for message in messages {
      let kind: EmergencyAnswer.Kind
      switch message.kind {
      case .read: kind = .read
      case .ended: kind = .ended
      case .message, .order: continue
      }
      guard let sequence = message.sequence else { continue }
      if let last, last.sequence > sequence { continue }
      let by = InlineText<40>(Array(message.author.utf8).span)
      last = EmergencyAnswer(kind: kind, sequence: sequence, by: by, at: message.created ?? now)
    }
    return last
  }
}

extension ServedMessage {
  /// An order that came after its time.
  fileprivate func isLate(at now: UTC) -> Bool {
    guard kind == .order, !isConfirmed, let expires else { return false }
    return now > expires
  }
}

/// What becomes of an order of the control room, in the words that its server keeps.
public enum OrderOutcome {
  public static let inForce = "in force"
  /// A request for a call that the team has answered at the tracker.
  public static let seen = "seen by the team"
  public static let undone = "undone"
  public static let tooLate = "refused: it came too late"
  public static func refused(_ why: String) -> String { "refused: \(why)" }
}

extension KeptMessage {
  /// - Parameter isFirst: this device has never fetched any. Then what another device with its code
  ///   has had is no answer to it: that counted its own captures.
  init(_ message: ServedMessage, isFirst: Bool) {
    let kind: Kind
    switch message.kind {
    case .read: kind = .read
    case .ended: kind = .ended
    case .message: kind = .message
    case .order: kind = .order
    }
    self.init(
      number: message.number, kind: kind, text: message.text, author: message.author,
      created: message.created,
      sequence: isFirst && message.isConfirmed ? nil : message.sequence)
  }
}
