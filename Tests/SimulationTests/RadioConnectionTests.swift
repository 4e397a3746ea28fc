import Testing
import TrackerCore

@testable import Simulation

@Suite struct RadioConnectionTests {
  private let again: Comment = "repeat with: swift test --filter RadioConnectionTests"

  private static func connection() -> RadioConnection {
    var connection = RadioConnection()
    connection.figures.promotion = .seconds(2)
    connection.figures.tail = .seconds(10)
    return connection
  }

  private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

  @Test func `A transfer is promoted, carried, and followed by a tail`() {
    var radio = Self.connection()
    #expect(radio.state(at: Self.at(99)) == .released, again)
    radio.beginTransfer(at: Self.at(100))
    #expect(radio.state(at: Self.at(101)) == .promoting, again)
    #expect(radio.deadline(after: Self.at(101)) == Self.at(102), again)
    #expect(radio.state(at: Self.at(102)) == .transferring, again)
    #expect(radio.deadline(after: Self.at(102)) == nil, again)
    radio.endTransfer(at: Self.at(105))
    #expect(radio.state(at: Self.at(105)) == .tail, again)
    #expect(radio.deadline(after: Self.at(105)) == Self.at(115), again)
    #expect(radio.state(at: Self.at(115)) == .released, again)
    #expect(radio.deadline(after: Self.at(115)) == nil, again)
  }

  @Test func `A transfer in the tail needs no promotion, and the tail starts over`() {
    var radio = Self.connection()
    radio.beginTransfer(at: Self.at(0))
    radio.endTransfer(at: Self.at(5))
    radio.beginTransfer(at: Self.at(14))
    #expect(radio.state(at: Self.at(14)) == .transferring, again)
    radio.endTransfer(at: Self.at(15))
    #expect(radio.state(at: Self.at(24)) == .tail, again)
    #expect(radio.state(at: Self.at(25)) == .released, again)
  }

  @Test func `A modem that is switched off has no tail`() {
    var radio = Self.connection()
    radio.beginTransfer(at: Self.at(0))
    radio.endTransfer(at: Self.at(5))
    radio.drop(at: Self.at(6))
    #expect(radio.state(at: Self.at(6)) == .released, again)
    radio.beginTransfer(at: Self.at(7))
    #expect(radio.state(at: Self.at(7)) == .promoting, again)
  }

  @Test func `Without figures there is neither promotion nor tail`() {
    var radio = RadioConnection()
    radio.beginTransfer(at: Self.at(0))
    #expect(radio.state(at: Self.at(0)) == .transferring, again)
    radio.endTransfer(at: Self.at(1))
    #expect(radio.state(at: Self.at(1)) == .released, again)
  }
}
