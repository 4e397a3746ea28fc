import TestSupport
import Testing
import TrackerCore

@testable import CardStore

/// Recordings on a card: what was recorded is read again, as far as it was written.
@Suite struct CardRecordingTests {
  /// Captures have all room up to here; what a card has beyond is for recordings.
  private static let captures = Bounds.captureRoom
  private static let again =
    "repeat with: SHARE=all swift test --filter CardStoreTests.CardRecordingTests"

  private static func medium(recordings: UInt32 = 1200) -> Medium {
    Medium(captures: captures + recordings)
  }

  private typealias Card = CardStore<TestCard>

  /// A recording of so many bytes, which count on from `first`.
  private static func record(_ count: Int, on medium: Medium, first: UInt8 = 0) -> RecordingState {
    var card = Card(TestCard(medium: medium))
    card.beginRecording(at: .start)
    for index in 0..<count { card.record(first &+ UInt8(truncatingIfNeeded: index)) }
    return card.recordingState
  }

  /// The bytes of all recordings on a card, from the newest; as far as they can be read.
  private static func recordings(on medium: Medium) -> [[UInt8]] {
    var card = Card(TestCard(medium: medium))
    var all: [[UInt8]] = []
    var next = card.recording()
    while let blocks = next {
      var (bytes, part) = ([UInt8](), UInt32(0))
      var block = RecordedBlock()
      for serial in blocks.first...blocks.last
      where card.readRecorded(serial, of: blocks, part: part, into: &block) {
        for index in 0..<block.count { bytes.append(block.bytes[index]) }
        part += 1
      }
      all.append(bytes)
      next = blocks.first > 1 ? card.recording(endingAt: blocks.first - 1) : nil
    }
    return all
  }

  /// Whether bytes are the first of a recording, without less than a block of them.
  private static func isRecording(_ bytes: [UInt8], of count: Int, first: UInt8 = 0) -> Bool {
    bytes.count <= count && bytes.count + CardRecording.room >= count
      && bytes.enumerated().allSatisfy { $1 == first &+ UInt8(truncatingIfNeeded: $0) }
  }

  @Test func `Each start begins a recording; all are read again, whole but for the last block`() {
    let medium = Self.medium()
    _ = medium.format()
    for first in UInt8(1)...9 {
      #expect(Self.record(5000 * Int(first), on: medium, first: first) == .running)
    }
    let all = Self.recordings(on: medium)
    #expect(all.count == 9)
    for (index, bytes) in all.enumerated() {
      let first = UInt8(9 - index)
      let isRight = Self.isRecording(bytes, of: 5000 * Int(first), first: first)
      #expect(isRight, "\(first)")
    }
  }

  @Test func `What was saved is on the card with the next byte`() {
    let medium = Self.medium()
    _ = medium.format()
    var card = Card(TestCard(medium: medium))
    card.beginRecording(at: .start)
    for byte in UInt8(0)..<100 { card.record(byte) }
    card.saveRecording()
    #expect(Self.recordings(on: medium).isEmpty)
    card.record(100)
    #expect(Self.recordings(on: medium) == [Array(0..<100)])
  }

  @Test func `A card that was formatted before there were recordings has no room for any`() {
    let medium = Medium(captures: 4000)
    _ = medium.format()
    #expect(Self.record(5000, on: medium) == .noRoom)
    #expect(Self.recordings(on: medium).isEmpty)
  }

  @Test func `A recording ends when its part of the card is full, and never overwrites itself`() {
    let medium = Self.medium()
    _ = medium.format()
    _ = Self.record(100_000, on: medium, first: 7)
    let room = 1200 * CardRecording.room
    #expect(Self.record(2 * room, on: medium) == .full)
    let all = Self.recordings(on: medium)
    #expect(all.count == 1 && all[0].count == room, "\(all.map(\.count))")
    let isRight = Self.isRecording(all[0], of: room)
    #expect(isRight)
    // A later one overwrites it from its beginning on, and no capture.
    let store = medium.mount()
    #expect(store.store(capture(1)))
    #expect(Self.record(100_000, on: medium, first: 9) == .running)
    let isNewRight = Self.isRecording(Self.recordings(on: medium)[0], of: 100_000, first: 9)
    #expect(isNewRight)
    #expect(medium.mount().capture(store.lastKey) == capture(1))
  }

  @Test(arguments: UInt64(1)...40)
  func `Blocks that cannot be written are left out, and four in a row end the recording`(
    _ seed: UInt64
  ) {
    let medium = Self.medium()
    _ = medium.format()
    var chance = SplitMix(seed)
    // What is not written, or is, and is said to be or not.
    medium.trouble = (0..<400).map { _ in
      (chance.below(4) > 0, chance.below(4) > 0)
    }
    let failures = medium.trouble.map { !$0.isWritten }
    let end = failures.indices.first { index in
      index >= 3 && failures[index - 3...index].allSatisfy { $0 }
    }
    let state = Self.record(150_000, on: medium)
    #expect((state == .failed) == (end != nil), "seed \(seed); \(Self.again)")
    let written = end.map { failures[...$0].count { !$0 } * CardRecording.room } ?? 150_000
    let all = Self.recordings(on: medium)
    // After the end there may be none, or what is left of it.
    let isRight = Self.isRecording(all.first ?? [], of: written)
    #expect(isRight, "\(all.first?.count ?? 0) of \(written) bytes, seed \(seed); \(Self.again)")
  }

