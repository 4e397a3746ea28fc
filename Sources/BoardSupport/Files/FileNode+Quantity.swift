import JSONReading
import TrackerCore
import Wording

extension FileNode {
  /// A physical quantity in the integer unit of its dimension.
  ///
  /// - Parameters:
  ///   - range: the possible values, in that unit.
  ///   - reason: the reason for the range, for errors.
  public func quantity<Number: FixedWidthInteger>(
    _ dimension: Dimension, in range: ClosedRange<Number>, _ reason: String = ""
  ) throws(FileError) -> Number {
    let example = FilePhrase.example.texts("\"\(dimension.example)\"")
    guard case .text(let text) = value else {
      if value.wholeNumber != nil { throw error(FilePhrase.noUnitNumber.texts.semicolon(example)) }
      throw error(FilePhrase.whatIsIt.texts(value.summaryTexts, example))
    }
    let amount: Int64
    do {
      amount = try dimension.parse(text)
    } catch {
      throw self.error(explanation(error, quoted(text), dimension).semicolon(example))
    }
    guard let number = Number(exactly: amount), range.contains(number) else {
      let lowest = dimension.text(Int64(clamping: range.lowerBound))
      let highest = dimension.text(Int64(clamping: range.upperBound))
      let isNegative = amount < 0 && range.lowerBound >= 0
      let what = (isNegative ? FilePhrase.negative : .outOfRange).texts(
        quoted(text), dimension.phrase.texts, lowest, highest)
      guard !reason.isEmpty else { throw error(what) }
      throw error(FilePhrase.because.texts(what, FilePhrase.reason(reason)))
    }
    return number
  }

  /// A length of time.
  public func duration(
    in range: ClosedRange<Milliseconds>, _ reason: String = ""
  ) throws(FileError) -> Milliseconds {
    let counts = range.lowerBound.count...range.upperBound.count
    return Milliseconds(try quantity(.duration, in: counts, reason))
  }

  private func explanation(
    _ fault: Dimension.QuantityError, _ text: String, _ dimension: Dimension
  ) -> Texts {
    switch fault {
    case .noNumber, .wrongUnit: FilePhrase.notOne.texts(text, dimension.phrase.texts)
    case .noUnit: FilePhrase.noUnit.texts(text)
    case .decimalComma: FilePhrase.comma.texts(text)
    case .tooFine: FilePhrase.tooFine.texts(text, dimension.text(1))
    case .tooLarge: FilePhrase.tooManyDigits.texts(text)
    }
  }
}

/// A kind of physical quantity: the units that a file may use for it, and the program's integer
/// unit.
public struct Dimension: Sendable {
  struct Unit: Sendable {
    /// The first is the one that the program writes.
    var symbols: [String]
    /// One of this unit is `factor / divisor` of the program's unit.
    var factor: Int64
    var divisor: Int64 = 1
  }

  /// As in "is not a …".
  let phrase: FilePhrase
  /// As written in a file.
  let example: String
  /// In descending order.
  let units: [Unit]

