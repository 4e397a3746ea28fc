public import TrackerCore
public import Wording

/// A task to carry out with a server. Results identify captures by their keys.
public enum UplinkTask: Sendable, Equatable {
  /// Check that the server is reachable, accepts the credentials and can take captures: for the
  /// start of a program.
  case check
  /// Send these. `nextContactBy` is the latest time of the next contact, if one is promised, and
  /// `silence` why the tracker will be silent.
  case upload([OutgoingCapture], nextContactBy: UTC?, silence: PlannedSilence = .none)
  /// Ask which of these the server has; send none.
  case reconcile([OutgoingCapture])
}

/// The next step of a dialogue.
public enum UplinkStep: Sendable, Equatable {
  /// Send this, then hand the reply to `receive`. Redirects must not be followed.
  case send(HTTPRequest)
  /// The task has ended.
  case done(UplinkResult)
}

/// The result of a task.
public struct UplinkResult: Sendable, Equatable {
  /// Captures that the server has confirmed: they leave the queue, whatever `outcome` says about
  /// the rest.
  public var acknowledged: [CaptureKey] = []
  /// The acknowledged ones that were there before this task sent anything.
  public var found: [CaptureKey] = []
  /// Captures that the server refused individually and, where it can be asked, does not have.
  public var refused: [Refusal] = []
  /// Captures sent by this task that the server may have, or may still apply, without having
  /// confirmed it.
  public var doubtful: [CaptureKey] = []
  /// Captures whose identifier belongs to another capture on the server: they have to be sent under
  /// new ones.
  public var displaced: [CaptureKey] = []
  /// What was read.
  public var page: LayerPage?
  public var outcome: UplinkOutcome
  /// One line for the log, free of secrets; `nil` when all went well.
  public var problem: Texts?
  /// The cause of the problem; `nil`: the dialogue cannot tell.
  public var cause: FailureCause?

  public init(outcome: UplinkOutcome, problem: Texts? = nil) {
    self.outcome = outcome
    self.problem = problem
  }
}

/// One capture that the server refuses, and the server's error code.
public struct Refusal: Sendable, Equatable {
  public var key: CaptureKey
  public var code: Int32

  public init(key: CaptureKey, code: Int32) {
    self.key = key
    self.code = code
  }
}

/// The outcome of a task in terms of the core's events.
public enum UplinkOutcome: Sendable, Equatable {
  /// A check: captures can be sent. `problem` is then what the server has no place for. Or
  /// something was read.
  case ready
  /// A check: they cannot; an upload would have ended like this. Or nothing was read.
  case notReady(UploadOutcome)
  case upload(UploadOutcome)
  case reconcile(ReconcileOutcome)
  /// Of messages to this tracker.
  case mail(MailOutcome)
  case notes(NoteOutcome)
  case history(HistoryOutcome)
}

/// A dialogue with one server: a task goes in, requests come out, replies go in, a result comes
/// out. It does no I/O, so that daemon, command-line tool and simulator share it.
///
/// A dialogue keeps what it has learnt (a token, the layer) for the next task. A new task replaces
/// one that has not ended. Each task ends after a bounded number of requests.
public protocol UplinkDialogue: Sendable {
  /// Whether the server can be asked what it has. If not, `reconcile` confirms nothing and a
  /// capture may arrive twice, under the same identifier.
  var canReconcile: Bool { get }
  /// Whether `check` asks the server.
  var canCheck: Bool { get }
  /// Whether captures may be sent again at once, as far as is known: because the server refuses a
  /// second copy, or cannot be asked anyway.
  var mayRepeat: Bool { get }
  /// Whether it sends where on the course a capture was taken.
  var sendsMarks: Bool { get }
  /// Whether captures count as delivered by the word of a broker, which need not keep it.
  var isByBroker: Bool { get }
  /// Begins a task.
  mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep
  /// Begins to read a page of what the server has, if `canReconcile`.
  mutating func read(_ question: LayerQuestion, at now: UTC) -> UplinkStep
  /// Begins to ask for messages to this tracker.
  mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep
  /// Begins to say that the tracker has these.
  mutating func confirm(
    _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
  ) -> UplinkStep
  /// Begins to exchange notes.
  mutating func exchange(_ notes: NoteTask, at now: UTC) -> UplinkStep
  /// Begins to deliver a history that was asked for.
  mutating func tell(_ history: HistoryTask, at now: UTC) -> UplinkStep
  /// Handles the reply to the last request. Without a request in flight the result is `ambiguous`
  /// and acknowledges nothing.
  mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep
}

extension UplinkDialogue {
  public var canCheck: Bool { canReconcile }
  public var sendsMarks: Bool { false }
  public var isByBroker: Bool { false }

  public mutating func read(_ question: LayerQuestion, at now: UTC) -> UplinkStep {
    .done(UplinkResult(outcome: .notReady(.empty)))
  }

  public mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
    .done(UplinkResult(outcome: .mail(.unsupported)))
  }

  public mutating func confirm(
    _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
  ) -> UplinkStep {
    .done(UplinkResult(outcome: .mail(.unsupported)))
  }

  public mutating func exchange(_ notes: NoteTask, at now: UTC) -> UplinkStep {
    .done(UplinkResult(outcome: .notes(.unsupported)))
  }

  public mutating func tell(_ history: HistoryTask, at now: UTC) -> UplinkStep {
    .done(UplinkResult(outcome: .history(.unsupported)))
  }
}

/// A type-erased dialogue, for programs that choose the dialogue by their settings.
public struct AnyDialogue: UplinkDialogue {
  private var base: any UplinkDialogue

  public init(_ base: some UplinkDialogue) { self.base = base }

  public var canReconcile: Bool { base.canReconcile }
  public var canCheck: Bool { base.canCheck }
  public var mayRepeat: Bool { base.mayRepeat }
  public var sendsMarks: Bool { base.sendsMarks }
  public var isByBroker: Bool { base.isByBroker }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    base.begin(work, at: now)
  }

  public mutating func read(_ question: LayerQuestion, at now: UTC) -> UplinkStep {
    base.read(question, at: now)
  }

  public mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
    base.fetch(question, at: now)
  }

  public mutating func confirm(
    _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
  ) -> UplinkStep {
    base.confirm(messages, to: device, at: now)
  }

  public mutating func exchange(_ notes: NoteTask, at now: UTC) -> UplinkStep {
    base.exchange(notes, at: now)
  }

  public mutating func tell(_ history: HistoryTask, at now: UTC) -> UplinkStep {
    base.tell(history, at: now)
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    base.receive(reply, at: now)
  }
}

/// A capture to be sent to a server.
public struct OutgoingCapture: Sendable, Equatable {
  /// Identifies it in its queue; results refer to it.
  public var key: CaptureKey
  public var capture: Capture
  /// The device that took it.
  public var device: UniqueID
  /// Its identifier, the same at every attempt.
  public var id: UniqueID
  /// Whether it was sent before without a clear answer: the server is asked before it is sent
  /// again.
  public var wasSent: Bool
  /// The name of the place of `capture.mark`; `nil`: none.
  public var placeName: String?
  /// Whether somebody of the team asks for help: `emergency` is then why it was taken.
  public var asksForHelp = false

  /// - Parameter id: `nil` for the one derived from device and sequence.
  public init(
    _ capture: Capture, key: CaptureKey, device: UniqueID, id: UniqueID? = nil,
    wasSent: Bool = false
  ) {
    self.key = key
    self.capture = capture
    self.device = device
    self.wasSent = wasSent
    self.id = id ?? UniqueID(device: device, sequence: capture.sequence)
  }
}
