import CaptureStore
import Testing
import TrackerCore

/// What a store promises, wherever it is kept.
@Suite struct ContractTests {
  enum Kind: CaseIterable { case file, memory }

  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func store(
    _ kind: Kind, limits: StoreLimits = StoreLimits()
  ) throws -> CaptureStore {
    switch kind {
    case .file: try scratch.open(limits: limits)
    case .memory: try CaptureStore.open(.memory, limits: limits, at: start)
    }
  }

  private let note = again("ContractTests")

  @Test(arguments: Kind.allCases)
  func `A new store is empty and begins at 1`(_ kind: Kind) throws {
    let store = try store(kind)
    #expect(store.opening == .created, note)
    #expect(store.nextSequence == 1, note)
    #expect(store.counts == QueueCounts(pending: 0), note)
    #expect(try store.numbers() == [], note)
    #expect(try store.select(.freshest(limit: 9), at: start) == [], note)
  }

  @Test(arguments: Kind.allCases)
  func `A capture comes back as it was, with all of its values or with none`(_ kind: Kind) throws {
    let store = try store(kind)
    let full = capture(1, team: InlineText("Peus Lleugers — ñ 山"))
    let bare = Capture(
      sequence: 2, utc: nil, isTimeTrusted: false,
      position: Coordinate(latitude: .min, longitude: .max), team: InlineText<64>(),
      trigger: .heartbeat)
    // A name that is no UTF-8, and a zero in it.
    let odd = capture(3, team: InlineText<64>([0xFF, 0x00, 0xC3, 0x41].span))
    for each in [full, bare, odd] { try store.append(each, at: start) }
    let back = try store.page(limit: 10)
    #expect(back.map(\.capture) == [full, bare, odd], note)
    #expect(back.allSatisfy { $0.takenAt == start && $0.attempts == 0 }, note)
    #expect(back.map(\.id) == (1...3).map { UniqueID(device: store.device, sequence: $0) }, note)
  }

