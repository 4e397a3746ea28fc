/// What was last reported, so that only changes are reported.
struct LastReported: Sendable, Equatable {
  private(set) var capturing: Reason?
  private(set) var sending: Reason?
  private var modem = ModemPhase.off
  private var isFirst = true

  mutating func report(
    capturing: Reason?, sending: Reason?, modem: ModemPhase,
    into sink: inout some EffectSink & ~Copyable
  ) {
    if isFirst || capturing != self.capturing { sink.note(.capturing(capturing)) }
    if isFirst || sending != self.sending { sink.note(.sending(sending)) }
    if modem != self.modem { sink.note(.modem(modem)) }
    self.capturing = capturing
    self.sending = sending
    self.modem = modem
    isFirst = false
  }
}

/// The outcomes of the receiver's reports.
public struct FixTally: Sendable, Equatable {
  public var epochs: UInt32 = 0
  public var accepted: UInt32 = 0
  public var noFix: UInt32 = 0
  public var poorAccuracy: UInt32 = 0
  public var impossibleSpeed: UInt32 = 0

  public init() {}

  mutating func count(_ rejection: FixRejection) {
    switch rejection {
    case .noFix: noFix &+= 1
    case .poorAccuracy: poorAccuracy &+= 1
    case .impossibleSpeed: impossibleSpeed &+= 1
    }
  }
}
