import ModemDialogues
import TrackerCore
import Uplink

// The bearer of the requests.
extension World {
  /// Applies the tracker's configuration; by default the bearer is an interface.
  public mutating func use(_ configuration: Configuration) {
    bearer = configuration.bearer
    textTo = configuration.textTo
    formatter = ModemCommandFormatter(
      family: board.modem.family, accessPoint: configuration.accessPoint)
    let http =
      bearer == .modem ? ModemHTTP(family: board.modem.family, trust: .nobody) : nil
    modemOperations = ModemOperations(family: board.modem.family, http: http)
    if bearer == .none { planned.plan(.turn, at: now) }
  }

  var isBearerUp: Bool {
    switch bearer {
    case .interface: isLinkUp
    case .modem: hasData
    case .none: scenario.coverage.content(at: now) == nil
    }
  }

  mutating func setLink(isUp: Bool) {
    if !isUp {
      isLinkUp = false
      sayToModem(modemOperations.abandon(.needed))
      takeModemResults()
      breakExchange()
    } else if hasData {
      isLinkUp = true
      deliver(.linkChanged(isUp: true), at: now + Self.linkDelay)
    }
  }

  /// Wi-Fi and Ethernet are up whenever there is coverage; nothing opens them.
  mutating func bearerNews() -> Event? {
    guard bearer == .none, isBearerTold != isBearerUp else { return nil }
    isBearerTold = isBearerUp
    return .linkChanged(isUp: isBearerTold)
  }
}
