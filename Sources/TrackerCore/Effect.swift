import NMEA

/// One thing that the tracker wants done. Requests complete as events.
public enum Effect: Sendable, Equatable {
  /// Write to disk; completes as `captureStored` or `storeFailed`.
  case store(Capture)
  /// Send part of the queue; completes as `uploadFinished`.
  case upload(UploadRequest)
  /// Ask the server which of the captures it has whose delivery is uncertain and whose waiting time
  /// is over; completes as `reconcileFinished`.
  case reconcile(RequestID)
  /// Ask the server for messages to this tracker; completes as `fetchFinished`.
  case fetch(RequestID)
  /// Set aside, for a person to look at, what the server refuses; completes as `queueChanged`.
  case setAside(SetAside)
  /// Make a line active for this long. The host times it, whatever else it does.
  case pulse(OutputPin, Milliseconds)
  case setPin(OutputPin, isActive: Bool)
  /// Show this code from now on.
  case setLight(Light)
  /// Send this, as `ModemCommandFormatter` writes it. It ends a dialogue that the host is having
  /// with the modem.
  case sendToModem(ModemCommand)
  /// Open the modem's port at this rate, bits per second, until told otherwise; `nil`: at the one
  /// of the settings.
  case setModemBaud(Int32?)
  /// Send this in the receiver's dialect.
  case sendToReceiver(ReceiverCommand)
  /// Open or close the bearer; its state comes back as `linkChanged`.
  case setLink(isUp: Bool)
  /// Send one short message with the freshest position; completes as `textFinished`.
  case sendText(RequestID)
  /// Read the short messages that have come in, and look for a person's answer to an emergency from
  /// the configured number; completes as `textsRead`.
  case readTexts(RequestID)
  /// Save to disk, before performing any later effect, that the SIM's PIN is being tried, or clear
  /// that. `Identity.simPIN` restores it; the SIM's own counter then decides.
  case rememberPIN(isTried: Bool)
  /// Halt the machine, and have its clock start it again after this time. Completes as
  /// `haltRefused`, or as the start of another tracker, which goes on from `Memory.sleep`. A host
  /// never halts a machine whose alarm was not accepted.
  case halt(Milliseconds)
  case note(Note)
}

public enum OutputPin: UInt8, Sendable, Equatable {
  case modemPowerKey
  /// Switches the modem's radio off, whatever the modem has been told.
  case flightMode
}

public enum ReceiverCommand: UInt8, Sendable, Equatable {
  case sleep
  case wake
  /// One report a second.
  case setRate
  /// Only the sentences that positions are made from.
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
  /// The latest time of the next contact; `nil` while none can be promised.
  public var nextContactBy: UTC?
  public var silence: PlannedSilence

  public init(
    id: RequestID, selection: Selection, nextContactBy: UTC? = nil, silence: PlannedSilence = .none
  ) {
    self.id = id
    self.selection = selection
    self.nextContactBy = nextContactBy
    self.silence = silence
  }
}

/// Why the tracker will be silent after a contact for longer than usual, if it knows.
public enum PlannedSilence: UInt8, Sendable, Equatable {
  case none
  /// The battery has reached its reserve: contacts are rare.
  case reserve
  /// The session has ended by itself, or will before another capture.
  case finished
  case stoppedByPerson

  /// For servers and recordings; `nil`: no reason.
  public var name: StaticString? {
    switch self {
    case .none: nil
    case .reserve: "reserve"
    case .finished: "finished"
    case .stoppedByPerson: "stoppedByPerson"
    }
  }
}

public enum SetAside: Sendable, Equatable {
  /// All captures that the server refused individually in its last answer.
  case refusedOfLastUpload
  case capture(CaptureKey, code: Int32)
}

