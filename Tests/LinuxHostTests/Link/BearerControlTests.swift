import Testing
import TrackerCore

@testable import LinuxHost

/// What the core hears of its bearer.
@Suite struct BearerControlTests {
  private let again: Comment = "repeat with: swift test --filter BearerControlTests"

  @Test(arguments: [false, true])
  func `Whoever wants the bearer is told how it stands, each time`(_ comesByItself: Bool) {
    var bearer = BearerControl(
      watch: nil, runner: LinkProcesses(), isAlwaysWanted: comesByItself)
    _ = bearer.news()
    for _ in 1...2 {
      bearer.set(isUp: true)
      #expect(bearer.news() == .linkChanged(isUp: true), again)
      #expect(bearer.news() == nil, again)
    }
  }

  @Test func `That it goes down when told to is not news`() {
    var bearer = BearerControl(watch: nil, runner: LinkProcesses())
    bearer.set(isUp: true)
    _ = bearer.news()
    bearer.set(isUp: false)
    #expect(bearer.news() == nil, again)
  }
}
