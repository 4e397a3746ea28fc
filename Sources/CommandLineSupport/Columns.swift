extension String {
  /// The text at the left of a column, `width` characters wide unless it is longer.
  public func leftAligned(in width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The same at the right.
  public func rightAligned(in width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
