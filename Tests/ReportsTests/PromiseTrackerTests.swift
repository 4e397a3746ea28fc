import Testing
import TrackerCore

@testable import Reports

/// What was promised to the server, and what became of it.
@Suite struct PromiseTrackerTests {
  private static let again: Comment = "repeat with: swift test --filter ReportsTests.PromiseTracker"

  private func instant(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  @Test func `A contact at the promised time keeps the promise, a millisecond later breaks it`() {
    var book = PromiseTracker()
    book.give(until: instant(1000))
    book.kept(at: instant(1000))
    #expect(book.given == 1 && book.broken == 0, Self.again)
    book.give(until: instant(2000))
    book.kept(at: instant(2001))
    #expect(book.given == 2 && book.broken == 1, Self.again)
  }

  @Test func `A promise is broken once, and without one nothing is`() {
    var book = PromiseTracker()
    book.kept(at: instant(5000))
    #expect(book == PromiseTracker(), Self.again)
    book.give(until: instant(1000))
    book.kept(at: instant(5000))
    book.kept(at: instant(9000))
    book.close(at: instant(9000))
    #expect(book.broken == 1, Self.again)
  }

  @Test func `The end of the run closes an open promise`() {
    var book = PromiseTracker()
    book.give(until: instant(1000))
    book.close(at: instant(900))
    #expect(book.broken == 0, Self.again)
    book.give(until: instant(1000))
    book.close(at: instant(1001))
    #expect(book.broken == 1, Self.again)
  }
}
