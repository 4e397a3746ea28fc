import TrackerCore

// The words of board files for the core's own tables.

extension ModemFamily {
  /// Those that a board file may name.
  static let known: [ModemFamily] = [.generic, .sim5320, .sim7600, .a7670]

  /// As board files write it.
  public var name: String { words.name.description }
}

extension ReceiverDialect {
  /// Those that a board file may name.
  static let known: [(word: String, choice: ReceiverDialect)] = [
    ("ublox", .ublox), ("ubloxM10", .ubloxM10), ("mediatek", .mediatek), ("casic", .casic),
    ("modemGPS", .modemGPS), ("none", .none),
  ]
}
