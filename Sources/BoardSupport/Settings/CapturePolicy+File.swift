import TrackerCore
import Wording

extension CapturePolicy {
  /// The policies' names.
  static let words = Word.allCases.map(\.rawValue)

  private enum Word: String, CaseIterable {
    case standard, significant, proximity, route, adaptive

    /// The settings of the policy.
    var settings: [Setting] {
      switch self {
      case .standard: [Settings.captureInterval, Settings.minimumDistance, Settings.heartbeat]
      case .significant, .proximity: []
      case .route: [Settings.every]
      case .adaptive: [Settings.captureInterval]
      }
    }

    func takes(_ setting: Setting) -> Bool { settings.contains { $0.path == setting.path } }
  }

  /// Whether a policy uses a setting. All use those outside `capture`; an unknown one uses all.
  ///
  /// - Parameter path: the setting's place in the file.
  static func takes(_ policy: String, _ path: String) -> Bool {
    guard let word = Word(rawValue: policy) else { return true }
    let isSpecial = Word.allCases.contains { $0.settings.contains { $0.path == path } }
    return !isSpecial || word.settings.contains { $0.path == path }
  }

  init(_ node: FileNode) throws(FileError) {
    try node.checkKeys(of: "capture")
    let word = try node.required("policy", like: "\"standard\"").choice(
      Word.allCases.map { ($0.rawValue, $0) })
    for other in Word.allCases {
      for setting in other.settings where !word.takes(setting) {
        guard let foreign = node.optional(setting) else { continue }
        let takers = Word.allCases.filter { $0.takes(setting) }.map(\.rawValue)
        throw foreign.error(
          FilePhrase.otherPolicy.texts("\"\(word.rawValue)\"", listedTexts(takers, or: true)))
      }
    }
    switch word {
    case .standard: self = try Self.standard(node)
    case .significant: self = .significant
    case .proximity: self = .proximity
    case .route:
      let every = try node.required("every", like: "\"1000 m\"")
      self = .route(everyMetres: try every.quantity(Settings.every))
    case .adaptive:
      self = .adaptive(interval: try Self.interval(node) ?? Self.defaults.interval)
    }
  }

  private static func interval(_ node: FileNode) throws(FileError) -> Milliseconds? {
    try node.optional(Settings.captureInterval)?.duration(Settings.captureInterval)
  }

  private static func standard(_ node: FileNode) throws(FileError) -> CapturePolicy {
    let interval = try interval(node) ?? defaults.interval
    var distance = defaults.minimumDistanceMetres
    if let given = node.optional(Settings.minimumDistance) {
      distance = try given.quantity(Settings.minimumDistance)
    }
    // A default heartbeat is raised to the interval; a given one must not be shorter.
    var heartbeat = max(interval, defaults.heartbeat)
    if let given = node.optional(Settings.heartbeat) {
      heartbeat = try given.duration(
        in: interval ... .hours(24), "not shorter than the interval")
    }
    return .standard(
      interval: interval, minimumDistanceMetres: distance, heartbeat: heartbeat)
  }

  /// The core's defaults, so that they are defined only once.
  static var defaults:
    (interval: Milliseconds, minimumDistanceMetres: Int32, heartbeat: Milliseconds)
  {
    guard case .standard(let interval, let distance, let heartbeat) = Configuration().capture
    else { preconditionFailure("the core's default policy is the standard one") }
    return (interval, distance, heartbeat)
  }
}
