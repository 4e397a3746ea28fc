import TrackerCore

/// The block of a recording that is being filled, and where it goes.
///
/// A recording is a stream of bytes (`CardStore.record`) in the blocks after those for captures,
/// from the beginning again when they are used up: later recordings overwrite earlier ones, and
/// none overwrites itself. A block, after the seal: serial number (4), serial number of the
/// recording's first block (4), how many blocks the recording had before (4), how many bytes (4),
/// digest of the tracker's effects before the byte that follows the last one (4), bytes (476).
struct CardRecording: ~Copyable, Sendable {
  static let mark: UInt32 = 0x3152_5454  // "TTR1"
  static let content = 36
  static let room = Block.size - content

  var state = RecordingState.off
  var block = Block()
  /// Of the block that is being filled.
  var serial: UInt32 = 0
  var first: UInt32 = 0
  var part: UInt32 = 0
  var count = 0
  /// Whether the block is to be written before another byte.
  var isDue = false
  var last = Instant.start
  var digest = EffectDigest()
}

/// What has become of the recording.
public enum RecordingState: UInt8, Sendable, Equatable {
  /// Nobody wants one.
  case off
  case running
  /// It had filled its part of the card.
  case full
  /// The card could not be written.
  case failed
  /// The card was formatted without room for any.
  case noRoom
}

/// The blocks of one recording, by their serial numbers.
public struct RecordingBlocks: Sendable, Equatable {
  public var first: UInt32
  public var last: UInt32
  /// How many were written; the others could not be.
  public var parts: UInt32
}

extension CardStore where Device: ~Copyable {
  public var recordingState: RecordingState { recording.state }
  /// How many have been written.
  public var recordedBlocks: UInt32 { recording.part }

  /// The first block after those for captures.
  private var recordingsStart: UInt32 { Self.firstCapture + state.capacity }
  /// As the card was formatted: a reader or an image may have some blocks more or fewer.
  private var recordingsRoom: UInt32 { min(state.recordingsRoom, .max - recordingsStart) }

  private func place(ofRecorded serial: UInt32) -> UInt32 {
    recordingsStart + serial % recordingsRoom
  }

  /// The serial number of the block at a place, 0..<`recordingsRoom`; `nil`: it has none.
  @inline(never) private mutating func serial(at place: UInt32) -> UInt32? {
    for _ in 0..<Bounds.readTries {
      if device.read(recordingsStart + place, into: &recording.block),
        recording.block.isSealed(CardRecording.mark), recording.block.log() == state.log
      {
        let serial = recording.block.number(at: 16)
        if serial < Bounds.largestNumber, serial % recordingsRoom == place { return serial }
      }
    }
    return nil
  }

  /// The newest of a few blocks that is at least this old; `nil`: there is none. Some may be such
  /// as could not be written, and have nothing or an older block.
  private mutating func serial(
    from place: UInt32, count: UInt32, before end: UInt32, atLeast least: UInt32 = 1
  ) -> UInt32? {
    var newest: UInt32?
    for place in place..<min(place + count, end) {
      if let serial = serial(at: place), serial >= max(least, newest ?? 0) { newest = serial }
    }
    return newest
  }

