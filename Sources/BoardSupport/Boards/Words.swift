import TrackerCore

// The names in board files for the core's families and dialects.

extension ModemFamily {
  /// The values that a board file may name.
  static let known: [ModemFamily] = [.generic, .sim5320, .sim7600, .a7670]

  /// The name in board files.
  public var name: String { words.name.description }
}

extension ReceiverDialect {
  /// The values that a board file may name.
  static let known: [(word: String, choice: ReceiverDialect)] = [
    ("ublox", .ublox), ("ubloxM10", .ubloxM10), ("mediatek", .mediatek), ("casic", .casic),
    ("modemGPS", .modemGPS), ("none", .none),
  ]
}
