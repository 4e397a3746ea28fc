public import BoardSupport
public import TrackerCore
import Wording

/// What the control room orders over the server, within the limits of the configuration: `remote`
/// and `remoteLimit`.
///
/// A server may be taken over, or misconfigured. So an order never makes a tracker silent for
/// longer than the limit, nor changes where it delivers, nor removes captures.
public enum RemoteOrder {
  case command(Command)
  /// These settings, once they are on disk.
  case change(to: SettingsInForce, SettingKey)

  /// - Parameters:
  ///   - text: `capture`, `call`, `start`, `stop`, `interval 5 min`, `contacts 20 min`, or
  ///     `finish 2026-04-19T14:00`; `undo interval` and so on.
  ///   - finish: in force; `nil`: none.
  /// - Throws: why it is refused.
  public init(
    _ text: String, by who: String, to request: SettingsRequest, _ settings: SettingsInForce,
    finish: UTC?
  ) throws(ConsoleError) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let isUndone = words.first == "undo"
    let name = isUndone ? (words.last ?? "") : (words.first ?? "")
    guard let verb = RemoteVerb(rawValue: name) else {
      let verbs = RemoteVerb.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConsoleError(ProblemPhrase.remoteUnknown.texts(verbs))
    }
    let core = settings.reading.core
    guard core.remote.contains(verb) else {
      throw ConsoleError(ProblemPhrase.remoteNotAllowed.texts(verb.rawValue))
    }
    switch verb {
    case .capture, .call, .start, .stop:
      guard let command = RemoteVerb.command(words) else {
        throw ConsoleError(ProblemPhrase.remoteWords.texts(verb.rawValue))
      }
      self = .command(command)
    // Histories are asked for with the whole span.
    case .history: throw ConsoleError(ProblemPhrase.remoteUnknown.texts(verb.rawValue))
    case .interval, .contacts, .finish:
      let outcome = try isUndone ? request.undo(name) : request.set(text, by: who)
      guard case .change(let new, let key, _) = outcome else {
        throw ConsoleError(ProblemPhrase.remoteNotAllowed.texts(verb.rawValue))
      }
      try Self.check(new.reading.core.configuration, key, instead: finish, core)
      self = .change(to: new, key)
    }
  }

  /// Whether settings stay within the limits.
  private static func check(
    _ new: Configuration, _ key: SettingKey, instead finish: UTC?, _ old: ConfigurationFile
  ) throws(ConsoleError) {
    let limit = old.configuration.remoteLimit
    let isTooLong =
      switch key {
      case .interval: new.capture.interval.map { $0 > limit } ?? false
      case .contacts: new.contactInterval > limit
      default: false
      }
    if isTooLong {
      throw ConsoleError(
        ProblemPhrase.remoteTooLong.texts(Dimension.duration.text(limit.count)))
    }
    guard key == .finish else { return }
    // The session ends after it.
    guard case .at(let later) = new.finish, let finish, later >= finish else {
      throw ConsoleError(ProblemPhrase.remoteFinish.texts)
    }
  }
}

extension CapturePolicy {
  /// `nil`: captures are not due by time.
  fileprivate var interval: Milliseconds? {
    switch self {
    case .standard(let interval, _, _), .adaptive(let interval): interval
    case .significant, .proximity, .route: nil
    }
  }
}
