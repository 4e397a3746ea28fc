import Testing
import TrackerCore
import Uplink

/// Whole conversations: request, reply, next request.
@Suite struct TranscriptTests {
  let now = Sample.now
  static let user = ArcGISCredentials.user(
    name: "camp", password: Secret("pass&word"), tokenURL: nil)
  static func token(_ text: String, for life: Milliseconds) -> HTTPReply {
    .json(#"{"token":"\#(text)","expires":\#((Sample.now + life).milliseconds)}"#)
  }

  @Test func `An upload gets a token, looks at the layer, and adds`() throws {
    var dialogue = try Sample.dialogue(Self.user)
    let sent = Sample.captures(1...2)
    let first = try #require(dialogue.begin(.upload(sent, nextContactBy: nil), at: now).request)
    #expect(first.url == "https://gis.example/arcgis/tokens/generateToken")
    let second = try #require(dialogue.receive(Self.token("AB", for: .hours(1)), at: now).request)
    #expect(second.url == Sample.layerURL)
    #expect(second.text == "f=json&token=AB")
    let layer = HTTPReply.json(Sample.layer(Sample.partial))
    let third = try #require(dialogue.receive(layer, at: now).request)
    #expect(third.operation == "addFeatures")
    #expect(third.text.hasSuffix("&token=AB"))
    let result = try #require(dialogue.receive(.json(Sample.added(sent)), at: now).result)
    #expect(result.acknowledged == [1, 2])
    #expect(result.problem == nil)

    // Token and layer are known from now on, until five minutes before the token's end.
    let work = UplinkTask.upload(Sample.captures(3...3), nextContactBy: nil)
    let soon = now + .seconds(3299)
    #expect(dialogue.begin(work, at: soon).request?.operation == "addFeatures")
    #expect(dialogue.begin(work, at: now + .minutes(55)).request?.operation == "generateToken")
  }

  @Test func `A token that ends under way is renewed once and the captures are sent again`() throws
  {
    var dialogue = try Sample.dialogue(Self.user)
    let sent = Sample.captures(1...2)
    _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
    _ = dialogue.receive(Self.token("AB", for: .hours(1)), at: now)
    let edit = dialogue.receive(.json(Sample.layer(Sample.partial)), at: now).request
    let expired = HTTPReply.json(#"{"error":{"code":498,"message":"Invalid token AB"}}"#)
    let renewal = dialogue.receive(expired, at: now).request
    #expect(renewal?.operation == "generateToken")
    let again = dialogue.receive(Self.token("CD", for: .hours(1)), at: now).request
    #expect(again?.operation == "addFeatures")
    #expect(again?.text == edit?.text.replacing("token=AB", with: "token=CD"))

    var other = dialogue
    let result = other.receive(.json(Sample.added(sent)), at: now).result
    #expect(result?.acknowledged == [1, 2])
    let refused = dialogue.receive(expired, at: now).result
    #expect(refused?.outcome == .upload(.unauthorised))
    #expect(refused?.doubtful == [])
  }

  @Test func `A token service that refuses ends as unauthorised`() throws {
    for reply in [
      HTTPReply.json(#"{"error":{"code":400,"message":"Unable to generate token."}}"#),
      .json(#"{"error":"invalid_client"}"#), .json(#"{"error":"x"}"#, status: 400),
      .json("", status: 401),
    ] {
      var dialogue = try Sample.dialogue(Self.user)
      _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: now)
      let result = dialogue.receive(reply, at: now).result
      #expect(result?.outcome == .upload(.unauthorised), "\(reply); \(repeating)")
    }
  }

  @Test(arguments: [
    ("<html>Sign in</html>", "a web page came back, perhaps a network's login page"),
    ("busy", "the answer is not a token service's"), ("[1]", "the answer is not a token service's"),
  ])
  func `What is no answer of a token service ends the contact at once, with the reason`(
    _ body: String, _ why: String
  ) throws {
    var dialogue = try Sample.dialogue(Self.user)
    _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: now)
    let result = dialogue.receive(.json(body), at: now).result
    #expect(result?.outcome == .upload(.unreachable), "\(body); \(repeating)")
    let problem = try #require(result?.problem)
    #expect(problem.english.contains(why), "\(problem.english); \(repeating)")
  }

  @Test func `An application's token lives for the seconds that the server says`() throws {
    var dialogue = try Sample.dialogue(
      .application(
        clientID: "id", clientSecret: Secret("s"),
        tokenURL: "https://www.example/sharing/rest/oauth2/token"))
    let request = try #require(dialogue.begin(.check, at: now).request)
    #expect(
      request.text
        == "client_id=id&client_secret=s&grant_type=client_credentials&expiration=60&f=json")
    let answer = HTTPReply.json(#"{"access_token":"AB","expires_in":1800}"#)
    #expect(dialogue.receive(answer, at: now).request?.text == "f=json&token=AB")
    _ = dialogue.receive(.json(Sample.layer()), at: now)
    let work = UplinkTask.upload(Sample.captures(1...1), nextContactBy: nil)
    #expect(dialogue.begin(work, at: now + .seconds(1499)).request?.operation == "addFeatures")
    #expect(dialogue.begin(work, at: now + .seconds(1500)).request?.operation == "token")
  }

  @Test func `After a lost answer exactly the missing captures are sent again`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let sent = Sample.captures(1...4)
    _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
    #expect(dialogue.receive(.lost, at: now).result?.doubtful == [1, 2, 3, 4])

    let query = try #require(dialogue.begin(.reconcile(sent), at: now).request)
    #expect(query.operation == "query")
    let known = dialogue.receive(.json(Sample.found([sent[1], sent[3]])), at: now).result
    #expect(known?.outcome == .reconcile(.settled(confirmed: 2)))
    #expect(known?.acknowledged == [2, 4])

    // A slow server may have finished meanwhile: it is asked once more right before.
    let rest = [sent[0], sent[2]] + Sample.captures(5...5)
    let ask = dialogue.begin(.upload(rest, nextContactBy: nil), at: now).request
    #expect(ask?.operation == "query")
    #expect(ask?.text.contains(rest[2].id.lowercaseText) == false)
    let edit = dialogue.receive(.json(Sample.found([sent[0]])), at: now).request
    #expect(edit?.operation == "addFeatures")
    #expect(edit?.text.contains(sent[0].id.lowercaseText) == false)
    #expect(edit?.text.contains(sent[2].id.lowercaseText) == true)
    let result = dialogue.receive(.json(Sample.added([rest[1], rest[2]])), at: now).result
    #expect(result?.acknowledged == [1, 3, 5])
    #expect(result?.doubtful == [])
    // Nothing is in doubt any more.
    let next = dialogue.begin(.upload(Sample.captures(6...6), nextContactBy: nil), at: now)
    #expect(next.request?.operation == "addFeatures")
  }

  @Test func `After a restart what the store marks as sent is asked for first`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let sent = Sample.captures(1...2, wereSent: true)
    #expect(
      dialogue.begin(.upload(sent, nextContactBy: nil), at: now).request?.operation == "query")
    let result = dialogue.receive(.json(Sample.found(sent)), at: now).result
    #expect(
      result?.outcome
        == .upload(.answered(acknowledged: 2, refused: 0, firstRefused: 0, code: 0)))
  }

  @Test func `A work dropped under way leaves its captures in doubt`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let work = UplinkTask.upload(Sample.captures(1...2), nextContactBy: nil)
    #expect(dialogue.begin(work, at: now).request?.operation == "addFeatures")
    #expect(dialogue.begin(work, at: now).request?.operation == "query")
  }

  @Test func `A server that broke down is asked before it gets the captures again`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let work = UplinkTask.upload(Sample.captures(1...2), nextContactBy: nil)
    for (status, next) in [(Int32(503), "addFeatures"), (500, "query")] {
      #expect(dialogue.begin(work, at: now).request?.operation == "addFeatures")
      _ = dialogue.receive(.json("", status: status), at: now)
      #expect(dialogue.begin(work, at: now).request?.operation == next)
      _ = dialogue.receive(.unreachable, at: now)
    }
  }

  @Test func `With GlobalIDs a second copy is refused, confirmed and acknowledged`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.globalIDs))
    let sent = Sample.captures(1...3, wereSent: true)
    let edit = try #require(dialogue.begin(.upload(sent, nextContactBy: nil), at: now).request)
    #expect(edit.operation == "applyEdits")
    #expect(edit.text.hasPrefix("f=json&rollbackOnFailure=false&useGlobalIds=true&adds="))
    let collision = #"{"success":false,"error":{"code":1022,"description":"Unique"}}"#
    let item = #"{"objectId":9,"globalId":"\#(sent[2].id.bracedText)","success":true}"#
    let answer = #"{"addResults":[\#(collision),\#(collision),\#(item)]}"#
    let query = try #require(dialogue.receive(.json(answer), at: now).request)
    #expect(query.operation == "query")
    #expect(query.text.contains("where=GlobalID+IN+%28%27%7B"))
    #expect(!query.text.contains(sent[2].id.uppercaseText))

    var other = dialogue
    let found = Sample.found([sent[0]], field: "globalid")
    let result = dialogue.receive(.json(found), at: now).result
    #expect(result?.acknowledged == [3, 1])
    #expect(result?.refused == [Refusal(key: 2, code: 1022)])
    #expect(result?.doubtful == [])
    let lost = other.receive(.lost, at: now).result
    #expect(lost?.acknowledged == [3])
    #expect(lost?.outcome == .upload(.ambiguous))
    // The edit did nothing to them: what is in doubt was so before, and the store knows.
    #expect(lost?.doubtful == [])
  }

  @Test func `A query's answer to another question proves nothing missing`() throws {
    let sent = Sample.captures(1...2)
    let stranger = Sample.captures(9...9)
    for answer in [
      Sample.found([sent[0]] + stranger),
      Sample.found([sent[0]]).replacing("{\"f", with: "{\"exceededTransferLimit\":true,\"f"),
      #"{"features":[{"attributes":{"UUID":7}}]}"#, "{}", "<html>", #"{"features":[{}"#,
    ] {
      var dialogue = try Sample.ready(Sample.layer(Sample.partial))
      _ = dialogue.begin(.reconcile(sent), at: now)
      let result = dialogue.receive(.json(answer), at: now).result
      #expect(result?.outcome == .reconcile(.failed(status: 0)), "\(answer); \(repeating)")
      #expect(result?.acknowledged.contains(2) == false, "\(answer); \(repeating)")
    }
  }

  @Test func `A long list is asked for in parts`() throws {
    let description = Sample.layer(Sample.partial).replacing(":1000,", with: ":40,")
    var dialogue = try Sample.ready(description)
    let list = Sample.captures(1...100)
    var step = dialogue.begin(.reconcile(list), at: now)
    var asked: [Int] = []
    while let request = step.request, asked.count < 10 {
      let part = list.filter { request.text.contains($0.id.lowercaseText) }
      asked.append(part.count)
      step = dialogue.receive(.json(Sample.found(part)), at: now)
    }
    #expect(asked == [40, 40, 20])
    #expect(step.result?.outcome == .reconcile(.settled(confirmed: 100)))
  }

  @Test func `What goes beyond the bound waits for the next upload`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let limit = UInt32(UplinkBounds.captures)
    let list = Sample.captures(1...limit + 1)
    let request = dialogue.begin(.upload(list, nextContactBy: nil), at: now).request
    #expect(request?.text.contains(list[Int(limit)].id.lowercaseText) == false)
    let answer = Sample.added(Array(list.dropLast()))
    let result = dialogue.receive(.json(answer), at: now).result
    #expect(result?.acknowledged == (1...limit).map { CaptureKey($0) })
    #expect(result?.doubtful == [])
  }

  @Test(arguments: [1, 100, 1000])
  func `An answer longer than one to this batch can be is not looked at`(_ count: Int) throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let sent = Sample.captures(1...UInt32(count))
    for padding in [0, 1] {
      let request = dialogue.begin(.upload(sent, nextContactBy: nil), at: now).request
      let bound = try #require(request?.answerBytes)
      #expect(bound == (16 + count) << 10)
      let answer = Array(Sample.added(sent).utf8)
      let blanks = [UInt8](repeating: 0x20, count: bound - answer.count + padding)
      let reply = HTTPReply.response(status: 200, headers: [], body: blanks + answer)
      let result = dialogue.receive(reply, at: now).result
      #expect(result?.acknowledged.count == (padding == 0 ? count : 0))
      #expect(padding == 0 || result?.outcome == .upload(.ambiguous))
      #expect(padding == 0 || result?.doubtful.count == count)
    }
  }

  @Test func `The longest honest answers are within their bounds`() throws {
    let words = String(repeating: "The value is out of range. ", count: 20)
    let sent = Sample.captures(1...100)
    var dialogue = try Sample.ready(Sample.layer(Sample.globalIDs))
    var request = try #require(
      dialogue.begin(.upload(sent, nextContactBy: nil), at: now).request)
    let refusals = sent.map {
      #"{"objectId":-1,"uniqueId":-1,"globalId":"\#($0.id.bracedText)","success":false,"#
        + #""error":{"code":1000,"description":"\#(words)"}}"#
    }
    let answer = #"{"addResults":[\#(refusals.joined(separator: ",\n"))]}"#
    #expect(answer.utf8.count < request.answerBytes && answer.utf8.count > 60_000)
    let result = dialogue.end(with: .json(answer))
    #expect(result?.refused.count == 100)
    // A layer whose symbols are pictures.
    let picture = #""drawingInfo":{"imageData":"\#(String(repeating: "iVBO", count: 50_000))"},"#
    var other = try Sample.dialogue()
    request = try #require(other.begin(.check, at: now).request)
    #expect(request.answerBytes == UplinkBounds.answerBytes)
    #expect(other.receive(.json(Sample.layer(picture)), at: now).result?.outcome == .ready)
  }

  @Test func `A failed reconcile says by what`() throws {
    for (reply, status) in [
      (HTTPReply.unreachable, Int32(0)), (.lost, 0), (.stalled, 0), (.tooLarge, 413),
      (.json("", status: 503), 503),
      (.json("", status: 403), 401), (.json(#"{"error":{"code":400}}"#), 400),
    ] {
      var dialogue = try Sample.ready(Sample.layer())
      _ = dialogue.begin(.reconcile(Sample.captures(1...1)), at: now)
      let result = dialogue.receive(reply, at: now).result
      #expect(result?.outcome == .reconcile(.failed(status: status)), "\(reply); \(repeating)")
    }
  }

  @Test func `Before anything was sent a lost answer leaves no doubt`() throws {
    for reply in [HTTPReply.lost, .unreachable, .json("<html>Sign in</html>")] {
      var dialogue = try Sample.dialogue()
      _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: now)
      let result = dialogue.receive(reply, at: now).result
      #expect(result?.outcome == .upload(.unreachable), "\(reply); \(repeating)")
      #expect(result?.doubtful == [], "\(reply); \(repeating)")
    }
  }

  @Test func `An empty work ends at once, a reply without a request acknowledges nothing`() throws {
    var dialogue = try Sample.dialogue()
    #expect(
      dialogue.begin(.upload([], nextContactBy: nil), at: now).result?.outcome == .upload(.empty))
    #expect(
      dialogue.begin(.reconcile([]), at: now).result?.outcome
        == .reconcile(.settled(confirmed: 0)))
    let stray = dialogue.receive(.json(Sample.added(Sample.captures(1...1))), at: now).result
    #expect(stray == UplinkResult(outcome: .upload(.ambiguous)))
  }

  @Test func `A server that never gets to the point is left after a bounded number of requests`()
    throws
  {
    var dialogue = try Sample.dialogue(Self.user)
    var step = dialogue.begin(.upload(Sample.captures(1...3), nextContactBy: nil), at: now)
    var count = 0
    // Each token is to be renewed as soon as it is there.
    while step.request?.operation == "generateToken", count < 100 {
      count += 1
      step = dialogue.receive(Self.token("A", for: 1), at: now)
    }
    // Twelve, and two for each of three captures.
    #expect(count == 18)
    #expect(step.result?.acknowledged == [])
    #expect(step.result?.outcome == .upload(.unreachable))
  }

  // MARK: Refusals

  @Test(arguments: [Sample.globalIDs, Sample.partial, ""])
  func `What is refused in any words and is there all the same was delivered`(
    _ ability: String
  ) throws {
    var dialogue = try Sample.ready(Sample.layer(ability))
    let sent = Sample.captures(1...2)
    _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
    let no = #"{"success":false,"error":{"code":1016,"description":"Computer says no"}}"#
    let step = dialogue.receive(.json(#"{"addResults":[\#(no),\#(no)]}"#), at: now)
    #expect(step.request?.operation == "query")
    let field = ability == Sample.globalIDs ? "GlobalID" : "UUID"
    let result = dialogue.receive(.json(Sample.found([sent[1]], field: field)), at: now).result
    #expect(result?.acknowledged == [2] && result?.found == [2])
    #expect(result?.refused == [Refusal(key: 1, code: 1016)])
  }

  /// It applied the request, answered 500, and does not like to see it again.
  @Test(arguments: [400, 409, 413, 422] as [Int32])
  func `A whole request that is refused after it was sent before is asked about`(
    _ status: Int32
  ) throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.globalIDs))
    let sent = Sample.captures(1...3)
    _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
    _ = dialogue.receive(.json("", status: 500), at: now)
    let again = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
    #expect(again.request?.operation == "applyEdits")
    let step = dialogue.receive(.json("I have that", status: status), at: now)
    #expect(step.request?.operation == "query")
    var other = dialogue
    let result = dialogue.receive(.json(Sample.found(sent, field: "GlobalID")), at: now).result
    #expect(result?.acknowledged == [1, 2, 3] && result?.refused == [])
    let none = other.receive(.json(Sample.found([])), at: now).result
    #expect(none?.outcome == .upload(.refused(code: status, first: 1, count: 3)))
    #expect(none?.problem?.english == "edit: status \(status)")
  }

  @Test func `A capture alone is not called refused before the layer was asked for it`() throws {
    for (reply, code) in [
      (HTTPReply.json("", status: 400), Int32(400)),
      (.json(#"{"addResults":[{"success":false,"error":{"code":1003}}]}"#), 1003),
    ] {
      var dialogue = try Sample.ready(Sample.layer())
      let sent = Sample.captures(1...1)
      _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: now)
      #expect(dialogue.receive(reply, at: now).request?.operation == "query")
      var (lost, absent) = (dialogue, dialogue)
      #expect(dialogue.receive(.json(Sample.found(sent)), at: now).result?.acknowledged == [1])
      let refused = absent.receive(.json(Sample.found([])), at: now).result
      #expect(refused?.outcome == .upload(.refused(code: code, first: 1, count: 1)))
      let unclear = lost.receive(.lost, at: now).result
      #expect(unclear?.outcome == .upload(.ambiguous) && unclear?.refused == [])
    }
  }
}
