import FieldConsole
import TrackerCore
import Wording

/// The settings that people change while the tracker runs, until they are saved.
final class SettingsKeeper: PollSource {
  var inForce: SettingsInForce
  /// As last passed to the core.
  private(set) var configuration: Configuration
  /// Those that no order changes.
  private let fixed: Configuration
  /// The configured name.
  var team: InlineText<64>
  /// Why the course in the settings is not followed.
  var courseProblem: Texts?
  /// Whether the orders have changed since they were saved.
  var isUnsaved = false
  private(set) var retryAt: Instant?

  init(_ parts: LinuxParts) {
    inForce = parts.settings
    configuration = parts.configuration
    fixed = parts.configuration
    team = parts.team
    courseProblem = parts.courseProblem
  }

  /// Reports orders that ended by themselves, and has saved what has changed.
  func tend(_ pass: inout Pass) {
    for order in inForce.takeEnded() {
      pass.log.write(
        .notice, "an order no longer applies", ["key": order.key, "why": order.why])
      isUnsaved = true
    }
    if isUnsaved, retryAt.map({ pass.now >= $0 }) ?? true { pass.news.append(.settingsUnsaved) }
  }

  func register(in wait: inout LoopWait, at now: Instant) { wait.wake(at: retryAt) }

  func saved() {
    isUnsaved = false
    retryAt = nil
  }

  /// - Returns: whether this is the first time.
  func notSaved(at now: Instant) -> Bool {
    defer { retryAt = now + Bounds.storeRetry }
    return retryAt == nil
  }

  /// The settings in force, if the core does not have them yet.
  func takeConfiguration(evenIfUnchanged: Bool) -> Configuration? {
    let wanted = inForce.reading.core.configuration.keepingFixed(of: fixed)
    guard evenIfUnchanged || wanted != configuration else { return nil }
    configuration = wanted
    return wanted
  }
}
