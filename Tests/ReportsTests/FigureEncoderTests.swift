import Testing
import Wording

/// Values as figures.
@Suite struct FigureEncoderTests {
  private let again: Comment = "repeat with: swift test --filter FigureEncoderTests"

  private struct Measured<Value: Encodable>: Encodable {
    var value: Value
  }

  private class Base: Encodable {
    let name = "a"
    let number = 1

    private enum CodingKeys: CodingKey { case name, number }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(number, forKey: .number)
    }
  }

  /// Its own members stand beside the superclass's, one of which it replaces.
  private final class Derived: Base {
    private enum CodingKeys: CodingKey { case extra, number, list, nested }
    private enum NestedKeys: CodingKey { case one, two }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(2, forKey: .number)
      try container.encode(3, forKey: .extra)
      for key in [NestedKeys.one, .two] {
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(key.stringValue)
        var nested = container.nestedContainer(keyedBy: NestedKeys.self, forKey: .nested)
        try nested.encode(list.count, forKey: key)
      }
      try super.encode(to: container.superEncoder())
    }
  }

  @Test func `A class and its superclass share a container, and what comes first stays`() throws {
    let members = #""name": "a", "number": 2, "extra": 3, "list": ["one", "two"], "#
    let rest = #""nested": {"one": 1, "two": 2}, "super": {"name": "a", "number": 1}"#
    #expect(try FigureEncoder().encode(Derived()).line == "{\(members)\(rest)}", again)
  }

  @Test func `What is refused is named by its place`() {
    let error = #expect(throws: EncodingError.self, again) {
      try FigureEncoder().encode([["a": [1.5]], ["b": [2.5]]])
    }
    guard case .invalidValue(let value, let context)? = error else { return }
    #expect(value as? Double == 1.5, again)
    #expect(context.codingPath.map(\.stringValue) == ["0", "a", "0"], again)
    #expect(context.codingPath.map(\.intValue) == [0, nil, 0], again)
  }

  @Test func `A fraction is refused, as its decimals are not known`() {
    #expect(throws: EncodingError.self, again) { try FigureEncoder().encode(1.5) }
    #expect(throws: EncodingError.self, again) {
      try FigureEncoder().encode(Measured(value: 1.5))
    }
    #expect(throws: EncodingError.self, again) {
      try FigureEncoder().encode(Measured(value: Float(1.5)))
    }
  }

  @Test func `Lists and what is missing have their places`() throws {
    let figure = try FigureEncoder().encode([Measured(value: 1), Measured<Int?>(value: nil)])
    #expect(figure.line == #"[{"value": 1}, {"value": null}]"#, again)
    #expect(try FigureEncoder().encode([Int]()).line == "[]", again)
  }
}
