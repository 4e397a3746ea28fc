import TrackerCore
public import Uplink

extension SecretsFile {
  /// Whether its PIN for the SIM, if it has one, can be entered.
  public var hasGoodSIMPIN: Bool {
    guard let pin = self["pin"] else { return true }
    return ModemCommandFormatter(family: .generic, accessPoint: nil)
      .pinLine(pin.revealed.span) != nil
  }

  /// The console's PIN, 4 to 64 characters; `nil` if it has none, or a shorter or longer one.
  public var consolePIN: Secret? {
    self["consolePin"].flatMap { (4...64).contains($0.revealed.count) ? $0 : nil }
  }
}
