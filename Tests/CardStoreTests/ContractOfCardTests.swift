import Testing
import TrackerCore

@testable import CardStore

/// What a store owes its callers.
@Suite struct ContractOfCardTests {
  @Test func `A capture is found again as it was stored, whatever is known of it`() {
    let medium = Medium(captures: 256)
    let store = medium.format()
    for sequence in 1...UInt32(256) {
      #expect(store.store(capture(sequence)), "\(sequence)")
    }
    let again = medium.mount()
    #expect(again.finding == .mounted)
    for sequence in 1...UInt32(256) {
      #expect(again.capture(CaptureKey(sequence)) == capture(sequence))
    }
    #expect(again.counts == QueueCounts(pending: 256))
    #expect(again.nextSequence == 257)
    #expect(again.tracker == device)
  }

  @Test(arguments: [.max, .max - 1, 1 << 31] as [UInt32])
  func `A state that counts where no card gets is none, and the card can be formatted`(
    _ number: UInt32
  ) {
    for isSerial in [true, false] {
      let medium = Medium(captures: 10)
      _ = medium.format()
      var state = CardState(log: 1, device: device, capacity: 10)
      (state.serial, state.lastKey) = isSerial ? (number, 3) : (2, number)
      for part in 0..<UInt32(4) {
        var block = Block()
        state.write(to: &block, part: part)
        let place = state.serial % 64 * 4 + part
        medium.put((place, withUnsafeBytes(of: block.bytes) { Array($0) }))
      }
      let store = medium.mount()
      #expect(store.finding == .mounted && store.lastKey == .none, "the state before counts")
      #expect(store.format(log: 2, of: device) && store.store(capture(1)))
    }
  }

