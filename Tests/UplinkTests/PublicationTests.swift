import Testing
import TrackerCore
import Uplink

/// What is said on a broker, and what it means for the queue.
@Suite struct PublicationTests {
  let now = Sample.now
  let captures = Sample.captures(1...3)

  private func dialogue(_ word: Publication.Acknowledger = .receiver) throws -> PostingDialogue {
    PostingDialogue(
      try PostingConfiguration(format: .mqtt(user: "u", word), url: "mqtt://b.example:1883"))
  }

  private func progress(
    _ dialogue: inout PostingDialogue
  ) throws -> PublicationProgress {
    let work = UplinkTask.upload(captures, nextContactBy: nil)
    let request = try #require(dialogue.begin(work, at: now).request)
    return PublicationProgress(try #require(request.publication))
  }

  private func text(_ word: CaptureAcknowledgement) -> String {
    String(decoding: word.payload, as: UTF8.self)
  }

  @Test func `Only what was acknowledged leaves the queue, and the rest is in doubt`() throws {
    var dialogue = try dialogue()
    var progress = try progress(&dialogue)
    let isNews = progress.take(
      CaptureAcknowledgement(ids: [captures[2].id, Sample.device]).payload)
    #expect(isNews && progress.hasSome && !progress.isComplete)
    let result = try #require(dialogue.receive(progress.reply, at: now).result)
    #expect(result.acknowledged == [3] && result.doubtful == [1, 2])
    #expect(result.outcome == .upload(.ambiguous))
  }

  @Test func `A capture that is refused is set aside, beside those that are stored`() throws {
    var dialogue = try dialogue()
    var progress = try progress(&dialogue)
    var word = CaptureAcknowledgement(ids: [captures[0].id, captures[2].id])
    word.refused = [captures[1].id]
    let isNews = progress.take(word.payload)
    #expect(isNews && progress.isComplete)
    let result = try #require(dialogue.receive(progress.reply, at: now).result)
    #expect(result.acknowledged == [1, 3] && result.refused == [Refusal(key: 2, code: 400)])
    #expect(
      result.outcome
        == .upload(.answered(acknowledged: 2, refused: 1, firstRefused: 2, code: 400)))
  }

  @Test func `The broker's word counts where the settings say so, and only there`() throws {
    for (word, acknowledged) in [
      (Publication.Acknowledger.receiver, [CaptureKey]()), (.broker, [1, 2, 3]),
    ] {
      var dialogue = try dialogue(word)
      #expect(dialogue.isByBroker == (word == .broker))
      var progress = try progress(&dialogue)
      for place in 0...3 { progress.brokerTook(place) }
      #expect(progress.isComplete == (word == .broker))
      let result = try #require(dialogue.receive(progress.reply, at: now).result)
      #expect(result.acknowledged == acknowledged)
    }
  }

  @Test(arguments: [
    "", "[]", "null", "{}", #"{"_type":"ack"}"#, #"{"_type":"ack","ids":"all"}"#,
    #"{"_type":"location","ids":["306e7c1f-b321-8036-8993-8633b3211031"]}"#,
    #"{"_type":"ack","ids":[17,null,"x"],"messages":{}}"#, #"{"_type":"ack","ids":["#,
  ])
  func `What is no acknowledgement acknowledges nothing`(_ text: String) throws {
    var dialogue = try dialogue()
    var progress = try progress(&dialogue)
    let isNews = progress.take(Array(text.utf8))
    #expect(!isNews && !progress.hasSome)
    let result = try #require(dialogue.receive(progress.reply, at: now).result)
    #expect(result.acknowledged.isEmpty && result.doubtful == [1, 2, 3])
  }

  @Test func `What the room says comes with the acknowledgement, each once`() throws {
    var dialogue = try dialogue()
    var progress = try progress(&dialogue)
    var read = ServedMessage(
      object: 4, number: 4, kind: .read, text: "som amb ells", author: "Marta", created: now,
      sequence: 17)
    read.capture = captures[0].id
    var order = ServedMessage(
      object: 5, number: 5, kind: .order, text: "capture", author: "Marta", created: now)
    order.expires = now + .hours(2)
    for capture in captures {
      var word = CaptureAcknowledgement(ids: [capture.id])
      word.messages = [read, order]
      progress.take(word.payload)
    }
    _ = dialogue.receive(progress.reply, at: now)
    let fetched = dialogue.fetch(MailQuestion(device: Sample.device, after: 3), at: now).result
    #expect(fetched?.outcome == .mail(.fetched([read, order])))
  }

  @Test func `An acknowledgement in JSON`() {
    var word = CaptureAcknowledgement(ids: [captures[0].id])
    #expect(text(word) == #"{"_type":"ack","ids":["\#(captures[0].id.lowercaseText)"]}"#)
    word.ids = []
    word.refused = [captures[1].id]
    #expect(
      text(word)
        == #"{"_type":"ack","ids":[],"refused":["\#(captures[1].id.lowercaseText)"]}"#)
  }

  static let addresses: [(String, BrokerAddress.Parts?)] = [
    ("mqtt://b.example", .init("b.example", 1883, false)),
    ("MQTTS://b.example/", .init("b.example", 8883, true)),
    ("mqtts://b.example:1", .init("b.example", 1, true)),
    ("mqtt://[::1]:1884", .init("::1", 1884, false)),
    ("https://b.example", nil), ("mqtt://", nil), ("mqtt://:1883", nil), ("mqtt://b:0", nil),
    ("mqtt://b:65536", nil), ("mqtt://b:1x", nil), ("mqtt://u:p@b", nil), ("mqtt://b/race", nil),
    ("mqtt://b?x", nil), ("mqtt://b c", nil), ("mqtt://[::1", nil), ("b.example:1883", nil),
  ]

  @Test(arguments: addresses.indices)
  func `A broker's address has scheme, host and port, and nothing else`(_ index: Int) throws {
    let (text, parts) = Self.addresses[index]
    let found = try? BrokerAddress(text, hasPassword: false)
    #expect(found.map { .init($0.host, $0.port, $0.isEncrypted) } == parts, "\(text)")
  }

  @Test func `A password goes nowhere in the clear, but to this machine`() {
    #expect(throws: AddressError.self) { try BrokerAddress("mqtt://b.example", hasPassword: true) }
    for text in ["mqtt://localhost", "mqtt://127.0.0.1:1883", "mqtts://b.example"] {
      #expect(throws: Never.self) { try BrokerAddress(text, hasPassword: true) }
    }
  }
}

extension BrokerAddress {
  struct Parts: Equatable, Sendable {
    var host: String
    var port: UInt16
    var isEncrypted: Bool
    init(_ host: String, _ port: UInt16, _ isEncrypted: Bool) {
      (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    }
  }
}
