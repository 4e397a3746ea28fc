import TrackerCore

/// Every key of a configuration file. Files are read using this list, and the reference for people
/// is generated from it.
public enum Settings {
  private static let core = Configuration()

  // MARK: What is captured

  static let team = Setting(
    "team", .text("text, up to 64 bytes"), "Name of the team. trackerctl can change it later.")
  static let policy = Setting(
    "capture.policy", .choice(CapturePolicy.words), "standard",
    """
    When to take a capture. standard: every interval. significant: moved 500 m, 5 min after \
    the last one. proximity: moved 500 m, 2 min after it. route: at the distance capture.every \
    along the way. adaptive: as often as the battery allows until the finish.
    """)
  static let captureInterval = Setting.duration(
    "capture.interval", .seconds(1) ... .hours(24), CapturePolicy.defaults.interval,
    because: "a receiver gives one fix per second",
    "Time between two captures, with standard and adaptive.")
  static let minimumDistance = Setting.quantity(
    "capture.minimumDistance", .distance, 0...100_000,
    CapturePolicy.defaults.minimumDistanceMetres, because: "the race has 100 km",
    "With standard: no capture closer to the last one than this, until the heartbeat.")
  static let heartbeat = Setting.duration(
    "capture.heartbeat", .seconds(1) ... .hours(24), CapturePolicy.defaults.heartbeat,
    because: "not shorter than the interval",
    "With minimumDistance: longest time between two captures. Not shorter than the interval.")
  static let every = Setting.quantity(
    "capture.every", .distance, 1...100_000, because: "the race has 100 km",
    "With route: distance between two captures. Required there.")
  static let accuracy = Setting.quantity(
    "accuracy", .distance, 1...10_000, core.accuracyMetres,
    "A fix whose estimated accuracy is worse is not used.")
  static let maximumSpeed = Setting.quantity(
    "maximumSpeed", .speed, 1...1000, core.maximumSpeedMetresPerSecond,
    "A fix that could only be reached at a higher speed is not used.")
  static let receiver = Setting(
    "receiver", .choice(["always", "dutyCycle"]), "always",
    """
    dutyCycle: the receiver sleeps between captures, if board and policy allow it. A board may \
    have this as its default for policies by time.
    """)
  static let notBefore = Setting(
    "notBefore", .text("date"), "2026-01-01",
    "A receiver's date before this one is wrong. Detects a GPS week rollover.")

  // MARK: The session

  static let startsBySelf = Setting(
    "startsBySelf", .boolean, "true", "Whether a session begins when the tracker starts.")
  static let finish = Setting(
    "finish", .text("date and time"),
    "When the race ends: the battery has to last until then. Instead: finishAfter.")
  static let finishAfter = Setting.duration(
    "finishAfter", .minutes(1) ... .hours(720), because: "a race, not a season",
    "The same, counted from the first start of the session.")
  static let endAfterFinish = Setting.duration(
    "endAfterFinish", 0 ... .hours(720), core.endAfterFinish, because: "or \"never\"",
    "How long after the finish the session ends by itself; or \"never\".")
  static let timeZone = Setting(
    "timeZone", .text("IANA name, e.g. Europe/Madrid"),
    "Time zone of a finish that has no offset.")
  static let reserve = Setting.quantity(
    "reserve", .percentage, 0...90, core.reservePercent,
    because: "something must be left to spend",
    "Battery level at or below which contacts become rare.")
  static let confidence = Setting.quantity(
    "confidence", .percentage, 50...99, core.confidencePercent,
    because: "less is a gamble, and nobody can be certain",
    "How certain the policy adaptive must be that the reserve is left at the finish.")
  static let device = Setting(
    "device", .text("UUID"),
    "Identifier of this tracker. Without it, one is made once and kept in the store.")

  // MARK: Contacts

  static let transmitInterval = Setting.duration(
    "transmit.interval", .seconds(1) ... .hours(24), core.transmitInterval,
    because: "a receiver gives one fix per second", "Time between two contacts with the server.")
  static let betweenUploads = Setting(
    "transmit.betweenUploads", .choice(["off", "attached"]), "off",
    "attached: the modem stays connected between contacts.")
  static let reconnectFloor = Setting.duration(
    "reconnectFloor", 0 ... .hours(24), core.reconnectFloor,
    "Shortest time between two connections to the network: carriers ban SIMs that reconnect often.")
  static let bearer = Setting(
    "bearer", .choice(["interface", "modem", "none"]), "interface",
    """
    What carries the data. interface: a network interface of the modem's. modem: its own \
    HTTP commands. none: Wi-Fi or Ethernet.
    """)
  static let apn = Setting(
    "apn", .text("text"), "Access point name. Without it, the one stored in the modem.")
  static let textAfter = Setting.duration(
    "textAfter", .hours(1) ... .hours(72), because: "each message costs money",
    "After this time without a delivery the position is sent as a text message.")
  static let textTo = Setting(
    "textTo", .text("telephone number"), "Recipient of that message. Required with textAfter.")
}
