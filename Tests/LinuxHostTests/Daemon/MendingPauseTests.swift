import LinuxHost
import Testing
import TrackerCore

/// When a new start may mend the store again.
@Suite struct MendingPauseTests {
  private static let again: Comment = "repeat with: swift test --filter MendingPauseTests"
  private static let minute = Milliseconds.seconds(60)
  private static let hour = Milliseconds.seconds(3600)
  private static let damaged = StoreWatch.Finding.damaged(why: "")
  private static let usable = StoreWatch.Finding.usable(why: "")

  @Test func `At first, whatever waits, it is a minute`() {
    #expect(MendingPause().length(isWaiting: false) == Self.minute, Self.again)
    #expect(MendingPause().length(isWaiting: true) == Self.minute, Self.again)
  }

  @Test func `After a start that mended the store it is a minute again`() {
    for finding in [Self.damaged, Self.usable] {
      var pause = MendingPause()
      pause.startsAnew(finding, after: .seconds(100))
      #expect(pause.length(isWaiting: false) == Self.minute, Self.again)
    }
  }

  @Test func `After a start after which a store still waits it is an hour`() {
    var pause = MendingPause()
    pause.startsAnew(Self.usable, after: .seconds(100))
    #expect(pause.length(isWaiting: true) == Self.hour, Self.again)
    pause.startsAnew(Self.usable, after: Self.hour)
    #expect(pause.length(isWaiting: false) == Self.minute, Self.again)
  }

  @Test func `A store that is soon damaged again is mended once an hour until it holds`() {
    var pause = MendingPause()
    pause.startsAnew(Self.damaged, after: .seconds(100))
    for length in [Self.minute, Self.hour, Self.hour] {
      pause.startsAnew(Self.damaged, after: length)
      #expect(pause.length(isWaiting: false) == Self.hour, Self.again)
    }
    pause.startsAnew(Self.damaged, after: Self.hour + Self.hour)
    #expect(pause.length(isWaiting: false) == Self.minute, Self.again)
  }
}
