import Testing
import TrackerCore
import Uplink

/// What people tell a tracker in the answers to its captures.
@Suite struct CarriedMailTests {
  private static let again: Comment = "repeat with: swift test --filter CarriedMailTests"
  private static let now = Sample.now

  /// A dialogue whose server has answered one upload with `body`.
  private static func answered(
    _ format: PostingConfiguration.Format, _ body: String
  ) throws -> PostingDialogue {
    var dialogue = PostingDialogue(
      try PostingConfiguration(format: format, url: "https://p.example/x"))
    _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: now)
    let step = dialogue.receive(.json(body), at: now)
    try #require(step.result?.acknowledged == [1], again)
    return dialogue
  }

  private static func fetch(
    _ dialogue: inout PostingDialogue, after number: UInt32 = 0
  ) -> MailOutcome? {
    let question = MailQuestion(device: Sample.device, after: number)
    let step = dialogue.fetch(question, at: now)
    guard case .mail(let outcome)? = step.result?.outcome else { return nil }
    return outcome
  }

  private static func messages(
    _ format: PostingConfiguration.Format, _ body: String, after number: UInt32 = 0
  ) throws -> [ServedMessage] {
    var dialogue = try answered(format, body)
    guard case .fetched(let messages)? = fetch(&dialogue, after: number) else { return [] }
    return messages
  }

  private static let read = """
    {"messages": [
      {"number": 3, "kind": "message", "text": "old"},
      {"number": 4, "kind": "read", "text": "som\\u001b[2J amb ells", "by": "Marta",
       "created": "2026-11-21T08:05:09Z", "sequence": 17,
       "capture": "6f1fd5a4-33c3-4e66-b54b-d9a7a2b4cc01"},
      {"number": 5, "kind": "order", "text": "interval 5 min", "until": "2026-11-21T10:05:09Z"}]}
    """

  @Test func `A JSON server's answers carry messages, orders and who has read an emergency`() throws
  {
    let found = try Self.messages(.json, Self.read, after: 3)
    #expect(found.map(\.number) == [4, 5], Self.again)
    let first = try #require(found.first)
    #expect(first.kind == .read && first.author == "Marta" && first.sequence == 17, Self.again)
    #expect(first.capture == UniqueID(text: "6f1fd5a4-33c3-4e66-b54b-d9a7a2b4cc01"), Self.again)
    #expect(first.created == UTC(milliseconds: 1_795_248_309_000), "\(first); \(Self.again)")
    #expect(!first.text.unicodeScalars.contains("\u{1B}"), Self.again)
    #expect(found[1].expires == UTC(milliseconds: 1_795_255_509_000), Self.again)
  }

  @Test func `What was fetched once is not there again`() throws {
    var dialogue = try Self.answered(.json, Self.read)
    #expect(Self.fetch(&dialogue) != .fetched([]), Self.again)
    #expect(Self.fetch(&dialogue) == .fetched([]), Self.again)
  }

  @Test func `OwnTracks has commands, which get numbers`() throws {
    let body = """
      [{"_type": "location", "lat": 1, "lon": 2, "tid": "m"},
       {"_type": "cmd", "action": "reportLocation"},
       {"_type": "cmd", "action": "action", "content": "truqueu a Marta"},
       {"_type": "cmd", "action": "setConfiguration", "configuration": {"url": "http://evil"}}]
      """
    let found = try Self.messages(.ownTracks(user: "t7"), body, after: 7)
    #expect(found.map(\.number) == [8, 9], Self.again)
    #expect(found.map(\.kind) == [.order, .message], Self.again)
    #expect(found.map(\.text) == ["capture", "truqueu a Marta"], Self.again)
  }

  @Test func `OsmAnd servers carry nothing`() throws {
    var dialogue = try Self.answered(.osmAnd, Self.read)
    #expect(Self.fetch(&dialogue) == .unsupported, Self.again)
  }

  @Test(arguments: [
    "", "[]", "{}", "ok", "{\"messages\": 7}", "{\"messages\": [7, null, {}, []]}",
    "{\"messages\": [{\"number\": 0, \"kind\": \"read\"}]}",
    "{\"messages\": [{\"number\": -1, \"kind\": \"read\"}]}",
    "{\"messages\": [{\"number\": 5000000000, \"kind\": \"read\"}]}",
    "{\"messages\": [{\"number\": 1, \"kind\": \"erase\"}]}",
    "{\"messages\": [{\"number\": 1}]}", "{\"messages\": [{\"number\": 1, \"kind\": \"re",
  ])
  func `An answer without messages still acknowledges`(_ body: String) throws {
    #expect(try Self.messages(.json, body).isEmpty, Self.again)
    #expect(try Self.messages(.ownTracks(user: "t7"), body).isEmpty, Self.again)
  }

  @Test func `A flood keeps the newest few`() throws {
    let one = (1...5000).map { "{\"number\": \($0), \"kind\": \"message\", \"text\": \"x\"}" }
    let found = try Self.messages(.json, "{\"messages\": [\(one.joined(separator: ","))]}")
    #expect(found.count <= 20 && found.last?.number == 5000, "\(found.count); \(Self.again)")
    let commands = [String](
      repeating: "{\"_type\":\"cmd\",\"action\":\"reportLocation\"}", count: 5000)
    let orders = try Self.messages(
      .ownTracks(user: "t7"), "[\(commands.joined(separator: ","))]", after: .max - 3)
    #expect(orders.count <= 3, "\(orders.count); \(Self.again)")
  }
}
