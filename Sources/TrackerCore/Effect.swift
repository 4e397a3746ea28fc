/// One thing that the tracker wants done. Requests complete as events.
public enum Effect: Sendable, Equatable {
  /// Put on disk; completes as `captureStored` or `storeFailed`.
  case store(Capture)
  /// Send part of the queue; completes as `uploadFinished`.
  case upload(UploadRequest)
  /// Ask the server which captures of unknown fate it has, of those that it may be asked about by
  /// now; completes as `reconcileFinished`.
  case reconcile(RequestID)
  /// Keep aside for a person what the server will not have; completes as `queueChanged`.
  case setAside(SetAside)
  case setPin(OutputPin, isHigh: Bool)
  /// Say this, in the words of `ModemCommandFormatter`. It ends a dialogue that the host has with
  /// the modem.
  case sendToModem(ModemCommand)
  /// Say this, in the words of the receiver's dialect.
  case sendToReceiver(ReceiverCommand)
  /// Open or close the bearer; its state comes back as `linkChanged`.
  case setLink(isUp: Bool)
  /// Send one short message with the freshest position; completes as `textFinished`.
  case sendText(RequestID)
  /// Keep on disk, before anything that follows, that the SIM's PIN is being tried; or forget it.
  /// `Identity.simPIN` brings it back; the SIM's own counter decides then.
  case rememberPIN(isTried: Bool)
  /// Keep on disk, all of it in one transaction; `Identity.memory` brings it back. What cannot be
  /// kept yet is for the host to try again, and to tell the person whose order it was.
  case remember(Memory)
  case note(Note)
}

public enum OutputPin: UInt8, Sendable, Equatable {
  case modemPowerKey
}

public enum ReceiverCommand: UInt8, Sendable, Equatable {
  case sleep
  case wake
  /// One report a second.
  case setRate
  /// Only the sentences that a position is made of.
  case setSentences
}

/// Which captures to send.
public enum Selection: Sendable, Equatable {
  /// The newest `limit`.
  case freshest(limit: UInt32)
  /// The oldest `limit`.
  case oldest(limit: UInt32)
}

public struct UploadRequest: Sendable, Equatable {
  public var id: RequestID
  public var selection: Selection
  /// The latest time by which the next contact is promised; `nil` while the date is unknown.
  public var nextContactBy: UTC?

  public init(id: RequestID, selection: Selection, nextContactBy: UTC? = nil) {
    self.id = id
    self.selection = selection
    self.nextContactBy = nextContactBy
  }
}

public enum SetAside: Sendable, Equatable {
  /// All that the server refused one by one in its last answer.
  case refusedOfLastUpload
  case capture(CaptureKey, code: Int32)
}

/// What the log, the console and the simulator tell. Constant messages with values.
public enum Note: Sendable, Equatable {
  case sessionStarted
  case sessionStopped
  /// It ended by itself, after the finish.
  case sessionFinished
  /// An order does not hold any more, though nobody undid it.
  case orderEnded(OrderKey)
  case captured(sequence: UInt32)
  /// An opportunity passed without a capture.
  case notCaptured(Reason)
  /// From now on this is why there is no capture; `nil`: one is being taken.
  case capturing(Reason?)
  /// From now on this is why nothing is sent; `nil`: something is being sent.
  case sending(Reason?)
  case modem(ModemPhase)
  case fixRejected(FixRejection)
  /// The date is known: this is it at this instant.
  case clockTrusted(UTC)
  /// A receiver's date was 1024 weeks (or a multiple) early and was put right.
  case weekRolloverCorrected(weeks: Int32)
  case receiverSilent
  case receiverHeard
  /// More comes from the receiver than any receiver sends.
  case receiverFloods(bytesPerSecond: Int32)
  /// Strength of the network's signal.
  case signal(dBm: Int32)
  /// The modem's own supply.
  case modemSupply(millivolts: Int32)
  /// The SIM's number (IMSI).
  case subscriber(InlineText<20>)
  /// The modem's number (IMEI).
  case equipment(InlineText<20>)
  case modemRecovery(ModemRecovery)
  /// The SIM does not accept the PIN. It is not tried again before a new start or an order.
  case pinRefused
  case textFinished(wasSent: Bool)
}

/// What is done to a modem that does not do its work, from the least to the most.
public enum ModemRecovery: UInt8, Sendable, Equatable {
  case askAgain
  case radioCycle
  case powerCycle
}

/// The room that a tracker pushes its effects into.
public protocol EffectSink: ~Copyable {
  mutating func push(_ effect: Effect)
}

// An effect takes some 300 bytes of stack. In functions of their own the most frequent ones take
// them only while they are handed over, and not under everything that their senders call.
extension EffectSink where Self: ~Copyable {
  @inline(never) mutating func note(_ note: Note) { push(.note(note)) }
  @inline(never) mutating func send(_ command: ModemCommand) { push(.sendToModem(command)) }
  @inline(never) mutating func setLink(isUp: Bool) { push(.setLink(isUp: isUp)) }
  mutating func send(_ command: ReceiverCommand) { push(.sendToReceiver(command)) }
  mutating func setPin(_ pin: OutputPin, isHigh: Bool) { push(.setPin(pin, isHigh: isHigh)) }
}
