import Foundation
import Testing
import TrackerCore

@testable import Uplink

/// A layer with the capability `Create` alone: it takes captures and shows none.
@Suite struct DropBoxTests {
  static func layer(_ extra: String = "") -> String {
    Sample.layer(extra).replacing("Create,Query", with: "Create")
  }

  static func upload(_ captures: [OutgoingCapture]) -> UplinkTask {
    .upload(captures, nextContactBy: nil)
  }

  static let taken = #"{"addResults":[{"success":false,"error":{"code":1022,"description":"x"}}]}"#

  @Test func `It gets captures without being asked, though they were sent before`() throws {
    var dialogue = try Sample.ready(Self.layer())
    let captures = Sample.captures(1...2, wereSent: true)
    #expect(
      dialogue.begin(Self.upload(captures), at: Sample.now).request?.operation == "addFeatures")
    let step = dialogue.receive(.json(Sample.added(captures)), at: Sample.now)
    #expect(step.result?.acknowledged == captures.map(\.key), "\(repeating)")
    #expect(dialogue.mayRepeat && !dialogue.canReconcile)
  }

  @Test func `Asked what it has it confirms nothing and denies nothing`() throws {
    var dialogue = try Sample.ready(Self.layer())
    let captures = Sample.captures(1...2, wereSent: true)
    let result = dialogue.begin(.reconcile(captures), at: Sample.now).result
    #expect(result?.outcome == .reconcile(.settled(confirmed: 0)), "\(repeating)")
    #expect(result?.acknowledged == [] && result?.doubtful == captures.map(\.key))
  }

  @Test func `A GlobalID that it has already is delivered only if it was sent before`() throws {
    for wasSent in [false, true] {
      var dialogue = try Sample.ready(Self.layer(Sample.globalIDs))
      let captures = Sample.captures(1...1, wereSent: wasSent)
      _ = dialogue.begin(Self.upload(captures), at: Sample.now)
      let result = try #require(dialogue.receive(.json(Self.taken), at: Sample.now).result)
      #expect(result.acknowledged == (wasSent ? captures.map(\.key) : []), "\(repeating)")
      #expect(result.found == result.acknowledged)
      #expect(result.refused.map(\.code) == (wasSent ? [] : [1022]))
    }
  }

  @Test func `A refusal of the whole request ends without a question`() throws {
    var dialogue = try Sample.ready(Self.layer())
    let captures = Sample.captures(1...1)
    _ = dialogue.begin(Self.upload(captures), at: Sample.now)
    let answer = #"{"error":{"code":400,"message":"no"}}"#
    let result = try #require(dialogue.receive(.json(answer), at: Sample.now).result)
    #expect(
      result.outcome == .upload(.refused(code: 400, first: captures[0].key, count: 1)),
      "\(result); \(repeating)")
  }

  @Test func `A wait in the header counts where the error is in the body`() throws {
    var dialogue = try Sample.ready(Sample.layer())
    _ = dialogue.begin(Self.upload(Sample.captures(1...1)), at: Sample.now)
    let body = Array(#"{"error":{"code":429,"message":"Too many requests."}}"#.utf8)
    let reply = HTTPReply.response(
      status: 200, headers: [HTTPHeader("Retry-After", "60")], body: body)
    let result = try #require(dialogue.receive(reply, at: Sample.now).result)
    #expect(
      result.outcome == .upload(.busy(status: 429, retryAfter: .seconds(60))),
      "\(result); \(repeating)")
  }
}

/// Dates in the kinds of field that newer layers have.
@Suite struct NewerDateTests {
  static func layer(_ kind: String, _ extra: String = "") -> String {
    Sample.layer(extra).replacing("esriFieldTypeDate", with: "esriFieldType\(kind)")
  }

  static func sent(_ layer: String, _ change: (inout OutgoingCapture) -> Void = { _ in }) throws
    -> String
  {
    var dialogue = try Sample.ready(layer)
    var captures = Sample.captures(1...1)
    change(&captures[0])
    let task = UplinkTask.upload(captures, nextContactBy: nil)
    let form = try #require(dialogue.begin(task, at: Sample.now).request).text
    return form.replacing("+", with: " ").removingPercentEncoding ?? form
  }

  @Test func `They are written as the layer takes them`() throws {
    for (kind, text) in [
      ("TimestampOffset", #""Entrada":"2026-11-18T10:50:00.120+00:00""#),
      ("DateOnly", #""Entrada":"2026-11-18""#), ("Date", #""Entrada":1794999000120"#),
    ] {
      let form = try Self.sent(Self.layer(kind))
      #expect(form.contains(text), "\(kind): \(form); \(repeating)")
    }
  }

  @Test func `An untrusted date is null, or 1970 where the layer takes no null`() throws {
    for (kind, text) in [
      ("TimestampOffset", "1970-01-01T00:00:00.000+00:00"), ("DateOnly", "1970-01-01"),
    ] {
      let layer = Self.layer(kind)
      let form = try Self.sent(layer) { $0.capture.isTimeTrusted = false }
      #expect(form.contains(#""Entrada":null"#), "\(form); \(repeating)")
      let strict = layer.replacing(
        #"\#(kind)","nullable":true"#, with: #"\#(kind)","nullable":false"#)
      let first = try Self.sent(strict) { $0.capture.isTimeTrusted = false }
      #expect(first.contains(#""Entrada":"\#(text)""#), "\(first); \(repeating)")
    }
  }

  static func verdict(_ kind: String, _ value: String) throws -> UplinkResult {
    var dialogue = try Sample.ready(Self.layer(kind))
    let captures = Sample.captures(1...1, wereSent: true)
    _ = dialogue.begin(.reconcile(captures), at: Sample.now)
    let row = Sample.found(captures).replacing("1794999000120", with: "\"\(value)\"")
    return try #require(dialogue.receive(.json(row), at: Sample.now).result)
  }

  @Test func `They distinguish rows`() throws {
    for (kind, value, isOurs) in [
      ("TimestampOffset", "2026-11-18T10:50:00.120+00:00", true),
      ("TimestampOffset", "2026-11-18T11:50:00+01:00", true),
      ("TimestampOffset", "2026-11-18T10:50:00Z", true),
      ("TimestampOffset", "2026-11-18T10:50:00.120-01:00", false),
      ("TimestampOffset", "2026-11-18T10:50:09.120+00:00", false),
      ("DateOnly", "2026-11-18", true), ("DateOnly", "2026-11-17", false),
    ] {
      let result = try Self.verdict(kind, value)
      #expect(result.acknowledged.count == (isOurs ? 1 : 0), "\(value): \(result); \(repeating)")
    }
  }

  @Test(arguments: [
    "", "2026-11-18", "2026-11-18T10:50:00", "2026-13-18T10:50:00Z", "2026-11-18T10:50:00+1",
    "2026-11-18T10:50:00+99:00", "2026-11-18T10:50:00.éZ", "２026-11-18T10:50:00Z",
  ])
  func `Anything but a date with an offset is refused`(_ text: String) {
    #expect(HTTPDate.parse(iso8601: text) == nil, "\(repeating)")
  }
}
