import TrackerCore

/// The bounds of this module, with their reasons; the thresholds of verdicts are `VerdictBounds`.
public enum FieldBounds {
  /// If the times of a capture and of the machine differ by more, the machine's clock was not set
  /// from the receiver.
  static let clockTolerance = Milliseconds.minutes(1)
  /// Columns of a terminal that a line is drawn in.
  public static let columns = 20...500
  /// A line of a command or of its answer: a note's 500 characters have 2000 bytes at most, no
  /// command needs more, and noise on a serial line has no end.
  public static let commandBytes = 2048
  /// Characters of an event's detail that are kept: a place's name or a server's code.
  static let eventDetail = 120
  /// Events in memory: about six hours of a walk with a contact every ten minutes, some eight
  /// events each.
  static let events = 300
  /// The text of kept events is at most about 300 · 160 + 1200 · 40 bytes.
  public static let eventsBytes = 128 * 1024
  /// How old kept events may be. A larger difference is a clock that was wrong.
  static let eventsAge = Milliseconds.hours(24 * 366)
  /// The longer of the two times whose reasons are added up; the other is an hour.
  static let eventWindow = Milliseconds.hours(6)
  /// Lines that a person can take back; an editor with a history of its own keeps as many.
  public static let historyLines = 50
  /// A key's escape sequence; a longer one is dropped, and what follows is text again.
  static let keySequence = 32
  /// Lines that a command can ask for: more than anybody reads, few enough for a serial line.
  static let listedLines = 1000
  /// A minute is counted in pieces of this length.
  static let meterPiece = Milliseconds.seconds(10)
  /// So many begin within a minute, the first and the last included.
  static let meterPieces = 7
  /// With the policy adaptive a battery that is less certain to reach the finish than this is one
  /// to change, percent.
  static let planConfidence: Int32 = 80
  /// How long `try` is followed: a modem may start cold, search, and send with poor reception.
  static let progress = Milliseconds.minutes(6)
  /// Changes of each reason in memory: a search passes through five of them.
  static let reasonChanges = 600
  /// How long a satellite's signal counts: GSV comes once a second to once in five.
  static let satelliteCycle = Milliseconds.seconds(6)
  /// Some 60 satellites of all systems are above the horizon at once, each with up to three
  /// signals; the one that has not been heard for longest makes room.
  static let satelliteSignals = 192
  /// Bytes for the last GSV, and for the last GSA, before older ones go: a receiver of all systems
  /// that reports the signals above takes 5000 each time.
  static let satelliteLog = 8192
  /// After so long without GSV or GSA nothing is known of the satellites: a receiver that reports
  /// every 10 s counts.
  static let satelliteStale = Milliseconds.seconds(15)
  /// The same for GSA; several sentences make one list.
  static let satelliteUsedCycle = Milliseconds(1500)
  /// Captures listed unless a command says how many: with its heading, what fits a small screen.
  static let usualCaptures = 10
  /// Lines of events or of the log listed unless a command says how many.
  static let usualEvents = 15
}

/// The thresholds of the verdict's table, of the self-test and of what has failed.
enum VerdictBounds {
  /// A receiver needs this many times its cold start under trees, and at least `shortestFix`.
  static let coldStarts: Int64 = 2
  /// Below it the store keeps the rest of the disk for acknowledgements.
  static let diskFree: Int64 = 8 << 20
  /// The first contact begins with the first capture. A second one is due ten minutes later, by
  /// the usual reconnect floor, and takes up to six.
  static let firstContact = Milliseconds.minutes(20)
  /// A receiver with its antenna under the sky hears satellites with 40 dB-Hz and more; without one
  /// some still show, below 30 (u-blox, GNSS antennas application note UBX-15030289).
  static let goodSignal: Int64 = 35
  /// The longest time between two captures by distance.
  static let heartbeat = Bounds.heartbeat
  /// By then it was tried several times, with waits from 5 s on.
  static let knownCause = Milliseconds.minutes(5)
  /// A modem that searches for longer than this has lost its network; a shorter search is part of
  /// each contact.
  static let lostNetwork = Milliseconds.minutes(5)
  /// A minute with fewer bytes does not tell whether a line's rate is right.
  static let noiseBytes: Int64 = 200
  /// After a delivery this recent the server is known to work, and silence is a dead zone. It spans
  /// the longest valley of the course and a restart in it.
  static let recentDelivery = Milliseconds.hours(6)
  static let shortestFix = Milliseconds.minutes(3)
  /// By then a tracker has looked at everything once.
  static let start = Milliseconds.seconds(5)
  /// Shorter gaps between fixes are usual under trees and in villages.
  static let usualGap = Milliseconds.minutes(1)
  /// A modem looks for its network at each contact; longer than this it has none.
  static let usualSearch = Milliseconds.minutes(1)

  static func fix(_ facts: TrackerFacts) -> Milliseconds {
    max(shortestFix, Milliseconds(min(facts.receiver.coldStart, .hours(1)).count * coldStarts))
  }
}
