import BoardSupport
import SystemCalls
import Testing
import TrackerCore

@testable import CaptureStore
@testable import Simulation

/// Programs that end within a write, on a disk that loses what was not flushed.
@Suite struct TornDiskTests {
  private static let device = UniqueID(high: 0, low: 1)
  private static let start = UTC(milliseconds: 1_776_499_200_000)

  private func begin(_ disk: TornDisk) throws -> CaptureStore {
    let empty = try CaptureStore.open(.memory, for: .device(Self.device), at: Self.start)
    return try disk.open(empty.image(), for: .device(Self.device), at: Self.start)
  }

  private func reopen(_ disk: TornDisk, after outage: Outage) throws -> CaptureStore {
    try disk.reopen(after: outage, for: .device(Self.device), at: Self.start)
  }

  /// Stores captures until the disk says that the program has ended.
  ///
  /// - Returns: the last one that the program could announce.
  private func fill(_ store: CaptureStore, until disk: TornDisk) throws -> UInt32 {
    var announced = store.nextSequence - 1
    while announced < 400 {
      let capture = Capture(
        sequence: store.nextSequence, utc: Self.start, isTimeTrusted: true,
        position: Coordinate(latitude: 420_000_000, longitude: 21_000_000),
        team: InlineText("Els Senglars"), trigger: .interval)
      try store.append(capture, at: Self.start)
      if disk.isCut { break }
      announced = capture.sequence
    }
    return announced
  }

  @Test(arguments: [Outage.kill, .powerCut])
  func `Whatever step is the last, all that was announced is there, and nothing is damaged`(
    _ outage: Outage
  ) throws {
    let disk = try TornDisk(seed: 1)
    var store = try begin(disk)
    for steps in (0...60) as ClosedRange<Int32> {
      disk.planCut(after: steps, by: outage)
      let announced = try fill(store, until: disk)
      #expect(disk.isCut, "step \(steps)")
      store = try reopen(disk, after: outage)
      #expect(store.opening == .opened && store.damagedRows == 0, "step \(steps)")
      // One may be there that was not announced.
      #expect((1...2).contains(store.nextSequence - announced), "step \(steps): \(announced)")
      #expect(try store.page(limit: .max).count == Int(store.nextSequence) - 1, "step \(steps)")
    }
    #expect(disk.outages.count == 61 && (disk.lostSectors > 100) == (outage == .powerCut))
  }

  /// What the disk is for: without flushes it loses captures and damages the file.
  @Test func `Without flushes a power cut takes what was announced, and a kill does not`() throws {
    for (outage, isLost) in [(Outage.powerCut, true), (.kill, false)] {
      var problems = 0
      for seed in (1...10) as ClosedRange<UInt64> {
        let disk = try TornDisk(seed: seed)
        let store = try begin(disk)
        try store.database.execute("PRAGMA synchronous = OFF")
        disk.planCut(after: 40, by: outage)
        let announced = try fill(store, until: disk)
        let next = try? reopen(disk, after: outage)
        if (next?.nextSequence ?? 0) <= announced || next?.opening != .opened { problems += 1 }
      }
      #expect(isLost ? problems >= 8 : problems == 0, "\(outage): \(problems) of 10")
    }
  }

  @Test func `Between two writes a power cut takes what was not flushed, too`() throws {
    let disk = try TornDisk(seed: 4)
    let store = try begin(disk)
    try store.database.execute("PRAGMA synchronous = OFF")
    #expect(try fill(store, until: disk) == 400)
    let next = try? reopen(disk, after: .powerCut)
    #expect((next?.nextSequence ?? 0) <= 400 || next?.opening != .opened)
  }

  @Test func `The same seed leaves the same`() throws {
    func lengths(_ seed: UInt64) throws -> ([UInt32], Int) {
      let disk = try TornDisk(seed: seed)
      var store = try begin(disk)
      var next: [UInt32] = []
      for steps in [3, 17, 40, 9] as [Int32] {
        disk.planCut(after: steps, by: .powerCut)
        _ = try fill(store, until: disk)
        store = try reopen(disk, after: .powerCut)
        next.append(store.nextSequence)
      }
      return (next, disk.lostSectors)
    }
    let (one, again, other) = (try lengths(7), try lengths(7), try lengths(8))
    #expect(one == again)
    #expect(one != other)
  }

  @Test func `Its files are gone when it is`() throws {
    var disk: TornDisk? = try TornDisk(seed: 1)
    let folder = try #require(disk?.folder)
    var store = try disk.map { try begin($0) }
    try store?.database.execute("PRAGMA user_version")
    store = try disk.map { try reopen($0, after: .powerCut) }
    #expect(kind(ofPath: folder) == .folder)
    (store, disk) = (nil, nil)
    #expect(kind(ofPath: folder) == nil)
  }

  // MARK: In a race

  private func race(_ restarts: String) throws -> ExploredCase {
    var race = ExploredCase(seed: 5)
    race.settings = [#"capture: { policy: "standard", interval: "1 min" }"#]
    let text = "{ restarts: [\(restarts)] }"
    race.scenario = try Scenario(FileNode.parse(Array(text.utf8), path: "scenario.json5")) { _ in
      []
    }
    race.trace = try PreparedTrace.walk(.minutes(40), every: .seconds(5), seed: 5).bytes
    return race
  }

  @Test(arguments: ["kill", "powerCut"])
  func `A race goes on after cuts within writes, and is the same again`(_ kind: String) throws {
    for writes in [1, 2, 5, 11, 23] {
      let restarts = [10, 18, 26].map {
        "{ at: \"0:\($0):00\", kind: \"\(kind)\", for: \"5 s\", writes: \(writes) }"
      }
      let race = try race(restarts.joined(separator: ", "))
      let board = try FaultExplorationTests.board(Swarm.boards[0])
      let found = try ExploredRace.run(race, on: board, twice: true)
      #expect(found.broken == [], "\(writes)")
      #expect(found.probes.contains(kind == "kill" ? .killInWrite : .powerCutInWrite), "\(writes)")
      #expect(found.deliveries.count > 25, "\(writes)")
    }
  }

  @Test func `An end within a write is written as it is read, and goes with no other kind of end`()
    throws
  {
    let race = try race(#"{ at: "0:10:00", kind: "powerCut", for: "5 s", writes: 7 }"#)
    #expect(race.scenario.restarts.map(\.afterWrites) == [7])
    #expect(race.scenario.text.contains("writes: 7"))
    for member in ["effects: 3", #"loses: "1 min""#, #"card: "copied""#] {
      #expect(throws: FileError.self, "\(member)") {
        try self.race(#"{ at: "0:10:00", kind: "powerCut", writes: 7, \#(member) }"#)
      }
    }
    for writes in ["0", "-1", "many"] {
      #expect(throws: FileError.self, "\(writes)") {
        try self.race(#"{ at: "0:10:00", kind: "kill", writes: \#(writes) }"#)
      }
    }
  }
}
