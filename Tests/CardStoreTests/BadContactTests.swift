import Testing
import TrackerCore

@testable import CardStore

/// A card whose contacts are bad for a while, or whose bus is disturbed.
@Suite struct BadContactTests {
  private static let unanswered: [(isAnswered: Bool, isRight: Bool)] = Array(
    repeating: (false, true), count: Bounds.readTries)

  @Test func `A bus that garbles every other block hides neither a state nor a capture`() {
    let medium = Medium(captures: 24)
    let store = medium.format()
    for sequence in 1...UInt32(9) {
      #expect(store.store(capture(sequence)))
      store.remove(CaptureKey(sequence / 2))
      #expect(sequence > 7 || store.commit())
    }
    store.remember([1, 2, 3])
    store.rememberPIN(isTried: true)
    #expect(store.commit() && store.store(capture(10)))
    let wanted = Account(medium.mount())
    #expect(wanted.nextSequence == 11 && wanted.isPINTried && wanted.pending.last == 10)
    medium.garbles = true
    let found = Account(medium.mount())
    medium.garbles = false
    #expect(found == wanted)
  }

  @Test func `What is written on such a bus is written once`() {
    let medium = Medium(captures: 24)
    let store = medium.format()
    medium.garbles = true
    for sequence in 1...UInt32(6) { #expect(store.store(capture(sequence))) }
    #expect(store.commit() && store.lastKey == 6)
  }

  /// Blocks behind the last capture that are not given may have captures. The next start looks
  /// behind them only if it knows of them.
  @Test func `A capture behind blocks that were not given is found at the next start`() {
    for unread in 4...15 {
      let medium = Medium(captures: 40)
      #expect(medium.format().store(capture(1)))
      medium.readTrouble = [(true, true)] + (0..<unread).flatMap { _ in Self.unanswered }
      let store = medium.mount()
      #expect(store.store(capture(store.nextSequence)), "\(unread)")
      let again = Account(medium.mount())
      #expect(again.captures.values.contains { $0.sequence == store.nextSequence - 1 }, "\(unread)")
    }
  }

  @Test func `It is not stored where the next start would not find it`() {
    let medium = Medium(captures: 40)
    #expect(medium.format().store(capture(1)))
    medium.readTrouble = [(true, true)] + (0..<5).flatMap { _ in Self.unanswered }
    let store = medium.mount()
    medium.trouble = (0..<16).map { _ in (false, false) }
    #expect(!store.store(capture(store.nextSequence)))
    medium.trouble = []
    #expect(store.store(capture(store.nextSequence)))
  }

  /// Three copies that could not be read back, and then three blocks that could not be written.
  @Test func `Copies of a capture do not end the search for the next ones`() {
    let medium = Medium(captures: 40)
    let store = medium.format()
    medium.readTrouble = (0..<3).flatMap { _ in Self.unanswered }
    #expect(store.store(capture(1)) && store.lastKey == 4)
    medium.trouble = (0..<3).map { _ in (false, false) }
    #expect(store.store(capture(2)) && store.lastKey == 8)
    let again = Account(medium.mount())
    #expect(again.captures.values.map(\.sequence).sorted() == [1, 2] && again.nextSequence == 3)
  }

  @Test func `A card that could not be read is mounted when it can be`() {
    let medium = Medium(captures: 24)
    let before = medium.format()
    for sequence in 1...UInt32(3) { #expect(before.store(capture(sequence))) }
    medium.isReadable = false
    let store = medium.mount()
    #expect(store.finding == .damaged && !store.mount() && !store.isPresent())
    medium.isReadable = true
    #expect(store.mount() && store.finding == .mounted && store.isPresent())
    #expect(Account(store) == Account(medium.mount()) && store.nextSequence == 4)
    #expect(!store.mount(), "it is already")
  }

  /// On a small card the keys of these blocks go round as far as to that of the capture.
  @Test func `A capture that waits is among the keys, however many blocks behind it are not given`()
  {
    let medium = Medium(captures: 12)
    let store = medium.format()
    for sequence in 1...UInt32(11) { #expect(store.store(capture(sequence))) }
    for key in 1...UInt32(11) where key != 4 { store.remove(CaptureKey(key)) }
    #expect(store.commit())
    medium.readTrouble = (0..<5).flatMap { _ in Self.unanswered }
    let again = medium.mount()
    #expect(again.lastKey == 16 && again.oldestKey == 4 && again.capture(4)?.sequence == 4)
  }

  /// Each read of such a card takes its time limit, and the tracker waits.
  @Test func `A card that does not answer is given up after a few reads`() {
    let medium = Medium(captures: 24)
    #expect(medium.format().store(capture(1)))
    medium.isReadable = false
    let before = medium.reads
    #expect(medium.mount().finding == .damaged)
    #expect(medium.reads - before <= 4 * Bounds.readTries)
  }

  @Test func `Of a state that is only partly there nothing counts`() {
    let medium = Medium(captures: 24)
    let store = medium.format()
    for sequence in 1...UInt32(3) { #expect(store.store(capture(sequence))) }
    store.remember([1, 2, 3])
    store.rememberPIN(isTried: true)
    store.owed = OwedOrders(hasEmergency: true)
    #expect(store.commit())
    for slot in 0..<Bounds.states {
      medium.put((slot * 4 + 3, [UInt8](repeating: 0, count: Block.size)))
    }
    let damaged = medium.mount()
    #expect(damaged.finding == .damaged && damaged.counts == QueueCounts(pending: 0))
    #expect(damaged.nextSequence == 1 && damaged.lastKey == .none && damaged.memory.isEmpty)
    #expect(!damaged.isPINTried && damaged.owed.isEmpty && damaged.tracker != device)
  }

  /// Behind these there may be captures that were announced.
  @Test func `A card of which too many blocks in a row cannot be read is not used`() {
    let medium = Medium(captures: 60)
    let store = medium.format()
    for sequence in 1...UInt32(40) { #expect(store.store(capture(sequence))) }
    medium.readTrouble = (0..<16).flatMap { _ in Self.unanswered }
    let blind = medium.mount()
    #expect(blind.finding == .damaged && blind.counts.pending == 0)
    #expect(blind.mount() && blind.counts.pending == 40 && blind.nextSequence == 41)
  }

  @Test func `Orders that are owed are on the card as soon as it is mounted, or it is not mounted`()
  {
    let medium = Medium(captures: 24)
    #expect(medium.format().store(capture(1)))
    medium.isReadable = false
    let store = medium.mount()
    medium.isReadable = true
    medium.trouble = (0..<16).map { _ in (false, false) }
    #expect(!store.mount(owing: OwedOrders(hasEmergency: true)))
    #expect(store.finding == .damaged && store.owed.isEmpty)
    medium.trouble = []
    let owed = OwedOrders(hasEmergency: true, session: true)
    #expect(store.mount(owing: owed))
    #expect(medium.mount().owed == owed && Account(medium.mount()).pending == [1])
  }

  @Test func `A format is newer than what could not be read, and can be read later`() {
    let medium = Medium(captures: 24)
    let store = medium.format()
    for _ in 0..<7 { #expect(store.commit()) }
    let zero = [UInt8](repeating: 0, count: Block.size)
    let lastParts = (1...UInt32(8)).map { $0 * 4 + 3 }.map { ($0, medium.block($0)) }
    for (place, _) in lastParts { medium.put((place, zero)) }
    let damaged = medium.mount()
    #expect(damaged.finding == .damaged && damaged.format(log: 2, of: device))
    #expect(damaged.store(capture(1)))
    for part in lastParts where medium.block(part.0) == zero { medium.put(part) }
    #expect(Account(medium.mount()).pending == [1])
  }

  @Test func `Orders that are owed are found again, beside a PIN that is being tried`() {
    let medium = Medium(captures: 24)
    let store = medium.format()
    let all = [(true, nil, false), (true, false, true), (false, true, true), (false, nil, false)]
    for (hasEmergency, session, isTried) in all {
      let owed = OwedOrders(hasEmergency: hasEmergency, session: session)
      store.owed = owed
      store.rememberPIN(isTried: isTried)
      #expect(store.commit())
      let again = medium.mount()
      #expect(again.owed == owed && again.isPINTried == isTried)
    }
  }
}
