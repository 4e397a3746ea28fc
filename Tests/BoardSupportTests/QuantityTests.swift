import Testing

@testable import BoardSupport

/// Named vectors first: what is valid and to what it comes, what is not and why.
@Suite("Quantities are exact")
struct QuantityTests {
  struct Valid: Sendable {
    var dimension: Dimension
    var text: String
    var value: Int64

    init(_ dimension: Dimension, _ text: String, _ value: Int64) {
      self.dimension = dimension
      self.text = text
      self.value = value
    }
  }

  static let valid: [Valid] = [
    Valid(.current, "75 mA", 75_000), Valid(.current, "20 µA", 20), Valid(.current, "20 uA", 20),
    Valid(.current, "20 \u{3BC}A", 20), Valid(.current, "0.1 A", 100_000),
    Valid(.current, "17.5 mA", 17_500), Valid(.current, "46.500000 mA", 46_500),
    Valid(.current, "75mA", 75_000), Valid(.current, "0 A", 0),
    Valid(.current, "-5 mA", -5000), Valid(.voltage, "3.8 V", 3800),
    Valid(.voltage, "3800 mV", 3800), Valid(.charge, "2900 mAh", 2900),
    Valid(.charge, "2.9 Ah", 2900), Valid(.duration, "180 ms", 180),
    Valid(.duration, "12 s", 12_000), Valid(.duration, "10 min", 600_000),
    Valid(.duration, "0.5 min", 30_000), Valid(.duration, "32 h", 115_200_000),
    Valid(.distance, "200 m", 200), Valid(.distance, "1.5 km", 1500),
    Valid(.speed, "50 m/s", 50), Valid(.speed, "180 km/h", 50), Valid(.speed, "3.6 km/h", 1),
    Valid(.percentage, "85 %", 85), Valid(.percentage, "85%", 85),
    Valid(.temperature, "5 °C", 5), Valid(.temperature, "-4 °C", -4),
    // What a Double would round: 0.1 + 0.2, and 53 bits and more.
    Valid(.current, "0.3 A", 300_000),
    Valid(.current, "9007199254740993 uA", 9_007_199_254_740_993),
    Valid(.current, "9223372036854775807 uA", .max),
  ]

  @Test("reads", arguments: valid)
  func reads(_ vector: Valid) throws {
    #expect(
      try vector.dimension.parse(vector.text) == vector.value,
      "swift test --filter QuantityTests/reads: \(vector.text)")
  }

  struct Invalid: Sendable {
    var dimension: Dimension
    var text: String
    var fault: Dimension.QuantityError

    init(_ dimension: Dimension, _ text: String, _ fault: Dimension.QuantityError) {
      self.dimension = dimension
      self.text = text
      self.fault = fault
    }
  }

  static let invalid: [Invalid] = [
    Invalid(.current, "75 mV", .wrongUnit), Invalid(.current, "75 MA", .wrongUnit),
    Invalid(.current, "75", .noUnit), Invalid(.current, "75 ", .noUnit),
    Invalid(.current, "", .noNumber), Invalid(.current, "mA", .noNumber),
    Invalid(.current, "-", .noNumber), Invalid(.current, "+5 mA", .noNumber),
    Invalid(.current, ".5 mA", .noNumber), Invalid(.current, " 5 mA", .noNumber),
    Invalid(.current, "1.2.3 mA", .wrongUnit), Invalid(.current, "1e3 mA", .wrongUnit),
    Invalid(.current, "0,5 A", .decimalComma), Invalid(.current, "0.5 µA", .tooFine),
    Invalid(.voltage, "3.8005 V", .tooFine), Invalid(.speed, "100 km/h", .tooFine),
    Invalid(.percentage, "87.5 %", .tooFine), Invalid(.temperature, "5 C", .wrongUnit),
    Invalid(.current, "9223372036854775808 uA", .tooLarge),
    Invalid(.current, "9223372036854775807 A", .tooLarge),
    Invalid(.current, "0.00000000000000000000000001 A", .tooLarge),
  ]

  @Test("refuses", arguments: invalid)
  func refuses(_ vector: Invalid) {
    #expect(throws: vector.fault, "swift test --filter QuantityTests/refuses: \(vector.text)") {
      try vector.dimension.parse(vector.text)
    }
  }

  @Test("are written in the largest unit that needs no decimals")
  func written() {
    #expect(Dimension.current.text(75_000) == "75 mA")
    #expect(Dimension.current.text(20_000_000) == "20 A")
    #expect(Dimension.current.text(0) == "0 µA")
    #expect(Dimension.duration.text(90_000) == "90 s")
    #expect(Dimension.speed.text(50) == "50 m/s")
    #expect(Dimension.temperature.text(-40) == "-40 °C")
  }
}
