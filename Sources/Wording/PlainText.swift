extension String {
  /// Without what a person's terminal would act on: a space stands in for each such character.
  public var plain: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isUnfit) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.isUnfit ? " " : $0 }))
  }
}

extension Unicode.Scalar {
  /// Control characters, line ends, and what turns the direction of the text that follows.
  fileprivate var isUnfit: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format:
      return (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: return false
    }
  }
}
