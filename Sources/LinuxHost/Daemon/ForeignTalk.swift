import TrackerCore

/// Notices commands on the modem's line that another program has sent: a modem echoes them to
/// whoever reads.
struct ForeignTalk {
  /// The last commands of our own, without their line ends.
  private var own: [[UInt8]] = []
  private var line: [UInt8] = []
  /// Commands of others, each within `span` after the one before.
  private var count = 0
  private var lastAt: Instant?

  /// More than the core and a dialogue send before their echo comes.
  private static let remembered = 16
  private static let longest = 256
  /// This many are not noise on the line.
  private static let certain = 3
  /// ModemManager asks for the signal every 30 s.
  private static let span = Milliseconds.minutes(2)

  mutating func sent(_ bytes: [UInt8]) {
    own.append(Array(bytes.prefix { $0 >= 0x20 }))
    if own.count > Self.remembered { own.removeFirst() }
  }

  /// Whether another program is talking at the moment.
  func isCertain(at now: Instant) -> Bool {
    guard let lastAt else { return false }
    return count >= Self.certain && now - lastAt <= Self.span
  }

  /// Returns whether a command has been heard that is not our own.
  mutating func hears(_ bytes: some Sequence<UInt8>, at now: Instant) -> Bool {
    var isForeign = false
    for byte in bytes {
      guard byte < 0x20 else {
        if line.count < Self.longest { line.append(byte) }
        continue
      }
      if isCommand && !own.contains(line) { isForeign = true }
      line.removeAll(keepingCapacity: true)
    }
    guard isForeign else { return false }
    count = lastAt.map { now - $0 <= Self.span } ?? false ? count + 1 : 1
    lastAt = now
    return true
  }

  private var isCommand: Bool {
    // The PIN is masked in its echo.
    line.count > 2 && (line.starts(with: "AT".utf8) || line.starts(with: "at".utf8))
      && !line.starts(with: "AT+CPIN=".utf8)
  }
}
