import Foundation
import Notes
import TestSupport
import Testing
import TrackerCore
import Uplink

/// The dialogue about messages to this tracker, and what a server might answer.
@Suite struct MailTests {
  private let note: Comment = "repeat with: swift test --filter MailTests"
  private let now = Sample.now
  private static let device = UniqueID(high: 7, low: 9)
  private static let question = MailQuestion(device: device, after: 4)

  private static func dialogue(
    _ table: MailTable = .next, code: String? = "7",
    _ credentials: ArcGISCredentials = .none
  ) throws -> ArcGISDialogue {
    var configuration = ArcGISConfiguration(address: try LayerAddress(Sample.layerURL))
    configuration.deviceCode = code
    configuration.messages = table
    configuration.credentials = credentials
    return try ArcGISDialogue(configuration)
  }

  private static func row(_ number: Int, _ more: [String: Any] = [:]) -> String {
    var attributes: [String: Any] = [
      "OBJECTID": number + 100, "Desti": "7", "Numero": number, "Classe": "message",
      "Text": "t\(number)", "Autor": "Marta", "Creat": 1_349_517_600_000, "Ordre": NSNull(),
      "Rebut": NSNull(),
    ]
    attributes.merge(more) { $1 }
    let data = try? JSONSerialization.data(withJSONObject: ["attributes": attributes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static func answer(_ rows: [String]) -> HTTPReply {
    .json("{\"objectIdFieldName\":\"OBJECTID\",\"features\":[\(rows.joined(separator: ","))]}")
  }

  /// The outcome of one question with this reply.
  private func outcome(_ reply: HTTPReply) throws -> MailOutcome {
    var dialogue = try Self.dialogue()
    _ = dialogue.fetch(Self.question, at: now)
    return try mail(dialogue.receive(reply, at: now))
  }

  private func mail(_ step: UplinkStep) throws -> MailOutcome {
    guard case .done(let result) = step, case .mail(let outcome) = result.outcome else {
      throw Problem("\(step)")
    }
    return outcome
  }

  private func texts(_ reply: HTTPReply) throws -> [String]? {
    guard case .fetched(let messages) = try outcome(reply) else { return nil }
    return messages.map(\.text)
  }

  @Test func `It asks the table beside the layer for what is its own and new`() throws {
    var dialogue = try Self.dialogue(code: "it's 7")
    let request = try #require(dialogue.fetch(Self.question, at: now).request)
    #expect(request.url == Sample.layerURL.dropLast() + "1/query", note)
    let clause = "Desti = 'it''s 7' AND (Numero > 4 OR Rebut IS NULL)"
    #expect(request.form["where"] == clause, note)
    #expect(request.form["resultRecordCount"] == "20" && request.answerBytes == 16 << 10, note)
    var other = try Self.dialogue(.number(9), code: nil)
    let second = try #require(other.fetch(Self.question, at: now).request)
    #expect(second.url.hasSuffix("/9/query"), note)
    #expect(second.form["where"]?.contains("Desti = '\(Self.device.lowercaseText)'") == true, note)
    var none = try Self.dialogue(.none)
    #expect(try mail(none.fetch(Self.question, at: now)) == .unsupported, note)
  }

  @Test func `Messages come in their order, with what the tracker has to know`() throws {
    let read: [String: Any] = ["Classe": "read", "Ordre": 17, "Text": "", "rebut": 5]
    let reply = Self.answer([Self.row(6, ["Text": "wait"]), Self.row(5, read)])
    let expected = [
      ServedMessage(
        object: 105, number: 5, kind: .read, text: "", author: "Marta",
        created: UTC(milliseconds: 1_349_517_600_000), sequence: 17),
      ServedMessage(
        object: 106, number: 6, kind: .message, text: "wait", author: "Marta",
        created: UTC(milliseconds: 1_349_517_600_000)),
    ]
    guard case .fetched(let messages) = try outcome(reply) else { throw Problem("not fetched") }
    #expect(messages.map(\.number) == [5, 6] && messages.last == expected.last, note)
    #expect(messages.first?.sequence == 17 && messages.first?.kind == .read, note)
    #expect(try outcome(Self.answer([])) == .fetched([]), note)
  }

  @Test func `It confirms with the row and the device, and nothing else`() throws {
    var dialogue = try Self.dialogue()
    _ = dialogue.fetch(Self.question, at: now)
    let reply = HTTPReply.json(
      "{\"objectIdFieldName\":\"FID\",\"features\":[\(Self.row(5, ["FID": 900]))]}")
    guard case .fetched(let messages) = try mail(dialogue.receive(reply, at: now)) else {
      throw Problem("not fetched")
    }
    let request = try #require(
      dialogue.confirm(messages.compactMap { MailConfirmation($0) }, to: Self.device, at: now)
        .request)
    #expect(request.operation == "updateFeatures", note)
    let change = "{\"FID\":900,\"Desti\":\"7\",\"Rebut\":\(now.milliseconds)}"
    #expect(request.form["features"] == "[{\"attributes\":\(change)}]", note)
    let done = HTTPReply.json(#"{"updateResults":[{"objectId":900,"success":true}]}"#)
    #expect(try mail(dialogue.receive(done, at: now)) == .confirmed, note)
    #expect(try mail(dialogue.confirm([], to: Self.device, at: now)) == .confirmed, note)
    let again = messages.compactMap { MailConfirmation($0) }
    for bad in [#"{"error":{"code":500,"message":"no"}}"#, "<html>", "{"] {
      _ = dialogue.confirm(again, to: Self.device, at: now)
      guard case .failed = try mail(dialogue.receive(.json(bad), at: now)) else {
        throw Problem("\(bad); \(note)")
      }
    }
  }

  @Test func `An answer about another number of notes than were sent says nothing of any`() throws {
    let notes = try [1, 2].map { number in
      try #require(
        NoteVersion(
          id: "room \(number)", note: "room \(number)", seen: "", text: "t", category: "",
          author: "", written: nil))
    }
    func outcome(_ results: Int, last: String? = nil) throws -> NoteOutcome {
      var dialogue = try Self.dialogue()
      _ = dialogue.exchange(.push(notes, device: Self.device), at: now)
      var taken = Array(repeating: #"{"objectId":9,"success":true}"#, count: results)
      if let last { taken[results - 1] = last }
      let reply = HTTPReply.json("{\"addResults\":[\(taken.joined(separator: ","))]}")
      guard case .done(let result) = dialogue.receive(reply, at: now),
        case .notes(let outcome) = result.outcome
      else { throw Problem("\(results); \(note)") }
      return outcome
    }
    #expect(try outcome(2) == .pushed([true, true]), note)
    #expect(try outcome(2, last: #"{"objectId":9}"#) == .pushed([true, false]), note)
    for results in [0, 1, 3] {
      guard case .failed = try outcome(results) else { throw Problem("\(results); \(note)") }
    }
  }

  @Test func `Rows of another device, of no kind or number, and repeated ones are none`() throws {
    let rows = [
      Self.row(5, ["Desti": "8", "Classe": "read", "Ordre": 9]), Self.row(6, ["Desti": NSNull()]),
      Self.row(7, ["Desti": 7]), Self.row(8, ["Classe": "shutdown"]), Self.row(9, ["Classe": 3]),
      Self.row(0), Self.row(-1), Self.row(1 << 32), Self.row(10, ["Numero": "x"]),
      Self.row(11, ["OBJECTID": NSNull()]), Self.row(12), Self.row(12, ["Text": "again"]),
      "{}", "7", "null", "{\"attributes\":[]}",
    ]
    #expect(try texts(Self.answer(rows))?.count == 1, note)
    let odd: [String: Any] = ["Creat": 9e30, "Ordre": -4, "Text": 7, "Autor": NSNull()]
    guard case .fetched(let messages) = try outcome(Self.answer([Self.row(5, odd)])) else {
      throw Problem("not fetched")
    }
    #expect(messages.first?.created == nil && messages.first?.sequence == nil, note)
    let far = [Int64.min, .max, -1].map { Self.row(5, ["Creat": $0]) }
    for row in far {
      guard case .fetched(let messages) = try outcome(Self.answer([row])) else {
        throw Problem(row)
      }
      #expect(messages.first?.created == nil, "\(row); \(note)")
    }
  }

  @Test func `Nothing that a terminal acts on comes through`() throws {
    let evil = "\u{1B}]0;x\u{7}\u{9B}31m\r\n\u{202E}" + String(repeating: "é", count: 600)
    let reply = Self.answer([Self.row(5, ["Text": evil, "Autor": evil])])
    guard case .fetched(let messages) = try outcome(reply) else { throw Problem("not fetched") }
    #expect(messages.first?.text.hasPrefix(" ]0;x  31m   éé") == true, note)
    #expect(messages.first?.text.unicodeScalars.count == 500, note)
    #expect(messages.first?.author.unicodeScalars.count == 100, note)
  }

  @Test
  func `A page, a redirect, an error and a cut answer are no answer, and the next asks again`()
    throws
  {
    let replies: [(HTTPReply, Int32)] = [
      (.json("<!DOCTYPE html><html></html>"), 0), (.json(""), 0), (.json("[]"), 0),
      (.json("{\"features\":[{\"attributes\":{\"Desti\":\"7\""), 0), (.json("{}"), 0),
      (.json("{\"features\":7}"), 0), (.lost, 0), (.unreachable, 0), (.stalled, 0),
      (.response(status: 302, headers: [], body: []), 0),
      (.response(status: 404, headers: [], body: Array("<html>".utf8)), 404),
      (.json("", status: 503), 503), (.json(#"{"error":{"code":500}}"#), 500),
    ]
    for (reply, status) in replies {
      var dialogue = try Self.dialogue()
      for _ in 0..<3 {
        #expect(dialogue.fetch(Self.question, at: now).request != nil, "\(reply); \(note)")
        #expect(
          try mail(dialogue.receive(reply, at: now)) == .failed(status: status),
          "\(reply); \(note)")
      }
      _ = dialogue.fetch(Self.question, at: now)
      let good = try mail(dialogue.receive(Self.answer([Self.row(5)]), at: now))
      guard case .fetched(let messages) = good else { throw Problem("\(reply): \(good)") }
      #expect(messages.count == 1, "\(reply); \(note)")
    }
  }

  @Test func `Only the server's own word, said twice, means that it has no such table`() throws {
    for code in [400, 404] {
      let refusal = HTTPReply.json(#"{"error":{"code":\#(code),"message":"Layer not found"}}"#)
      var dialogue = try Self.dialogue()
      _ = dialogue.fetch(Self.question, at: now)
      #expect(
        try mail(dialogue.receive(refusal, at: now)) == .failed(status: Int32(code)), note)
      _ = dialogue.fetch(Self.question, at: now)
      #expect(try mail(dialogue.receive(refusal, at: now)) == .unsupported, note)
    }
  }

  @Test func `Ten thousand rows and a megabyte of text lose nothing: fewer are asked for`() throws {
    var dialogue = try Self.dialogue()
    let many = Self.answer((1...10_000).map { Self.row($0) })
    let long = Self.answer([Self.row(5, ["Text": String(repeating: "x", count: 1 << 20)])])
    var asked: [String?] = []
    for reply in [many, long, many, many] {
      asked.append(dialogue.fetch(Self.question, at: now).request?.form["resultRecordCount"])
      #expect(try mail(dialogue.receive(reply, at: now)) == .failed(status: 0), note)
    }
    #expect(asked == ["20", "5", "1", "1"], note)
    // A server that heeds it is heard, and asked for more each time, up to what fits.
    asked = []
    var rows = 1
    for answered in [1, 2, 4, 8, 16, 20, nil, 5, 3] {
      asked.append(dialogue.fetch(Self.question, at: now).request?.form["resultRecordCount"])
      let reply = answered.map { Self.answer((rows..<rows + $0).map { Self.row($0) }) } ?? many
      rows += answered ?? 0
      _ = try mail(dialogue.receive(reply, at: now))
    }
    asked.append(dialogue.fetch(Self.question, at: now).request?.form["resultRecordCount"])
    #expect(asked == ["1", "2", "4", "8", "16", "20", "20", "5", "10", "20"], note)
    // Of a server that gives more than it was asked for the newest count.
    let more = Self.answer((1...30).map { Self.row($0, ["Autor": ""]) })
    #expect(try texts(more)?.first == "t11" && texts(more)?.count == 20, note)
  }

  @Test func `A token that has ended is renewed once`() throws {
    let user = ArcGISCredentials.user(name: "camp", password: Secret("p"), tokenURL: nil)
    var dialogue = try Self.dialogue(.next, code: "7", user)
    #expect(dialogue.fetch(Self.question, at: now).request?.operation == "generateToken", note)
    let token = HTTPReply.json(#"{"token":"AB","expires":\#((now + .hours(1)).milliseconds)}"#)
    #expect(dialogue.receive(token, at: now).request?.form["token"] == "AB", note)
    let expired = HTTPReply.json(#"{"error":{"code":498,"message":"Invalid token"}}"#)
    #expect(dialogue.receive(expired, at: now).request?.operation == "generateToken", note)
    #expect(dialogue.receive(token, at: now).request?.operation == "query", note)
    #expect(try mail(dialogue.receive(expired, at: now)) == .failed(status: 401), note)
  }

  @Test func `Every beginning of an answer is survived`() throws {
    guard case .response(_, _, let body) = Self.answer([Self.row(5), Self.row(6)]) else { return }
    for length in body.indices {
      let cut = HTTPReply.response(status: 200, headers: [], body: Array(body[..<length]))
      #expect(try outcome(cut) == .failed(status: 0), "\(length) bytes; \(note)")
    }
  }
}

extension HTTPRequest {
  /// The fields of the form in its body.
  fileprivate var form: [String: String] {
    var fields: [String: String] = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1).map {
        String($0).replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      if pair.count == 2 { fields[pair[0]] = pair[1] }
    }
    return fields
  }
}
