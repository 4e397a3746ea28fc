import NMEA
public import TrackerCore

/// What comes from the receiver: noise, silence and no fix are three faults with three cures.
public struct ReceiverMeter: Sendable {
  /// Of the last minute, to 10 s.
  public struct Minute: Sendable, Equatable {
    public var sentences: Int64 = 0
    /// Sentences whose checksum does not match.
    public var badChecksums: Int64 = 0
    /// All bytes that are not part of a sentence: noise, as at a wrong rate, and broken lines.
    public var rejected: Int64 = 0
    public var bytes: Int64 = 0
  }

  private static let piece = Milliseconds.seconds(10)
  private static let pieces = 7

  private var decoder = Decoder()
  private var satelliteMeter = SatelliteMeter()
  private var counted = Minute()
  /// The counts at the beginnings of the last pieces, oldest first.
  private var marks: [(at: Instant, counts: Minute)] = []
  private var bytes: Int64 = 0
  /// The last report.
  public private(set) var satellitesUsed: UInt8?
  public private(set) var satellitesInView: UInt8?
  public private(set) var bestSignalDecibelHertz: UInt8?
  public private(set) var hdopHundredths: UInt16?
  public private(set) var position: Coordinate?
  public private(set) var heardAt: Instant?
  public private(set) var reportedAt: Instant?
  public private(set) var fixedAt: Instant?

  public init() {}

  public mutating func received(_ bytes: Span<UInt8>, at now: Instant) {
    // What came before a pause is not part of the last minute.
    if let heardAt, now - heardAt > .seconds(60) { marks = [] }
    heardAt = now
    mark(at: now)
    self.bytes += Int64(bytes.count)
    satelliteMeter.received(bytes, at: now)
    var position = 0
    while let epoch = decoder.next(in: bytes, from: &position) { heard(epoch, at: now) }
    let counts = decoder.counts
    counted = Minute(
      sentences: Int64(counts.accepted) + Int64(counts.ignored),
      badChecksums: Int64(counts.checksumMismatch), rejected: Int64(counts.rejected),
      bytes: self.bytes)
  }

  private mutating func heard(_ epoch: Epoch, at now: Instant) {
    reportedAt = now
    satellitesUsed = epoch.satellitesUsed
    satellitesInView = epoch.satellitesInView ?? satellitesInView
    bestSignalDecibelHertz = epoch.bestSignalDecibelHertz ?? bestSignalDecibelHertz
    hdopHundredths = epoch.hdopHundredths
    guard epoch.hasPosition, let latitude = epoch.latitude, let longitude = epoch.longitude else {
      return
    }
    position = Coordinate(latitude: latitude, longitude: longitude)
    fixedAt = now
  }

  /// By system and strength, of the last cycle.
  public func satellites(at now: Instant) -> [SatelliteLevel] { satelliteMeter.levels(at: now) }

  private mutating func mark(at now: Instant) {
    if let last = marks.last, now - last.at < Self.piece { return }
    marks.append((now, counted))
    if marks.count > Self.pieces { marks.removeFirst() }
  }

  public func lastMinute(at now: Instant) -> Minute {
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
