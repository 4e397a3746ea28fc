public import TrackerCore
public import Wording

/// The state of a capture on its way to a server. The raw values are those in the file.
public enum CaptureState: String, Sendable, Equatable, CaseIterable {
  /// Waiting to be sent. Exits: `inFlight`, `acknowledged`, `setAside`.
  case pending
  /// Handed out to be sent, outcome unknown. Exits: `pending`, `acknowledged`, `setAside`.
  case inFlight
  /// A server has it. Removed by pruning.
  case acknowledged
  /// Refused permanently, kept for a person. Exits: `pending` by `requeue`, `acknowledged`.
  case setAside
}

/// A capture as stored.
public struct StoredCapture: Sendable, Equatable {
  /// Identifies it in this store.
  public var key: CaptureKey
  /// The device that took it: the current one, or one that had the store before.
  public var device: UniqueID
  public var capture: Capture
  /// Its GlobalID.
  public var id: UniqueID
  /// When it was stored, as passed by the caller.
  public var takenAt: UTC
  public var state: CaptureState
  public var stateChangedAt: UTC
  /// The server's error code, if it is set aside.
  public var code: Int32?
  /// How often it was handed out to be sent, including this time; an export to a file that can be
  /// imported counts too. If it was handed out before it may have arrived: without stable
  /// identifiers on the server, ask before sending it again.
  public var attempts: UInt32
}

/// How many captures the store contains, by state.
public struct StoreTally: Sendable, Equatable {
  /// Including those in flight.
  public internal(set) var pending = 0
  public internal(set) var setAside = 0
  public internal(set) var acknowledged = 0
  public var rows: Int { pending + setAside + acknowledged }
}

/// The size at which a store drops acknowledged captures and, if there are none, refuses new ones.
public struct StoreLimits: Sendable, Equatable {
  /// Rows of any state. The longest walk at the shortest interval, 48 h at 10 s, has 17 280.
  public var rows = 200_000
  /// Bytes of the main file. A row takes about 150; the log beside it stays near 4 MB.
  public var bytes: Int64 = 64 << 20

  public init() {}
}

/// The result of opening a store.
public enum StoreOpening: Sendable, Equatable {
  case created
  case opened
  /// It was written by an earlier version of this program and has been migrated.
  case migrated(from: Int32)
  case salvaged(Salvage)
  /// There is no room to salvage or to open it: it was left as it is, and captures go to a second
  /// one beside it.
  case beside(WaitingStore)
}

/// A store that cannot be used now and was left as it is.
public struct WaitingStore: Sendable, Equatable, Worded {
  enum Cause: Sendable, Equatable {
    /// There is too little room; this many free bytes are enough.
    case room(neededBytes: Int64)
    /// Another process has it open.
    case inUse
    /// Something that a person has to fix, or that is only tried again at the next start.
    case other
  }

  /// Its file.
  public var path: String
  /// The file of the second store that stands in for it; `nil`: it is itself a second store, to be
  /// taken over by the first.
  var second: String?
  var cause: Cause
  /// The cause as text.
  var problem: Texts
  /// Captures in it that wait to be sent; `nil` when they could not be counted.
  public var waiting: Int?

  /// Why a restart could use it now; `nil` while nothing is known to have changed.
  public var reasonToStartAnew: String? {
    switch cause {
    case .room(let neededBytes):
      guard Disk.freeBytes(at: path).map({ $0 >= neededBytes }) ?? true else { return nil }
      return second == nil
        ? "there is room to take over the second store" : "there is room to salvage the store"
    case .inUse:
      return StoreLock.isFree(store: path) ? "no other process uses \(path) any more" : nil
    case .other: return nil
    }
  }

  public var texts: Texts {
    let file = waiting.map { StorePhrase.withWaiting.texts(path, "\($0)") } ?? path.texts
    let (until, hint) = advice
    guard let second else {
      let text = StorePhrase.notTakenOver.texts(file, problem)
      let whole = until.map { text + " " + $0 } ?? text
      return (hint.map { whole.semicolon($0) } ?? whole).map(singleLine)
    }
    let wait = until.map { " ".texts + $0 } ?? "".texts
    let text = StorePhrase.notUsable.texts(file, problem, wait, second)
    return (hint.map { text.semicolon($0) } ?? text).map(singleLine)
  }

  /// Until when it waits, and what helps.
  private var advice: (until: Texts?, hint: Texts?) {
    switch cause {
    case .room(let neededBytes):
      (StorePhrase.untilRoom.texts("\((neededBytes + 1023) / 1024)"), roomHint(path))
    case .inUse: (StorePhrase.untilEnded.texts, nil)
    case .other: (nil, StorePhrase.leftAsItIs.texts)
    }
  }
}

/// How to free room on a store's disk.
func roomHint(_ path: String) -> Texts {
  let old = Disk.files(beginning: path + ".damaged-")
  guard !old.isEmpty else { return StorePhrase.room.texts }
  let bytes = old.reduce(0) { $0 + Disk.size(of: $1) }
  return StorePhrase.roomOld.texts("\(path).damaged-*", "\((bytes + 1023) / 1024)")
}

/// The result of salvaging a damaged store.
public struct Salvage: Sendable, Equatable, Worded {
  /// Captures in the new store.
  public var recovered: Int
  /// Sequence numbers missing between those found: lost, or pruned before.
  public var missing: Int
  /// The next sequence number. Those between the last known one and this may have been given
  /// before.
  public var continuesAt: UInt32
  /// Whether the device keeps its identifier.
  public var isIdentityKept: Bool
  /// Where the damaged file is now, with its log beside it.
  public var movedTo: String
  /// What was found wrong.
  var damage: String

  public var texts: Texts {
    let text = StorePhrase.salvaged.texts(damage, "\(recovered)", "\(missing)", "\(continuesAt)")
    let whole = isIdentityKept ? text : StorePhrase.newIdentity.texts(text)
    return StorePhrase.keptAs.texts(whole, movedTo).map(singleLine)
  }
}

/// Joins the lines of `text`.
func singleLine(_ text: String) -> String {
  text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
