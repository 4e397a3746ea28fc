import FeatureService
import TrackerCore

/// What happens to the world while a trace plays. Everything is healthy where nothing is said.
///
/// Times count from the start of the run. The windows of a track are sorted and do not overlap.
public struct Scenario: Sendable, Equatable {
  public var coverage: [Window<CoverageHole>] = []
  /// A fault strikes HTTP requests. An upload may need several: for a token, for the layer's
  /// description, to ask what is there, to send.
  public var server: [Window<Fault>] = []
  public var service = ServiceModel()
  /// Sequence numbers that the server refuses one by one, sorted, each once.
  public var badCaptures: [UInt32] = []
  public var receiver: [Window<ReceiverFault>] = []
  public var modem: [Window<ModemFault>] = []
  /// How the modem behaves; `nil`: as those of the board's family do.
  public var modemScript: ModemScript?
  public var sim = SIMCard()
  public var store: [Window<StoreFault>] = []
  /// Charge at the start, percent.
  public var batteryStartPercent: Int32 = 100
  /// Temperature of the battery, degrees Celsius; `usualCelsius` outside of the windows.
  public var batteryCelsius: [Window<Int32>] = []
  /// Sorted by time; equal times in the order of the file.
  public var commands: [TimedCommand] = []
  public var network = NetworkModel()

  /// The temperature at which a board file states its battery's capacity.
  public static let usualCelsius: Int32 = 20

  /// A day on which nothing goes wrong.
  public init() {}
}

/// A span of the run in which something holds: from `from` until just before `to`.
public struct Window<Content: Sendable & Equatable>: Sendable, Equatable {
  public var from: Milliseconds
  /// `nil`: until the end of the run.
  public var to: Milliseconds?
  public var content: Content

  public init(from: Milliseconds, to: Milliseconds?, content: Content) {
    self.from = from
    self.to = to
    self.content = content
  }

  public func contains(_ elapsed: Milliseconds) -> Bool {
    from <= elapsed && to.map { elapsed < $0 } ?? true
  }
}

public enum CoverageHole: Sendable, Equatable {
  /// No cell to be heard: the modem searches.
  case noService
  /// Registered, but no data bearer comes about.
  case noBearer
  /// The network refuses the registration.
  case denied
}

/// What kind of service the server offers: what organisers have is not always the latest.
public struct ServiceModel: Sendable, Equatable {
  /// The layer takes the GlobalIDs of clients (`supportsApplyEditsWithGlobalIds`).
  public var takesGlobalIDs = true
  /// The layer can keep some features of a request and refuse the others
  /// (`supportsRollbackOnFailureParameter`).
  public var keepsPartOfRequest = true
  /// How long a token lives; `nil`: none is needed.
  public var tokenLife: Milliseconds?

  public init() {}
}

public enum ReceiverFault: Sendable, Equatable {
  /// Sends nothing at all, like a broken wire.
  case silent
}

public enum ModemFault: Sendable, Equatable {
  /// Answers nothing until its power is cycled after the window.
  case mute
  case noSIM
  case simLocked
}

/// The SIM, and what the tracker knows of it.
public struct SIMCard: Sendable, Equatable {
  /// It asks for this PIN after each power-on; `nil`: it asks for none.
  public var pin: String?
  /// The PIN that the tracker has; `nil`: none.
  public var secret: String?

  public init() {}

  /// What a tracker is told about its PIN at the start.
  public var state: PINState { secret == nil ? .absent : .untried }
}

public enum StoreFault: Sendable, Equatable {
  /// The disk takes no more captures.
  case full
}

public struct TimedCommand: Sendable, Equatable {
  public var at: Milliseconds
  public var command: Command

  public init(at: Milliseconds, command: Command) {
    self.at = at
    self.command = command
  }
}

/// The network where there is coverage.
public struct NetworkModel: Sendable, Equatable {
  /// From the last byte sent to the first byte of the answer: a round trip. A mobile connection
  /// that has just come up; an assumption, unverified.
  public var latency: Milliseconds = 800
  /// Either way. Far below what 3G promises, as at the edge of a cell; an assumption, unverified.
  public var bytesPerSecond: Int32 = 20_000
  /// From the modem's readiness to its registration; `nil`: as the modem's script says.
  public var registration: Milliseconds?

  public init() {}
}
