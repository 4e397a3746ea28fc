import TrackerCore

/// What a world said to a tracker, as the tests' `TapeWriter` writes it: values as they lie in
/// memory.
///
/// They are made of integers of fixed width alone, so they lie there alike on a processor of 32
/// and one of 64 bits; the sizes before them must agree, and the digest of a run would not if
/// anything else did not.
struct Tape {
  /// Arrivals that are events; others are bytes, with the number of their role.
  static let event: UInt8 = 0xFF
  static let end: UInt8 = 0xFE

  private func byte() -> UInt8 { UInt8(truncatingIfNeeded: tape_byte()) }

  /// Replaces a value by the next on the tape.
  private func read<Value>(_ value: UnsafeMutablePointer<Value>) {
    let bytes = UnsafeMutableRawPointer(value)
    for index in 0..<MemoryLayout<Value>.size {
      bytes.storeBytes(of: byte(), toByteOffset: index, as: UInt8.self)
    }
  }

  /// The same with the size in front; where it is another one the run ends.
  func readSized<Value>(_ value: UnsafeMutablePointer<Value>) {
    var size: UInt32 = 0
    read(&size)
    precondition(size == UInt32(MemoryLayout<Value>.size))
    read(value)
  }

  /// The next arrival, and when it came.
  func arrival(at now: inout Instant, filling buffer: inout MutableSpan<UInt8>) -> Arrival {
    var kind: UInt8 = 0
    read(&kind)
    read(&now.milliseconds)
    if kind == Self.end { return .end }
    if kind == Self.event {
      var event = Event.deadlineReached
      readSized(&event)
      return .event(event)
    }
    var count: UInt32 = 0
    read(&count)
    for index in 0..<Int(count) { buffer[index] = byte() }
    return .bytes(count: Int(count), from: SerialRole(rawValue: kind) ?? .modem)
  }
}

/// What a tracker is made from, at the front of a tape.
struct TapeBeginning {
  var board: Board
  var configuration: Configuration
  var identity: Identity
}
