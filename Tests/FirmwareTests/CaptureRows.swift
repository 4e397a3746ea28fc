/// Captures as CSV, their charges in percent apart: those follow from what the modem takes, too,
/// and that of tracker-sim takes its time where the test's answers at once, or is not there.
struct CaptureRows {
  private static let charge = 13

  /// All other columns.
  let others: [[Substring]]
  let charges: [Int]

  init(_ table: String) {
    let rows = table.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    charges = rows.map { Int($0[Self.charge]) ?? -100 }
    others = rows.map { row in row.indices.filter { $0 != Self.charge }.map { row[$0] } }
  }

  /// Whether no charge is more than 3 % from the other's; one that is missing is.
  func isCharged(as other: Self) -> Bool {
    charges.count == other.charges.count
      && zip(charges, other.charges).allSatisfy { $0 >= 0 && abs($0 - $1) <= 3 }
  }
}
