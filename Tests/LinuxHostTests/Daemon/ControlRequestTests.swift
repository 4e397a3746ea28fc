import Testing

@testable import LinuxHost

@Suite struct ControlRequestTests {
  private let again: Comment = "repeat with: swift test --filter ControlRequestTests"

  @Test func `A line names who asks, or its user does`() throws {
    let lines: [(String, String?, String, String?)] = [
      ("get", "root", "get", nil), ("as anna@ttyS0 get", "anna@ttyS0", "get", nil),
      ("as a  set   interval  5 min ", "a", "set", "interval  5 min"), ("as a", "a", "", nil),
      ("", "root", "", nil), ("team Els 7", "root", "team", "Els 7"),
    ]
    for (line, who, command, rest) in lines {
      let request = try #require(ControlRequest(line), "\(line); \(again)")
      #expect(request.who(0) == who, "\(line); \(again)")
      #expect(request.command == command && request.rest == rest, "\(line); \(again)")
    }
    let long = String(repeating: "x", count: HostBounds.personBytes)
    #expect(ControlRequest("as \(long) get") != nil, again)
    for line in ["as", "as ", "as \(long)x get", "as ànna get", "as a;b get", "as [2J get"] {
      #expect(ControlRequest(line) == nil, "\(line); \(again)")
    }
    #expect(ControlRequest("get")?.who(4_000_000_123) == "uid:4000000123", again)
    #expect(ControlRequest("get")?.who(nil) == "unknown", again)
  }
}
