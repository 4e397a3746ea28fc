import FirmwareHost
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import CardStore

/// What a controller's host records on its card, replayed by tracker-sim; the host runs on this
/// machine, with lines that the test holds.
@Suite(.blocking) struct CardReplayTests {
  private static let again =
    "repeat with: SHARE=all swift test --filter FirmwareTests.CardReplayTests"

  /// What is said to a controller, and when.
  private final class World {
    /// The card and the modem take their time before a tracker begins.
    var now = Instant.start + Milliseconds(1500)
    var said: [(at: Instant, bytes: [UInt8], port: MachinePort)] = []
    var isOver: Bool { said.isEmpty }
  }

  private struct Board: Machine {
    let world: World
    var now: Instant { world.now }
    let cycles: UInt32 = 0
    func sleep(until deadline: Instant) {
      world.now = max(world.now, min(deadline, world.said.first?.at ?? deadline))
    }
    func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int {
      guard let next = world.said.first, next.at <= now, next.port == port else { return 0 }
      let count = min(buffer.count, next.bytes.count)
      for index in 0..<count { buffer[index] = next.bytes[index] }
      world.said[0].bytes.removeFirst(count)
      if world.said[0].bytes.isEmpty { world.said.removeFirst() }
      return count
    }
    func send(_ bytes: Span<UInt8>, to port: MachinePort) {}
    func pressPowerKey(for length: Milliseconds) {}
    func readButton() -> Bool { (now - .start).count / 100_000 % 7 == 3 }
    func setLight(isLit: Bool) {}
    func readBattery() -> UInt16? { now.milliseconds % 3 == 0 ? nil : 41_000 }
    func restart() {}
  }