  @Test func `A selection has the newest or the oldest that wait`() {
    let store = Medium(captures: 10).format()
    for sequence in 1...UInt32(6) { #expect(store.store(capture(sequence))) }
    store.remove(3)
    store.setAside(5)
    func keys(_ selection: Selection) -> [UInt32] {
      (0..<10).compactMap { store.key($0, of: selection)?.number }
    }
    #expect(keys(.freshest(limit: 2)) == [6, 4])
    #expect(keys(.oldest(limit: 3)) == [1, 2, 4])
    #expect(keys(.oldest(limit: 9)) == [1, 2, 4, 6])
    #expect(store.counts == QueueCounts(pending: 4, setAside: 1))
    #expect(store.standing(of: 3) == .delivered && store.standing(of: 5) == .setAside)
  }

  @Test func `What was changed is found again once it was committed`() {
    let medium = Medium(captures: 10)
    let store = medium.format()
    for sequence in 1...UInt32(4) { #expect(store.store(capture(sequence))) }
    let text = (0..<1464).map { UInt8(truncatingIfNeeded: $0 / 7) }
    store.remove(2)
    store.setAside(1)
    store.remember(text)
    store.rememberPIN(isTried: true)
    let before = medium.mount()
    var expected = Account()
    expected.pending = [1, 2, 3, 4]
    expected.captures = [1: capture(1), 2: capture(2), 3: capture(3), 4: capture(4)]
    expected.nextSequence = 5
    #expect(Account(before) == expected, "not before")
    #expect(store.commit())
    expected.pending = [3, 4]
    expected.setAside = [1]
    expected.captures[2] = nil
    expected.memory = text
    expected.isPINTried = true
    let after = medium.mount()
    #expect(Account(after) == expected)
  }

  @Test func `A full card takes the place of captures that were delivered, and of no others`() {
    let medium = Medium(captures: 4)
    let store = medium.format()
    for sequence in 1...UInt32(4) { #expect(store.store(capture(sequence))) }
    #expect(!store.store(capture(5)))
    store.remove(2)
    #expect(!store.store(capture(5)), "the oldest still waits")
    store.setAside(1)
    #expect(!store.store(capture(5)), "a person is to look at it")
    let other = Medium(captures: 4).format()
    for sequence in 1...UInt32(4) { #expect(other.store(capture(sequence))) }
    other.remove(1)
    #expect(other.store(capture(5)))
    #expect(other.capture(1) == nil && other.capture(5) == capture(5))
    #expect(other.counts.pending == 4)
  }

  @Test func `A new card is told from one that is damaged`() {
    let medium = Medium(captures: 4)
    #expect(medium.mount().finding == .blank)
    _ = medium.format()
    #expect(medium.mount().finding == .mounted)
    medium.isReadable = false
    #expect(medium.mount().finding == .damaged)
    medium.isReadable = true
    medium.put((4, medium.block(4).enumerated().map { $0 == 30 ? $1 ^ 1 : $1 }))
    #expect(medium.mount().finding == .damaged)
  }

  @Test func `Nothing of an earlier log is found after formatting`() {
    let medium = Medium(captures: 8)
    let store = medium.format(log: 1)
    for sequence in 1...UInt32(8) { #expect(store.store(capture(sequence))) }
    let formatted = medium.format(log: 2)
    #expect(Account(formatted) == Account())
    let found = medium.mount()
    #expect(Account(found) == Account())
    #expect(found.store(capture(1)))
    let again = medium.mount()
    #expect(Account(again).pending == [1])
  }

  @Test func `A capture is stored once, whatever its card has said of its write`() {
    for fate in [(false, false), (true, false), (false, true)] {
      let medium = Medium(captures: 8)
      let store = medium.format()
      #expect(store.store(capture(1)))
      medium.trouble = [fate]
      #expect(store.store(capture(2)))
      #expect(store.store(capture(3)))
      let again = medium.mount()
      let account = Account(again)
      #expect(account.captures.values.map(\.sequence).sorted() == [1, 2, 3], "\(fate)")
      #expect(account.nextSequence == 4)
      // No other block has it a second time.
      let found = (1...UInt32(8)).compactMap { again.capture(CaptureKey($0))?.sequence }
      #expect(found == [1, 2, 3], "\(fate)")
    }
  }

  /// One write of four is carried out, though none can be read back: what it left behind the last
  /// capture is not taken for one.
  @Test func `A card that cannot be written is reported, and used again when it can be`() {
    for written in 0..<4 {
      let medium = Medium(captures: 12)
      let store = medium.format()
      #expect(store.store(capture(1)))
      medium.trouble = (0..<4).map { ($0 == written, false) }
      medium.readTrouble = Array(repeating: (false, true), count: 4 * Bounds.readTries)
      #expect(!store.store(capture(2)))
      for sequence in 2...UInt32(4) { #expect(store.store(capture(sequence))) }
      let again = medium.mount()
      let account = Account(again)
      #expect(account.captures.values.map(\.sequence).sorted() == [1, 2, 3, 4], "\(written)")
      #expect(account.nextSequence == 5)
    }
  }

  @Test func `A state whose write fails is written to the next place`() {
    let medium = Medium(captures: 8)
    let store = medium.format()
    #expect(store.store(capture(1)))
    store.remove(1)
    medium.trouble = [(true, true), (false, false)]
    #expect(store.commit())
    #expect(medium.mount().counts.pending == 0)
    medium.trouble = (0..<4).map { _ in (false, false) }
    #expect(!store.commit())
  }

  @Test func `However many writes of a state fail, the last whole one stays`() {
    for part in 0..<4 {
      let medium = Medium(captures: 8)
      let store = medium.format()
      #expect(store.store(capture(1)) && store.store(capture(2)))
      store.remove(1)
      #expect(store.commit())
      store.remove(2)
      for _ in 0..<40 {
        // Four states in a row, of each of which a part is not written.
        medium.trouble = (0..<4).flatMap { _ in (0...part).map { ($0 < part, true) } }
        #expect(!store.commit() && medium.trouble.isEmpty, "part \(part)")
      }
      #expect(medium.mount().finding == .mounted, "part \(part)")
      #expect(Account(medium.mount()).pending == [2], "part \(part)")
      #expect(store.commit() && Account(medium.mount()).pending == [])
    }
  }

  @Test func `What an earlier attempt has left in a block is not taken for what is stored now`() {
    let medium = Medium(captures: 12)
    let store = medium.format()
    medium.trouble = [(true, true), (false, false), (false, false), (false, false)]
    medium.readTrouble = Array(repeating: (false, true), count: 4 * Bounds.readTries)
    #expect(!store.store(capture(1)))
    var other = capture(1)
    other.trigger = .emergency
    medium.trouble = [(false, true)]
    #expect(store.store(other) && store.capture(store.lastKey) == other)
  }

  @Test func `A block that is garbled or not given once is read again`() {
    let medium = Medium(captures: 8)
    let store = medium.format()
    #expect(store.store(capture(1)))
    medium.readTrouble = [(true, false), (false, true)]
    #expect(store.capture(1) == capture(1) && !store.hasReadFailed)
    medium.readTrouble = Array(repeating: (false, true), count: Bounds.readTries)
    #expect(store.capture(1) == nil && store.hasReadFailed, "another time it may")
    medium.readTrouble = Array(repeating: (true, false), count: 2)
    #expect(store.capture(1) == nil && !store.hasReadFailed, "it is damaged")
  }

  @Test func `What a card does not give at a start is neither overwritten nor forgotten`() {
    let medium = Medium(captures: 12)
    let store = medium.format()
    for sequence in 1...UInt32(6) { #expect(store.store(capture(sequence))) }
    for unread in 1...5 {
      medium.readTrouble = Array(repeating: (false, true), count: Bounds.readTries * unread)
      #expect(Account(medium.mount()).pending == [1, 2, 3, 4, 5, 6], "\(unread)")
    }
    medium.readTrouble = Array(repeating: (false, true), count: 6 * Bounds.readTries)
    let again = medium.mount()
    #expect(again.nextSequence == 7, "no number is given twice")
    #expect(again.store(capture(again.nextSequence)))
    let account = Account(medium.mount())
    #expect(account.pending == [1, 2, 3, 4, 5, 6, 7])
    #expect(account.captures == Dictionary(uniqueKeysWithValues: (1...7).map { ($0, capture($0)) }))
  }

  @Test func `It holds 100 000 captures, and finds them after a start`() {
    let count: UInt32 = 100_000
    let medium = Medium(captures: count)
    let store = medium.format()
    for sequence in 1...count where !store.store(capture(sequence)) {
      Issue.record("\(sequence) was not stored")
    }
    #expect(!store.store(capture(count + 1)))
    let again = medium.mount()
    #expect(again.counts.pending == count)
    #expect(again.nextSequence == count + 1)
    #expect(again.capture(CaptureKey(count)) == capture(count))
    #expect(again.key(0, of: .oldest(limit: 1)) == 1)
  }
}
