import TestSupport
import Testing
import TrackerCore
import Uplink

/// Damaged answers: none traps, and none acknowledges what the server did not name.
@Suite struct AnswerFuzzTests {
  /// SplitMix64 (Steele, Lea, Flood 2014).
  struct Source {
    var state: UInt64
    mutating func below(_ limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      word ^= word >> 31
      return Int(word.multipliedFullWidth(by: UInt64(limit)).high)
    }
  }

  static let pieces = [
    "true", "false", "null", "-1", "617", "1022", "1003", "498", "504", "{", "}", "[", "]", ",",
    "\"", ":", "\\u0000", "\u{0}", "9e999", "-9223372036854775809", "\"success\"", "\"error\"",
    "\"addResults\"", "\"features\"", "\"objectId\"", "{\"code\":503}", "<html>", "💥",
  ]

  static func damage(_ text: String, _ source: inout Source) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0...source.below(3) {
      let place = source.below(bytes.count + 1)
      switch source.below(5) {
      case 0: bytes.removeSubrange(place...)
      case 1 where place < bytes.count: bytes[place] = UInt8(source.below(256))
      case 2: bytes.insert(contentsOf: pieces[source.below(pieces.count)].utf8, at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + source.below(12)))
      default:
        let other = source.below(bytes.count + 1)
        bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
      }
    }
    return bytes
  }

  static let statuses: [Int32] = [200, 200, 200, 200, 200, 201, 302, 400, 429, 500, 504, 0, .min]

  /// How often `"success":true` (or something like it) stands in an answer: more captures than that
  /// cannot have been named.
  static func claims(in body: [UInt8]) -> Int {
    let word = Array("success".utf8)
    return body.indices.filter { body[$0] == word[0] && body[$0...].starts(with: word) }.count
  }

  @Test(arguments: Share.of(Array(0..<8), atOnce: 2))
  func `Damaged answers neither trap nor acknowledge what was not named`(_ seed: Int) throws {
    var source = Source(state: UInt64(seed) + 1)
    let sent = Sample.captures(1...3)
    // Begun once: a dialogue is a value, and each round damages its own copy.
    var begun: [(ArcGISDialogue, UplinkStep)] = []
    for layer in [Sample.layer(Sample.globalIDs), Sample.layer(Sample.partial)] {
      for work in [UplinkTask.upload(sent, nextContactBy: nil), .reconcile(sent)] {
        var dialogue = try Sample.ready(layer)
        let step = dialogue.begin(work, at: Sample.now)
        begun.append((dialogue, step))
      }
    }
    var believed = 0
    for round in 0..<12_500 {
      let kind = source.below(4)
      var (dialogue, step) = begun[kind]
      let hasIDs = kind < 2
      var named = 0
      var text = ""
      for _ in 0..<6 {
        guard let request = step.request else { break }
        let isQuery = request.operation == "query"
        let body = Self.damage(
          isQuery ? Sample.found(sent) : Sample.added(sent, withGlobalIDs: hasIDs), &source)
        if isQuery { text += String(decoding: body, as: UTF8.self) }
        named += isQuery ? 0 : Self.claims(in: body)
        let status = Self.statuses[source.below(Self.statuses.count)]
        step = dialogue.receive(
          .response(status: status, headers: [], body: body), at: Sample.now)
      }
      let hint =
        "seed \(seed), round \(round); repeat with: SHARE=all swift test --filter AnswerFuzzTests"
      let result = try #require(step.result, "\(hint)")
      if result.acknowledged.isEmpty { continue }
      believed += 1
      let upper = text.uppercased()
      let found = sent.filter { upper.contains($0.id.uppercaseText) }.map(\.key)
      let unnamed = result.acknowledged.filter { !found.contains($0) }
      #expect(unnamed.count <= named, "\(hint)")
      #expect(Set(result.acknowledged).count == result.acknowledged.count, "\(hint)")
      #expect(Set(result.acknowledged).isSubset(of: [1, 2, 3]), "\(hint)")
    }
    #expect(believed > 300, "\(believed) answers acknowledged anything")
  }

  @Test func `Damaged descriptions and tokens end in a bounded number of steps`() throws {
    var source = Source(state: 99)
    for round in 0..<5000 {
      var dialogue = try Sample.dialogue(
        .user(name: "a", password: Secret("hush"), tokenURL: nil))
      var step = dialogue.begin(
        .upload(Sample.captures(1...1), nextContactBy: nil), at: Sample.now)
      var count = 0
      while let request = step.request {
        count += 1
        let good =
          request.operation == "generateToken"
          ? #"{"token":"AB","expires":1795000900000}"# : Sample.layer(Sample.globalIDs)
        step = dialogue.receive(
          .response(status: 200, headers: [], body: Self.damage(good, &source)), at: Sample.now)
        try #require(count < 40, "round \(round)")
      }
      #expect(step.result?.acknowledged == [])
    }
  }

  @Test func `Every prefix of a good answer but the whole acknowledges nothing`() throws {
    let sent = Sample.captures(1...3)
    let whole = Array(Sample.added(sent).utf8)
    for length in 0...whole.count {
      var dialogue = try Sample.ready(Sample.layer(Sample.partial))
      _ = dialogue.begin(.upload(sent, nextContactBy: nil), at: Sample.now)
      let reply = HTTPReply.response(status: 200, headers: [], body: Array(whole[..<length]))
      let result = dialogue.receive(reply, at: Sample.now).result
      if length == whole.count {
        #expect(result?.acknowledged == [1, 2, 3])
      } else {
        #expect(result?.acknowledged == [] && result?.outcome == .upload(.ambiguous))
      }
    }
  }
}
