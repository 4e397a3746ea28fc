import Foundation
import Testing

@testable import JSONReading

/// Foundation's decoder is the model: ours decodes JSON to the same.
@Suite struct JSONDecoderTests {
  static let repeating: Comment = "repeat with: swift test --filter JSONDecoderTests"

  struct Everything: Decodable, Equatable {
    struct Inner: Decodable, Equatable {
      var name: String
      var numbers: [Double]
    }
    var whole: Int64?
    var small: Int8?
    var real: Double?
    var flag: Bool?
    var text: String?
    var inner: Inner?
    var list: [Inner?]?
    var map: [String: Int]?
    var place: [[Double]]?
  }

  static let sample = """
    {"whole": -12, "small": 127, "real": 1.25, "flag": true, "text": "Olot \\u00e9 \\"x\\"",
     "inner": {"name": "a", "numbers": [1, 2.5, -3e2]},
     "list": [{"name": "b", "numbers": []}, null],
     "map": {"a": 1, "b": 2}, "place": [[2.5, 42.1, 440], [2.6, 42.2]], "more": [1, {"x": null}]}
    """

  private static func both(_ text: [UInt8]) -> (ours: Everything?, theirs: Everything?) {
    (
      try? JSONReading.JSONDecoder().decode(Everything.self, from: text),
      try? Foundation.JSONDecoder().decode(Everything.self, from: Data(text))
    )
  }

  @Test func `The sample is decoded as Foundation does`() {
    let (ours, theirs) = Self.both(Array(Self.sample.utf8))
    #expect(ours != nil && ours == theirs, Self.repeating)
  }

  @Test(arguments: [
    #"{"whole": 1.0}"#, #"{"whole": 1e3}"#, #"{"whole": 1.5}"#, #"{"whole": "1"}"#,
    #"{"whole": 9223372036854775807}"#, #"{"whole": 9223372036854775808}"#, #"{"small": 128}"#,
    #"{"small": -128}"#, #"{"real": 1}"#, #"{"real": true}"#, #"{"flag": 1}"#, #"{"flag": null}"#,
    #"{"text": 5}"#, #"{"inner": {}}"#, #"{"inner": []}"#, #"{"list": [{}]}"#, #"{"list": [1]}"#,
    #"{"map": {"a": "1"}}"#, #"{"place": [[1], []]}"#, #"{"place": [1]}"#, "[]", "null", "",
    #"{"whole": 1, "whole": 2}"#, #"{"real": 1E400}"#,
  ])
  func `A value of another type is one for both or for neither`(_ text: String) {
    let (ours, theirs) = Self.both(Array(text.utf8))
    #expect(ours == theirs, "\(text); \(Self.repeating)")
  }

  /// Foundation's decoder does not look at what it does not decode: its strict reader does.
  @Test func `Of 20 000 mutations each is decoded alike or refused by both`() {
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let sample = Array(Self.sample.utf8)
    let pieces = "{}[],:\"\\u0e+-.019 /ntf".utf8.map { $0 }
    var decoded = 0
    for _ in 0..<20_000 {
      var text = sample
      for _ in 0...random(3) {
        let place = random(text.count)
        switch random(3) {
        case 0: text.remove(at: place)
        case 1: text.insert(pieces[random(pieces.count)], at: place)
        default: text[place] = pieces[random(pieces.count)]
        }
      }
      let ours: Everything?
      var theirs: Everything?
      (ours, theirs) = Self.both(text)
      if ours != nil { decoded += 1 }
      if (try? JSONSerialization.jsonObject(with: Data(text))) == nil { theirs = nil }
      #expect(ours == theirs, "\(String(decoding: text, as: UTF8.self)); \(Self.repeating)")
    }
    #expect(decoded > 1000, "too few remain JSON to compare; \(Self.repeating)")
  }

  @Test func `An error has the way to the value`() {
    let text = Array(#"{"list": [{"name": "a", "numbers": [1, "2"]}]}"#.utf8)
    let error = #expect(throws: DecodingError.self, Self.repeating) {
      try JSONReading.JSONDecoder().decode(Everything.self, from: text)
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(String(describing: error)); \(Self.repeating)")
      return
    }
    #expect(
      context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue } == [
        "list", "[0]", "numbers", "[1]",
      ], Self.repeating)
  }
}
