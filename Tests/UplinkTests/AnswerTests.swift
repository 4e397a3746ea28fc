import Testing
import TrackerCore
import Uplink

/// What an answer to an upload of the captures 1, 2 and 3 comes to.
@Suite struct AnswerTests {
  struct Row: Sendable {
    var name: String
    var reply: HTTPReply
    var outcome: UploadOutcome
    var acknowledged: [CaptureKey] = []
    var refused: [CaptureKey] = []
    var doubtful: [CaptureKey] = []
  }

  static let all: [CaptureKey] = [1, 2, 3]
  static let good = #"{"objectId":617,"success":true}"#
  static func bad(_ code: Int32) -> String {
    #"{"objectId":-1,"success":false,"error":{"code":\#(code),"description":"no"}}"#
  }
  static func results(_ items: String...) -> HTTPReply {
    .json(#"{"addResults":[\#(items.joined(separator: ","))]}"#)
  }
  static func error(_ code: Int32) -> HTTPReply {
    .json(#"{"error":{"code":\#(code),"message":"no","details":["because"]}}"#)
  }
  static func unclear(_ name: String, _ reply: HTTPReply) -> Row {
    Row(name: name, reply: reply, outcome: .ambiguous, doubtful: all)
  }
  static func answered(
    _ name: String, _ reply: HTTPReply, _ good: [CaptureKey], _ bad: [CaptureKey], code: Int32
  ) -> Row {
    Row(
      name: name, reply: reply,
      outcome: .answered(
        acknowledged: UInt32(good.count), refused: UInt32(bad.count),
        firstRefused: bad.first ?? .none, code: code), acknowledged: good, refused: bad)
  }
  static func refused(_ name: String, _ reply: HTTPReply, _ code: Int32, count: UInt32) -> Row {
    Row(
      name: name, reply: reply,
      outcome: .refused(code: code, first: count == 0 ? .none : 1, count: count))
  }
  static func busy(
    _ name: String, _ reply: HTTPReply, _ status: Int32, after: Milliseconds? = nil,
    doubtful: Bool = false
  ) -> Row {
    Row(
      name: name, reply: reply, outcome: .busy(status: status, retryAfter: after),
      doubtful: doubtful ? all : [])
  }
  static func later(_ value: String, _ more: HTTPHeader...) -> HTTPReply {
    .json("", status: 503, headers: [HTTPHeader("Retry-After", value)] + more)
  }

  static let rows: [Row] =
    resultRows + clearRows + unclearRows
    + [1001, 1007, 1014, 1015, 1016, 1017, 1020, 1021, 1023]
    .map { answered("item \($0)", results(good, bad($0), good), [1, 3], [2], code: $0) }

  static let resultRows: [Row] = [
    answered("all added", results(good, good, good), all, [], code: 0),
    answered("row 0", results(#"{"objectId":0,"success":true}"#, good, good), all, [], code: 0),
    answered(
      "a database's code", results(good, good, bad(-2_147_217_395)), [1, 2], [3],
      code: -2_147_217_395),
    answered(
      "a failure without an error", results(good, #"{"success":false}"#, good), [1, 3], [2],
      code: 0),
    answered(
      "numbers and flags as texts",
      results(#"{"objectId":"617","success":"true"}"#, good, bad(1016)), [1, 2], [3], code: 1016),
    refused("all rolled back", results(bad(1003), bad(1003), bad(1012)), 1003, count: 3),
    answered("one to blame", results(bad(1003), bad(1016), bad(2000)), [], [2], code: 1016),
    Row(
      name: "success without a row", reply: results(good, #"{"success":true}"#, bad(1016)),
      outcome: .ambiguous, acknowledged: [1], refused: [3], doubtful: [2]),
    Row(
      name: "success with row -1", reply: results(good, #"{"objectId":-1,"success":true}"#, good),
      outcome: .ambiguous, acknowledged: [1, 3], doubtful: [2]),
    Row(
      name: "success with an error",
      reply: results(good, good, #"{"objectId":7,"success":true,"error":{"code":1000}}"#),
      outcome: .ambiguous, acknowledged: [1, 2], doubtful: [3]),
    Row(
      name: "success beside rolled back", reply: results(good, bad(1003), good),
      outcome: .ambiguous, doubtful: [1, 3]),
  ]

  static let clearRows: [Row] = [
    Row(name: "no connection", reply: .unreachable, outcome: .unreachable),
    Row(name: "stalled under way", reply: .stalled, outcome: .stalled),
    refused("too large to be sent", .tooLarge, 413, count: 3),
    refused("400", .json("", status: 400), 400, count: 3),
    refused("400 in the body", error(400), 400, count: 3),
    refused("413", .json("", status: 413), 413, count: 3),
    refused("1000 at the top", error(1000), 1000, count: 3),
    refused("2000 at the top", error(2000), 2000, count: 3),
    refused("404", .json("", status: 404), 404, count: 0),
    refused("no such layer", error(2001), 2001, count: 0),
    Row(name: "401", reply: .json("", status: 401), outcome: .unauthorised),
    Row(name: "403", reply: .json("<html>", status: 403), outcome: .unauthorised),
    Row(name: "403 in the body", reply: error(403), outcome: .unauthorised),
    Row(name: "498 in the body", reply: error(498), outcome: .unauthorised),
    Row(name: "499 in the body", reply: error(499), outcome: .unauthorised),
    Row(name: "499", reply: .json("", status: 499), outcome: .unauthorised),
    Row(
      name: "499 in the body of a 500",
      reply: .json(#"{"error":{"code":499}}"#, status: 500), outcome: .unauthorised),
    Row(
      name: "a portal wants a sign-in", reply: .json("", status: 511),
      outcome: .busy(status: 511, retryAfter: nil)),
    busy("429", .json("", status: 429), 429),
    busy("429 in the body", error(429), 429),
    busy("503 in the body", error(503), 503),
    busy("503 for two minutes", later("120"), 503, after: .minutes(2)),
    busy("503 for an absurd time", later("9223372036854775807"), 503, after: Milliseconds(.max)),
    busy("503 for a negative time", later("-5"), 503),
    busy("503 until a word", later("soon"), 503),
    busy(
      "503 until a date of its own clock",
      later(
        "Sun, 06 Nov 1994 08:49:37 GMT", HTTPHeader("date", "Sun, 06 Nov 1994 08:48:37 GMT")),
      503, after: .minutes(1)),
    busy("503 until a past date", later("Sun, 06 Nov 1994 08:49:37 GMT"), 503, after: 0),
    busy("500", .json("", status: 500), 500, doubtful: true),
    busy("500 in the body", error(500), 500, doubtful: true),
    busy("502", .json("<html>", status: 502), 502, doubtful: true),
    busy("307 of a portal", .json("", status: 307), 307),
  ]

  static let unclearRows: [Row] = [
    unclear("lost", .lost),
    unclear("504", .json("", status: 504)),
    unclear("504 in the body", error(504)),
    unclear("302 of a portal", .json("", status: 302)),
    unclear("303", .json("", status: 303)),
    unclear("a web page with 200", .json("<html><body>Sign in</body></html>")),
    unclear("nothing with 200", .json("")),
    unclear("204", .json("", status: 204)),
    unclear("a status that is none", .json("", status: 0)),
    unclear("a negative status", .json("", status: -7)),
    unclear("JSON cut off", .json(#"{"addResults":[{"objectId":617,"success":true},{"obj"#)),
    unclear("only the last brace missing", .json(#"{"addResults":[\#(good),\#(good),\#(good)]"#)),
    unclear("an array", .json("[]")),
    unclear("other JSON", .json(#"{"success":true}"#)),
    unclear("one result too few", results(good, good)),
    unclear("one result too many", results(good, good, good, good)),
    unclear("no results", results()),
    unclear("results that are no objects", results("1", "2", "3")),
    unclear("results and an error", .json(#"{"addResults":[],"error":{"code":400}}"#)),
    unclear("results of another kind", .json(#"{"addResults":{"success":true}}"#)),
    unclear("an error without a code", .json(#"{"error":{}}"#)),
    unclear("an error that is a number", .json(#"{"error":5}"#)),
    unclear("an error with the code 200", error(200)),
    unclear("no UTF-8", .response(status: 200, headers: [], body: [0x7B, 0xFF, 0xFE, 0x7D])),
    unclear("nested beyond reason", .json(String(repeating: #"{"a":"#, count: 5000))),
  ]

  @Test(arguments: rows.map(\.name))
  func `An answer is believed as far as it goes`(_ name: String) throws {
    let row = try #require(Self.rows.first { $0.name == name })
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let step = dialogue.begin(.upload(Sample.captures(1...3), nextContactBy: nil), at: Sample.now)
    #expect(step.request?.operation == "addFeatures")
    let end = dialogue.end(with: row.reply)
    let result = try #require(end)
    #expect(result.outcome == .upload(row.outcome), "\(name); \(repeating)")
    #expect(result.acknowledged == row.acknowledged, "\(name); \(repeating)")
    #expect(result.refused.map(\.key) == row.refused, "\(name); \(repeating)")
    #expect(result.doubtful == row.doubtful, "\(name); \(repeating)")
    #expect((result.problem == nil) == (row.acknowledged == Self.all), "\(name); \(repeating)")
  }

  @Test func `Names of rows are unique`() {
    #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
  }

  @Test func `A layer that undoes whole requests is not believed a partial success`() throws {
    var dialogue = try Sample.ready(Sample.layer())
    _ = dialogue.begin(.upload(Sample.captures(1...3), nextContactBy: nil), at: Sample.now)
    let reply = Self.results(Self.good, Self.bad(1016), Self.good)
    let end = dialogue.end(with: reply)
    let result = try #require(end)
    #expect(result.outcome == .upload(.ambiguous))
    #expect(result.acknowledged == [])
    #expect(result.refused == [Refusal(key: 2, code: 1016)])
    #expect(result.doubtful == [1, 3])
  }

  @Test func `Another capture's GlobalID in a result is not an acknowledgement`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.globalIDs))
    let sent = Sample.captures(1...2)
    _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: Sample.now)
    let wrong = Sample.added([sent[0], Sample.captures(9...9)[0]], withGlobalIDs: true)
    let result = try #require(dialogue.receive(.json(wrong), at: Sample.now).result)
    #expect(result.acknowledged == [1])
    #expect(result.outcome == .upload(.ambiguous))
    #expect(result.doubtful == [2])
  }
}
