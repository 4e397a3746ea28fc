/// What a modem's STATUS line says, as long as it can be believed: a line that is not connected, or
/// has the wrong polarity in the board's file, contradicts the modem. Hosts report a level only
/// when it has held for a while.
struct StatusLine: Sendable, Equatable {
  /// `nil`: unknown.
  private(set) var isOn: Bool?
  private var isContradicted = false

  mutating func changed(isOn: Bool) { if !isContradicted { self.isOn = isOn } }

  /// The modem is certainly in another state than the line says.
  ///
  /// - Returns: whether that is news.
  mutating func contradict() -> Bool {
    isOn = nil
    defer { isContradicted = true }
    return !isContradicted
  }
}
