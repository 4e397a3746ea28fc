import Testing

@testable import LinuxHost

/// What an interface lacks for a connection to the server; the loopback interface stands for one
/// that has an address and no route but to itself.
@Suite(.enabled(if: LinkWatch(interface: "lo", target: .neighbour).isUp, "it takes lo"))
struct LinkWatchTests {
  private let again: Comment = "repeat with: swift test --filter LinkWatchTests"

  @Test(
    arguments: [
      // 198.51.100.0/24 and 2001:db8::/32 are for documentation (RFC 5737 and 3849).
      (.address([127, 0, 0, 1]), nil), (.address([198, 51, 100, 1]), .route), (.anywhere, .route),
      (.neighbour, nil),
    ] as [(LinkTarget, LinkWatch.Lack?)])
  func `An address without a route to the server is no connection`(
    _ target: LinkTarget, _ lack: LinkWatch.Lack?
  ) {
    #expect(LinkWatch(interface: "lo", target: target).lack == lack, again)
  }

  @Test func `An interface that is not there is what is missing`() {
    #expect(LinkWatch(interface: "nosuch0", target: .anywhere).lack == .interface, again)
  }
}
