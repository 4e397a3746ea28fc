import TrackerCore

extension CapturePolicy {
  /// Faster than the receiver's one fix per second there is nothing to take; a day is longer than
  /// most races.
  static let intervals: ClosedRange<Milliseconds> = .seconds(1) ... .hours(24)
  static let intervalReason = "a receiver gives one fix per second"

  private enum Word: String, CaseIterable {
    case standard, significant, proximity, route, adaptive

    /// What the policy can be told.
    var keys: [String] {
      switch self {
      case .standard: ["interval", "minimumDistance", "heartbeat"]
      case .significant, .proximity: []
      case .route: ["every"]
      case .adaptive: ["interval"]
      }
    }
  }

  init(_ node: FileNode) throws(FileError) {
    try node.checkKeys(["policy", "interval", "minimumDistance", "heartbeat", "every"])
    let word = try node.required("policy", like: "\"standard\"").choice(
      Word.allCases.map { ($0.rawValue, $0) })
    for other in Word.allCases {
      for key in other.keys where !word.keys.contains(key) {
        guard let foreign = node.optional(key) else { continue }
        let takers = Word.allCases.filter { $0.keys.contains(key) }.map(\.rawValue)
        throw foreign.error(
          "does not belong to the policy \"\(word.rawValue)\"; "
            + "remove it, or choose \(listed(takers, or: true))")
      }
    }
    switch word {
    case .standard: self = try Self.standard(node)
    case .significant: self = .significant
    case .proximity: self = .proximity
    case .route:
      let every = try node.required("every", like: "\"1000 m\"")
      self = .route(
        everyMetres: try every.quantity(.distance, in: 1...100_000, "the race has 100 km"))
    case .adaptive:
      self = .adaptive(interval: try Self.interval(node) ?? Self.defaults.interval)
    }
  }

  private static func interval(_ node: FileNode) throws(FileError) -> Milliseconds? {
    try node.optional("interval")?.duration(in: intervals, intervalReason)
  }

  private static func standard(_ node: FileNode) throws(FileError) -> CapturePolicy {
    let interval = try interval(node) ?? defaults.interval
    var distance = defaults.minimumDistanceMetres
    if let given = node.optional("minimumDistance") {
      distance = try given.quantity(.distance, in: 0...100_000, "the race has 100 km")
    }
    // A default heartbeat gives way to a longer interval; one that was written must fit it.
    var heartbeat = max(interval, defaults.heartbeat)
    if let given = node.optional("heartbeat") {
      heartbeat = try given.duration(
        in: interval ... .hours(24), "not shorter than the interval")
    }
    return .standard(
      interval: interval, minimumDistanceMetres: distance, heartbeat: heartbeat)
  }

  /// The core's own, so that no default is written twice.
  private static var defaults:
    (interval: Milliseconds, minimumDistanceMetres: Int32, heartbeat: Milliseconds)
  {
    guard case .standard(let interval, let distance, let heartbeat) = Configuration().capture
    else { preconditionFailure("the core's default policy is the standard one") }
    return (interval, distance, heartbeat)
  }
}
