import TrackerCore
import Wording

/// The causes of a verdict other than GO, the gravest first: first those for which a person must
/// act, then those that pass by themselves. `VerdictTexts` and `VerdictActions` have their texts.
enum Cause: String, CaseIterable, Sendable {
  case notInstalled
  case dead
  case hung
  case emergency
  case callAsked
  case sessionStopped
  case storeFailed
  case diskFull
  case batteryShort
  case batteryLow
  case receiverUnplugged
  case receiverSilent
  case receiverNoise
  case noFix
  case poorFix
  case modemPortTaken
  case modemUnplugged
  case modemSilent
  case noSIM
  case simLocked
  case simLastTry
  case simUncertain
  case simBlocked
  case operatorLocked
  case simRefused
  case networkDenies
  case unauthorised
  case serverRefuses
  case portal
  case accessPointRefused
  case noDataConnection
  case noInterface
  case otherAddressFamily
  case nameNotFound
  case tlsFailed
  case modemTLSFailed
  case proxyRefuses
  case foreignServer
  case settingsUnusable
  case weakSupply
  case noConnection
  case serverBusy
  case serverSilent
  case noNetwork
  case neverReached
  case setAside
  case radioStuck
  case clockUntrusted
  case sharedIdentity
  // From here on: WAIT.
  case starting
  case firstFix
  case firstDate
  case modemStarting
  case firstContact

  /// Whether it passes by itself.
  var isWait: Bool {
    switch self {
    case .starting, .firstFix, .firstDate, .modemStarting, .firstContact: true
    case .notInstalled, .dead, .hung, .emergency, .callAsked, .sessionStopped, .storeFailed,
      .diskFull, .batteryShort, .batteryLow, .receiverUnplugged, .receiverSilent, .receiverNoise,
      .noFix, .poorFix,
      .modemPortTaken, .modemUnplugged, .modemSilent, .noSIM, .simLocked, .simLastTry,
      .simUncertain, .simBlocked, .operatorLocked, .simRefused, .networkDenies, .unauthorised,
      .serverRefuses, .portal, .accessPointRefused, .noDataConnection, .noInterface,
      .otherAddressFamily, .nameNotFound, .tlsFailed, .modemTLSFailed, .proxyRefuses,
      .foreignServer, .settingsUnusable, .weakSupply, .noConnection, .serverBusy, .serverSilent,
      .noNetwork, .neverReached, .setAside, .radioStuck, .clockUntrusted, .sharedIdentity:
      false
    }
  }

  /// What holds, and since when.
  struct Finding: Sendable, Equatable {
    var age: Milliseconds?
    var detail: Texts?
    /// How long ago the tracker gave a sign of life, where the cause's age is unknown.
    var lastSign: Milliseconds?
    /// How long it may last before a person must act; `nil`: now.
    var wait: Milliseconds?

    init(
      age: Milliseconds? = nil, detail: Texts? = nil, lastSign: Milliseconds? = nil,
      wait: Milliseconds? = nil
    ) {
      self.age = age
      self.detail = detail
      self.lastSign = lastSign
      self.wait = wait
    }
  }
}

extension Cause {
  /// - Returns: `nil` if the cause does not apply.
  func finding(in facts: TrackerFacts) -> Finding? { facts.finding(of: self) }
}