/// What the log, the console and the simulator report. Constant messages with values.
public enum Note: Sendable, Equatable {
  case sessionStarted
  case sessionStopped
  /// It ended by itself, after the finish.
  case sessionFinished
  /// An order no longer applies, though nobody revoked it.
  case orderEnded(OrderKey)
  case captured(sequence: UInt32)
  /// An opportunity passed without a capture.
  case notCaptured(Reason)
  /// From now on this is why no capture is taken; `nil`: one is being taken.
  case capturing(Reason?)
  /// From now on this is why nothing is sent; `nil`: something is being sent.
  case sending(Reason?)
  case modem(ModemPhase)
  case fixRejected(FixRejection)
  /// The date is trusted from now on: the current time.
  case clockTrusted(UTC)
  /// A receiver's date was 1024 weeks (or a multiple) early and has been corrected.
  case weekRolloverCorrected(weeks: Int32)
  case receiverSilent
  case receiverHeard
  /// The receiver's line delivers more bytes than any receiver sends.
  case receiverFloods(bytesPerSecond: Int32)
  /// Signal strength of the network.
  case signal(dBm: Int32)
  /// The operator whose network it is in; empty: unknown.
  case networkOperator(OperatorName)
  /// The modem's own supply voltage.
  case modemSupply(millivolts: Int32)
  /// The SIM's number (IMSI).
  case subscriber(InlineText<20>)
  /// The modem's number (IMEI).
  case equipment(InlineText<20>)
  case modemRecovery(ModemRecovery)
  /// It restarted although nobody told it to. The usual cause is a supply that breaks down while it
  /// transmits.
  case modemRestarted
  /// Its STATUS line says something else than the modem, and is ignored from now on.
  case modemStatusContradicted
  /// The modem refuses to switch its radio off, and nothing on the board can: it stays on. True
  /// until the next `modem(.off)`.
  case radioStaysOn
  /// There is an external supply, or no longer.
  case externalPower(Bool)
  /// The modem does not take the configured access point.
  case accessPointRefused
  /// The SIM does not accept the PIN. It is not tried again before a new start or an order.
  case pinRefused
  case textFinished(wasSent: Bool)
  /// It has entered, left, passed or missed a place of the course.
  case passage(Passage)
  /// It has been off the course since then; now so many metres.
  case offCourse(since: Instant, metres: Int32)
  case backOnCourse
  /// It has moved backwards on the course since then.
  case backwards(since: Instant)
  case forwards
  /// The course is another one than before the restart: its progress starts over.
  case courseChanged
  /// What has become of an emergency.
  case emergency(EmergencyRecord.Stage)
  /// The control room wants the team to call it, or the team has seen that.
  case callRequest(isOpen: Bool)
}

/// How a modem that does not work is recovered, from the mildest measure to the strongest.
public enum ModemRecovery: UInt8, Sendable, Equatable {
  case askAgain
  case radioCycle
  case powerCycle
}

/// Receives a tracker's effects and what it reads of the receiver, and has the course if there is
/// one.
public protocol EffectSink: CourseMap, SatelliteObserver, ~Copyable {
  mutating func push(_ effect: Effect)
  /// Save to disk in one transaction, before performing any later effect; `Identity.memory`
  /// restores it. If that fails the host retries, and reports it to the person who gave the order.
  ///
  /// Not an `Effect`: it would make each of them four times as large.
  mutating func remember(_ memory: Memory)
  /// The receiver has reported; called before the tracker acts on it.
  mutating func heard(_ report: Epoch)
  /// A piece of the receiver's bytes was read.
  ///
  /// - Parameters:
  ///   - counts: the outcomes of all its bytes so far.
  ///   - isReportOpen: whether the bytes end within a report.
  mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool)
}

// What was read is not an effect: it is for hosts that show their receiver.
extension EffectSink where Self: ~Copyable {
  public mutating func heard(_ report: Epoch) {}
  public mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {}
}

// An effect takes some 200 bytes of stack. Most are pushed by separate functions, so that they take
// it only during the call, and not below everything else that their senders call.
extension EffectSink where Self: ~Copyable {
  @inline(never) mutating func note(_ note: Note) { push(.note(note)) }
  @inline(never) mutating func send(_ command: ModemCommand) { push(.sendToModem(command)) }
  @inline(never) mutating func setLink(isUp: Bool) { push(.setLink(isUp: isUp)) }
  mutating func send(_ command: ReceiverCommand) { push(.sendToReceiver(command)) }
  @inline(never) mutating func setModemBaud(_ baud: Int32?) { push(.setModemBaud(baud)) }
  mutating func setPin(_ pin: OutputPin, isActive: Bool) { push(.setPin(pin, isActive: isActive)) }
  mutating func pulse(_ pin: OutputPin, _ length: Milliseconds) { push(.pulse(pin, length)) }
  @inline(never) mutating func store(_ capture: Capture) { push(.store(capture)) }
}
