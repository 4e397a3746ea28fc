import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What people call captures, and how the captures of each device stand.
@Suite struct NameTests {
  private let note = again("NameTests")
  private let scratch: Scratch
  private let old = UniqueID(high: 0x3F2A_0000_0000_4000, low: 1 << 63)
  private let new = UniqueID(high: 0x3F2B_0000_0000_4000, low: 1 << 63)

  init() throws { scratch = try Scratch() }

  private func open(_ device: UniqueID) throws -> CaptureStore {
    try CaptureStore.open(.file(scratch.path), for: .device(device), at: start)
  }

  /// Four of one device, then five of another, of which one is missing.
  private func store() throws -> CaptureStore {
    try open(old).fill(4)
    let store = try open(new)
    try store.fill(5)
    try store.acknowledge([1, 7], at: start)
    try store.setAside([2, 3, 8], code: 7, at: start)
    _ = try store.select(.freshest(limit: 1), at: start)
    try store.makeRoom()
    return store
  }

  @Test func `How the captures of each device stand, and whether any is missing`() throws {
    let tallies = try store().devices()
    #expect(tallies.map(\.device) == [old, new], note)
    #expect(tallies.map(\.first) == [2, 1] && tallies.map(\.last) == [4, 5], note)
    #expect(tallies.map(\.missing) == [0, 1], note)
    #expect(tallies.map(\.tally.pending) == [1, 3], "in flight is pending too; \(note)")
    #expect(tallies.map(\.tally.setAside) == [2, 1], note)
    #expect(tallies.map(\.tally.acknowledged) == [0, 0], note)
    let store = try open(old)
    try store.acknowledge([4], at: start)
    #expect(try DeviceIdentity.all(store.database).map(\.device) == [new, old], note)
    let again = try store.devices()
    #expect(again.map(\.device) == [new, old], "the present one is the last; \(note)")
    #expect(again.map(\.tally.acknowledged) == [0, 1], note)
    #expect(again.map(\.tally.pending) == [3, 0], note)
  }

  @Test func `A capture is found by its name, and a name by its capture`() throws {
    let store = try store()
    for row in try store.page(limit: 20) {
      let name = store.name(of: row)
      #expect(name.description == (row.device == new ? "" : "3f2a:") + "\(row.capture.sequence)")
      #expect(try store.captures(named: name) == [row], "\(name); \(note)")
      #expect(CaptureName(name.description) == name, note)
    }
    _ = consume store
    // Where two devices begin alike both are found, in order of storing.
    let third = UniqueID(high: 0x3F2A_1000_0000_4000, low: 1 << 63)
    try open(third).fill(2)
    let found = try open(third).captures(named: #require(CaptureName("3f2a:2")))
    #expect(found.map(\.device) == [old, third] && found.map(\.key) == [2, 11], note)
  }

  @Test(
    arguments: [
      ("17", nil, 17), ("3f2a:1", "3f2a", 1), ("3F2A:4294967295", "3f2a", 4_294_967_295),
      ("3f2a0000-0000-4000-8000-000000000000:5", "3f2a0000000040008000000000000000", 5),
    ] as [(String, String?, UInt32)])
  func `A name has a number, and before it some digits of a device`(
    _ text: String, _ device: String?, _ sequence: UInt32
  ) throws {
    let name = try #require(CaptureName(text))
    #expect(name.device == device && name.sequence == sequence, note)
  }

  @Test(arguments: [
    "4294967296", "3f2a0000-0000-4000-8000-0000000000000:5", "3f2a :1", "3f2a:/", "3f2a::",
    ":17", "17:", "3f2a::17",
  ])
  func `Anything but a name is refused`(_ text: String) {
    #expect(CaptureName(text) == nil, note)
  }

  @Test func `One that was set aside is picked by its number or its device's too`() throws {
    let store = try store()
    #expect(CaptureSelection("all") == .all, note)
    for text in ["17", "3F2A:17", "3f2a0:1"] {
      #expect(try CaptureSelection(text) == .one(#require(CaptureName(text))), "\(text); \(note)")
    }
    for wrong in ["", "0", "x", "-1", "3f2:1", "3f2g:1", "3f2a:0", ":1", "1:2:3", "٣"] {
      #expect(CaptureSelection(wrong) == nil, "\(wrong); \(note)")
    }
    func requeue(_ text: String) throws -> Int {
      try store.requeue(.one(#require(CaptureName(text))), at: start)
    }
    // Of the present device none of these was set aside.
    for number in 1...3 { #expect(try requeue("\(number)") == 0, note) }
    #expect(try requeue("5") == 0, note)
    #expect(try requeue("3f2a:2") == 1, note)
    #expect(try store.page(limit: 9, state: .setAside).map(\.key) == [3, 8], note)
    #expect(try requeue("4") == 1, note)
    #expect(try store.page(limit: 9, state: .setAside).map(\.key) == [3], note)
    #expect(try store.requeue(.all, at: start) == 1, note)
    #expect(store.counts == QueueCounts(pending: 7), note)
  }

  // MARK: Boards

  @Test func `Each source distinguishes boards if no more reliable one is known of both`() throws {
    let all = BoardSerials(deviceTree: "1", firmware: "2", installation: "3")
    let pairs: [(BoardSerials, BoardSerials, Bool)] = [
      (all, all, false),
      (all, BoardSerials(deviceTree: "x", firmware: "2", installation: "3"), true),
      (all, BoardSerials(deviceTree: "1", firmware: "x", installation: "x"), false),
      (all, BoardSerials(firmware: "x", installation: "3"), true),
      (all, BoardSerials(firmware: "2", installation: "x"), false),
      (all, BoardSerials(installation: "x"), true), (all, BoardSerials(), false),
    ]
    for (one, other, differs) in pairs {
      #expect(one.differs(from: other) == differs, "\(other); \(note)")
      #expect(other.differs(from: one) == differs, "\(other); \(note)")
      let place = try Scratch()
      func device(_ board: BoardSerials) throws -> UniqueID {
        try CaptureStore.open(.file(place.path), for: .board(board), at: start).device
      }
      // Kept in the file, and completed by what is known of the same board.
      let first = try device(one)
      #expect(try (device(other) != first) == differs, "\(other); \(note)")
      let identity = try DeviceIdentity.read(.store(path: place.path))
      #expect(identity?.madeAt == start, note)
      #expect(identity?.board == (differs ? other : merged(one, other)), "\(other); \(note)")
    }
  }

  private func merged(_ one: BoardSerials, _ other: BoardSerials) -> BoardSerials {
    BoardSerials(
      deviceTree: other.deviceTree ?? one.deviceTree, firmware: other.firmware ?? one.firmware,
      installation: other.installation ?? one.installation)
  }

  @Test func `A salvaged store remembers its board`() throws {
    let all = BoardSerials(deviceTree: "1", firmware: "2", installation: "3")
    let device = try CaptureStore.open(.file(scratch.path), for: .board(all), at: start).device
    var bytes = scratch.bytes()
    bytes[3] ^= 0xFF
    try scratch.write(bytes)
    let store = try scratch.open()
    guard case .salvaged = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(store.device == device && store.identity.board == all, note)
    #expect(store.identity.madeAt == start && store.identity.number == 1, note)
  }
}
