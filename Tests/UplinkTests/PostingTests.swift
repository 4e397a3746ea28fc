import Testing
import TrackerCore
import Uplink

/// Servers that say no more than yes or no.
@Suite struct PostingTests {
  let now = Sample.now

  func dialogue(_ format: PostingConfiguration.Format) throws -> PostingDialogue {
    PostingDialogue(try PostingConfiguration(format: format, url: "https://p.example/x"))
  }

  func end(
    _ format: PostingConfiguration.Format, _ replies: [HTTPReply]
  ) throws -> UplinkResult {
    var dialogue = try dialogue(format)
    var step = dialogue.begin(.upload(Sample.captures(1...3), nextContactBy: nil), at: now)
    for reply in replies {
      try #require(step.request != nil)
      step = dialogue.receive(reply, at: now)
    }
    return try #require(step.result)
  }

  let yes = HTTPReply.json("")
  func status(_ status: Int32) -> HTTPReply { .json("", status: status) }
  func answered(_ good: UInt32, _ bad: UInt32, _ first: CaptureKey, _ code: Int32) -> UplinkOutcome
  {
    .upload(.answered(acknowledged: good, refused: bad, firstRefused: first, code: code))
  }

  @Test func `Each request that succeeds acknowledges its capture`() throws {
    let result = try end(.osmAnd, [yes, status(204), status(201)])
    #expect(result.acknowledged == [1, 2, 3])
    #expect(result.outcome == answered(3, 0, 0, 0))
  }

  @Test func `What was acknowledged before a failure stays so`() throws {
    let lost = try end(.osmAnd, [yes, .lost])
    #expect(lost.acknowledged == [1])
    #expect(lost.outcome == .upload(.ambiguous))
    #expect(lost.doubtful == [2])
    let busy = try end(.ownTracks(user: "u"), [yes, yes, status(503)])
    #expect(busy.acknowledged == [1, 2])
    #expect(busy.outcome == .upload(.busy(status: 503, retryAfter: nil)))
    #expect(try end(.osmAnd, [.unreachable]).outcome == .upload(.unreachable))
    #expect(try end(.osmAnd, [status(401)]).outcome == .upload(.unauthorised))
  }

  @Test func `What is left after a minute goes with another upload`() throws {
    for (seconds, acknowledged) in [(31, [1, 2]), (29, [1, 2, 3]), (-40, [1, 2, 3])]
      as [(Int64, [CaptureKey])]
    {
      var dialogue = try dialogue(.osmAnd)
      var step = dialogue.begin(.upload(Sample.captures(1...3), nextContactBy: nil), at: now)
      for number in 1...3 as ClosedRange<Int64> where step.request != nil {
        step = dialogue.receive(yes, at: now + .seconds(number * seconds))
      }
      let result = try #require(step.result)
      #expect(result.acknowledged == acknowledged && result.doubtful == [])
      #expect(result.outcome == answered(UInt32(acknowledged.count), 0, 0, 0))
    }
  }

  @Test func `One refused between others is refused alone, the first stops the work`() throws {
    let middle = try end(.osmAnd, [yes, status(400), yes])
    #expect(middle.acknowledged == [1, 3])
    #expect(middle.outcome == answered(2, 1, 2, 400))
    #expect(try end(.osmAnd, [status(400)]).outcome == answered(0, 1, 1, 400))
  }

  @Test func `An array is acknowledged or refused as a whole`() throws {
    #expect(try end(.json, [yes]).acknowledged == [1, 2, 3])
    #expect(
      try end(.json, [status(413)]).outcome == .upload(.refused(code: 413, first: 1, count: 3)))
    #expect(try end(.json, [.lost]).doubtful == [1, 2, 3])
    #expect(
      try end(.json, [status(404)]).outcome == .upload(.refused(code: 404, first: 0, count: 0)))
  }

  @Test func `A web page acknowledges nothing`() throws {
    for page in [
      HTTPReply.json("\n <html>Sign in"), .json("\u{FEFF}<!DOCTYPE html>"),
      .json("Sign in", headers: [HTTPHeader("content-type", "text/HTML; charset=x")]),
      status(302),
    ] {
      let result = try end(.json, [page])
      #expect(result.acknowledged == [] && result.outcome == .upload(.ambiguous), "\(repeating)")
    }
  }

  @Test func `Nothing can be asked`() throws {
    var dialogue = try dialogue(.json)
    #expect(!dialogue.canReconcile)
    let result = dialogue.begin(.reconcile(Sample.captures(1...2)), at: now).result
    #expect(result?.outcome == .reconcile(.settled(confirmed: 0)))
    #expect(result?.acknowledged == [])
    #expect(dialogue.begin(.check, at: now).result?.outcome == .ready)
    #expect(dialogue.receive(yes, at: now).result?.acknowledged == [])
  }

  @Test func `A line end in a setting makes no header of its own`() throws {
    var dialogue = try dialogue(.ownTracks(user: "a\r\nX-Evil: 1"))
    let request = dialogue.begin(
      .upload(Sample.captures(1...1), nextContactBy: nil), at: now
    ).request
    #expect(request?.headers[1] == HTTPHeader("X-Limit-U", "aX-Evil: 1"))
  }
}
