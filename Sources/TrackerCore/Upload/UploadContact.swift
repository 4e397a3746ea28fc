/// One contact with the server, from requesting the modem to the end.
struct UploadContact: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Waits for the modem, then makes the next request.
    case connecting
    case sending(RequestID, Selection, giveUpAt: Instant)
    /// Asks the server which captures it has whose delivery is uncertain.
    case reconciling(RequestID, giveUpAt: Instant)
    /// `keepsLink`: the wait is short enough for the modem to stay in the network.
    case backingOff(until: Instant, Reason, keepsLink: Bool)
  }

  var state = State.connecting
  /// Nothing has been sent yet: the freshest go first.
  var isFirst = true
  /// The last question about held captures was not answered: others are sent first.
  var asksLater = false
  /// Captures still to be sent, of those pending at its first request. Captures taken meanwhile
  /// wait for the next contact, or this one might never end.
  var remaining: UInt32 = 0
  var trial = UploadTrial()
  /// When the previous contact began.
  var previousAt: Instant?

  /// When the request is given up, or the wait is over.
  var deadline: Instant? {
    switch state {
    case .connecting: nil
    case .sending(_, _, let until), .reconciling(_, let until), .backingOff(let until, _, _): until
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

  /// Which state (across) can follow which (down). A test compares it with the transitions taken,
  /// both ways. A contact that cannot get a network ends from any state.
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
