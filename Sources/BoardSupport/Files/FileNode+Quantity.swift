import TrackerCore

extension FileNode {
  /// A physical quantity in the integer unit of its dimension.
  ///
  /// - Parameters:
  ///   - range: the possible values, in that unit.
  ///   - reason: the reason for the range, for errors.
  public func quantity<Number: FixedWidthInteger>(
    _ dimension: Dimension, in range: ClosedRange<Number>, _ reason: String = ""
  ) throws(FileError) -> Number {
    let example = "write for example \"\(dimension.example)\""
    guard case .text(let text) = value else {
      if case .integer = value { throw error("is a number without a unit; \(example)") }
      throw error("is \(value.summary); \(example)")
    }
    let amount: Int64
    do {
      amount = try dimension.parse(text)
    } catch {
      throw self.error("\(quoted(text)) \(explanation(error, dimension)); \(example)")
    }
    guard let number = Number(exactly: amount), range.contains(number) else {
      let lowest = dimension.text(Int64(clamping: range.lowerBound))
      let highest = dimension.text(Int64(clamping: range.upperBound))
      let what = amount < 0 && range.lowerBound >= 0 ? "is negative" : "is out of range"
      throw error(
        "\(quoted(text)) \(what); write a \(dimension.name) from \(lowest) to \(highest)"
          + because(reason))
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

  private func explanation(_ fault: Dimension.Fault, _ dimension: Dimension) -> String {
    switch fault {
    case .noNumber, .wrongUnit: "is not a \(dimension.name)"
    case .noUnit: "has no unit"
    case .decimalComma: "has a comma instead of a decimal point"
    case .tooFine: "has more digits than the program's unit (\(dimension.text(1)))"
    case .tooLarge: "has too many digits"
    }
  }
}
