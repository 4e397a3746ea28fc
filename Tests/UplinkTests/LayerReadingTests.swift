import Foundation
import TestSupport
import Testing
import TrackerCore
import Uplink

/// Captures that are read back from a layer.
@Suite struct LayerReadingTests {
  private let now = Sample.now

  private static let readable =
    #""objectIdField":"OBJECTID","advancedQueryCapabilities":{"supportsPagination":true},"#
    + #""editFieldsInfo":{"creationDateField":"Created","editDateField":"Edited"},"#

  private static func layer(_ extra: String = readable, without missing: String = "") -> HTTPReply {
    .json(
      Sample.layer(
        extra, without: missing,
        with: [("OBJECTID", "OID"), ("Created", "Date"), ("Edited", "Date")]))
  }

  private static func row(_ object: Int, _ more: String = "") -> String {
    let id = UniqueID(device: Sample.device, sequence: UInt32(object))
    return #"{"attributes":{"OBJECTID":\#(object),"UUID":"\#(id.lowercaseText)"\#(more)},"#
      + #""geometry":{"x":2.8214,"y":41.9794}}"#
  }

  private static func page(_ rows: [String], wkid: Int = 4326) -> HTTPReply {
    .json(
      #"{"spatialReference":{"wkid":\#(wkid)},"features":[\#(rows.joined(separator: ","))]}"#)
  }

  private func result(_ replies: HTTPReply...) throws -> UplinkResult? {
    var dialogue = try Sample.dialogue()
    var step = dialogue.read(LayerQuestion(), at: now)
    for reply in replies { step = dialogue.receive(reply, at: now) }
    return step.result
  }

  @Test func `A page is asked for by object number, edit date and team`() throws {
    var dialogue = try Sample.dialogue(TranscriptTests.user)
    var question = LayerQuestion()
    question.from = 7
    question.below = 90
    question.editedSince = now
    question.team = "L'Avenc"
    question.device = "12"
    _ = dialogue.read(question, at: now)
    _ = dialogue.receive(TranscriptTests.token("AB", for: .hours(1)), at: now)
    let request = try #require(dialogue.receive(Self.layer(), at: now).request)
    #expect(request.operation == "query")
    let text = request.text.replacing("+", with: " ").removingPercentEncoding ?? ""
    #expect(
      text.contains(
        "where=OBJECTID >= 7 AND OBJECTID < 90 AND Edited >= TIMESTAMP '2026-11-18 11:06:40' AND "
          + "(Equip = 'L''Avenc' OR CodiEquip = '12')&"), "\(text)")
    #expect(text.contains("&orderByFields=OBJECTID&resultRecordCount=500&"))
    #expect(text.hasSuffix("&outSR=4326&token=AB"))
    // A token that ends under way is renewed.
    let expired = HTTPReply.json(#"{"error":{"code":498,"message":"Invalid token"}}"#)
    #expect(dialogue.receive(expired, at: now).request?.operation == "generateToken")
    let again = dialogue.receive(TranscriptTests.token("CD", for: .hours(1)), at: now).request
    #expect(again?.text.hasSuffix("&token=CD") == true)
  }

  @Test func `Object numbers are asked for alone, and all of them count`() throws {
    var dialogue = try Sample.dialogue()
    var question = LayerQuestion()
    (question.from, question.below, question.wantsNumbers) = (3, 9, true)
    _ = dialogue.read(question, at: now)
    let request = try #require(dialogue.receive(Self.layer(), at: now).request)
    let text = request.text.replacing("+", with: " ").removingPercentEncoding ?? ""
    #expect(text.hasSuffix("where=OBJECTID >= 3 AND OBJECTID < 9&returnIdsOnly=true"), "\(text)")
    for (body, objects) in [
      (#"{"objectIdFieldName":"OBJECTID","objectIds":[8,3,5]}"#, [3, 5, 8]),
      (#"{"objectIdFieldName":"OBJECTID","objectIds":null}"#, []),
      (#"{"objectIds":[]}"#, []), (#"{"objectIds":[3,9]}"#, nil), (#"{"objectIds":["a"]}"#, nil),
      (#"{"objectIds":[3],"exceededTransferLimit":true}"#, nil), ("{}", nil),
      (#"{"objectIds":7}"#, nil), ("<html>", nil), (#"{"objectIds":[3,"#, nil),
      (#"{"error":{"code":400,"message":"No"},"objectIds":[3]}"#, nil),
    ] as [(String, [Int64]?)] {
      var reading = dialogue
      let result = try #require(reading.receive(.json(body), at: now).result)
      #expect(result.page?.objects == objects.map { Set($0) }, "\(body)")
      #expect((result.problem == nil) == (objects != nil), "\(body)")
    }
  }

  @Test func `A page tells what the layer has of each capture`() throws {
    let more =
      #","CodiEquip":"12","Equip":"L'Avenc","Bateria":80.0,"Entrada":1794999000120,"#
      + #""Created":1794999060000,"Edited":1794999070000"#
    let page = try #require(
      try result(Self.layer(), Self.page([Self.row(3, more), Self.row(9)]))?.page)
    #expect((page.first, page.last, page.others) == (3, 9, 0))
    #expect(page.hasEditDates && page.lastEdit == UTC(milliseconds: 1_794_999_070_000))
    let capture = try #require(page.captures.first)
    #expect(capture.id == UniqueID(device: Sample.device, sequence: 3))
    #expect((capture.device, capture.team, capture.batteryPercent) == ("12", "L'Avenc", 80))
    #expect(capture.time == UTC(milliseconds: 1_794_999_000_120))
    #expect(capture.created == UTC(milliseconds: 1_794_999_060_000))
    #expect(capture.position == Coordinate(latitude: 419_794_000, longitude: 28_214_000))
    #expect(page.captures.last?.time == nil && page.captures.last?.team == nil)
  }

  @Test func `What trackers write for unknown is not read as a value`() throws {
    let more = #","Bateria":-1,"Entrada":0,"Equip":"""#
    let page = try result(Self.layer(), Self.page([Self.row(3, more)]))?.page
    let capture = try #require(page?.captures.first)
    #expect(capture.batteryPercent == nil && capture.time == nil && capture.team == nil)
  }

  @Test func `Rows that are no captures are counted, and do not stop the reading`() throws {
    let drawn = #"{"attributes":{"OBJECTID":4,"UUID":null},"geometry":{"x":"NaN","y":"NaN"}}"#
    let page = try result(Self.layer(), Self.page([Self.row(3), drawn]))?.page
    #expect(page?.captures.count == 1 && page?.others == 1 && page?.last == 4)
  }

  @Test func `A reference without a number is taken for the one that was asked for`() throws {
    let answer = #"{"spatialReference":{"wkt":"GEOGCS[]"},"features":[\#(Self.row(3))]}"#
    #expect(try result(Self.layer(), .json(answer))?.page?.captures.count == 1)
  }

  @Test(arguments: [
    (page([row(9), row(3)]), "the answer does not match the query"),
    (page([#"{"attributes":{"UUID":"x"}}"#]), "the answer does not match the query"),
    (page([row(3)], wkid: 25831), "the answer does not match the query"),
    (.json("<html>"), "a web page came back"), (.json("{}"), "the answer has no features"),
    (.json(#"{"features":["#), "the answer is not complete JSON"),
    (.response(status: 503, headers: [], body: []), "status 503"),
    (.json(#"{"error":{"code":499,"message":"Token Required"}}"#), "requires a user"),
    (.unreachable, "no connection"),
  ])
  func `An answer that is no page is a failure of one line`(
    _ reply: HTTPReply, _ words: String
  ) throws {
    let result = try #require(try result(Self.layer(), reply))
    #expect(result.page == nil)
    guard case .notReady = result.outcome else { throw Problem("\(result)") }
    let problem = try #require(result.problem?.english)
    #expect(problem.contains(words) && !problem.contains("\n"), "\(problem)")
  }

  @Test func `A layer needs an identifier and the capability Query, and takes no captures`() throws
  {
    #expect(
      try result(Self.layer(without: "UUID"))?.problem?.english.contains("has no field UUID")
        == true)
    let closed = HTTPReply.json(
      #"{"objectIdField":"OBJECTID","capabilities":"Create","fields":[]}"#)
    #expect(try result(closed)?.problem?.english.contains("the capability Query") == true)
    let bare = HTTPReply.json(
      #"{"capabilities":"Query","fields":[{"name":"FID","type":"esriFieldTypeOID"},"#
        + #"{"name":"uuid","type":"esriFieldTypeString"}]}"#)
    var dialogue = try Sample.dialogue()
    _ = dialogue.read(LayerQuestion(), at: now)
    let text = try #require(dialogue.receive(bare, at: now).request?.text)
    #expect(text.contains("orderByFields=FID") && !text.contains("resultRecordCount"))
  }
}
