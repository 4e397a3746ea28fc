import TrackerCore
public import Wording

/// The content of a configuration file, except the daemon's settings.
public struct ConfigurationFile: Sendable, Equatable {
  public var configuration = Configuration()
  /// Empty when not given.
  public var team = InlineText<64>()
  /// `nil`: the program generates one, once per device.
  public var device: UniqueID?
  /// How long the server may still apply a request that was given up (`server: { mayActFor: … }`);
  /// `nil`: the default.
  public var mayActFor: Milliseconds?
  /// Of a finish without an offset (IANA name).
  public var timeZone: String?
  /// `nil`: as is usual for the board; see `adoptDefaults`.
  var receiverUse: ReceiverUse?
  public var courseLimits = CourseLimits()
  /// From an earlier race, as `MappedCourse.text(of:)` has it.
  public var coverage: String?
  /// `nil` when not given.
  public var language: Language?
  /// What the control room may order.
  public var remote: Set<RemoteVerb> = []
  /// Whether the server has a way to tell that a person has read an emergency.
  private var tellsOfReaders = true
  private var trustsBroker = false

  /// All defaults.
  public init() {}

  /// Reads a configuration file. Missing keys have their defaults.
  ///
  /// - Throws: for the first thing that is unknown or impossible.
  public static func load(path: String) throws(FileError) -> ConfigurationFile {
    try ConfigurationFile(try FileNode.load(path: path))
  }

  /// Reads a configuration from the text of its file.
  public init(_ root: FileNode) throws(FileError) {
    try root.checkKeys(of: "")
    if let node = root.optional("capture") {
      configuration.capture = try CapturePolicy(node)
    }
    if let node = root.optional(Settings.accuracy) {
      configuration.accuracyMetres = try node.quantity(Settings.accuracy)
    }
    if let node = root.optional(Settings.maximumSpeed) {
      configuration.maximumSpeedMetresPerSecond = try node.quantity(Settings.maximumSpeed)
    }
    if let node = root.optional(Settings.offCourse) {
      courseLimits.offCourseMetres = try node.quantity(Settings.offCourse)
    }
    if let node = root.optional(Settings.backwards) {
      courseLimits.backwardsMetres = try node.quantity(Settings.backwards)
    }
    coverage = try root.optional(Settings.coverage)?.text(atMost: 200, like: "from status --json")
    if let node = root.optional("transmit") { try readTransmission(node) }
    if let node = root.optional(Settings.reconnectFloor) {
      configuration.reconnectFloor = try node.duration(Settings.reconnectFloor)
    }
    if let node = root.optional(Settings.receiver) {
      let use = try node.choice(ReceiverUse.words)
      receiverUse = use
      configuration.receiverUse = use
      if configuration.receiverUse == .dutyCycle, !goesByTime {
        throw node.error(FilePhrase.dutyCycle.texts)
      }
    }
    if let node = root.optional(Settings.sleep) {
      configuration.sleep = try node.choice([("never", .never), ("halt", .halt)])
      if configuration.sleep == .halt, !goesByTime {
        throw node.error(FilePhrase.sleepByTime.texts)
      }
    }
    if let node = root.optional(Settings.emergency) {
      configuration.emergency = try node.boolean()
    }
    if let node = root.optional(Settings.emergencyInterval) {
      configuration.emergencyInterval = try node.duration(Settings.emergencyInterval)
    }
    try readRemote(root)
    try readFinish(root)
    if let node = root.optional(Settings.reserve) {
      configuration.reservePercent = try node.quantity(Settings.reserve)
    }
    if let node = root.optional(Settings.confidence) {
      configuration.confidencePercent = try node.quantity(Settings.confidence)
    }
    if let node = root.optional(Settings.startsBySelf) {
      configuration.startsBySelf = try node.boolean()
    }
    if let node = root.optional(Settings.notBefore) { configuration.notBefore = try node.day() }
    try readBearer(root)
    if let node = root.optional(Settings.team) {
      let text = try node.text(atMost: 64, like: "Els Caminants")
      team = InlineText(Array(text.utf8).span)
    }
    if let node = root.optional(Settings.device) { device = try UniqueID(node) }
    language = try root.optional(Settings.language)?.choice(Language.words)
    mayActFor = try root.optional("server")?.optional(Settings.mayActFor)?.duration(
      Settings.mayActFor)
  }

