import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What stands in the files is fixed: a store of today is read by the programs to come.
@Suite struct ChecksumTests {
  private let note = again("ChecksumTests")

  /// Computed by a second implementation, from the description of `RowChecksum` alone.
  @Test(
    arguments: [
      ("", 6_076_001_662_835_621_889), ("NULL", 3_740_154_946_714_445_450),
      ("1", 8_238_622_358_287_585_264), ("-1", -2_801_971_765_057_699_536),
      ("''", 7_072_024_357_263_331_300), ("'abc'", 6_867_023_499_659_627_592),
      ("'abcdefgh'", -7_572_626_308_726_000_625), ("'abcdefghijk'", -5_891_640_446_732_827_106),
      ("'abcdefghijklmnop'", -6_923_018_925_738_032_465), ("x'616263'", 106_029_096_184_335_847),
      ("x''", 7_443_460_478_171_230_810),
      ("NULL, 1, 'Els Senglars', -2, x'00FF'", -4_253_644_245_763_779_400),
    ] as [(String, Int64)])
  func `The checksum of a row is the same in every version`(_ values: String, _ sum: Int64) throws {
    let database = try SQLiteDatabase.store(path: ":memory:")
    #expect(try database.integer("SELECT row_checksum(\(values))") == sum, "\(values); \(note)")
  }

  @Test func `A random identifier is marked as such`() throws {
    var (seen, ands, ors) = (
      Set<UniqueID>(), (~0 as UInt64, ~0 as UInt64), (0 as UInt64, 0 as UInt64)
    )
    for _ in 0..<200 {
      let id = try #require(UniqueID.random())
      seen.insert(id)
      ands = (ands.0 & id.high, ands.1 & id.low)
      ors = (ors.0 | id.high, ors.1 | id.low)
    }
    // RFC 9562: version 4 in the seventh byte, the variant 10 in the ninth; all else is random.
    let ones: (UInt64, UInt64) = (~0xF000 | 0x4000, ~(1 << 62))
    #expect(seen.count == 200, note)
    #expect(ands == (0x4000, 1 << 63) && ors == ones, note)
  }

  @Test func `An identifier is read in either case, with and without hyphens, and wholly`() {
    let id = UniqueID(high: 0x0123_4567_89AB_4DEF, low: 0x8FED_CBA9_8765_4321)
    let text = "01234567-89ab-4def-8fed-cba987654321"
    #expect(id.text == text, note)
    for form in [text, text.uppercased(), text.filter { $0 != "-" }] {
      #expect(UniqueID(text: form) == id, "\(form); \(note)")
    }
    // The characters beside those of each range are none.
    let others = "/:@G`g".map { "\($0)" + text.dropFirst() }
    for wrong in ["", String(text.dropLast()), text + "0"] + others {
      #expect(UniqueID(text: wrong) == nil, "\(wrong); \(note)")
    }
  }

  @Test func `A lost last capture keeps its number`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(3)
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE captures SET latitude = latitude + 1024 WHERE key = 3")
    let store = try scratch.open()
    #expect(store.damagedRows == 1, note)
    #expect(store.nextSequence == 1 + StoreBounds.reservation, note)
    try store.fill(1)
    #expect(try store.numbers() == [1, 2, 4097], note)
  }

  @Test func `A damaged identity is reported as damage of the store`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(1)
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE identities SET firstSequence = firstSequence + 1")
    let store = try scratch.open()
    guard case .salvaged(let salvage) = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(salvage.damage == "an identity is damaged" && !salvage.isIdentityKept, note)
  }

  /// The checksum fits, and the value is unknown: as a later program might have written it.
  @Test(arguments: [
    "latitude = 2147483648", "longitude = -2147483649", "\"trigger\" = 'moon'", "device = 'x'",
    "globalID = 'x'", "key = 4294967294, sequence = 4294967294",
  ])
  func `A row with an impossible value is set aside, its neighbour read`(_ change: String) throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(2)
    try scratch.change("captures", change, where: "key = 2", CaptureColumn.list)
    let isPossible = change.contains("key")
    #expect(try store.numbers() == (isPossible ? [1, 4_294_967_294] : [1]), "\(change); \(note)")
    #expect(store.damagedRows == (isPossible ? 0 : 1), "\(change); \(note)")
  }

  @Test func `Every trigger comes back`() throws {
    let store = try CaptureStore.open(.memory, at: start)
    let triggers: [Trigger] = [.start, .interval, .distance, .heartbeat, .command]
    for trigger in triggers {
      var capture = capture(store.nextSequence)
      capture.trigger = trigger
      try store.append(capture, at: start)
    }
    #expect(try store.page(limit: 9).map(\.capture.trigger) == triggers, note)
    #expect(
      try store.database.text("SELECT group_concat(\"trigger\") FROM captures")
        == "start,interval,distance,heartbeat,command", note)
  }

  @Test func `The numbers of a device end before the highest`() throws {
    let scratch = try Scratch()
    _ = try scratch.open()
    let last = UInt32.max - 1
    try scratch.change(
      "identities", "firstSequence = \(last), reservedBelow = \(last)", where: "number = 1",
      DeviceIdentity.Column.list)
    let store = try scratch.open()
    #expect(store.nextSequence == last, note)
    try store.fill(1)
    let error = #expect(throws: StoreError.self, note) { try store.fill(1) }
    #expect(error?.kind == .outOfTurn(expected: .max, given: .max), note)
    #expect(try CaptureStore.openForReading(scratch.path).nextSequence == .max, note)
  }
}
