/// One contact with the server, from the interest for the modem to the end.
struct UploadContact: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Wants the modem, and then makes the next request.
    case connecting
    case sending(RequestID, Selection, giveUpAt: Instant)
    /// Asks what became of captures of unknown fate.
    case reconciling(RequestID, giveUpAt: Instant)
    case backingOff(until: Instant, Reason)
  }

  var state = State.connecting
  /// Nothing has been sent yet: the freshest go first.
  var isFirst = true
  /// The last question about held captures had no answer: others are sent first.
  var asksLater = false
  /// Captures that it still has to bring home: those that were pending at its first request. What
  /// is captured meanwhile waits for the next, or the contact might never end.
  var remaining: UInt32 = 0
  var trial = UploadTrial()
  /// When the contact before it began.
  var previousAt: Instant?

  /// When a request is given up, or a wait is over.
  var deadline: Instant? {
    switch state {
    case .connecting: nil
    case .sending(_, _, let until), .reconciling(_, let until), .backingOff(let until, _): until
    }
  }
}

/// The states of an uploader without their values.
enum UploadStep: UInt8, Sendable {
  /// No contact.
  case idle
  case connecting
  case sending
  case reconciling
  case backingOff

  init(_ state: UploadContact.State?) {
    switch state {
    case nil: self = .idle
    case .connecting: self = .connecting
    case .sending: self = .sending
    case .reconciling: self = .reconciling
    case .backingOff: self = .backingOff
    }
  }

  /// Which state (across) can follow which (down). A test holds the transitions that are taken
  /// against it, both ways. A contact whose network could not be had ends in whatever state it is.
  static let table = TransitionTable(
    """
                 idl con snd rec bko
    idle           .   x   .   .   .
    connecting     x   .   x   x   .
    sending        x   x   .   .   x
    reconciling    x   x   .   .   x
    backingOff     x   x   .   .   .
    """, states: 5)
}
