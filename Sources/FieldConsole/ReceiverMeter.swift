import NMEA
import TrackerCore

/// Measures what comes from the receiver, as the tracker reads it: noise, silence and no fix have
/// different cures.
struct ReceiverMeter: Sendable {
  /// Counts of the last minute, to 10 s.
  struct Minute: Sendable, Equatable {
    var sentences: Int64 = 0
    /// Sentences whose checksum does not match.
    var badChecksums: Int64 = 0
    /// All bytes that are not part of a sentence: noise, as at a wrong rate, and broken lines.
    var rejected: Int64 = 0
    var bytes: Int64 = 0
  }

  var satellites = SatelliteMeter()
  private var counted = Minute()
  /// The counts at the beginnings of the last pieces, oldest first.
  private var marks: [(at: Instant, counts: Minute)] = []
  /// The last report.
  private(set) var satellitesUsed: UInt8?
  private(set) var satellitesInView: UInt8?
  private(set) var bestSignalDecibelHertz: UInt8?
  private(set) var hdopHundredths: UInt16?
  private(set) var position: Coordinate?
  private(set) var heardAt: Instant?
  private(set) var fixedAt: Instant?

  init() {}

  /// Bytes have come, and are about to be read.
  mutating func received(_ count: Int, at now: Instant) {
    // What came before a pause is not part of the last minute.
    if let heardAt, now - heardAt > .seconds(60) { marks = [] }
    heardAt = now
    mark(at: now)
    counted.bytes += Int64(count)
  }

  mutating func heard(_ counts: SentenceCounts) {
    counted.sentences = Int64(counts.accepted) + Int64(counts.ignored)
    counted.badChecksums = Int64(counts.checksumMismatch)
    counted.rejected = Int64(counts.rejected)
  }

  /// One that only a pause has ended is as old as the bytes before the pause.
  mutating func heard(_ epoch: Epoch) {
    satellitesUsed = epoch.satellitesUsed
    satellitesInView = epoch.satellitesInView ?? satellitesInView
    bestSignalDecibelHertz = epoch.bestSignalDecibelHertz ?? bestSignalDecibelHertz
    hdopHundredths = epoch.hdopHundredths
    guard epoch.hasPosition, let latitude = epoch.latitude, let longitude = epoch.longitude else {
      return
    }
    position = Coordinate(latitude: latitude, longitude: longitude)
    fixedAt = heardAt
  }

  private mutating func mark(at now: Instant) {
    if let last = marks.last, now - last.at < FieldBounds.meterPiece { return }
    marks.append((now, counted))
    if marks.count > FieldBounds.meterPieces { marks.removeFirst() }
  }

  func lastMinute(at now: Instant) -> Minute {
    guard let heardAt, now - heardAt < .seconds(60) else { return Minute() }
    // From the newest mark that is a minute old or older; before there is one, everything counts.
    let mark = marks.last { now - $0.at >= .seconds(60) } ?? marks.first
    let base = mark?.counts ?? Minute()
    // Marks are 10 s apart.
    let length = max(60_000, mark.map { (now - $0.at).count } ?? 0)
    func perMinute(_ count: Int64) -> Int64 { (count * 60_000 + length / 2) / length }
    return Minute(
      sentences: perMinute(counted.sentences - base.sentences),
      badChecksums: perMinute(counted.badChecksums - base.badChecksums),
      rejected: perMinute(counted.rejected - base.rejected),
      bytes: perMinute(counted.bytes - base.bytes))
  }
}
