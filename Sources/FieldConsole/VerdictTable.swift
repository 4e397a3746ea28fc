public import TrackerCore
public import Wording

/// The causes of a verdict other than GO, the gravest first: first those for which a person must
/// act, then those that pass by themselves. `VerdictTexts.swift` has the texts of each.
public enum Cause: String, CaseIterable, Sendable {
  case notInstalled
  case dead
  case hung
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
  public var isWait: Bool {
    switch self {
    case .starting, .firstFix, .firstDate, .modemStarting, .firstContact: true
    case .notInstalled, .dead, .hung, .sessionStopped, .storeFailed, .diskFull, .batteryShort,
      .batteryLow, .receiverUnplugged, .receiverSilent, .receiverNoise, .noFix, .poorFix,
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
  public struct Finding: Sendable, Equatable {
    public var age: Milliseconds?
    public var detail: Texts?
    /// Since something was last seen of it, where nobody knows how long it lasts.
    public var lastSign: Milliseconds?
    /// How long it may last before a person must act; `nil`: now.
    public var wait: Milliseconds?

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

/// The thresholds of the table.
public enum VerdictBounds {
  /// Below it the store keeps the rest of the disk for acknowledgements.
  public static let diskFree: Int64 = 8 << 20
  /// A minute with fewer bytes says nothing about the rate of a line.
  static let noiseBytes: Int64 = 200
  /// A receiver needs this many times its cold start under trees, and at least `shortestFix`.
  static let coldStarts: Int64 = 2
  static let shortestFix = Milliseconds.minutes(3)
  /// The first contact begins with the first capture. A second one is due ten minutes later, by
  /// the usual reconnect floor, and takes up to six.
  public static let firstContact = Milliseconds.minutes(20)
  /// What has a known cause was tried several times by then, with waits from 5 s on.
  static let knownCause = Milliseconds.minutes(5)
  /// A modem looks for its network at each contact; longer than this it has none.
  static let usualSearch = Milliseconds.minutes(1)
  /// After a delivery this recent the server is known to work, and silence is a dead zone. It spans
  /// the longest valley of the course and a restart in it.
  static let recentDelivery = Milliseconds.hours(6)
  /// The longest time between two captures by distance.
  static let heartbeat = Bounds.heartbeat
  /// By then a tracker has looked at everything once.
  static let start = Milliseconds.seconds(5)
  /// Shorter gaps between fixes are usual under trees and in villages.
  static let usualGap = Milliseconds.minutes(1)

  static func fix(_ facts: TrackerFacts) -> Milliseconds {
    max(shortestFix, Milliseconds(min(facts.receiver.coldStart, .hours(1)).count * coldStarts))
  }
}

extension Cause {
  /// - Returns: `nil` if it does not hold.
  func finding(in facts: TrackerFacts) -> Finding? {
    switch self {
    case .notInstalled:
      Self.found(facts.identity.presence == .notInstalled, detail: facts.identity.systemd)
    case .dead:
      Self.found(
        facts.identity.presence == .dead, age: facts.identity.lastSignOfLife,
        detail: facts.identity.systemd)
    case .hung:
      Self.found(
        facts.identity.presence == .hung, detail: facts.identity.systemd,
        lastSign: facts.identity.lastSignOfLife)
    case .sessionStopped:
      Self.found(
        facts.identity.presence == .running && facts.session.state == .stopped,
        age: facts.session.age)
    case .storeFailed:
      Self.found(
        facts.store.problem != nil || facts.captures.reason == .storeFailed,
        detail: facts.store.problem.map { Self.brief($0, at: facts.store.path) })
    case .diskFull:
      Self.found(
        facts.store.second != nil
          || facts.store.diskFree.map { $0 < VerdictBounds.diskFree } == true,
        detail: facts.store.diskFree.map { "\($0 >> 20) MB".texts })
    case .radioStuck:
      Self.found(facts.isUnderway && facts.modem.isPresent && facts.modem.isRadioStuck)
    case .setAside: Self.found(facts.queue.setAside > 0, detail: "\(facts.queue.setAside)".texts)
    case .sharedIdentity: Self.found(facts.store.displaced > 0)
    case .batteryShort:
      Self.found(
        facts.isUnderway && facts.battery.reachesFinish == false && !facts.battery.isCharging)
    case .batteryLow:
      Self.found(facts.isBatteryLow)
    case .receiverUnplugged:
      Self.found(
        facts.isUnderway && facts.receiver.problem != nil, detail: facts.receiver.problem)
    case .receiverSilent:
      Self.found(
        facts.isUnderway && facts.receiver.isSilent,
        age: facts.receiver.heard ?? facts.identity.runningFor)
    case .receiverNoise: Self.found(facts.isUnderway && facts.isReceiverNoisy)
    case .noFix:
      Self.found(
        facts.isLookingForFix && facts.withoutFix > VerdictBounds.fix(facts),
        age: facts.withoutFix)
    case .poorFix: Self.found(facts.isWithoutUsableFix, age: facts.captures.lastAge ?? facts.age)
    case .firstFix:
      Self.wait(
        facts.isLookingForFix
          && (facts.receiver.fixAge == nil || facts.withoutFix > VerdictBounds.usualGap),
        facts.withoutFix, of: VerdictBounds.fix(facts))
    case .clockUntrusted:
      Self.found(
        facts.isUnderway && !facts.clock.isTrusted && facts.awakeFor > VerdictBounds.fix(facts))
    case .firstDate:
      Self.wait(
        facts.isUnderway && !facts.clock.isTrusted, facts.awakeFor, of: VerdictBounds.fix(facts))
    case .starting:
      Self.wait(facts.isUnderway, facts.age, of: VerdictBounds.start)
    case .modemPortTaken:
      Self.found(
        facts.isUnderway && facts.modem.isPresent && facts.modem.isPortTaken,
        detail: facts.modem.problem)
    case .modemUnplugged:
      Self.found(
        facts.isUnderway && facts.modem.isPresent && facts.modem.port == .notConnected
          && !facts.modem.isPortTaken,
        detail: facts.modem.problem)
    case .modemSilent:
      Self.found(
        facts.isUnderway
          && (facts.blockingReason?.row == self || facts.modem.phase == .faulted))
    case .noSIM, .simLocked, .simLastTry, .simUncertain, .simBlocked, .operatorLocked, .simRefused,
      .unauthorised:
      Self.found(facts.isUnderway && facts.blockingReason?.row == self)
    // Where only foreign networks are heard, they refuse a SIM that works elsewhere.
    case .networkDenies:
      Self.found(
        facts.isUnderway && !facts.hasDelivered && facts.blockingReason == .registrationDenied)
    case .serverRefuses:
      Self.found(
        facts.isUnderway && facts.blockingReason?.row == self,
        detail: facts.sending.lastProblem ?? facts.blockingReason?.detail.map { "\($0)".texts })
    case .portal, .accessPointRefused, .noDataConnection, .noInterface, .otherAddressFamily,
      .nameNotFound, .tlsFailed, .modemTLSFailed, .proxyRefuses, .foreignServer,
      .settingsUnusable, .weakSupply, .noConnection, .serverBusy, .serverSilent, .noNetwork,
      .neverReached:
      facts.undelivered.flatMap { $0.cause == self && $0.isTimeUp ? $0.finding : nil }
    case .modemStarting:
      facts.modem.isPresent && facts.modem.phase != .off ? facts.undelivered?.wait : nil
    case .firstContact: facts.undelivered?.wait
    }
  }

  /// What is wrong with a store, without its path and without the cure: the table has one, and the
  /// rest of the status should stay on the screen.
  private static func brief(_ problem: Texts, at store: String?) -> Texts {
    problem.map { problem in
      var text = problem[...]
      if let store, text.hasPrefix(store) {
        text = text.dropFirst(store.count).drop { ": ".contains($0) }
      }
      return String(text)
    }
    .withoutCure
  }

  private static func found(
    _ holds: Bool, age: Milliseconds? = nil, detail: Texts? = nil, lastSign: Milliseconds? = nil
  ) -> Finding? {
    holds ? Finding(age: age, detail: detail, lastSign: lastSign) : nil
  }

  /// A person must act once `age` has reached `limit`.
  private static func wait(_ holds: Bool, _ age: Milliseconds, of limit: Milliseconds) -> Finding? {
    holds && age <= limit ? Finding(wait: limit - age) : nil
  }
}

extension TrackerFacts {
  var isUnderway: Bool { identity.presence == .running && session.state == .running }
  /// How long it could have done what it should: a session may begin hours after the program.
  var age: Milliseconds {
    let running = identity.runningFor ?? 0
    return session.age.map { min(running, $0) } ?? running
  }
  /// The receiver sleeps while no session runs.
  fileprivate var awakeFor: Milliseconds { min(age, receiver.awakeFor ?? age) }
  fileprivate var withoutFix: Milliseconds { receiver.noFix ?? receiver.fixAge ?? age }

  /// Down to its reserve, where contacts are an hour apart, and no finish is known to be so near
  /// that it lasts nevertheless. One that was lost there is still as empty as it was.
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

  /// Positions come, but none that a capture may be made of.
  fileprivate var isWithoutUsableFix: Bool {
    guard isUnderway, captures.reason == .poorAccuracy || captures.reason == .noFix else {
      return false
    }
    let interval = captures.interval ?? VerdictBounds.heartbeat
    let patience = max(interval + interval, VerdictBounds.fix(self))
    return min(captures.lastAge ?? age, awakeFor) > patience
  }

  /// Lately, which includes a start before this one.
  var hasDelivered: Bool {
    sending.lastDelivery.map { $0 < VerdictBounds.recentDelivery } ?? false
  }
}
