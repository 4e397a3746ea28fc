import BoardSupport

/// A number from a file in sysfs, exact to nine decimals.
struct SensorNumber: Equatable {
  /// Counted in billionths.
  let billionths: Int64

  static let zero = SensorNumber(billionths: 0)
  static let one = SensorNumber(billionths: 1_000_000_000)

  private init(billionths: Int64) { self.billionths = billionths }

  /// Reads `2047`, `-3` or `0.187500000`; `nil` for anything else, and beyond nine billions.
  init?(_ text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isNumber, let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
    // Further decimals are cut off.
    let decimals = parts.count > 1 ? parts[1].prefix(9) : ""
    let zeros = String(repeating: "0", count: 9 - decimals.count)
    guard let fraction = Int64(decimals + zeros) else { return nil }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumTooLarge) = product.addingReportingOverflow(fraction)
    if isTooLarge || isSumTooLarge { return nil }
    billionths = text.hasPrefix("-") ? -sum : sum
  }

  /// The nearest whole number of units of `1 / divisor`; `nil` if it does not fit.
  func rounded(dividedBy divisor: Int128 = 1) -> Int32? {
    Int32(exactly: Self.divide(Int128(billionths), by: divisor * 1_000_000_000))
  }

  /// `(self + offset) * scale * ratio` (sysfs-bus-iio: millivolts), rounded; `nil` if it does not
  /// fit.
  func scaled(by scale: SensorNumber, offset: SensorNumber, _ ratio: Ratio) -> Int32? {
    let sum = Int128(billionths) + Int128(offset.billionths)
    let (scaled, isTooLarge) = sum.multipliedReportingOverflow(by: Int128(scale.billionths))
    let (product, isProductTooLarge) = scaled.multipliedReportingOverflow(
      by: Int128(ratio.numerator))
    if isTooLarge || isProductTooLarge { return nil }
    let divisor = Int128(1_000_000_000) * 1_000_000_000 * Int128(ratio.denominator)
    return Int32(exactly: Self.divide(product, by: divisor))
  }

  /// Rounds half away from zero.
  private static func divide(_ dividend: Int128, by divisor: Int128) -> Int128 {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard rest.magnitude >= divisor.magnitude - rest.magnitude else { return quotient }
    return quotient + (dividend < 0 ? -1 : 1)
  }
}