  /// The newest block of any recording; 0: there is none.
  ///
  /// They are written in the order of their places: from the first one to the newest they rise.
  private mutating func newestSerial() -> UInt32 {
    let (room, few) = (recordingsRoom, Bounds.badBlocks + 1)
    guard room > few else { return 0 }
    guard let start = serial(from: 0, count: few, before: room) else {
      return serial(from: room - few, count: few, before: room) ?? 0
    }
    var newest = start
    var (low, high) = (start % room, room)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if let serial = serial(from: middle, count: few, before: high, atLeast: start) {
        (low, newest) = (serial % room, serial)
      } else {
        high = middle
      }
    }
    return newest
  }

  // MARK: Writing

  /// Begins a recording, if the card has room for it.
  @inline(never) public mutating func beginRecording(at now: Instant) {
    guard finding == .mounted else { return }
    guard recordingsRoom >= Bounds.recordingRoom else {
      recording.state = .noRoom
      return
    }
    recording.first = newestSerial() + 1
    recording.serial = recording.first
    recording.block.clear()
    recording.last = now
    recording.state = .running
  }

  /// Adds a byte to the recording, if there is one.
  @inline(never) public mutating func record(_ byte: UInt8) {
    if recording.isDue || recording.count == CardRecording.room { writeRecorded() }
    guard recording.state == .running else { return }
    recording.block.bytes[CardRecording.content + recording.count] = byte
    recording.count += 1
  }

  /// Writes what was recorded so far before the next byte: after a loss of power it is there.
  public mutating func saveRecording() {
    recording.isDue = recording.state == .running && recording.count > 0
  }

  @inline(never) private mutating func writeRecorded() {
    recording.isDue = false
    guard recording.state == .running else { return }
    for _ in 0..<Bounds.badBlocks {
      guard recording.serial - recording.first < recordingsRoom else {
        recording.state = .full
        return
      }
      recording.block.put(recording.serial, at: 16)
      recording.block.put(recording.first, at: 20)
      recording.block.put(recording.part, at: 24)
      recording.block.put(UInt32(recording.count), at: 28)
      recording.block.put(recording.digest.value, at: 32)
      recording.block.seal(CardRecording.mark, of: state.log)
      let place = place(ofRecorded: recording.serial)
      _ = device.write(&recording.block, to: place)
      // Read back, as all blocks are: the bus has no checksums.
      let isWritten =
        device.read(place, into: &block) && block.isSealed(CardRecording.mark)
        && block.number(at: 16) == recording.serial && block.log() == state.log
      recording.serial += 1
      if isWritten {
        recording.part += 1
        recording.count = 0
        return
      }
    }
    recording.state = .failed
  }

  // MARK: Reading

  /// The recording that ends at this block or, if it cannot be read, shortly before; `nil`: there
  /// is none.
  ///
  /// - Parameter last: `nil`: the newest of all.
  public mutating func recording(endingAt last: UInt32? = nil) -> RecordingBlocks? {
    guard recordingsRoom > 0 else { return nil }
    var serial = last ?? newestSerial()
    for _ in 0..<Bounds.badBlocks {
      guard serial > 0 else { return nil }
      if self.serial(at: serial % recordingsRoom) == serial {
        let (first, part) = (recording.block.number(at: 20), recording.block.number(at: 24))
        guard first > 0, first <= serial, part <= serial - first else { return nil }
        return RecordingBlocks(first: first, last: serial, parts: part + 1)
      }
      serial -= 1
    }
    return nil
  }

  /// Reads a block of a recording.
  ///
  /// - Parameter part: how many blocks of the recording come before.
  /// - Returns: `false`: the block is not that part.
  public mutating func readRecorded(
    _ serial: UInt32, of blocks: RecordingBlocks, part: UInt32, into read: inout RecordedBlock
  ) -> Bool {
    guard self.serial(at: serial % recordingsRoom) == serial,
      recording.block.number(at: 20) == blocks.first, recording.block.number(at: 24) == part
    else { return false }
    read.count = min(Int(recording.block.number(at: 28)), CardRecording.room)
    read.digest = recording.block.number(at: 32)
    for index in 0..<read.count {
      read.bytes[index] = recording.block.bytes[CardRecording.content + index]
    }
    return true
  }
}

/// What a block of a recording has.
public struct RecordedBlock: ~Copyable, Sendable {
  public fileprivate(set) var bytes = InlineArray<476, UInt8>(repeating: 0)
  public fileprivate(set) var count = 0
  /// Of the tracker's effects before the byte that follows the last one.
  public fileprivate(set) var digest: UInt32 = 0

  public init() {}
}