  /// Counted in microamps.
  static let current = Dimension(
    phrase: .current, example: "75 mA",
    units: [
      Unit(symbols: ["A"], factor: 1_000_000),
      Unit(symbols: ["mA"], factor: 1000),
      // Micro sign, Greek mu, and u for keyboards without either.
      Unit(symbols: ["µA", "\u{3BC}A", "uA"], factor: 1),
    ])
  /// Counted in millivolts.
  public static let voltage = Dimension(
    phrase: .voltage, example: "3.8 V",
    units: [Unit(symbols: ["V"], factor: 1000), Unit(symbols: ["mV"], factor: 1)])
  /// Counted in milliohms.
  static let resistance = Dimension(
    phrase: .resistance, example: "150 mΩ",
    units: [
      // Greek omega, the ohm sign, and a word for keyboards without either.
      Unit(symbols: ["Ω", "\u{2126}", "ohm"], factor: 1000),
      Unit(symbols: ["mΩ", "m\u{2126}", "mohm"], factor: 1),
    ])
  /// Counted in milliamp hours.
  static let charge = Dimension(
    phrase: .charge, example: "2900 mAh",
    units: [Unit(symbols: ["Ah"], factor: 1000), Unit(symbols: ["mAh"], factor: 1)])
  /// Counted in milliseconds.
  public static let duration = Dimension(
    phrase: .duration, example: "10 min",
    units: [
      Unit(symbols: ["h"], factor: 3_600_000), Unit(symbols: ["min"], factor: 60_000),
      Unit(symbols: ["s"], factor: 1000), Unit(symbols: ["ms"], factor: 1),
    ])
  /// Counted in metres.
  static let distance = Dimension(
    phrase: .distance, example: "200 m",
    units: [Unit(symbols: ["km"], factor: 1000), Unit(symbols: ["m"], factor: 1)])
  /// Counted in metres per second.
  static let speed = Dimension(
    phrase: .speed, example: "50 m/s",
    units: [
      Unit(symbols: ["m/s"], factor: 1), Unit(symbols: ["km/h"], factor: 1000, divisor: 3600),
    ])
  /// Counted in whole percent.
  public static let percentage = Dimension(
    phrase: .percentage, example: "15 %", units: [Unit(symbols: ["%"], factor: 1)])
  /// Counted in whole degrees Celsius.
  public static let temperature = Dimension(
    phrase: .temperature, example: "5 °C", units: [Unit(symbols: ["°C"], factor: 1)])
}

extension Dimension {
  /// Why a text is not valid as a quantity.
  enum QuantityError: Error, Equatable {
    case noNumber
    case noUnit
    case decimalComma
    /// The unit of another kind of quantity, or unknown.
    case wrongUnit
    /// Not a multiple of the program's unit.
    case tooFine
    case tooLarge
  }

  /// Parses a number and its unit exactly: integer arithmetic, without rounding.
  func parse(_ text: String) throws(QuantityError) -> Int64 {
    var digits = text.utf8[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    var mantissa: Int64 = 0
    var scale: Int64 = 1
    var hasDigits = false
    var isFraction = false
    while let byte = digits.first {
      if byte == UInt8(ascii: ",") && hasDigits { throw .decimalComma }
      if byte == UInt8(ascii: ".") && hasDigits && !isFraction {
        isFraction = true
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        hasDigits = true
        mantissa = try checked(mantissa.multipliedReportingOverflow(by: 10))
        mantissa = try checked(
          mantissa.addingReportingOverflow(Int64(byte - UInt8(ascii: "0"))))
        if isFraction { scale = try checked(scale.multipliedReportingOverflow(by: 10)) }
      } else {
        break
      }
      digits.removeFirst()
    }
    guard hasDigits else { throw .noNumber }
    while digits.first == UInt8(ascii: " ") { digits.removeFirst() }
    let symbol = String(Substring(digits))
    guard !symbol.isEmpty else { throw .noUnit }
    guard let unit = units.first(where: { $0.symbols.contains(symbol) }) else { throw .wrongUnit }
    let scaled = try checked(mantissa.multipliedReportingOverflow(by: unit.factor))
    let divisor = try checked(scale.multipliedReportingOverflow(by: unit.divisor))
    guard scaled.isMultiple(of: divisor) else { throw .tooFine }
    return isNegative ? -(scaled / divisor) : scaled / divisor
  }

  private func checked(
    _ result: (partialValue: Int64, overflow: Bool)
  ) throws(QuantityError) -> Int64 {
    if result.overflow { throw .tooLarge }
    return result.partialValue
  }

  /// `75 mA` for 75 000: in the largest unit that needs no decimals.
  public func text(_ value: Int64) -> String {
    for unit in units where unit.divisor == 1 {
      let isWhole = value.isMultiple(of: unit.factor) && (value != 0 || unit.factor == 1)
      if isWhole { return "\(value / unit.factor) \(unit.symbols[0])" }
    }
    return "\(value)"
  }
}

extension Dimension {
  /// A number and its unit, in the program's unit; `nil` if the text is not one of this kind.
  public func amount(_ text: String) -> Int64? { try? parse(text) }
}
