public import TrackerCore

/// What must hold in every race, whatever goes wrong in it.
public enum Invariant: String, Sendable, CaseIterable {
  case nothingLost = "nothing lost"
  case nothingTwice = "nothing twice"
  case noGap = "no gap"
  case onlyTrueAcknowledgements = "only true acknowledgements"
  case nothingForeign = "nothing foreign"
  case nothingChanged = "nothing changed"
  case onlyBadSetAside = "only bad ones set aside"
  case allDelivered = "all delivered"
  case soonBack = "soon back"
  case neverForgotten = "never forgotten"
  case countsAgree = "counts agree"
  case storeSound = "store sound"
  case inOrder = "in order"
  case silenceExplained = "silence explained"
  case reasonTrue = "reason true"
  case quietRadio = "quiet radio"
  case fewWakes = "few wakes"
  case fewRequests = "few requests"
  case freshestFirst = "freshest first"
  case askedBefore = "asked before"
  case floorKept = "floor kept"
  case modemSpared = "modem spared"
  case simSpared = "SIM spared"
  case queuesBounded = "queues bounded"
  case energyOnce = "energy once"
  case ordersObeyed = "orders obeyed"
  case emergencyHeard = "emergency heard"
  case callSoonHeard = "call soon heard"
  case callStored = "call stored"
  case refusedRetried = "refused retried"
  case promiseKept = "promise kept"
  case writtenOnce = "written once"
  case orderOnce = "order once"
  case readIsTrue = "read is true"
  case readIsShown = "read is shown"
  case sameAgain = "the same again"
  case roomUnordered = "room unordered"

  /// What it says.
  public var sentence: String {
    switch self {
    case .nothingLost: "each capture that was announced is in the store"
    case .nothingTwice: "the server has each capture once"
    case .noGap: "sequence numbers count from 1 without gaps"
    case .onlyTrueAcknowledgements: "what counts as acknowledged is on the server"
    case .nothingForeign: "the server has nothing that the store has not"
    case .nothingChanged: "the server has each capture where and when it was taken"
    case .onlyBadSetAside: "only what the server refuses is set aside"
    case .allDelivered: "what can be delivered is, soon after the last trouble"
    case .soonBack: "a network or server that is back is used within the longest wait"
    case .neverForgotten: "while captures wait, the tracker wants to be called"
    case .countsAgree: "tracker, store and server count the same captures"
    case .storeSound: "the store takes what it is given, and opens undamaged"
    case .inOrder: "trusted times grow with the sequence numbers"
    case .silenceExplained: "while nothing is captured or sent, there is a reason"
    case .reasonTrue: "the stated reason is true"
    case .quietRadio: "the radio is on only for a contact"
    case .fewWakes: "the tracker does not ask to be called again and again"
    case .fewRequests: "a server in trouble is not stormed"
    case .freshestFirst: "each contact begins with the newest capture"
    case .askedBefore: "what may have arrived is not sent again before the server was asked"
    case .floorKept: "the network is joined no more often than the reconnect floor allows"
    case .modemSpared: "a modem that does not answer is restarted twice, then left alone a while"
    case .simSpared: "a SIM is never blocked by wrong PINs"
    case .queuesBounded: "what is planned, what waits for a late server and a request are bounded"
    case .energyOnce: "what the battery gave is what board, receiver, modem and converter took"
    case .ordersObeyed: "a person's order holds, also after a restart"
    case .emergencyHeard: "a call for help reaches the server"
    case .callSoonHeard: "once nothing is in its way, a call for help reaches the server soon"
    case .callStored: "a call for help is on disk at once, also on a full one"
    case .refusedRetried: "a capture that the disk has refused is tried again soon"
    case .promiseKept: "once nothing is in its way, the next contact comes when it was promised"
    case .writtenOnce: "what people write is on the other side once"
    case .orderOnce: "an order of the control room is obeyed once, and what is said of it is true"
    case .readIsTrue: "a call for help is read or over only where somebody has said so"
    case .readIsShown: "the team is told that its call for help was read"
    case .sameAgain: "the same race has the same effects again"
    case .roomUnordered: "what arrives in any order ends in the same board of the room"
    }
  }

  /// Where the design says so.
  public var section: String {
    switch self {
    case .nothingLost, .nothingTwice, .noGap: "2.5"
    case .onlyTrueAcknowledgements: "15.6"
    case .nothingForeign, .nothingChanged, .countsAgree, .storeSound: "10"
    case .onlyBadSetAside, .allDelivered, .soonBack, .quietRadio, .fewRequests, .floorKept,
      .modemSpared, .simSpared, .freshestFirst:
      "8"
    case .inOrder: "6"
    case .silenceExplained, .reasonTrue: "2.6"
    case .fewWakes, .neverForgotten: "2.3"
    case .queuesBounded: "2.8"
    case .askedBefore: "11"
    case .energyOnce: "9"
    case .ordersObeyed: "7"
    case .emergencyHeard, .callSoonHeard, .callStored: "15.4"
    case .refusedRetried: "10"
    case .promiseKept: "15.1"
    case .writtenOnce, .orderOnce: "15.5"
    case .readIsTrue, .readIsShown: "15.4"
    case .sameAgain: "2.4"
    case .roomUnordered: "15.2"
    }
  }
}

/// An invariant that did not hold in a race.
public struct BrokenInvariant: Error, Sendable, Equatable, CustomStringConvertible {
  public var invariant: Invariant
  /// When that was noticed first.
  public var at: Instant
  /// What was found.
  public var finding: String

  public init(invariant: Invariant, at: Instant, finding: String) {
    (self.invariant, self.at, self.finding) = (invariant, at, finding)
  }

  /// `nothing twice: capture 14 is on the server twice, at 1:20:03 (the server has … DESIGN §2.5)`
  public var description: String {
    "\(invariant.rawValue): \(finding), at \(clockText(at - .start)) "
      + "(\(invariant.sentence); DESIGN §\(invariant.section))"
  }
}

/// `1:20:03`
func clockText(_ time: Milliseconds) -> String {
  let seconds = max(0, time.count) / 1000
  func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
}
