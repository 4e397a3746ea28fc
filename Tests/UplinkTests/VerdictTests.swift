import Testing
import TrackerCore
import Uplink

/// Answers to edits and queries that are true in part, tokens without an end, layers at a bound.
@Suite struct VerdictTests {
  let now = Sample.now
  let collision = #"{"success":false,"error":{"code":1022,"description":"Unique"}}"#

  private func answer(
    _ layer: String, _ sent: [OutgoingCapture], _ replies: String...
  ) throws -> UplinkResult {
    var dialogue = try Sample.ready(layer)
    var step = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
    for reply in replies {
      try #require(step.request != nil)
      step = dialogue.receive(.json(reply), at: now)
    }
    return try #require(step.result, "\(repeating)")
  }

  @Test func `What is doubtful beside a collision stays so when the collision is cleared up`()
    throws
  {
    let sent = Sample.captures(1...3)
    let stranger = Sample.captures(9...9)[0].id.bracedText
    let wrong = #"{"objectId":5,"globalId":"\#(stranger)","success":true}"#
    let results = #"{"addResults":[\#(collision),\#(wrong),\#(collision)]}"#
    let found = Sample.found([sent[2]], field: "GlobalID")
    let result = try answer(Sample.layer(Sample.globalIDs), sent, results, found)
    #expect(result.acknowledged == [3] && result.outcome == .upload(.ambiguous))
    #expect(result.refused == [Refusal(key: 1, code: 1022)])
    #expect(result.doubtful == [2], "\(repeating)")
    #expect(result.problem?.english == "some of the results are not credible")
  }

  @Test func `A result that says neither yes nor no leaves its capture in doubt`() throws {
    let sent = Sample.captures(1...2)
    let results = #"{"addResults":[{"objectId":617},{"objectId":618,"success":true}]}"#
    let result = try answer(Sample.layer(Sample.partial), sent, results)
    #expect(result.acknowledged == [2] && result.doubtful == [1], "\(repeating)")
    #expect(result.outcome == .upload(.ambiguous), "\(repeating)")
  }

  @Test func `Whole results beside an error of the request are not believed`() throws {
    let sent = Sample.captures(1...2)
    let results = Sample.added(sent).dropLast() + #","error":{"code":400}}"#
    let result = try answer(Sample.layer(Sample.partial), sent, String(results))
    #expect(result.acknowledged == [] && result.doubtful == [1, 2], "\(repeating)")
    #expect(result.problem?.english == "edit: the results do not match the request", "\(repeating)")
  }

  @Test func `An error without a code is said as 0`() throws {
    let answers = [
      #"{"error":{"message":"no"}}"#, #"{"error":{"message":"","description":"no"}}"#,
    ]
    for text in answers {
      let result = try answer(Sample.layer(), Sample.captures(1...1), text)
      #expect(result.problem?.english == "edit: error 0: no", "\(repeating)")
    }
  }

  @Test func `A layer that is refused for good accuses no capture`() throws {
    var dialogue = try Sample.dialogue()
    _ = dialogue.begin(.upload(Sample.captures(1...2), nextContactBy: nil), at: now)
    let result = dialogue.receive(.json("", status: 400), at: now).result
    #expect(result?.outcome == .upload(.refused(code: 400, first: .none, count: 0)), "\(repeating)")
  }

  static let lives: [(answer: String, seconds: Int64)] = [
    (#"{"token":"AB"}"#, 1500), (#"{"access_token":"AB","expires_in":2400}"#, 2100),
    (#"{"access_token":"AB","expires_in":0}"#, 1500),
    (#"{"access_token":"AB","expires_in":"420"}"#, 210),
    (#"{"token":"AB","expires":9223372036854775807}"#, 2_591_700),
    (#"{"token":"AB","expires":1795000000000}"#, 1500),
  ]

  @Test(arguments: lives)
  func `A token is renewed five minutes before its end, or half-way through a short life`(
    _ answer: String, _ seconds: Int64
  ) throws {
    var dialogue = try Sample.dialogue(TranscriptTests.user)
    _ = dialogue.begin(.check, at: now)
    _ = dialogue.receive(.json(answer), at: now)
    _ = dialogue.receive(.json(Sample.layer()), at: now)
    let work = UplinkTask.upload(Sample.captures(1...1), nextContactBy: nil)
    let before = now + Milliseconds(seconds * 1000 - 1)
    #expect(dialogue.begin(work, at: before).request?.operation == "addFeatures", "\(repeating)")
    let at = now + .seconds(seconds)
    #expect(dialogue.begin(work, at: at).request?.operation == "generateToken", "\(repeating)")
  }

  @Test(arguments: [
    (#""type":"esriFieldTypeString","length":36"#, true),
    (#""type":"esriFieldTypeString","length":35"#, false),
    (#""type":"esriFieldTypeGUID""#, true), (#""type":"esriFieldTypeDate""#, false),
    (#""type":"esriFieldTypeInteger""#, false), (#""type":"esriFieldTypeString""#, true),
  ])
  func `An identifier needs a text of 36 characters or a GUID`(
    _ type: String, _ isGood: Bool
  ) throws {
    let layer = Sample.layer(Sample.partial).replacing(
      #""UUID","type":"esriFieldTypeString""#, with: #""UUID",\#(type)"#)
    var dialogue = try Sample.dialogue()
    _ = dialogue.begin(.check, at: now)
    let result = dialogue.receive(.json(layer), at: now).result
    #expect((result?.outcome == .ready) == isGood, "\(repeating)")
    #expect((result?.problem?.english.contains("cannot hold an identifier") == true) == !isGood)
  }
}
