/// What a delivery has done.
public struct DeliveryReport: Sendable, Equatable {
  public enum End: Sendable, Equatable {
    /// Nothing is left to be sent.
    case empty
    /// The server cannot take captures as it is addressed or as it is set up; nothing was sent.
    case unsuitable
    /// Too many failures in a row; another try later may do better.
    case gaveUp
  }

  public var end = End.empty
  /// Captures that the server has now and was not known to have before.
  public var pushed = 0
  /// How many of these had come another way and were not sent; `asksFirst` finds them.
  public var found = 0
  /// Captures that wait for another time.
  public var left = 0
  /// Captures that were set aside by this delivery, with the server's code in the store.
  public var setAside = 0
  public var requests = 0
  /// Why it ended early; one line without secrets.
  public var problem: String?

  public init() {}
}
