/// What a modem's radio takes around a transfer, beside the transfer itself.
///
/// The network releases a radio without traffic after some time, and it has to be connected again
/// for the next transfer. Not a part of `Board`, as the tracker does not plan with it.
public struct RadioFigures: Sendable, Equatable {
  /// From the wish to transfer until the radio is connected: promotion.
  public var promotion: Milliseconds = 0
  /// Microamps during that time.
  public var promotionMicroamps: Int32 = 0
  /// From the end of a transfer until the network releases the radio: tail.
  public var tail: Milliseconds = 0
  /// Microamps during that time; the mean, where it goes down in steps.
  public var tailMicroamps: Int32 = 0

  /// Nothing beside the transfers.
  public init() {}
}
