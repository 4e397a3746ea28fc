import FeatureService
import TrackerCore

/// What happens to the simulated world while a trace plays. By default everything works.
///
/// Times count from the start of the run. The windows of a track are sorted and do not overlap.
public struct Scenario: Sendable, Equatable {
  public var coverage: [Window<CoverageHole>] = []
  /// Faults affect HTTP requests. An upload may need several: for a token, the layer's description,
  /// a query, and the edit.
  public var server: [Window<Fault>] = []
  public var service = ServiceModel()
  /// Sequence numbers of captures that the server refuses, sorted, without duplicates.
  public var badCaptures: [UInt32] = []
  public var receiver: [Window<ReceiverFault>] = []
  public var modem: [Window<ModemFault>] = []
  /// The modem's behaviour; `nil`: that of the board's family.
  public var modemScript: ModemScript?
  public var sim = SIMCard()
  public var store: [Window<StoreFault>] = []
  /// Charge at the start, percent.
  public var batteryStartPercent: Int32 = 100
  /// Capacity of one cell, percent of the others'.
  public var weakCellPercent: Int32 = 100
  /// Temperature of the battery, degrees Celsius; `usualCelsius` outside of the windows.
  public var batteryCelsius: [Window<Int32>] = []
  /// Sorted by time; equal times in the order of the file.
  public var commands: [TimedCommand] = []
  public var network = NetworkModel()
  /// When the tracker's program ends, and begins again; sorted by time.
  public var restarts: [Restart] = []
  /// When people change settings while the program runs; sorted by time.
  public var reloads: [Reload] = []
  /// When the board's clock steps; sorted by time.
  public var clock: [ClockJump] = []
  /// What people write; sorted by time.
  public var people: [Writing] = []

  /// The temperature at which a board file states its battery's capacity.
  static let usualCelsius: Int32 = 20

  /// A scenario without faults.
  public init() {}
}

/// A part of the run in which something applies: from `from` until just before `to`.
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
  /// No cell in reach: the modem searches.
  case noService
  /// Registered, but without a data bearer.
  case noBearer
  /// The network refuses the registration.
  case denied
}

/// The features of the server: organisers do not always have the latest version.
public struct ServiceModel: Sendable, Equatable {
  public enum Kind: String, Sendable, Equatable {
    case featureServer
    /// Takes a position in each request, knows it by its identifier, and answers with a status
    /// only.
    case osmAnd
  }

  public var kind = Kind.featureServer
  /// The layer accepts GlobalIDs from clients (`supportsApplyEditsWithGlobalIds`).
  public var takesGlobalIDs = true
  /// The layer can keep some features of a request and refuse others
  /// (`supportsRollbackOnFailureParameter`).
  public var keepsPartOfRequest = true
  /// Lifetime of a token; `nil`: no tokens are needed.
  public var tokenLife: Milliseconds?

  init() {}
}

public enum ReceiverFault: Sendable, Equatable {
  /// Sends nothing, as with a broken wire.
  case silent
}

public enum ModemFault: Sendable, Equatable {
  /// Does not answer until it is power-cycled after the window.
  case mute
  case noSIM
  case simLocked
}

/// The SIM, and the PIN that the tracker has.
public struct SIMCard: Sendable, Equatable {
  /// The PIN that it requires after each power-on; `nil`: none.
  public var pin: String?
  /// The PIN that the tracker has; `nil`: none.
  public var secret: String?

  init() {}

  /// The tracker's `PINState` at the start.
  public var state: PINState { secret == nil ? .absent : .untried }
}

public enum StoreFault: Sendable, Equatable {
  /// The disk is full.
  case full
  /// Each write takes this long.
  case slow(Milliseconds)
}

/// What somebody writes to the others.
public struct Writing: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// At the tracker, of the team.
    case note
    /// In the control room, to the team.
    case message
    /// In the control room, of the tracker: one that `RemoteVerb.command` knows.
    case order
    /// Somebody in the control room has read the call for help that is shown there.
    case read
    /// Or says that it is over.
    case ended

    /// As a scenario calls it.
    var word: String {
      switch self {
      case .note: "note"
      case .message: "message"
      case .order: "order"
      case .read, .ended: "answer"
      }
    }
  }

  public var at: Milliseconds
  public var kind: Kind
  public var text: String
}

/// A change of the configuration file, which is read again at once.
public struct Reload: Sendable, Equatable {
  public var at: Milliseconds
  /// The members of the file that is there then. What takes effect only at a start stays as it is.
  public var settings: [String]
}

/// A step of the board's clock.
public struct ClockJump: Sendable, Equatable {
  public var at: Milliseconds
  /// Negative: it steps back.
  public var by: Milliseconds
}

public struct TimedCommand: Sendable, Equatable {
  var at: Milliseconds
  var command: Command

  public init(at: Milliseconds, command: Command) {
    self.at = at
    self.command = command
  }
}

/// The network where there is coverage.
public struct NetworkModel: Sendable, Equatable {
  /// Round trip, from the last byte sent to the first byte of the answer, on a mobile connection
  /// that has just come up; `nil`: some 800 ms, an assumption, unverified.
  public var latency: Milliseconds?
  /// In each direction. Far below 3G's nominal speed, as at the edge of a cell; an assumption,
  /// unverified.
  public var bytesPerSecond: Int32 = 20_000
  /// From the modem's readiness to its registration; `nil`: according to the modem's script.
  public var registration: Milliseconds?

  init() {}
}