extension TrackerFacts {
  fileprivate func finding(of cause: Cause) -> Cause.Finding? {
    switch cause {
    case .notInstalled: found(identity.presence == .notInstalled, detail: identity.systemd)
    case .dead:
      found(
        identity.presence == .dead, age: identity.lastSignOfLife, detail: identity.systemd)
    case .hung:
      found(
        identity.presence == .hung, detail: identity.systemd, lastSign: identity.lastSignOfLife)
    case .emergency:
      found(emergency.isOpen, age: emergency.age, detail: emergency.texts)
    case .callAsked: found(session.callAsked != nil, age: session.callAsked)
    case .sessionStopped:
      found(identity.presence == .running && session.state == .stopped, age: session.age)
    case .storeFailed:
      found(store.problem != nil || captures.reason == .storeFailed, detail: briefStoreProblem)
    case .diskFull:
      found(
        store.second != nil || store.diskFree.map { $0 < VerdictBounds.diskFree } == true,
        detail: store.diskFree.map { "\($0 >> 20) MB".texts })
    case .setAside: found(queue.setAside > 0, detail: "\(queue.setAside)".texts)
    case .sharedIdentity: found(store.displaced > 0)
    case .batteryShort: underway(battery.reachesFinish == false && !battery.isCharging)
    case .batteryLow: found(isBatteryLow)
    case .receiverUnplugged: underway(receiver.problem != nil, detail: receiver.problem)
    case .receiverSilent:
      underway(receiver.isSilent, age: receiver.heard ?? identity.runningFor)
    case .receiverNoise: underway(isReceiverNoisy)
    case .noFix: found(isLookingForFix && withoutFix > VerdictBounds.fix(self), age: withoutFix)
    case .poorFix: found(isWithoutUsableFix, age: captures.lastAge ?? age)
    case .firstFix:
      wait(
        isLookingForFix && (receiver.fixAge == nil || withoutFix > VerdictBounds.usualGap),
        withoutFix, of: VerdictBounds.fix(self))
    case .clockUntrusted: underway(!clock.isTrusted && awakeFor > VerdictBounds.fix(self))
    case .firstDate: wait(isUnderway && !clock.isTrusted, awakeFor, of: VerdictBounds.fix(self))
    case .starting: wait(isUnderway, age, of: VerdictBounds.start)
    case .radioStuck: underway(modem.isPresent && modem.isRadioStuck)
    case .modemPortTaken: underway(modem.isPresent && modem.isPortTaken, detail: modem.problem)
    case .modemUnplugged:
      underway(
        modem.isPresent && modem.port == .notConnected && !modem.isPortTaken,
        detail: modem.problem)
    case .modemSilent: underway(blockingReason?.row == cause || modem.phase == .faulted)
    case .noSIM, .simLocked, .simLastTry, .simUncertain, .simBlocked, .operatorLocked, .simRefused,
      .unauthorised:
      underway(blockingReason?.row == cause)
    // Where only foreign networks are heard, they refuse a SIM that works elsewhere.
    case .networkDenies: underway(!hasDelivered && blockingReason == .registrationDenied)
    case .serverRefuses:
      underway(
        blockingReason?.row == cause,
        detail: sending.lastProblem ?? blockingReason?.detail.map { "\($0)".texts })
    case .portal, .accessPointRefused, .noDataConnection, .noInterface, .otherAddressFamily,
      .nameNotFound, .tlsFailed, .modemTLSFailed, .proxyRefuses, .foreignServer,
      .settingsUnusable, .weakSupply, .noConnection, .serverBusy, .serverSilent, .noNetwork,
      .neverReached:
      undelivered.flatMap { $0.cause == cause && $0.isTimeUp ? $0.finding : nil }
    case .modemStarting:
      modem.isPresent && modem.phase != .off ? undelivered?.wait : nil
    case .firstContact: undelivered?.wait
    }
  }

  /// What is wrong with a store, without its path and without the cure, so that the rest of the
  /// status stays on the screen.
  private var briefStoreProblem: Texts? {
    store.problem?.map { problem in
      var text = problem[...]
      if let path = store.path, text.hasPrefix(path) {
        text = text.dropFirst(path.count).drop { ": ".contains($0) }
      }
      return String(text)
    }
    .withoutCure
  }

  private func found(
    _ holds: Bool, age: Milliseconds? = nil, detail: Texts? = nil, lastSign: Milliseconds? = nil
  ) -> Cause.Finding? {
    holds ? Cause.Finding(age: age, detail: detail, lastSign: lastSign) : nil
  }

  /// What is only wrong while a session runs.
  private func underway(
    _ holds: Bool, age: Milliseconds? = nil, detail: Texts? = nil
  ) -> Cause.Finding? {
    found(isUnderway && holds, age: age, detail: detail)
  }

  /// A person must act once `age` has reached `limit`.
  private func wait(
    _ holds: Bool, _ age: Milliseconds, of limit: Milliseconds
  ) -> Cause.Finding? {
    holds && age <= limit ? Cause.Finding(wait: limit - age) : nil
  }
}

extension TrackerFacts {
  var isUnderway: Bool { identity.presence == .running && session.state == .running }
  /// How long it has had the chance to work: a session may begin hours after the program.
  var age: Milliseconds {
    let running = identity.runningFor ?? 0
    return session.age.map { min(running, $0) } ?? running
  }
  /// The receiver sleeps while no session runs.
  fileprivate var awakeFor: Milliseconds { min(age, receiver.awakeFor ?? age) }
  fileprivate var withoutFix: Milliseconds { receiver.noFix ?? receiver.fixAge ?? age }

  /// The battery is down to its reserve, where contacts are an hour apart, and may not last until
  /// the finish. If its sensor fails then, it still counts as empty.
  var isBatteryLow: Bool {
    isUnderway && battery.isInReserve && battery.reachesFinish == nil && !battery.isCharging
  }

  /// Bytes come and no sentences: another rate, or another device.
  fileprivate var isReceiverNoisy: Bool {
    receiver.bytesPerMinute >= VerdictBounds.noiseBytes
      && receiver.rejectedPerMinute > receiver.sentencesPerMinute
  }

  fileprivate var isLookingForFix: Bool {
    isUnderway && receiver.isAwake && !receiver.isSilent && receiver.problem == nil
  }

  /// Positions come, but none is good enough for a capture.
  fileprivate var isWithoutUsableFix: Bool {
    guard isUnderway, captures.reason == .poorAccuracy || captures.reason == .noFix else {
      return false
    }
    let interval = captures.interval ?? VerdictBounds.heartbeat
    let patience = max(interval + interval, VerdictBounds.fix(self))
    return min(captures.lastAge ?? age, awakeFor) > patience
  }

  /// Whether it delivered lately, even before a restart.
  var hasDelivered: Bool {
    sending.lastDelivery.map { $0 < VerdictBounds.recentDelivery } ?? false
  }
}
