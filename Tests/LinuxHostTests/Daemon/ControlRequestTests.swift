import Testing

@testable import LinuxHost
@testable import MachineAccess

@Suite struct ControlRequestTests {
  private let again: Comment = "repeat with: swift test --filter ControlRequestTests"

  @Test func `A line names who asks, or its user does`() throws {
    let lines: [(String, String?, ControlRequest.Verb?, String?)] = [
      ("get", "root", .get, nil), ("as anna@ttyS0 get", "anna@ttyS0", .get, nil),
      ("as a  set   interval  5 min ", "a", .set, "interval  5 min"), ("as a", "a", nil, nil),
      ("", "root", nil, nil), ("team Els 7", "root", nil, "Els 7"),
      ("try now", "root", .attempt, "now"),
    ]
    for (line, who, verb, rest) in lines {
      let request = try #require(ControlRequest(line), "\(line); \(again)")
      #expect(request.who(0) == who, "\(line); \(again)")
      #expect(request.verb == verb && request.rest == rest, "\(line); \(again)")
    }
    let long = String(repeating: "x", count: MachineBounds.personBytes)
    #expect(ControlRequest("as \(long) get") != nil, again)
    for line in ["as", "as ", "as \(long)x get", "as ànna get", "as a;b get", "as [2J get"] {
      #expect(ControlRequest(line) == nil, "\(line); \(again)")
    }
    #expect(ControlRequest("get")?.who(4_000_000_123) == "uid:4000000123", again)
    #expect(ControlRequest("get")?.who(nil) == "unknown", again)
  }
}
