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
    _ fault: Dimension.Fault, _ text: String, _ dimension: Dimension
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
