/// Searching in texts, byte by byte. The methods that Swift has for this come with its regular
/// expressions, which would add a megabyte to each program.
extension StringProtocol {
  /// Where the first such part is; `nil` also for an empty one.
  public func place(of part: some StringProtocol) -> Range<Index>? {
    var start = utf8.startIndex
    guard let first = part.utf8.first else { return nil }
    while let found = utf8[start...].firstIndex(of: first) {
      let rest = utf8[found...]
      if rest.starts(with: part.utf8) {
        return found..<utf8.index(found, offsetBy: part.utf8.count)
      }
      start = utf8.index(after: found)
    }
    return nil
  }

  public func has(_ part: some StringProtocol) -> Bool { place(of: part) != nil }

  /// What is between the separators; the text itself if there is none.
  public func pieces(between separator: some StringProtocol) -> [SubSequence] {
    var pieces: [SubSequence] = []
    var rest = self[...]
    while let place = rest.place(of: separator) {
      pieces.append(rest[..<place.lowerBound])
      rest = rest[place.upperBound...]
    }
    return pieces + [rest]
  }

  /// The text with all such parts exchanged.
  public func exchanging(_ part: some StringProtocol, for new: some StringProtocol) -> String {
    pieces(between: part).joined(separator: String(new))
  }
}