  /// In the second round the places have older blocks.
  @Test(arguments: Share.of(Array(UInt64(1)...60), atOnce: 15))
  func `Later rounds find the newest block whatever could not be written`(_ seed: UInt64) {
    let medium = Self.medium()
    _ = medium.format()
    var chance = SplitMix(seed)
    for life in UInt8(1)...9 {
      let before = medium.writes.count
      // At most four in a row are not written, at any place.
      medium.trouble = (0..<400).map { _ in (chance.below(5) > 0, true) }
      let state = Self.record(40_000 + chance.below(200_000), on: medium, first: life)
      let blocks = medium.writes.count - before
      let all = Self.recordings(on: medium)
      let expected = (0..<blocks * CardRecording.room).map {
        life &+ UInt8(truncatingIfNeeded: $0)
      }
      let isRight = (all.first ?? []) == expected
      #expect(isRight || blocks == 0, "life \(life) \(state), seed \(seed); \(Self.again)")
    }
  }

  @Test func `A card whose first places are bad keeps its recordings`() {
    let medium = Self.medium()
    _ = medium.format()
    for life in UInt8(1)...3 {
      // Serial numbers begin at 1, so the first place is not written in the first round.
      if life == 1 { medium.trouble = [(false, true), (false, true), (false, true)] }
      _ = Self.record(30_000, on: medium, first: life)
    }
    let all = Self.recordings(on: medium)
    #expect(all.count == 3)
    #expect(all.map { $0.first ?? 0 } == [3, 2, 1])
  }

  @Test func `A card that is read with more blocks than it was formatted with has the same`() {
    let medium = Self.medium()
    _ = medium.format()
    // Into the second round.
    for life in UInt8(1)...9 { _ = Self.record(100_000, on: medium, first: life) }
    let all = Self.recordings(on: medium)
    let padded = Medium(captures: Self.captures + 1201)
    for number in 0..<medium.blockCount { padded.put((number, medium.block(number))) }
    #expect(!all.isEmpty)
    let isSame = Self.recordings(on: padded) == all
    #expect(isSame)
  }

  @Test(arguments: Share.of(Array(UInt64(1)...40), atOnce: 10))
  func `A cut within a write takes no other recording, and of this one that block`(_ seed: UInt64) {
    let medium = Self.medium()
    _ = medium.format()
    var chance = SplitMix(seed)
    // In the order of the recordings: what is left of each, at least.
    var lives: [(first: UInt8, blocks: Int)] = []
    for first in UInt8(1)...12 {
      let before = medium.writes.count
      _ = Self.record(1 + chance.below(60_000), on: medium, first: first)
      var blocks = medium.writes.count - before
      if blocks > 0, let last = medium.writes.last, chance.below(2) == 0 {
        // The block has its first bytes, and no others.
        let kept = chance.below(Block.size - 1)
        let torn = last.bytes[..<kept] + [UInt8](repeating: 0xFF, count: Block.size - kept)
        medium.put((last.number, Array(torn)))
        blocks -= 1
      }
      if blocks > 0 { lives.append((first, blocks)) }
    }
    let all = Self.recordings(on: medium)
    var room = 1200
    for (life, bytes) in zip(lives.reversed(), all) {
      room -= life.blocks + 1
      // Later ones may have overwritten its beginning.
      if room < 12 { break }
      let expected = (0..<life.blocks * CardRecording.room).map {
        life.first &+ UInt8(truncatingIfNeeded: $0)
      }
      let isRight = bytes == expected
      #expect(isRight, "life \(life.first), seed \(seed); \(Self.again)")
    }
    #expect(all.count >= min(lives.count, 6), "\(all.count) recordings; \(Self.again)")
  }

  @Test func `An event of a controller is read as it was written`() {
    let queue = QueueCounts(pending: 3, setAside: .max)
    var events: [Event] = [
      .batteryMeasured(BatteryReading(millivolts: -3987)), .batteryLost,
      .captureStored(sequence: .max, queue: queue), .storeFailed(sequence: 7),
      .reconcileFinished(RequestID(8), .settled(confirmed: 5), queue: queue),
      .fetchFinished(RequestID(5), .unsupported), .queueChanged(queue), .linkChanged(isUp: true),
      .linkChanged(isUp: false), .textFinished(RequestID(4), wasSent: false),
      .textsRead(RequestID(.max), .failed), .haltRefused,
    ]
    events += [Command.start, .stop, .captureNow, .sendNow].map {
      .commandGiven($0, from: .console)
    }
    events += [InputPin.button, .emergency].flatMap { pin in
      [true, false].map { .pinChanged(pin, isActive: $0, since: .hours(30)) }
    }
    let outcomes: [UploadOutcome] = [
      .answered(acknowledged: 1, refused: 2, firstRefused: 3, code: -1016),
      .refused(code: 400, first: 8, count: 9), .unauthorised,
      .busy(status: 503, retryAfter: .seconds(90)), .busy(status: 429, retryAfter: nil),
      .unreachable, .stalled, .ambiguous, .empty,
    ]
    events += outcomes.map { .uploadFinished(RequestID(9), $0, queue: queue) }
    for event in events { #expect(RecordedEvent(event).event == event) }
  }

  @Test func `An event that no controller has is not taken for another`() {
    for event: Event in [
      .commandGiven(.tryPIN, from: .console), .commandGiven(.start, from: .room),
      .fetchFinished(RequestID(1), .answered(nil)), .textFinished(RequestID(1), wasSent: true),
      .lineChanged(.modem, isPresent: false),
    ] {
      #expect(RecordedEvent(event).event == nil, "\(event)")
    }
  }
}
