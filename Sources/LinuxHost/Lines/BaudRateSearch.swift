import NMEA
import TrackerCore

/// Finds the rate at which a receiver speaks: the one at which sentences come.
///
/// A wrong rate makes rubbish of what comes, so a rate is given up some time after its first
/// byte. Some adapters swallow what is no character, so before any rate was found silence counts
/// too, for longer; afterwards a receiver may sleep for a good while.
struct BaudRateSearch {
  /// From the first byte at a rate until the next one is tried: a receiver with 1 Hz speaks twice.
  static let listening = Milliseconds(2200)
  /// Without any byte.
  static let silence = Milliseconds.seconds(10)
  /// Nothing but rubbish for so long at the rate that was right: it is no more.
  static let rubbish = Milliseconds.seconds(3)
  /// No byte for so long at the rate that was right: longer than a receiver sleeps between two
  /// captures, which would find it at a wrong rate when it wakes.
  static let longSilence = Milliseconds.hours(1)

  private let rates: [Int]
  private var index = 0
  private var decoder = Decoder()
  private(set) var isFound = false
  /// The first byte since the rate was set or a sentence came.
  private var rubbishAt: Instant?
  /// The rate was set, or a byte came.
  private var heardAt: Instant

  /// - Parameter first: the rate that is tried first.
  init(first: Int, at now: Instant) {
    rates = [first] + Self.likely.filter { $0 != first }
    heardAt = now
  }

  /// u-blox to M8, CASIC and MediaTek come with 9600, modems and some HATs with 115200, u-blox
  /// from M9 on with 38400, SiRF with 4800.
  private static let likely = [9600, 115_200, 38_400, 4800, 57_600, 19_200, 230_400]

  var baud: Int { rates[index] }

  /// When `tend(at:)` is to be called.
  var wakeAt: Instant {
    if isFound { return heardAt + Self.longSilence }
    return rubbishAt.map { $0 + Self.listening } ?? (heardAt + Self.silence)
  }

  /// Listens to what has come.
  ///
  /// - Returns: whether a sentence was in it.
  mutating func hear(_ bytes: Span<UInt8>, at now: Instant) -> Bool {
    heardAt = now
    let before = decoder.counts.accepted
    var position = 0
    while decoder.next(in: bytes, from: &position) != nil {}
    guard decoder.counts.accepted == before else {
      isFound = true
      rubbishAt = nil
      return true
    }
    rubbishAt = rubbishAt ?? now
    if isFound, let rubbishAt, now - rubbishAt >= Self.rubbish { isFound = false }
    return false
  }

  /// - Returns: whether another rate is to be set, now in `baud`.
  mutating func tend(at now: Instant) -> Bool {
    guard now >= wakeAt else { return false }
    isFound = false
    index = (index + 1) % rates.count
    start(at: now)
    return true
  }

  /// The line was opened anew: what was found is kept, and has to show itself again.
  mutating func start(at now: Instant) {
    decoder = Decoder()
    rubbishAt = nil
    heardAt = now
  }
}
