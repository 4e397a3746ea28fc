/// Where bytes come from.
public enum SerialRole: UInt8, Sendable, Equatable {
  case receiver
  case modem
}

/// Something that has happened outside of the tracker. Bytes come in by `Tracker.receive` instead.
public enum Event: Sendable, Equatable {
  /// The instant that the tracker named has come.
  case deadlineReached
  case batteryMeasured(BatteryReading)
  case captureStored(sequence: UInt32, queue: QueueCounts)
  case storeFailed(sequence: UInt32)
  case uploadFinished(RequestID, UploadOutcome, queue: QueueCounts)
  case reconcileFinished(RequestID, ReconcileOutcome, queue: QueueCounts)
  /// Captures were set aside, acknowledged or pruned by hand.
  case queueChanged(QueueCounts)
  case linkChanged(isUp: Bool)
  case textFinished(RequestID, wasSent: Bool)
  /// A serial port was unplugged, or is back.
  case lineChanged(SerialRole, isPresent: Bool)
  case pinChanged(InputPin, isHigh: Bool)
  case commandGiven(Command, from: Origin = .script)
  /// The organiser's decisions were read anew; session, queue and modem go on.
  case configurationChanged(Configuration, team: InlineText<64>)
}

/// Names one request of the tracker to its host; the completion carries it back. A completion with
/// another id than the one in flight is ignored.
public struct RequestID: Sendable, Equatable {
  public var number: UInt32
  public init(_ number: UInt32) { self.number = number }
}

public struct QueueCounts: Sendable, Equatable {
  /// On disk and not acknowledged (in flight included, set aside not).
  public var pending: UInt32
  public var setAside: UInt32
  /// Of the pending: sent, of unknown fate, and not to be sent again before the server was asked.
  public var held: UInt32
  /// How long until the server may be asked about the first of those; 0: now.
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
  public init(millivolts: Int32) { self.millivolts = millivolts }
}

/// How an upload ended, as the uplink judges it from HTTP status *and* body.
public enum UploadOutcome: Sendable, Equatable {
  /// The server answered for each capture. What it acknowledged has left the queue; `refused`
  /// ones are still in it. `firstRefused` and `code` mean the first of those.
  case answered(acknowledged: UInt32, refused: UInt32, firstRefused: CaptureKey, code: Int32)
  /// The whole request is refused for good. `first` and `count` name what was in it.
  case refused(code: Int32, first: CaptureKey, count: UInt32)
  case unauthorised
  /// The server cannot now (429, 500, 502, 503). What it may have applied all the same is held.
  case busy(status: Int32, retryAfter: Milliseconds?)
  /// No connection came about; nothing was sent.
  case unreachable
  /// The way to the server took a part of it at most; the server has nothing of it. A smaller
  /// request may pass.
  case stalled
  /// It was sent and no answer came, or 504: it may have been applied.
  case ambiguous
  /// The selection was empty.
  case empty
}

public enum ReconcileOutcome: Sendable, Equatable {
  /// The server knows this many of the captures; they have left the queue. The others may be sent,
  /// except those that are still held.
  case settled(confirmed: UInt32)
  /// No usable answer: ask again.
  case failed(status: Int32)
}

public enum Command: Sendable, Equatable {
  case start
  case stop
  case captureNow
  case sendNow
  case setTeam(InlineText<64>)
  /// Enter the SIM's PIN once more, were it the last try.
  case tryPIN
  /// The configuration's name again.
  case unsetTeam
}

public enum InputPin: UInt8, Sendable, Equatable {
  /// High while the modem is on (STATUS).
  case modemStatus
}
