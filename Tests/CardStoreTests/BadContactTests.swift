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

  @Test func `That a call for help is owed is found again, beside a PIN that is being tried`() {
    let medium = Medium(captures: 24)
    let store = medium.format()
    for (isOwed, isTried) in [(true, false), (true, true), (false, true), (false, false)] {
      store.isCallOwed = isOwed
      store.rememberPIN(isTried: isTried)
      #expect(store.commit())
      let again = medium.mount()
      #expect(again.isCallOwed == isOwed && again.isPINTried == isTried)
    }
  }
}
