/// One thing that the tracker wants done. Requests complete as events.
public enum Effect: Sendable, Equatable {
  /// Put on disk; completes as `captureStored` or `storeFailed`.
  case store(Capture)
  /// Send part of the queue; completes as `uploadFinished`.
  case upload(UploadRequest)
  /// Ask the server which captures of the last upload it has; completes as `reconcileFinished`.
  case reconcile(RequestID)
  /// Keep aside for a person what the server will not have; completes as `queueChanged`.
  case setAside(SetAside)
  case setPin(OutputPin, isHigh: Bool)
  case sendToModem(ModemCommand)
  case sendToReceiver(ReceiverCommand)
  /// Open or close the bearer; its state comes back as `linkChanged`.
  case setLink(isUp: Bool)
  case note(Note)
}

public enum OutputPin: UInt8, Sendable, Equatable {
  case modemPowerKey
}

public enum ReceiverCommand: UInt8, Sendable, Equatable {
  case sleep
  case wake
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
  case capture(sequence: UInt32, code: Int32)
}

/// What the log, the console and the simulator tell. Constant messages with values.
public enum Note: Sendable, Equatable {
  case sessionStarted
  case sessionStopped
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
}

/// The room that a tracker pushes its effects into.
public protocol EffectSink: ~Copyable {
  mutating func push(_ effect: Effect)
}
