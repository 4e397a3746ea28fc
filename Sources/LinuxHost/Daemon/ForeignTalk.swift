/// Notices commands on the modem's line that another program has sent: a modem echoes them to
/// whoever reads.
struct ForeignTalk {
  /// The last commands of our own, without their line ends.
  private var own: [[UInt8]] = []
  private var line: [UInt8] = []
  /// Commands of others, one after the other.
  private(set) var count = 0

  /// More than the core and a dialogue send before their echo comes.
  private static let remembered = 16
  private static let longest = 256
  /// From so many on it is no noise on the line.
  static let certain = 3

  mutating func sent(_ bytes: [UInt8]) {
    own.append(Array(bytes.prefix { $0 >= 0x20 }))
    if own.count > Self.remembered { own.removeFirst() }
  }

  /// Returns whether a command has been heard that is not our own.
  mutating func hears(_ bytes: some Sequence<UInt8>) -> Bool {
    var isForeign = false
    for byte in bytes {
      guard byte < 0x20 else {
        if line.count < Self.longest { line.append(byte) }
        continue
      }
      if isCommand && !own.contains(line) { isForeign = true }
      line.removeAll(keepingCapacity: true)
    }
    if isForeign { count += 1 }
    return isForeign
  }

  mutating func forget() { self = ForeignTalk() }

  private var isCommand: Bool {
    // The PIN is masked in its echo.
    line.count > 2 && (line.starts(with: "AT".utf8) || line.starts(with: "at".utf8))
      && !line.starts(with: "AT+CPIN=".utf8)
  }
}