  /// Half an hour's walk, in pieces of any size.
  private static func walk(_ seed: UInt64) throws -> World {
    let path = Built.repository.appendingPathComponent("traces/race.nmea")
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\r\n")
    let world = World()
    var chance = SplitMix64(seed: seed)
    var now = world.now + .seconds(1)
    for line in lines.prefix(6000) {
      var rest = Array((line + "\r\n").utf8)[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...40, using: &chance)
        world.said.append((now, Array(rest.prefix(count)), .receiver))
        rest = rest.dropFirst(count)
        now = now + Milliseconds(Int64.random(in: 0...400, using: &chance))
      }
      if Int.random(in: 0..<200, using: &chance) == 0 {
        let word = ["capture", "send", "stop", "start", "status"].randomElement(using: &chance)!
        world.said.append((now, Array((word + "\r").utf8), .console))
        world.said.append((now, Array("\r\nOK\r\n+CSQ: 17,99\r\n".utf8), .modem))
      }
    }
    return world
  }

  /// Runs a controller in a world, with the card in the folder; returns how many captures it has
  /// then taken.
  @discardableResult
  private func live(
    _ world: World, in folder: ScratchFolder, isRecording: Bool = true
  ) throws -> UInt32 {
    let card = UnsafeMutablePointer<CardStore<CardImage>>.allocate(capacity: 1)
    card.initialize(to: CardStore(try CardImage(folder.path("card"), blockCount: Self.blocks)))
    defer {
      card.deinitialize(count: 1)
      card.deallocate()
    }
    var settings = FirmwareSettings(
      board: .none, configuration: Configuration(),
      identity: Identity(
        device: UniqueID(high: 1, low: 2), team: InlineText("Els Senglars"), seed: 3))
    settings.core.board.modem.family = .a7670
    settings.batteryRange = 6000
    settings.isRecording = isRecording
    var identity = settings.core.identity
    var recorder = CardRecorder(card)
    withUnsafePointer(to: settings) { settings in
      var base = FirmwareHost(Board(world: world), card: card, settings, coreVersion: 42)
      var own = base.identity(settings)
      recorder.begin(settings, &own, coreVersion: 42, at: world.now)
      identity = own
      var tracker = Tracker(
        board: settings.pointee.core.board, configuration: settings.pointee.core.configuration,
        identity: identity, at: world.now)
      var host = Observed(base, by: recorder)
      var buffer = [UInt8](repeating: 0, count: 1024)
      while !world.isOver {
        var free = buffer.mutableSpan
        switch host.wait(until: tracker.nextDeadline, filling: &free) {
        case .bytes(let count, let role):
          tracker.receive(
            buffer.span.extracting(first: count), from: role, at: host.now, into: &host)
        case .event(let event): tracker.handle(event, at: host.now, into: &host)
        case .newSettings, .inspection, .restart, .end: break
        }
      }
    }
    return card.pointee.lastKey.number
  }

  /// Room for recordings of some 1.3 MB.
  private static let blocks = 256 + Bounds.captureRoom + 2800

  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try CardImage.make(
      folder.path("card"), of: UniqueID(high: 1, low: 2), blockCount: Self.blocks)
    return folder
  }

  private func replay(_ folder: ScratchFolder, _ options: String...) throws -> ProgramResult {
    try ProgramResult("tracker-sim", ["replay", folder.path("card")] + options)
  }

  @Test(arguments: UInt64(1)...4)
  func `Each life of a controller replays to what it did`(_ seed: UInt64) throws {
    let folder = try Self.folder()
    let taken = try live(Self.walk(seed), in: folder)
    #expect(taken > 3)
    try live(Self.walk(seed + 100), in: folder)
    let run = try replay(folder)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors); \(Self.again)")
    #expect(run.output.matches(of: /effects: identical/).count == 2, "\(run.output); \(Self.again)")
    #expect(run.output.contains("recorded by firmware with core 42,"), "\(run.output)")
  }

  @Test func `What came is replayed at the times at which it came`() throws {
    let folder = try Self.folder()
    let world = World()
    world.said = [(.start + Milliseconds(2750), Array("status\rcapture\r".utf8), .console)]
    // Enough to fill some blocks.
    world.said += (0..<40).map {
      (.start + .seconds(3 + $0), Array(repeating: 65, count: 60), .receiver)
    }
    try live(world, in: folder)
    _ = try replay(folder, "--events", folder.path("events"))
    let events = try String(contentsOfFile: folder.path("events"), encoding: .utf8)
    #expect(events.contains("$PTRKI,2750,command,captureNow"), "\(events.prefix(2000))")
  }

  @Test func `A copy of the newest recording is one for every program`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    let copied = try replay(folder, "--record", folder.path("copy.nmea"))
    let again = try ProgramResult("tracker-sim", ["replay", folder.path("copy.nmea")])
    #expect(again.code == 0 && again.output.contains("identical"), "\(again); \(Self.again)")
    func digest(_ run: ProgramResult) -> Substring? {
      run.output.firstMatch(of: /digest ([0-9a-f]{16})/)?.1
    }
    #expect(digest(copied) != nil && digest(copied) == digest(again), "\(copied)\(again)")
  }

  @Test func `Bytes that came otherwise make another effect, told with its block`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    try change(folder) { bytes, _ in
      // Digits of positions: sentences with them are refused by their checksums.
      for index in bytes.indices where bytes[index] == UInt8(ascii: "4") { bytes[index] += 1 }
    }
    let run = try replay(folder)
    #expect(run.code == 1 && run.output.isEmpty, "\(run); \(Self.again)")
    #expect(
      run.errors.contains(/^tracker-sim: card block [0-9]+: at [0-9]+ ms, after .*digest/),
      "\(run.errors); \(Self.again)")
  }

  @Test func `Effects that were others are told`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    try change(folder) { _, digest in digest ^= 1 }
    #expect(try replay(folder).code == 1, "\(Self.again)")
  }

  @Test func `Garbage in whole blocks is said to be that`() throws {
    for seed in Share.of(Array(UInt64(1)...12), atOnce: 3) {
      let folder = try Self.folder()
      try live(Self.walk(seed), in: folder)
      var chance = SplitMix64(seed: seed)
      try change(folder) { bytes, _ in
        for index in bytes.indices {
          bytes[index] = UInt8.random(in: 0...255, using: &chance)
        }
      }
      let run = try replay(folder)
      #expect(run.code == 1 || run.code == 2, "seed \(seed), \(run); \(Self.again)")
      #expect(run.errors.hasPrefix("tracker-sim: "), "seed \(seed), \(run); \(Self.again)")
    }
  }

  @Test func `A block that is missing in the middle is not an ordinary end`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    // The first block of the first recording has the number 1.
    try change(folder, part: 99, isSealed: false) { bytes, _ in bytes[0] ^= 1 }
    let run = try replay(folder)
    #expect(run.code == 2 && run.output.isEmpty, "\(run); \(Self.again)")
    #expect(run.errors.contains("card block 99 or the next is damaged"), "\(run); \(Self.again)")
  }

  @Test func `A life that ends within its beginning keeps no other from being replayed`() throws {
    let folder = try Self.folder()
    // Bytes fill the first blocks; what the tracker was made from is longer.
    try live(World(), in: folder)
    try live(Self.walk(1), in: folder)
    try change(folder, of: 0, part: 3, isSealed: false) { bytes, _ in bytes[0] ^= 1 }
    let run = try replay(folder)
    #expect(run.code == 0 && run.output.contains("identical"), "\(run); \(Self.again)")
    #expect(
      run.errors.contains("recording 1 of 2: it ends within its beginning"),
      "\(run); \(Self.again)")
  }

  @Test func `Recordings of other firmware keep no others from being replayed`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    try live(Self.walk(2), in: folder)
    try change(folder, of: 0, part: 0) { bytes, _ in bytes[0] ^= 1 }
    let run = try replay(folder, "--record", folder.path("copy.nmea"))
    #expect(run.code == 2 && run.output.contains("identical"), "\(run); \(Self.again)")
    #expect(run.errors.contains("recording 1 of 2: it is of firmware with core 42"), "\(run)")
    #expect(try folder.names().contains("copy.nmea"), "\(run)")
  }

  @Test func `A copy has all that came, also where this program does otherwise`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    _ = try replay(folder, "--record", folder.path("whole.nmea"))
    try change(folder) { _, digest in digest ^= 1 }
    let run = try replay(folder, "--record", folder.path("copy.nmea"))
    #expect(run.code == 1, "\(run); \(Self.again)")
    let copies = try ["whole.nmea", "copy.nmea"].map {
      try String(contentsOfFile: folder.path($0), encoding: .utf8)
    }
    #expect(copies[0] == copies[1] && !copies[0].contains(",end*"), "\(Self.again)")
  }

  @Test func `No output overwrites the card or a recording`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    let card = folder.path("card")
    let before = try CardImage(card, blockCount: Self.blocks).sum()
    _ = try folder.write("kept", "kept")
    for options in [
      ["--record", card], ["--events", card], ["--record", folder.path("kept")], ["--record", "-"],
      ["--record", folder.path("new"), "--events", folder.path("new")],
    ] {
      let run = try ProgramResult("tracker-sim", ["replay", card] + options)
      #expect(run.code == 2 && run.output.isEmpty, "\(options): \(run)")
    }
    #expect(try CardImage(card, blockCount: Self.blocks).sum() == before)
    #expect(try folder.names().sorted() == ["card", "kept"])
  }

  @Test func `A pipe is read once`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder)
    _ = try replay(folder, "--record", folder.path("copy.nmea"))
    let run = try ProgramResult(
      running: [
        "/bin/sh", "-c", "mkfifo pipe; cat copy.nmea >pipe & exec \"$0\" replay pipe",
        Built.program("tracker-sim").path,
      ], folder: folder.url)
    #expect(run.code == 0 && run.output.contains("identical"), "\(run); \(Self.again)")
  }

  @Test func `What has lost its beginning to later recordings is told, and the others replayed`()
    throws
  {
    let folder = try Self.folder()
    for seed in UInt64(1)...3 { try live(Self.walk(seed), in: folder) }
    let run = try replay(folder)
    #expect(run.code == 0, "\(run); \(Self.again)")
    #expect(
      run.errors.contains("recording 1 of 3: its beginning was lost to later recordings"), "\(run)")
    #expect(run.output.contains("identical"), "\(run); \(Self.again)")
  }

  @Test func `A card without recordings, or with other files, is told what to do`() throws {
    let folder = try Self.folder()
    try live(Self.walk(1), in: folder, isRecording: false)
    let none = try replay(folder)
    #expect(none.code == 2 && none.errors.contains("trackerctl firmware --record"), "\(none)")
    let race = Built.repository.appendingPathComponent("traces/race.nmea").path
    let two = try replay(folder, race)
    #expect(two.code == 2 && two.errors.contains("give it alone"), "\(two)")
    let copy = try ProgramResult("tracker-sim", ["replay", race, "--record", folder.path("new")])
    #expect(copy.code == 2 && copy.errors.contains("--record"), "\(copy)")
  }

  /// Changes the bytes and the digest of a block, and seals it again.
  ///
  /// - Parameters:
  ///   - recording: from the oldest; `nil`: the newest.
  ///   - part: `nil`: that in the middle.
  private func change(
    _ folder: ScratchFolder, of recording: Int? = nil, part: UInt32? = nil, isSealed: Bool = true,
    _ body: (inout [UInt8], inout UInt32) -> Void
  ) throws {
    let device = try CardImage(folder.path("card"), blockCount: Self.blocks)
    var card = CardStore(device)
    var all: [RecordingBlocks] = []
    var next = card.recording()
    while let blocks = next {
      all.insert(blocks, at: 0)
      next = card.recording(endingAt: blocks.first - 1)
    }
    let blocks = all[recording ?? all.count - 1]
    let serial = blocks.first + (part ?? (blocks.last - blocks.first) / 2)
    let start = 256 + Bounds.captureRoom
    let place = start + serial % (Self.blocks - start)
    var block = Block()
    _ = device.read(place, into: &block)
    var bytes = (CardRecording.content..<Block.size).map { block.bytes[$0] }
    var digest = block.number(at: 32)
    body(&bytes, &digest)
    for (index, byte) in bytes.enumerated() { block.bytes[CardRecording.content + index] = byte }
    block.put(digest, at: 32)
    if isSealed { block.seal(CardRecording.mark, of: block.log()) }
    _ = device.write(&block, to: place)
  }
}
