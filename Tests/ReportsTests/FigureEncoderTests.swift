import Testing
import Wording

/// Values as figures.
@Suite struct FigureEncoderTests {
  private let again: Comment = "repeat with: swift test --filter FigureEncoderTests"

  private struct Measured<Value: Encodable>: Encodable {
    var value: Value
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
