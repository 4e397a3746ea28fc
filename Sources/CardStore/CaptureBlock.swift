import TrackerCore

// A capture has a block of its own, so that a write that a power cut tears harms no other capture.
//
//   16 key (4)            44 altitude (4)      64 battery millivolts (4)
//   20 sequence (4)       48 speed (4)         68 done, to go (4 each)
//   24 UTC (8)            52 course (4)        76 place (4)
//   32 flags (4)          56 accuracy (4)      80 length of the team's name (1)
//   36 latitude (4)       60 trigger,          81 team (64)
//   40 longitude (4)         satellites, battery percent (1 each)
//
// The units are those of `Capture`.
extension Capture {
  static let blockMark: UInt32 = 0x3143_5454  // "TTC1"

  /// Which values there are.
  private enum Flag {
    static let trusted: UInt32 = 1 << 0
    static let utc: UInt32 = 1 << 1
    static let position: UInt32 = 1 << 2
    static let altitude: UInt32 = 1 << 3
    static let speed: UInt32 = 1 << 4
    static let course: UInt32 = 1 << 5
    static let accuracy: UInt32 = 1 << 6
    static let satellites: UInt32 = 1 << 7
    static let percent: UInt32 = 1 << 8
    static let millivolts: UInt32 = 1 << 9
    static let courseMark: UInt32 = 1 << 10
    static let place: UInt32 = 1 << 11
  }

  @inline(never) func write(to block: inout Block, key: UInt32, log: UInt64) {
    block.clear()
    block.put(key, at: 16)
    block.put(sequence, at: 20)
    var flags = isTimeTrusted ? Flag.trusted : 0
    if let utc {
      flags |= Flag.utc
      block.put(UInt64(bitPattern: utc.milliseconds), 8, at: 24)
    }
    if let position {
      flags |= Flag.position
      block.put(position.latitude, at: 36)
      block.put(position.longitude, at: 40)
    }
    func put(_ value: Int32?, _ flag: UInt32, at place: Int) {
      guard let value else { return }
      flags |= flag
      block.put(value, at: place)
    }
    put(altitudeMillimetres, Flag.altitude, at: 44)
    put(speedMillimetresPerSecond, Flag.speed, at: 48)
    put(courseMillidegrees, Flag.course, at: 52)
    put(accuracyMetres, Flag.accuracy, at: 56)
    put(batteryMillivolts, Flag.millivolts, at: 64)
    block.bytes[60] = trigger.rawValue
    if let satellites {
      flags |= Flag.satellites
      block.bytes[61] = satellites
    }
    if let batteryPercent {
      flags |= Flag.percent
      block.bytes[62] = batteryPercent
    }
    if let mark {
      flags |= Flag.courseMark
      block.put(mark.doneMetres, at: 68)
      block.put(mark.toGoMetres, at: 72)
      if let place = mark.place {
        flags |= Flag.place
        block.put(Int32(place), at: 76)
      }
    }
    block.put(flags, at: 32)
    block.bytes[80] = UInt8(team.count)
    for index in 0..<team.count { block.bytes[81 + index] = team[index] }
    block.seal(Self.blockMark, of: log)
  }

  /// - Returns: `nil` unless the block is whole and has this capture of this log.
  @inline(never) init?(_ block: inout Block, key: UInt32, log: UInt64) {
    guard block.isSealed(Self.blockMark), block.log() == log, block.number(at: 16) == key,
      let trigger = Trigger(rawValue: block.bytes[60])
    else { return nil }
    let flags = block.number(at: 32)
    func has(_ flag: UInt32) -> Bool { flags & flag != 0 }
    let length = min(Int(block.bytes[80]), 64)
    let team = InlineText<64>(block.bytes.span.extracting(81..<81 + length))
    self.init(
      sequence: block.number(at: 20),
      utc: has(Flag.utc) ? UTC(milliseconds: Int64(bitPattern: block.number(8, at: 24))) : nil,
      isTimeTrusted: has(Flag.trusted),
      position: has(Flag.position)
        ? Coordinate(latitude: block.signed(at: 36), longitude: block.signed(at: 40)) : nil,
      team: team, trigger: trigger)
    if has(Flag.altitude) { altitudeMillimetres = block.signed(at: 44) }
    if has(Flag.speed) { speedMillimetresPerSecond = block.signed(at: 48) }
    if has(Flag.course) { courseMillidegrees = block.signed(at: 52) }
    if has(Flag.accuracy) { accuracyMetres = block.signed(at: 56) }
    if has(Flag.millivolts) { batteryMillivolts = block.signed(at: 64) }
    if has(Flag.satellites) { satellites = block.bytes[61] }
    if has(Flag.percent) { batteryPercent = block.bytes[62] }
    if has(Flag.courseMark) {
      mark = CourseMark(
        doneMetres: block.signed(at: 68), toGoMetres: block.signed(at: 72),
        place: has(Flag.place) ? Int16(truncatingIfNeeded: block.signed(at: 76)) : nil)
    }
  }
}
