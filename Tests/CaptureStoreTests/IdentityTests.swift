import Testing
import TrackerCore

@testable import CaptureStore

/// Whose captures a store holds, and on which board it lives.
@Suite struct IdentityTests {
  private let note = again("IdentityTests")
  private static let home = BoardSerials(
    deviceTree: "10000000aaaa", firmware: nil, installation: "0123abcd")
  private static let spare = BoardSerials(
    deviceTree: "10000000bbbb", firmware: nil, installation: "0123abcd")

  private func open(_ scratch: Scratch, _ owner: StoreOwner) throws -> CaptureStore {
    try CaptureStore.open(.file(scratch.path), for: owner, at: start)
  }

  @Test func `A device that is made up is a random UUID of version 4`() throws {
    var made: Set<String> = []
    for _ in 0..<64 {
      let text = try #require(UniqueID.random()).text
      let digits = Array(text)
      #expect(digits[14] == "4" && "89ab".contains(digits[19]), "\(text); \(note)")
      made.insert(text)
    }
    #expect(made.count == 64, note)
  }

  @Test
  func `A card in another board begins a device of its own, and brings the old captures home`()
    throws
  {
    let scratch = try Scratch()
    let first = try open(scratch, .board(Self.home)).device
    try open(scratch, .board(Self.home)).fill(3)
    let store = try open(scratch, .board(Self.spare))
    #expect(store.succession == OwnerChange(cause: .otherBoard, before: first), note)
    #expect(store.device != first && store.nextSequence == 1, note)
    try store.fill(2)
    let rows = try store.select(.oldest(limit: 9), at: start)
    #expect(rows.map(\.device) == [first, first, first, store.device, store.device], note)
    #expect(rows.map(\.capture.sequence) == [1, 2, 3, 1, 2], note)
    #expect(Set(rows.map(\.id)).count == 5 && rows.map(\.key) == [1, 2, 3, 4, 5], note)
    #expect(rows.map { store.name(of: $0).description }.suffix(2) == ["1", "2"], note)
    #expect(store.name(of: rows[0]).device?.count == 4, note)
    #expect(try store.captures(named: store.name(of: rows[1])).map(\.key) == [2], note)
    #expect(try store.captures(named: #require(CaptureName("2"))).map(\.key) == [5], note)
    let tallies = try store.devices()
    #expect(tallies.map(\.device) == [first, store.device], note)
    #expect(tallies.map(\.last) == [3, 2] && tallies.allSatisfy { $0.missing == 0 }, note)
  }

  @Test func `Told once: the next start on that board is nothing new`() throws {
    let scratch = try Scratch()
    try open(scratch, .board(Self.home)).fill(1)
    let device = try open(scratch, .board(Self.spare)).device
    let store = try open(scratch, .board(Self.spare))
    #expect(store.succession == nil && store.device == device, note)
  }

  @Test func `A card that is put back is a new device too: the copy may have gone on meanwhile`()
    throws
  {
    let scratch = try Scratch()
    let first = try open(scratch, .board(Self.home)).device
    let second = try open(scratch, .board(Self.spare)).device
    let third = try open(scratch, .board(Self.home)).device
    #expect(Set([first, second, third]).count == 3, note)
  }

  @Test func `What waits on a card in another board may have been sent from a copy of it`() throws {
    let scratch = try Scratch()
    func attempts(_ owner: StoreOwner) throws -> [UInt32] {
      try open(scratch, owner).page(limit: 9).map(\.attempts)
    }
    try open(scratch, .board(Self.home)).fill(2)
    #expect(try attempts(.board(Self.home)) == [0, 0], note)
    #expect(try attempts(.board(Self.spare)) == [1, 1], note)
  }

  @Test func `What cannot be read is unknown, and never another board`() throws {
    let boards: [(BoardSerials, BoardSerials)] = [
      (Self.home, BoardSerials()), (BoardSerials(), Self.home),
      (BoardSerials(deviceTree: "1"), BoardSerials(installation: "2")),
      (
        BoardSerials(deviceTree: "1", installation: "2"),
        BoardSerials(deviceTree: "1", installation: "3")
      ),
    ]
    for (before, after) in boards {
      let scratch = try Scratch()
      let device = try open(scratch, .board(before)).device
      let store = try open(scratch, .board(after))
      #expect(store.device == device && store.succession == nil, "\(before) \(after); \(note)")
    }
    // The installation decides where nothing surer is known of both.
    #expect(BoardSerials(installation: "2").differs(from: BoardSerials(installation: "3")), note)
  }