  /// Adopts the board's own default where the file gives no value.
  public mutating func adoptDefaults(of board: BoardDescription) {
    if receiverUse == nil && goesByTime { configuration.receiverUse = board.receiverUse }
  }

  private var goesByTime: Bool {
    switch configuration.capture {
    case .standard, .adaptive: true
    case .significant, .proximity, .route: false
    }
  }

  private mutating func readTransmission(_ node: FileNode) throws(FileError) {
    try node.checkKeys(of: "transmit")
    if let interval = node.optional(Settings.transmitInterval) {
      configuration.transmitInterval = try interval.duration(Settings.transmitInterval)
    }
    if let between = node.optional(Settings.betweenUploads) {
      configuration.betweenUploads = try between.choice([
        ("off", .off), ("attached", .attached),
      ])
    }
  }
}

extension UniqueID {
  init(_ node: FileNode) throws(FileError) {
    let example = "6f1c2a52-0d57-4a86-9d8e-3f0b8b1f2c11"
    let text = try node.text(atMost: 60, like: example)
    let bytes = Array(text.utf8)
    guard bytes.count == 36, let id = UniqueID(text: bytes.span) else {
      throw node.error("\(quoted(text)) is not a UUID; write for example \"\(example)\"")
    }
    self = id
  }
}

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

extension ConfigurationFile {
  /// Reads the bearer, and the settings for text messages.
  mutating func readBearer(_ root: FileNode) throws(FileError) {
    if let node = root.optional(Settings.bearer) {
      configuration.bearer = try node.choice([
        ("interface", .interface), ("modem", .modem), ("none", .none),
      ])
    }
    if let node = root.optional(Settings.apn) {
      let text = try node.text(atMost: 100, like: "internet")
      guard let name = AccessPointName(Array(text.utf8).span) else {
        throw node.error(
          "\(quoted(text)) is not an access point name; write letters, digits, \".\", \"-\" and "
            + "\"_\", for example \"internet\"")
      }
      configuration.accessPoint = name
    }
    try readTexts(root)
  }

  private mutating func readTexts(_ root: FileNode) throws(FileError) {
    if let node = root.optional(Settings.textTo) {
      let example = "+34600000000"
      let text = try node.text(atMost: 16, like: example)
      guard let number = PhoneNumber(Array(text.utf8).span) else {
        throw node.error(
          "\(quoted(text)) is not a telephone number; write digits only, for example "
            + quoted(example))
      }
      configuration.textTo = number
      guard root.optional(Settings.textAfter) != nil || configuration.emergency else {
        throw node.error("has no effect without textAfter; add for example textAfter: \"6 h\"")
      }
    }
    guard let node = root.optional(Settings.textAfter) else { return }
    configuration.textAfter = try node.duration(Settings.textAfter)
    guard configuration.textTo != nil else {
      throw node.error(
        "has no effect without a number; add for example textTo: \"+34600000000\"")
    }
    guard configuration.bearer != .none else {
      throw node.error("needs a modem, and bearer is \"none\"; remove one of the two")
    }
  }

  /// Reads what the control room may do, and whether it is asked.
  private mutating func readRemote(_ root: FileNode) throws(FileError) {
    if let server = root.optional("server") {
      let kind = try server.optional(Settings.kind)?.choice(ServerSettings.kinds) ?? .arcGIS
      let table = server.optional(Settings.messages)
      let isOff = if case .boolean(false)? = table?.value { true } else { false }
      let word = server.optional(Settings.acknowledgedBy)
      trustsBroker = try word?.choice(ServerSettings.acknowledgers) ?? false
      configuration.fetchesMessages = kind != .osmAnd && !isOff && !trustsBroker
      tellsOfReaders = configuration.fetchesMessages && kind != .ownTracks
    }
    if let node = root.optional(Settings.remote) {
      for element in try node.elements(atMost: RemoteVerb.allCases.count) {
        remote.insert(try element.choice(RemoteVerb.allCases.map { ($0.rawValue, $0) }))
      }
      guard remote.isEmpty || configuration.fetchesMessages else {
        throw node.error(FilePhrase.noMessages.texts)
      }
    }
    if let node = root.optional(Settings.remoteLimit) {
      configuration.remoteLimit = try node.duration(Settings.remoteLimit)
    }
  }

