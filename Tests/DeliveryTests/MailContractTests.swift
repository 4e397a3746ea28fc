import Foundation
import Notes
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// Messages to a tracker, as its dialogue gets them from the simulator's server and from the real
/// basecamp, over a socket.
@Suite(.blocking) struct MailContractTests {
  private static let again: Comment = "repeat with: swift test --filter MailContractTests"
  private static let device = UniqueID(high: 7, low: 9)
  private static let table = "/arcgis/rest/services/TrailWalker/FeatureServer/1"

  private let pair: SimulatedServerTests.Pair
  private var dialogue: ArcGISDialogue

  /// Both know the tracker `7`, and have written to it and to another one.
  init() throws {
    pair = try SimulatedServerTests.Pair(takesGlobalIDs: true)
    dialogue = try SimulatedServer.dialogue(code: "7")
    for (code, text) in [("8", "not for 7"), ("7", "wait at the bridge"), ("7", "help \u{E8} 山")] {
      var own = try SimulatedServer.dialogue(code: code)
      let number: ClosedRange<UInt32> = code == "7" ? 1...2 : 3...3
      _ = try pair.hold(
        .upload(SimulatedServerTests.captures(number, wereSent: true), nextContactBy: nil), &own)
      try pair.simulated.send(text, to: code, by: "Marta", at: Walk.start)
      let form = text.replacing(" ", with: "+")
      let answer = try room("tracker=\(code)&text=\(form)&by=Marta", method: .post)
      #expect(answer["error"] == nil, "\(answer); \(Self.again)")
    }
  }

