/// The source of bytes.
public enum SerialRole: UInt8, Sendable, Equatable {
  case receiver
  case modem
}

/// Something that has happened outside the tracker. Bytes go to `Tracker.receive`; new settings,
/// which would make each event several times as large, go to `Tracker.adopt`.
public enum Event: Sendable, Equatable {
  /// `Tracker.nextDeadline` has come.
  case deadlineReached
  case batteryMeasured(BatteryReading)
  /// The battery can no longer be measured, until the next `batteryMeasured`.
  case batteryLost
  case captureStored(sequence: UInt32, queue: QueueCounts)
  case storeFailed(sequence: UInt32)
  case uploadFinished(RequestID, UploadOutcome, queue: QueueCounts)
  case reconcileFinished(RequestID, ReconcileOutcome, queue: QueueCounts)
  case fetchFinished(RequestID, FetchOutcome)
  /// Captures were set aside, acknowledged or pruned by hand.
  case queueChanged(QueueCounts)
  /// The bearer has come up, has gone, or could not be opened.
  case linkChanged(isUp: Bool)
  case textFinished(RequestID, wasSent: Bool)
  case textsRead(RequestID, TextsOutcome)
  /// The machine is not halted: somebody is using it, or its alarm cannot be set.
  case haltRefused
  /// A serial port was unplugged, or is back.
  case lineChanged(SerialRole, isPresent: Bool)
  /// A line is active or no longer so, whatever its polarity, and has been for this long: a host
  /// that was busy reports late.
  case pinChanged(InputPin, isActive: Bool, since: Milliseconds)
  case commandGiven(Command, from: Origin)
}

/// What a tracker goes on with after its configuration was reloaded or a person has set a key.
public struct NewSettings: Sendable, Equatable {
  public var configuration: Configuration
  public var team: InlineText<64>

  public init(_ configuration: Configuration, team: InlineText<64>) {
    self.configuration = configuration
    self.team = team
  }
}

/// Identifies one request of the tracker to its host; the completion carries it back. A completion
/// whose id is not the one in flight is ignored.
public struct RequestID: Sendable, Equatable {
  public var number: UInt32
  public init(_ number: UInt32) { self.number = number }
}

public struct QueueCounts: Sendable, Equatable {
  /// On disk and not acknowledged (in flight included, set aside not).
  public var pending: UInt32
  public var setAside: UInt32
  /// Pending captures that were sent with an unknown outcome, and are not sent again before the
  /// server was asked.
  public var held: UInt32
  /// Time until the server may be asked about the first of those; 0: now.
  public var heldFor: Milliseconds
  public init(
    pending: UInt32, setAside: UInt32 = 0, held: UInt32 = 0, heldFor: Milliseconds = 0
  ) {
    self.pending = pending
    self.setAside = setAside
    self.held = held
    self.heldFor = heldFor
  }
}

public struct BatteryReading: Sendable, Equatable {
  public var millivolts: Int32
  /// Positive while discharging; `nil` if the sensor does not measure it.
  public var currentMilliamps: Int32?
  /// The charge left by the battery's own fuel gauge, 0...100; `nil` if it has none.
  public var percent: UInt8?
  /// The battery's temperature, degrees; `nil` if nothing measures it.
  public var celsius: Int32?

  public init(
    millivolts: Int32, currentMilliamps: Int32? = nil, percent: UInt8? = nil, celsius: Int32? = nil
  ) {
    self.millivolts = millivolts
    self.currentMilliamps = currentMilliamps
    self.percent = percent
    self.celsius = celsius
  }
}

/// The outcome of an upload, judged by the uplink from HTTP status *and* body.
public enum UploadOutcome: Sendable, Equatable {
  /// The server answered for each capture. Acknowledged ones have left the queue, refused ones are
  /// still in it. `firstRefused` and `code` refer to the first of the latter.
  case answered(acknowledged: UInt32, refused: UInt32, firstRefused: CaptureKey, code: Int32)
  /// The whole request is refused permanently. `first` and `count` say what was in it.
  case refused(code: Int32, first: CaptureKey, count: UInt32)
  case unauthorised
  /// The server is temporarily unable (429, 500, 502, 503). What it may have applied nevertheless
  /// is held.
  case busy(status: Int32, retryAfter: Milliseconds?)
  /// No connection was established; nothing was sent.
  case unreachable
  /// The request was sent in part at most, and the server has applied none of it. A smaller request
  /// may get through.
  case stalled
  /// It was sent and no answer came, or 504: it may have been applied.
  case ambiguous
  /// The selection was empty.
  case empty
}

public enum ReconcileOutcome: Sendable, Equatable {
  /// The server has this many of the captures; they have left the queue. The others may be sent,
  /// except those still held.
  case settled(confirmed: UInt32)
  /// No usable answer: ask again.
  case failed(status: Int32)
}

/// The outcome of asking the server for what people have answered.
public enum FetchOutcome: Sendable, Equatable {
  /// `nil`: nothing new about an emergency.
  case answered(EmergencyAnswer?)
  /// The same, and there is something to tell the server with the next contact, when all captures
  /// have gone.
  case owing(EmergencyAnswer?)
  /// No usable answer: it is asked again.
  case failed(status: Int32)
  /// The server has no place for messages. It is not asked again before the next start, or other
  /// settings.
  case unsupported
}

/// The outcome of reading the short messages that have come in.
public enum TextsOutcome: Sendable, Equatable {
  /// There is no answer among the new ones.
  case nothing
  /// A person has answered.
  ///
  /// - Parameter sent: by the service centre's clock; `nil`: not known, or the answer names this
  ///   emergency.
  case answered(by: InlineText<40>, sent: UTC? = nil)
  /// The control room has ended the emergency, which it names.
  case ended(by: InlineText<40>)
  /// They could not be read, or not all of them.
  case failed
}

public enum Command: Sendable, Equatable {
  case start
  case stop
  case captureNow
  case sendNow
  case setTeam(InlineText<64>)
  /// Enter the SIM's PIN once more, even if it is the last try.
  case tryPIN
  /// Return to the configured team name.
  case unsetTeam
  /// Take a position and send it, to see whether all of it works. `overFloor`: even before the end
  /// of the reconnect floor.
  case test(overFloor: Bool)
  /// The team needs help.
  case raiseEmergency
  /// It does not need it any more.
  case withdrawEmergency
  /// The control room wants the team to call it.
  case askForCall
  /// The team has seen that, or the control room no longer wants it.
  case endCallRequest
}

public enum InputPin: UInt8, Sendable, Equatable {
  /// Active while the modem is on (STATUS).
  case modemStatus
  /// Active while there is an external supply.
  case powerGood
  /// Active while it is pressed.
  case button
  /// The same of the button that calls for help.
  case emergency
}

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