  /// Checks that a board supports the configuration.
  ///
  /// - Parameter path: the path of this file, for errors.
  /// - Throws: if the board does not support it.
  public func check(on board: BoardDescription, path: String) throws(FileError) {
    let family = board.board.modem.family
    if configuration.bearer == .modem && family.words.http == nil {
      throw FileError(
        path: path, keyPath: "bearer",
        message: "the modem of the board \(quoted(board.identifier)), of the family "
          + "\(quoted(family.name)), cannot send requests by itself; write \"interface\"")
    }
    if configuration.bearer == .none && board.board.receiver.dialect == .modemGPS {
      throw FileError(
        path: path, keyPath: "bearer",
        message: "the receiver of the board \(quoted(board.identifier)) is in its modem, which "
          + "\"none\" does not use; write \"interface\"")
    }
    if let problem = sleepProblem(on: board) {
      throw FileError(path: path, keyPath: Settings.sleep.path, message: problem)
    }
  }

  /// A computer is only halted where something starts it again, and a button that does nothing
  /// for minutes would be taken for a broken one.
  func sleepProblem(on board: BoardDescription) -> Texts? {
    guard configuration.sleep == .halt else { return nil }
    let name = quoted(board.identifier)
    if board.board.halting == nil { return FilePhrase.noWaking.texts(name) }
    let button = board.pins.button ?? board.pins.emergency
    let isButtonDead = button != nil && !board.wakesByButton
    return isButtonDead ? FilePhrase.deadButton.texts(name) : nil
  }

  /// What can be used on a board but does not do there what it promises.
  ///
  /// - Parameter path: the path of this file.
  public func warnings(on board: BoardDescription, path: String) -> [Texts] {
    var found: [FileError] = []
    if case .adaptive = configuration.capture, board.batterySensor == nil {
      let message = FilePhrase.notMeasured.texts(
        board.identifier, "--board \(board.identifier)+ads1115")
      found.append(FileError(path: path, keyPath: "capture.policy", message: message))
    }
    if configuration.emergency, !tellsOfReaders {
      found.append(
        FileError(path: path, keyPath: "server", message: FilePhrase.noReaders.texts))
    }
    if trustsBroker {
      found.append(
        FileError(
          path: path, keyPath: "server.acknowledgedBy", message: FilePhrase.byBroker.texts))
    }
    return found.map { FilePhrase.warning.texts($0.texts) }
  }
}

extension ConfigurationFile {
  /// Reads when the race is over, and when the session ends.
  mutating func readFinish(_ root: FileNode) throws(FileError) {
    let zone = try root.optional(Settings.timeZone).map { node throws(FileError) in
      try node.timeZone()
    }
    timeZone = zone?.name
    let after = root.optional(Settings.finishAfter)
    if let after {
      configuration.finish = .after(try after.duration(Settings.finishAfter))
    }
    if let node = root.optional(Settings.finish) {
      if let after {
        throw after.error(FilePhrase.withFinish.texts)
      }
      configuration.finish = .at(try node.date(in: zone))
    }
    guard let node = root.optional(Settings.endAfterFinish) else { return }
    guard configuration.finish != nil else {
      throw node.error(FilePhrase.needsFinish.texts("\"2026-04-19T14:00\""))
    }
    if case .text("never") = node.value {
      configuration.endAfterFinish = nil
    } else {
      configuration.endAfterFinish = try node.duration(Settings.endAfterFinish)
    }
  }

  /// Checks that the finish is not in the past, for a person who prepares a race. A tracker does
  /// not check this, because it may restart during or after the race.
  ///
  /// - Parameter path: the path of this file, for errors.
  /// - Throws: if the finish is in the past.
  public func checkFinish(at now: UTC, path: String) throws(FileError) {
    guard case .at(let utc) = configuration.finish, utc <= now else { return }
    throw FileError(
      path: path, keyPath: "finish",
      message: FilePhrase.past.texts)
  }
}