  /// What the room says of messages.
  private func room(_ form: String, method: HTTPMethod) throws -> [String: Any] {
    let layer = pair.camp.layer
    let site = layer[..<(layer.range(of: "/arcgis")?.lowerBound ?? layer.endIndex)]
    let isPost = method == .post
    let request = HTTPRequest(
      method: method, url: "\(site)/room/messages" + (isPost ? "" : "?\(form)"),
      headers: isPost ? [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")] : [],
      body: isPost ? Array(form.utf8) : [])
    guard case .response(_, _, let body) = pair.sender.perform(request).reply else {
      throw Problem("no answer of the room")
    }
    return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
  }

  /// Leads the dialogue with both servers, and finds that they answer alike but for when the
  /// messages were written.
  private mutating func hold(
    _ begin: (inout ArcGISDialogue) -> UplinkStep
  ) throws -> MailOutcome {
    let outcome = try outcome(begin)
    guard case .mail(let mail) = outcome else { throw Problem("\(outcome)") }
    return mail
  }

  private mutating func outcome(
    _ begin: (inout ArcGISDialogue) -> UplinkStep
  ) throws -> UplinkOutcome {
    var step = begin(&dialogue)
    while case .send(let request) = step {
      let tail = request.url.dropFirst(SimulatedServer.layerAddress.utf8.count - 1)
      let replies = try send(request, to: String(tail))
      var other = dialogue
      step = dialogue.receive(replies.simulated, at: Walk.start)
      let real = other.receive(replies.real, at: Walk.start)
      guard case .done(let mine) = step, case .done(let theirs) = real else {
        #expect(step == real, Self.again)
        continue
      }
      #expect(Self.undated(mine.outcome) == Self.undated(theirs.outcome), Self.again)
    }
    guard case .done(let result) = step else { throw Problem("\(step)") }
    return result.outcome
  }

  private static func undated(_ outcome: UplinkOutcome) -> UplinkOutcome {
    guard case .mail(.fetched(let messages)) = outcome else { return outcome }
    return .mail(
      .fetched(
        messages.map {
          var message = $0
          #expect(message.created != nil, again)
          (message.created, message.expires) = (nil, nil)
          return message
        }))
  }

  /// - Parameter tail: `1/query`.
  private func send(
    _ request: HTTPRequest, to tail: String
  ) throws -> (real: HTTPReply, simulated: HTTPReply) {
    var request = request
    let base = SimulatedServer.layerAddress.dropLast()
    request.url = base + tail
    let simulated = HTTPReply(pair.simulated.answer(request))
    request.url = pair.camp.layer.dropLast() + tail
    return (pair.sender.perform(request).reply, simulated)
  }

  private func question(after number: UInt32) -> MailQuestion {
    MailQuestion(device: Self.device, after: number)
  }

  private mutating func fetch(after number: UInt32) throws -> [ServedMessage] {
    let outcome = try hold {
      $0.fetch(MailQuestion(device: Self.device, after: number), at: Walk.start)
    }
    guard case .fetched(let messages) = outcome else { throw Problem("\(outcome)") }
    return messages
  }

  @Test mutating func `A tracker gets its own messages, confirms them, and gets them no more`()
    throws
  {
    let all = try fetch(after: 0)
    #expect(all.map(\.text) == ["wait at the bridge", "help \u{E8} 山"], Self.again)
    #expect(all.map(\.number) == [1, 2] && all.map(\.author) == ["Marta", "Marta"], Self.again)
    // The answer was lost before the tracker kept them, or its confirmation was.
    #expect(try fetch(after: 2).map(\.number) == [1, 2], Self.again)
    let first = Array(all.prefix(1))
    #expect(
      try hold {
        $0.confirm(first.compactMap { MailConfirmation($0) }, to: Self.device, at: Walk.start)
      } == .confirmed, Self.again)
    #expect(try fetch(after: 2).map(\.number) == [2], Self.again)
    // Somebody else has confirmed what this tracker does not have: it gets it all the same.
    #expect(try fetch(after: 0).map(\.number) == [1, 2], Self.again)
    #expect(
      try hold {
        $0.confirm(all.compactMap { MailConfirmation($0) }, to: Self.device, at: Walk.start)
      } == .confirmed, Self.again)
    #expect(try fetch(after: 2).isEmpty, Self.again)
    let mail = try room("tracker=7", method: .get)["messages"]
    let fetched = (mail as? [[String: Any]] ?? []).map { $0["fetched"] is String }
    #expect(fetched == [true, true], "the room knows; \(Self.again)")
  }

  @Test mutating func `An order is left out for as long as both know what the tracker says`() throws
  {
    try pair.simulated.order(
      "call", of: "7", by: "Marta", until: Walk.start + .hours(2), at: Walk.start)
    let answer = try room("tracker=7&order=1&text=call&by=Marta", method: .post)
    #expect(answer["error"] == nil, "\(answer); \(Self.again)")
    let order = try #require(try fetch(after: 2).last)
    #expect(order.kind == .order && order.result == "", Self.again)
    func numbers(without exceptions: [ToldOrder]) throws -> [UInt32] {
      var question = question(after: 3)
      question.exceptions = exceptions
      let outcome = try hold { $0.fetch(question, at: Walk.start) }
      guard case .fetched(let messages) = outcome else { throw Problem("\(outcome)") }
      return messages.map(\.number)
    }
    #expect(ToldOrder(order, outcome: nil, progress: nil) == nil, Self.again)
    let progress = "at most 1 position, it's 50 %"
    _ = try hold {
      let told = MailConfirmation(order, progress: progress)
      return $0.confirm([told].compactMap { $0 }, to: Self.device, at: Walk.start)
    }
    let open = try #require(try fetch(after: 2).last)
    #expect(ToldOrder(open, outcome: "in force", progress: progress) == nil, Self.again)
    let told = try #require(ToldOrder(open, outcome: nil, progress: progress))
    var older = told
    older.result = "fetched"
    var other = told
    other.number = 1
    #expect(try numbers(without: [older, other]) == [1, 2, 3], Self.again)
    #expect(try numbers(without: [older, told]) == [1, 2], Self.again)
  }

  @Test mutating func `Notes go up to both alike, each once, and come back as they were`() throws {
    var book = Notebook()
    let writer = Self.device.lowercaseText
    let text = "\u{22}bateria\u{22} & 山 \u{1F50B}"
    let first = try book.change(
      .add(text: text, category: "equipment"), by: writer, author: "anna@ttyS0", at: Walk.start)
    let gone = try book.change(.delete(first.note), by: writer, author: "", at: nil)
    let versions = [first, gone]
    let pull = NoteTask.pull(device: Self.device, above: 0, known: nil)
    func exchange(_ task: NoteTask) throws -> UplinkOutcome {
      try outcome { $0.exchange(task, at: Walk.start) }
    }
    let empty = NoteOutcome.pulled([], last: 0, isAll: true)
    #expect(try exchange(pull) == .notes(empty), Self.again)
    let push = NoteTask.push(versions, device: Self.device)
    for _ in 1...2 { #expect(try exchange(push) == .notes(.pushed([true, true])), Self.again) }
    let served = [1, 2].map { ServedNote(object: $0, version: versions[Int($0) - 1]) }
    #expect(
      try exchange(pull) == .notes(.pulled(served, last: 2, isAll: true)), Self.again)
    let later = NoteTask.pull(device: Self.device, above: 2, known: 1)
    let known = NoteOutcome.pulled([served[0]], last: 2, isAll: true)
    #expect(try exchange(later) == .notes(known), Self.again)
    var other = try SimulatedServer.dialogue(code: "8")
    swap(&dialogue, &other)
    #expect(try exchange(pull) == .notes(empty), "those of another team; \(Self.again)")
    var configuration = ArcGISConfiguration(
      address: try LayerAddress(SimulatedServer.layerAddress))
    configuration.notes = .number(7)
    dialogue = try ArcGISDialogue(configuration)
    #expect(try exchange(pull) == .notes(.failed(status: 400)), Self.again)
    #expect(try exchange(pull) == .notes(.unsupported), Self.again)
  }

  @Test mutating func `A layer without a table beside it has no messages`() throws {
    var configuration = ArcGISConfiguration(
      address: try LayerAddress(SimulatedServer.layerAddress))
    configuration.messages = .number(7)
    dialogue = try ArcGISDialogue(configuration)
    let question = question(after: 0)
    #expect(
      try hold { $0.fetch(question, at: Walk.start) } == .failed(status: 400), Self.again)
    #expect(try hold { $0.fetch(question, at: Walk.start) } == .unsupported, Self.again)
  }

  @Test mutating func `A forged answer for a device is refused by both`() throws {
    let read = "[{\"attributes\":{\"Desti\":\"7\",\"Classe\":\"read\",\"Ordre\":9,\"Numero\":9}}]"
    let forged = [
      ("1/addFeatures", "features=\(read)"), ("1/applyEdits", "adds=\(read)"),
      ("1/updateFeatures", "features=[{\"attributes\":{\"OBJECTID\":2,\"Classe\":\"read\"}}]"),
      ("1/applyEdits", "updates=[{\"attributes\":{\"OBJECTID\":2,\"Desti\":\"8\",\"Rebut\":1}}]"),
      ("1/applyEdits", "deletes=2"), ("1/deleteFeatures", "where=1=1"),
    ]
    for (tail, form) in forged {
      let request = HTTPRequest(
        method: .post, url: "",
        headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
        body: Array("f=json&\(form)".utf8))
      let replies = try send(request, to: tail)
      try pair.expectAlike(replies.real, replies.simulated, request)
      for reply in [replies.real, replies.simulated] {
        guard case .response(200, _, let body) = reply else { throw Problem("\(reply)") }
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("\"code\":") && !text.contains("true"), "\(tail) \(text)")
      }
    }
    let messages = try fetch(after: 0)
    #expect(messages.map(\.kind) == [.message, .message] && messages.count == 2, Self.again)
    #expect(messages.allSatisfy { !$0.isConfirmed }, Self.again)
  }
}
