public import Wording

extension CaptureStore {
  /// What somebody who reads a damaged store has to know: that it has only part of its captures.
  /// One line each; no lines for a store that is whole.
  public var remarks: [Texts] {
    guard case .file(let path) = place else { return [] }
    var remarks: [Texts] = []
    if damagedRows > 0 {
      let rows = damagedRows == 1 ? "1 damaged row" : "\(damagedRows) damaged rows"
      remarks.append("\(path): \(rows) left out; the others are intact".texts)
    }
    if let leftover { remarks.append(leftover.texts) }
    if let damage {
      let rows = "\(tally.rows) captures can be read"
      remarks.append(
        "\(path): is damaged (\(damage)); \(rows), and the tracker salvages them when it starts"
          .texts)
    }
    return remarks
  }
}