  @Test(arguments: Kind.allCases)
  func `A number out of turn is refused and changes nothing`(_ kind: Kind) throws {
    let store = try store(kind)
    try store.fill(3)
    for wrong: UInt32 in [0, 1, 3, 5, .max] {
      let error = #expect(throws: StoreError.self, note) {
        try store.append(capture(wrong), at: start)
      }
      #expect(error?.kind == .outOfTurn(expected: 4, given: wrong), note)
    }
    #expect(try store.numbers() == [1, 2, 3], note)
    #expect(store.nextSequence == 4, note)
  }

  @Test(arguments: Kind.allCases)
  func `The freshest come newest first, the oldest oldest first`(_ kind: Kind) throws {
    let store = try store(kind)
    try store.fill(6)
    let fresh = try store.select(.freshest(limit: 2), at: start)
    #expect(fresh.map(\.capture.sequence) == [6, 5], note)
    #expect(fresh.allSatisfy { $0.state == .inFlight && $0.attempts == 1 }, note)
    #expect(store.counts == QueueCounts(pending: 6), "in flight is pending too; \(note)")
    #expect(try store.numbers(.inFlight) == [5, 6], note)
    let old = try store.select(.oldest(limit: 2), at: start)
    #expect(old.map(\.capture.sequence) == [1, 2], note)
    #expect(try store.inFlight().map(\.capture.sequence) == [1, 2, 5, 6], note)
    // What is in flight is not handed out again before it was let go of, and then counts as tried.
    let others = try store.select(.freshest(limit: 1), at: start)
    #expect(others.map(\.capture.sequence) == [4] && others.map(\.attempts) == [1], note)
    #expect(try store.release([5, 6, 3, 99], at: start) == 2, note)
    let again = try store.select(.freshest(limit: 1), at: start)
    #expect(again.map(\.capture.sequence) == [6] && again.map(\.attempts) == [2], note)
    #expect(try store.release(at: start) == 4, note)
    #expect(try store.inFlight() == [], note)
  }

  @Test(arguments: Kind.allCases)
  func `Since when the fate of a capture is unknown is kept as long as it is`(_ kind: Kind) throws {
    let store = try store(kind)
    try store.fill(4)
    _ = try store.select(.oldest(limit: 4), at: start)
    let holds = (1...4 as ClosedRange<UInt32>).map {
      Hold(key: CaptureKey($0), boot: "one", since: Milliseconds(Int64($0)))
    }
    try store.hold(holds)
    #expect(try store.holds() == holds, note)
    let later = Hold(key: 4, boot: "two", since: 9)
    try store.hold([later])
    try store.acknowledge([1], at: start)
    try store.setAside([2], code: 1, at: start)
    try store.release([3], at: start)
    #expect(try store.holds() == [later], note)
    try store.release(at: start)
    #expect(try store.holds() == [], note)
  }

  @Test(arguments: Kind.allCases)
  func `What a server has leaves the queue once`(_ kind: Kind) throws {
    let store = try store(kind)
    try store.fill(5)
    _ = try store.select(.oldest(limit: 3), at: start)
    #expect(try store.acknowledge([1, 3, 3, 77], at: start) == 2, note)
    #expect(try store.acknowledge([1, 3], at: start) == 0, note)
    #expect(store.counts == QueueCounts(pending: 3), note)
    #expect(try store.inFlight().map(\.capture.sequence) == [2], note)
    #expect(try store.numbers(.acknowledged) == [1, 3], note)
    #expect(try store.acknowledge([], at: start) == 0, note)
  }

  @Test(arguments: Kind.allCases)
  func `What is set aside waits for a person, with the code`(_ kind: Kind) throws {
    let store = try store(kind)
    try store.fill(4)
    _ = try store.select(.oldest(limit: 4), at: start)
    #expect(try store.setAside([2, 3, 9], code: 1003, at: start) == 2, note)
    #expect(store.counts == QueueCounts(pending: 2, setAside: 2), note)
    #expect(try store.page(limit: 9, state: .setAside).map(\.code) == [1003, 1003], note)
    try store.release(at: start)
    #expect(
      try store.select(.oldest(limit: 9), at: start).map(\.capture.sequence) == [1, 4], note)
    #expect(try store.requeue([3, 4], at: start) == 1, note)
    #expect(store.counts == QueueCounts(pending: 3, setAside: 1), note)
    #expect(try store.acknowledge([2], at: start) == 1, "it got there after all; \(note)")
    #expect(try store.requeue(at: start) == 0, note)
    #expect(store.tally.acknowledged == 1, note)
    #expect(try store.page(limit: 9).allSatisfy { $0.code == nil || $0.state == .acknowledged })
  }

  @Test(arguments: Kind.allCases)
  func `Pages follow each other without gaps or repetitions`(_ kind: Kind) throws {
    let store = try store(kind)
    try store.fill(25)
    try store.acknowledge([3, 9, 20], at: start)
    for state in [nil] + CaptureState.allCases.map(Optional.some) {
      var (seen, last) = ([UInt32](), CaptureKey.none)
      while true {
        let page = try store.page(after: last, limit: 4, state: state)
        guard let end = page.last else { break }
        last = end.key
        seen += page.map(\.capture.sequence)
      }
      #expect(seen == (try store.numbers(state)), note)
    }
    #expect(try store.numbers().count == 25, note)
  }

  @Test(arguments: Kind.allCases)
  func `A copy has what the store had when its image was taken, and changes alone`(
    _ kind: Kind
  ) throws {
    let store = try store(kind)
    try store.fill(5)
    try store.acknowledge([1, 2], at: start)
    _ = try store.select(.oldest(limit: 1), at: start)
    let image = try store.image()
    let before = try store.page(limit: .max)
    try store.fill(3)
    let copy = try CaptureStore.open(.copy(of: image), at: start)
    #expect(copy.opening == .opened && copy.device == store.device, note)
    #expect(try copy.page(limit: .max) == before, note)
    #expect(copy.nextSequence == 6 && copy.tally.pending == 3, note)
    try copy.acknowledge([3], at: start)
    #expect(store.tally.pending == 6 && copy.tally.pending == 2, note)
  }

  @Test(arguments: Kind.allCases)
  func `Making room takes the oldest acknowledged ones, never one that waits`(
    _ kind: Kind
  ) throws {
    let store = try store(kind)
    try store.fill(10)
    try store.acknowledge([1, 2, 3], at: start)
    try store.acknowledge([5, 6, 7, 10], at: start + .hours(1))
    try store.setAside([4], code: 1, at: start)
    #expect(try store.makeRoom(atMost: 3) == 3, note)
    #expect(try store.numbers() == [4, 5, 6, 7, 8, 9, 10], note)
    #expect(try store.makeRoom(atMost: 2) == 2, note)
    #expect(try store.numbers() == [4, 7, 8, 9, 10], note)
    #expect(try store.makeRoom() == 1, "the newest stays")
    #expect(store.tally.acknowledged == 1, note)
    #expect(store.nextSequence == 11, note)
    #expect(store.counts == QueueCounts(pending: 2, setAside: 1), note)
  }

  @Test(arguments: Kind.allCases)
  func `At the limit of rows acknowledged ones make room, and pending ones never`(
    _ kind: Kind
  ) throws {
    var limits = StoreLimits()
    limits.rows = 40
    let store = try store(kind, limits: limits)
    try store.fill(40)
    let error = #expect(throws: StoreError.self, note) { try store.fill(1) }
    #expect(error?.kind == .storeFull(waiting: 40), note)
    try store.acknowledge([1, 2, 3], at: start)
    try store.fill(3)
    #expect(try store.numbers() == Array(4...43), note)
    #expect(throws: StoreError.self, note) { try store.fill(1) }
    #expect(store.nextSequence == 44, note)
  }

  @Test(arguments: Kind.allCases)
  func `At the limit of bytes acknowledged ones make room, and pending ones never`(
    _ kind: Kind
  ) throws {
    var limits = StoreLimits()
    limits.bytes = 128 << 10
    let store = try store(kind, limits: limits)
    let error = #expect(throws: StoreError.self, note) { try store.fill(10_000) }
    let held = Int(store.nextSequence - 1)
    #expect(error?.kind == .storeFull(waiting: held), note)
    #expect(held > 200, note)
    #expect(try store.numbers() == Array(1...UInt32(held)), note)
    try store.acknowledge((1...UInt32(held / 2)).map { CaptureKey($0) }, at: start)
    try store.fill(held / 4)
    #expect(try store.numbers(.pending).count == held - held / 2 + held / 4, note)
  }
}
