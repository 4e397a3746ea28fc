/// Which of two settings determines the time between contacts.
public enum ContactRule: UInt8, Sendable, Equatable {
  /// The organiser's `transmitInterval`.
  case transmitInterval
  /// The carrier's `reconnectFloor`, which is longer.
  case reconnectFloor

  /// The explanation after the resulting time, for people.
  public var text: StaticString {
    switch self {
    case .transmitInterval: "by transmit.interval"
    case .reconnectFloor: "by reconnectFloor: transmit.interval is shorter"
    }
  }
}

extension Configuration {
  /// The floor applies to a modem that reconnects for each contact, not to one that stays attached,
  /// nor without a modem.
  public var contactRule: ContactRule { contactRule(betweenUploads) }

  private func contactRule(_ betweenUploads: BetweenUploads) -> ContactRule {
    let connectsAnew = bearer != .none && betweenUploads == .off
    return connectsAnew && reconnectFloor > transmitInterval ? .reconnectFloor : .transmitInterval
  }

  /// The shortest time between two automatic contacts. The adaptive policy and the battery's
  /// reserve change it.
  public var contactInterval: Milliseconds { contactInterval(betweenUploads) }

  /// The same for a modem that is used otherwise than configured.
  func contactInterval(_ betweenUploads: BetweenUploads) -> Milliseconds {
    switch contactRule(betweenUploads) {
    case .transmitInterval: transmitInterval
    case .reconnectFloor: reconnectFloor
    }
  }
}
