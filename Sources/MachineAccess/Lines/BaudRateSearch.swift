import NMEA
import TrackerCore

/// Finds the baud rate of a receiver: the one at which sentences arrive.
///
/// At a wrong rate only garbage arrives, so a rate is given up some time after its first byte. Some
/// adapters drop bytes with framing errors, so before a rate is found silence counts too, after a
/// longer time; afterwards the receiver may sleep for a while.
struct BaudRateSearch {
  private let rates: [Int]
  private var index = 0
  private var decoder = Decoder()
  private(set) var isFound = false
  /// When the first byte came since the rate was set or a sentence came.
  private var rubbishAt: Instant?
  /// When the rate was set or a byte came, whichever is later.
  private var heardAt: Instant

  /// - Parameter first: the rate to try first.
  init(first: Int, at now: Instant) {
    let likely = (1...LineRate.count).compactMap { LineRate.likely($0).map(Int.init) }
    rates = [first] + likely.filter { $0 != first }
    heardAt = now
  }

  var baud: Int { rates[index] }

  /// When to call `tend(at:)`.
  var wakeAt: Instant {
    if isFound { return heardAt + MachineBounds.rateLongSilence }
    return rubbishAt.map { $0 + MachineBounds.rateListening }
      ?? (heardAt + MachineBounds.rateSilence)
  }

  /// Examines received bytes.
  ///
  /// - Returns: whether they contained a sentence.
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
    if isFound, let rubbishAt, now - rubbishAt >= MachineBounds.rateGarbage { isFound = false }
    return false
  }

  /// - Returns: whether to set another rate, now in `baud`.
  mutating func tend(at now: Instant) -> Bool {
    guard now >= wakeAt else { return false }
    isFound = false
    index = (index + 1) % rates.count
    start(at: now)
    return true
  }

  /// The line was reopened: starts to listen again, at the same rate.
  mutating func start(at now: Instant) {
    decoder = Decoder()
    rubbishAt = nil
    heardAt = now
  }
}
