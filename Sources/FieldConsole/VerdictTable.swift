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
    /// Milliseconds.
    public var age: Int64?
    public var detail: Texts?
    /// Milliseconds since something was last seen of it, where nobody knows how long it lasts.
    public var lastSign: Int64?
    /// How long it may last before a person must act, milliseconds; `nil`: now.
    public var wait: Int64?

    init(
      age: Int64? = nil, detail: Texts? = nil, lastSign: Int64? = nil, wait: Int64? = nil
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

  static func fix(_ facts: TrackerFacts) -> Int64 {
    max(shortestFix.count, min(facts.coldStart, 3_600_000) * coldStarts)
  }
}

extension Cause {
  /// - Returns: `nil` if it does not hold.
  func finding(in facts: TrackerFacts) -> Finding? {
    switch self {
    case .notInstalled: Self.found(facts.presence == .notInstalled, detail: facts.systemd)
    case .dead:
      Self.found(facts.presence == .dead, age: facts.lastSignOfLife, detail: facts.systemd)
    case .hung:
      Self.found(
        facts.presence == .hung, detail: facts.systemd,
        lastSign: facts.lastSignOfLife)
    case .sessionStopped:
      Self.found(
        facts.presence == .running && facts.session == .stopped, age: facts.sessionAge)
    case .storeFailed:
      Self.found(
        facts.storeProblem != nil || facts.captureReason == .storeFailed,
        detail: facts.storeProblem.map { Self.brief($0, at: facts.store) })
    case .diskFull:
      Self.found(
        facts.secondStore != nil || facts.diskFree.map { $0 < VerdictBounds.diskFree } == true,
        detail: facts.diskFree.map { "\($0 >> 20) MB".texts })
    case .radioStuck: Self.found(facts.isUnderway && facts.hasModem && facts.isRadioStuck)
    case .setAside: Self.found(facts.setAside > 0, detail: "\(facts.setAside)".texts)
    case .sharedIdentity: Self.found(facts.displaced > 0)
    case .batteryShort:
      Self.found(facts.isUnderway && facts.batteryReaches == false && !facts.isCharging)
    case .batteryLow:
      Self.found(facts.isBatteryLow)
    case .receiverUnplugged:
      Self.found(
        facts.isUnderway && facts.receiverProblem != nil, detail: facts.receiverProblem)
    case .receiverSilent:
      Self.found(
        facts.isUnderway && facts.isReceiverSilent, age: facts.receiverHeard ?? facts.runningFor)
    case .receiverNoise: Self.found(facts.isUnderway && facts.isReceiverNoisy)
    case .noFix:
      Self.found(
        facts.isLookingForFix && facts.withoutFix > VerdictBounds.fix(facts),
        age: facts.withoutFix)
    case .poorFix: Self.found(facts.isWithoutUsableFix, age: facts.lastCaptureAge ?? facts.age)
    case .firstFix:
      Self.wait(
        facts.isLookingForFix
          && (facts.fixAge == nil || facts.withoutFix > VerdictBounds.usualGap.count),
        facts.withoutFix, of: VerdictBounds.fix(facts))
    case .clockUntrusted:
      Self.found(
        facts.isUnderway && !facts.isClockTrusted && facts.awakeFor > VerdictBounds.fix(facts))
    case .firstDate:
      Self.wait(
        facts.isUnderway && !facts.isClockTrusted, facts.awakeFor, of: VerdictBounds.fix(facts))
    case .starting:
      Self.wait(facts.isUnderway, facts.age, of: VerdictBounds.start.count)
    case .modemPortTaken:
      Self.found(
        facts.isUnderway && facts.hasModem && facts.isModemPortTaken, detail: facts.modemProblem)
    case .modemUnplugged:
      Self.found(
        facts.isUnderway && facts.hasModem && facts.modemPort == TrackerFacts.notConnected
          && !facts.isModemPortTaken,
        detail: facts.modemProblem)
    case .modemSilent:
      Self.found(
        facts.isUnderway
          && (facts.blockingReason?.row == self || facts.modem == "\(ModemPhase.faulted)"))
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
        detail: facts.lastProblem ?? facts.blockingReason?.detail.map { "\($0)".texts })
    case .portal, .accessPointRefused, .noDataConnection, .noInterface, .otherAddressFamily,
      .nameNotFound, .tlsFailed, .modemTLSFailed, .proxyRefuses, .foreignServer,
      .settingsUnusable, .weakSupply, .noConnection, .serverBusy, .serverSilent, .noNetwork,
      .neverReached:
      facts.undelivered.flatMap { $0.cause == self && $0.isTimeUp ? $0.finding : nil }
    case .modemStarting:
      facts.hasModem && facts.modem != "\(ModemPhase.off)" ? facts.undelivered?.wait : nil
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
    _ holds: Bool, age: Int64? = nil, detail: Texts? = nil, lastSign: Int64? = nil
  ) -> Finding? {
    holds ? Finding(age: age, detail: detail, lastSign: lastSign) : nil
  }

  /// A person must act once `age` has reached `limit`.
  private static func wait(_ holds: Bool, _ age: Int64, of limit: Int64) -> Finding? {
    holds && age <= limit ? Finding(wait: limit - age) : nil
  }
}

extension TrackerFacts {
  var isUnderway: Bool { presence == .running && session == .running }
  /// How long it could have done what it should: a session may begin hours after the program.
  var age: Int64 { min(runningFor ?? 0, sessionAge ?? .max) }
  /// The receiver sleeps while no session runs.
  fileprivate var awakeFor: Int64 { min(age, receiverAwakeFor ?? age) }
  fileprivate var withoutFix: Int64 { noFix ?? fixAge ?? age }

  /// Down to its reserve, where contacts are an hour apart, and no finish is known to be so near
  /// that it lasts nevertheless. One that was lost there is still as empty as it was.
  var isBatteryLow: Bool {
    isUnderway && isInReserve && batteryReaches == nil && !isCharging
  }

  /// Bytes come and no sentences: another rate, or another device.
  fileprivate var isReceiverNoisy: Bool {
    bytesPerMinute >= VerdictBounds.noiseBytes && rejectedPerMinute > sentencesPerMinute
  }

  fileprivate var isLookingForFix: Bool {
    isUnderway && isReceiverAwake && !isReceiverSilent && receiverProblem == nil
  }

  /// Positions come, but none that a capture may be made of.
  fileprivate var isWithoutUsableFix: Bool {
    guard isUnderway, captureReason == .poorAccuracy || captureReason == .noFix else {
      return false
    }
    let interval = captureInterval ?? VerdictBounds.heartbeat.count
    let patience = max(2 * min(interval, 1 << 40), VerdictBounds.fix(self))
    return min(lastCaptureAge ?? age, awakeFor) > patience
  }

  /// Lately, which includes a start before this one.
  var hasDelivered: Bool {
    lastDelivery.map { $0 < VerdictBounds.recentDelivery.count } ?? false
  }
}