  @Test func `A source that is unreadable once is remembered`() throws {
    let scratch = try Scratch()
    let device = try open(scratch, .board(Self.home)).device
    #expect(
      try open(scratch, .board(BoardSerials(installation: "0123abcd"))).device == device, note)
    #expect(try open(scratch, .board(Self.spare)).device != device, note)
  }

  @Test func `A chosen device goes before the board, and continues where it ended`() throws {
    let scratch = try Scratch()
    let chosen = UniqueID(high: 0x4000, low: 1 << 63)
    let first = try open(scratch, .board(Self.home)).device
    do {
      let store = try open(scratch, .device(chosen))
      #expect(store.succession == OwnerChange(cause: .chosen, before: first), note)
      try store.fill(4)
    }
    #expect(try open(scratch, .device(chosen)).nextSequence == 5, note)
    #expect(try open(scratch, .device(first)).nextSequence == 1, note)
    let store = try open(scratch, .device(chosen))
    #expect(store.device == chosen && store.nextSequence == 5, note)
  }

  @Test func `A hand tool on a laptop changes nothing`() throws {
    let scratch = try Scratch()
    let device = try open(scratch, .board(Self.home)).device
    #expect(try open(scratch, .whoever).device == device, note)
    #expect(try open(scratch, .board(Self.home)).succession == nil, note)
  }

  @Test func `A capture whose GlobalID another one has gets a new one for good`() throws {
    let scratch = try Scratch()
    let store = try open(scratch, .whoever)
    try store.fill(2)
    let before = try store.page(limit: 9)
    try store.renew([2], at: start)
    let after = try store.page(limit: 9)
    #expect(after[0] == before[0] && after[1].id != before[1].id, note)
    #expect(after[1].id == UniqueID(replacing: before[1].id, of: before[1].capture), note)
    #expect(try store.page(limit: 9) == after, note)
  }

  /// Two devices that begin alike, both with a capture 1 that was set aside.
  private func twins(_ scratch: Scratch, _ second: UInt64) throws -> CaptureStore {
    for high in [0x3F2A_0000_0000_4000, second] {
      let store = try open(scratch, .device(UniqueID(high: high, low: 1 << 63)))
      try store.fill(2)
      try store.setAside([CaptureKey(store.nextKey.number - 2)], code: 7, at: start)
    }
    return try open(scratch, .whoever)
  }

  @Test func `A name that two devices share is refused with names that distinguish them`() throws {
    let scratch = try Scratch()
    let store = try twins(scratch, 0x3F2A_0100_0000_4000)
    let selection = try #require(CaptureSelection("3F2A:1"), note)
    let error = #expect(throws: StoreError.self, note) { try store.requeue(selection, at: start) }
    let instead = ["3f2a00:1", "3f2a01:1"]
    #expect(error?.kind == .ambiguous(name: "3f2a:1", instead: instead), note)
    let line = "\(error.map { "\($0)" } ?? "")"
    #expect(line.contains("write 3f2a00:1 or 3f2a01:1") && !line.contains("\n"), "\(line); \(note)")
    #expect(store.tally.setAside == 2, note)
    #expect(try store.requeue(#require(CaptureSelection(instead[0])), at: start) == 1, note)
    #expect(
      try store.page(limit: 9).map(\.state) == [.pending, .pending, .setAside, .pending], note)
    // Without a device it is the present one's.
    #expect(try store.requeue(#require(CaptureSelection("1")), at: start) == 1, note)
    #expect(try store.requeue(#require(CaptureSelection("2")), at: start) == 0, note)
    #expect(store.tally.setAside == 0, note)
  }

  @Test func `A name that one device has is not ambiguous`() throws {
    let store = try twins(Scratch(), 0x4F2A_0000_0000_4000)
    #expect(try store.requeue(#require(CaptureSelection("3f2a:1")), at: start) == 1, note)
    #expect(try store.requeue(#require(CaptureSelection("3f2a:9")), at: start) == 0, note)
    #expect(try store.requeue(.all, at: start) == 1, note)
  }

  @Test(arguments: [
    "", "0", "-1", "1:2", "3f2:1", "3f2a:", "3f2a:0", "3f2a:1:2", "xyzt:1", "17 ", "٣",
  ])
  func `What names no capture is refused`(_ text: String) {
    #expect(CaptureName(text) == nil && CaptureSelection(text) == nil, note)
  }
}
