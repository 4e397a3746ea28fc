import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// Orders about settings on disk.
@Suite(.serialized) struct KeptSettingTests {
  private let note = again("KeptSettingTests")

  /// An hour after the machine's start, half an hour after the tracker's.
  private func time(boot: String = "b1", after: Milliseconds = 0) -> MachineTime {
    MachineTime(
      boot: boot, now: .start + .minutes(30) + after, sinceBoot: .hours(1) + after,
      date: start + after)
  }

  private func order(_ path: String, _ value: String, _ minute: Int64 = 1) -> SettingOrder {
    SettingOrder(
      path: path, value: value, who: "anna@ttyS0",
      given: Moment(at: .start + .minutes(minute), utc: start + .minutes(minute - 30)), session: 7,
      configured: "10 min")
  }

  private var orders: [SettingOrder] {
    [order("capture.policy", "significant", 3), order("accuracy", "20 m", 1)]
  }

  @Test func `Orders come back in the order in which they were given`() throws {
    let scratch = try Scratch()
    #expect(try scratch.open().settingOrders(at: time()).isEmpty, note)
    for orders in [orders, orders.reversed(), [], [order("language", "ca"), orders[0]]] {
      try scratch.open().remember(orders, at: time())
      #expect(try scratch.open().settingOrders(at: time()) == orders, note)
      // Without write access, too: trackerd may be dead.
      let read = try CaptureStore.openForReading(scratch.path)
      #expect(try read.settingOrders(at: time()) == orders, note)
    }
    // What the core remembers is a matter of its own.
    try scratch.open().remember(Memory(), at: time())
    #expect(try scratch.open().settingOrders(at: time()).count == 2, note)
  }

  @Test func `The moment is given by the clocks of the next start`() throws {
    let scratch = try Scratch()
    var undated = order("accuracy", "20 m")
    undated.given.utc = nil
    try scratch.open().remember([order("language", "ca"), undated], at: time())
    var later = time(after: .minutes(10))
    later.now = .start
    let again = try scratch.open().settingOrders(at: later).map(\.given)
    #expect(again.map(\.at) == [.start + .minutes(-39), .start + .minutes(-39)], note)
    let rebooted = try scratch.open().settingOrders(at: time(boot: "b2")).map(\.given)
    #expect(rebooted == [Moment(utc: start + .minutes(-29)), Moment()], note)
  }

  @Test func `Of two orders about one setting the later one counts`() throws {
    let store = try Scratch().open()
    let (first, last) = (order("language", "ca"), order("language", "es"))
    try store.remember([first, orders[0], last], at: time())
    #expect(try store.settingOrders(at: time()) == [orders[0], last], note)
  }

  @Test func `All of them are kept or none`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.remember(orders, at: time())
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute(
      """
      CREATE TRIGGER broken BEFORE INSERT ON settingOrders WHEN NEW.number = 2
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    #expect(throws: StoreError.self, note) {
      try store.remember([order("language", "ca"), orders[0]], at: time())
    }
    #expect(try store.settingOrders(at: time()) == orders, note)
  }

  @Test func `A damaged row is left out and set aside, the others are read`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.remember(orders, at: time())
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE settingOrders SET value = '21 m' WHERE path = 'accuracy'")
    #expect(try store.settingOrders(at: time()) == [orders[0]], note)
    _ = consume store
    let again = try scratch.open()
    #expect(again.damagedRows == 1, note)
    #expect(try again.settingOrders(at: time()) == [orders[0]], note)
    _ = consume again
    // Whole, but impossible.
    try scratch.change(
      "settingOrders", "session = -1", where: "number = 1", SettingOrderRow.Column.list)
    #expect(try scratch.open().settingOrders(at: time()).isEmpty, note)
  }

  @Test func `A store of the version before has none, and takes them`() throws {
    let scratch = try Scratch()
    try SQLiteDatabase.store(path: scratch.path).execute(SchemaVersions.versionEight)
    let old = try CaptureStore.openForReading(scratch.path)
    #expect(try old.settingOrders(at: time()).isEmpty, note)
    let store = try scratch.open()
    #expect(store.opening == .migrated(from: 8), note)
    #expect(try store.settingOrders(at: time()).isEmpty, note)
    try store.remember(orders, at: time())
    #expect(try store.settingOrders(at: time()) == orders, note)
    #expect(try store.memory(at: time()).teamOrder != nil, note)
    #expect(try store.numbers() == [1, 2, 3], note)
  }

  // MARK: Damaged and second stores

  /// Destroys a page in the middle, which captures fill.
  private func damage(_ scratch: Scratch) throws {
    var bytes = scratch.bytes()
    let middle = bytes.count / 4096 / 2 * 4096
    for index in middle..<middle + 4096 { bytes[index] = 0xA5 }
    try scratch.write(bytes)
  }

  @Test func `A salvaged store keeps them`() throws {
    let scratch = try Scratch()
    do {
      let store = try scratch.open()
      try store.fill(900)
      try store.remember([order("language", "es"), orders[0]], at: time())
      try store.remember(orders, at: time())
    }
    try damage(scratch)
    let store = try scratch.open()
    guard case .salvaged = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(try store.settingOrders(at: time()) == orders, note)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A second store goes on with them, and its orders come back`() throws {
    let disk = try SmallDisk(kilobytes: 8192)
    let scratch = Scratch(disk.folder)
    do {
      let store = try scratch.open()
      try store.fill(300)
      try store.remember(orders, at: time())
    }
    try damage(scratch)
    // Enough for a second store, too little to salvage the first.
    try disk.leave(308 << 10)
    let new = [orders[1], order("language", "ca", 9)]
    do {
      let store = try scratch.open()
      guard case .beside = store.opening else {
        Issue.record("\(store.opening); \(note)")
        return
      }
      #expect(try store.settingOrders(at: time()) == orders, note)
      try store.fill(1)
      try store.remember(new, at: time())
    }
    try disk.empty()
    let store = try scratch.open()
    #expect(store.takenIn == 1, note)
    #expect(try store.settingOrders(at: time()) == new, note)
  }
}
