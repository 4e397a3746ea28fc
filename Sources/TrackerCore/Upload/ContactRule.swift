/// Which of two settings says how far apart contacts are.
public enum ContactRule: UInt8, Sendable, Equatable {
  /// The organiser's `transmitInterval`.
  case transmitInterval
  /// The carrier's `reconnectFloor`, which is longer.
  case reconnectFloor

  /// What a person is told after the time that it gives.
  public var text: StaticString {
    switch self {
    case .transmitInterval: "by transmit.interval"
    case .reconnectFloor: "by reconnectFloor: transmit.interval is shorter"
    }
  }
}

extension Configuration {
  /// The floor is for a modem that connects anew: one that stays attached does not, and without a
  /// modem there is nothing to connect.
  public var contactRule: ContactRule {
    let connectsAnew = bearer != .none && betweenUploads == .off
    return connectsAnew && reconnectFloor > transmitInterval ? .reconnectFloor : .transmitInterval
  }

  /// The shortest time from one contact to the next by itself. The adaptive policy and the
  /// battery's reserve make it longer.
  public var contactInterval: Milliseconds {
    switch contactRule {
    case .transmitInterval: transmitInterval
    case .reconnectFloor: reconnectFloor
    }
  }
}
