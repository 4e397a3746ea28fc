/// What a tracker knows of its way along the course, so that after a restart it reports nothing
/// twice and goes on as after a gap.
///
/// It is written with each passage, and with a capture once it is as old as `Bounds.courseRecord`.
/// Places between it and the first position afterwards are judged as in a gap without a restart, by
/// the distance and the time in between. The time is known where the machine ran on, or if the
/// record has a trusted date and a trusted one comes within `Bounds.clockPatience` of the first
/// position, for which the course waits. If not, or if the record is of the future or older than
/// `Bounds.longestForecast`, these places are not reported, and the way starts afresh where the
/// team is.
///
/// Its numbers may come from a damaged file: whatever they are, nothing traps.
public struct CourseRecord: Sendable, Equatable {
  /// `CourseMap.courseFingerprint`; `nil` in records of earlier programs, which fit any course.
  public var course: UInt32?
  /// Metres along the course at `position`.
  public var done: Int32
  /// The first place that has not been reported yet.
  public var next: Int16
  /// The place in whose circle it is; negative: none.
  public var inside: Int16
  public var isFinished: Bool
  /// The place whose middle it has passed unseen, and whose circle is not behind it; negative:
  /// none.
  public var unseen: Int16 = -1
  /// Millimetres along, from where on it can have missed places; `.max`: not known.
  public var knownFrom: Int32 = .max
  /// The last position that was compared with the course; `nil` in records of earlier programs.
  public var position: Coordinate?
  /// Metres from the line there.
  public var away: Int32 = 0
  /// Seconds that it had been off the course; negative: it was on it.
  public var offSeconds: Int32 = -1
  /// When it was at `position`.
  public var at = Moment()
  public var wanted = WantedPassages()
  public var forecast = ArrivalForecast()

  public init(done: Int32, next: Int16, inside: Int16, isFinished: Bool) {
    self.done = done
    self.next = next
    self.inside = inside
    self.isFinished = isFinished
  }
}

extension CourseMap where Self: ~Copyable {
  /// Distinguishes courses by the line, and by the places and where they are. Radii, opening hours
  /// and limits may be corrected during a race without starting afresh.
  public var courseFingerprint: UInt32 {
    // FNV-1a (Fowler, Noll, Vo) by words of 32 bits, folded.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func added(_ hash: UInt64, _ word: Int32) -> UInt64 {
      (hash ^ UInt64(UInt32(bitPattern: word))) &* 0x100_0000_01b3
    }
    var index: Int32 = 0
    while index < coursePointCount {
      let point = coursePoint(index)
      hash = added(hash, point.position.latitude)
      hash = added(hash, point.position.longitude)
      hash = added(hash, point.alongMillimetres)
      index += 1
    }
    index = 0
    while index < coursePlaceCount {
      let place = coursePlace(index)
      hash = added(hash, Int32(place.kind.rawValue))
      hash = added(hash, place.position.latitude)
      hash = added(hash, place.position.longitude)
      hash = added(hash, place.alongMillimetres)
      index += 1
    }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
