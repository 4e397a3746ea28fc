/// SQL for rows with a checksum as their last column.
enum CheckedRow {
  /// The values of a row whose columns are the parameters from 1 on.
  static func values(_ count: Int) -> String {
    let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
    return "\(places), row_checksum(\(places))"
  }

  /// Whether a row's checksum agrees.
  static func isWhole(_ columns: String) -> String { "checksum = row_checksum(\(columns))" }
}
