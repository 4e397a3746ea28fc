public import TrackerCore

/// Where a capture stands on its way to a server. The raw values are what the file says.
public enum CaptureState: String, Sendable, Equatable, CaseIterable {
  /// Waits to be sent. Exits: `inFlight`, `acknowledged`, `setAside`.
  case pending
  /// Handed out to be sent, fate unknown. Exits: `pending`, `acknowledged`, `setAside`.
  case inFlight
  /// A server has it. Leaves the store by pruning.
  case acknowledged
  /// Refused for good, kept for a person. Exits: `pending` by `requeue`, `acknowledged`.
  case setAside
}

/// A capture as it lies in the store.
public struct StoredCapture: Sendable, Equatable {
  /// Names it in this store.
  public var key: CaptureKey
  /// The device that took it: this one, or one that the store lived on before.
  public var device: UniqueID
  public var capture: Capture
  /// Its GlobalID, the same whenever and wherever it is sent.
  public var id: UniqueID
  /// When it was put into the store, by the clock of whoever stored it.
  public var takenAt: UTC
  public var state: CaptureState
  public var stateChangedAt: UTC
  /// A server's code, when it is set aside.
  public var code: Int32?
  /// How often it was handed out to be sent, this time included; a file that can be imported counts
  /// as a first time. One that was handed out before may have arrived: without stable identifiers
  /// on the server, ask before sending it again.
  public var attempts: UInt32
}

/// How many captures the store holds, by what they wait for.
public struct StoreTally: Sendable, Equatable {
  /// In flight included.
  public internal(set) var pending = 0
  public internal(set) var setAside = 0
  public internal(set) var acknowledged = 0
  public var rows: Int { pending + setAside + acknowledged }
}

/// How much a store may hold before it drops what is acknowledged, and then refuses more.
public struct StoreLimits: Sendable, Equatable {
  /// Rows of any state. The longest walk at the shortest interval, 48 h at 10 s, has 17 280.
  public var rows = 200_000
  /// Bytes of the main file. A row takes about 150; the log beside it stays near 4 MB.
  public var bytes: Int64 = 64 << 20

  public init() {}
}

/// How the opening of a store went.
public enum StoreOpening: Sendable, Equatable {
  case created
  case opened
  /// It was made by an earlier version of this program and brought up to this one's.
  case migrated(from: Int32)
  case salvaged(Salvage)
  /// It is damaged and there is no room to salvage it, or none to open it: it was left as it is,
  /// and captures go to a second one beside it.
  case beside(WaitingStore)
}

/// A store that cannot be used now. It waits as it is.
public struct WaitingStore: Sendable, Equatable, CustomStringConvertible {
  public enum Cause: Sendable, Equatable {
    /// There is too little room; with so many free bytes there is enough.
    case room(neededBytes: Int64)
    /// Another process has it open.
    case inUse
    /// Something that a person has to mend, or that only the next start can try again.
    case other
  }

  /// Its file.
  public var path: String
  /// The file of the second store, which stands in for it; `nil`: it is a second store itself, and
  /// waits to be taken into the first.
  public var second: String?
  public var cause: Cause
  /// The cause in words.
  public var problem: String
  /// Captures in it that wait for a server; `nil` when nobody could count them.
  public var waiting: Int?

  /// Why a new start could use it now; `nil` while nothing is known to have changed.
  public var reasonToStartAnew: String? {
    switch cause {
    case .room(let neededBytes):
      guard Disk.freeBytes(at: path).map({ $0 >= neededBytes }) ?? true else { return nil }
      return second == nil
        ? "there is room to take in the second store" : "there is room to salvage the store"
    case .inUse:
      return StoreLock.isFree(store: path) ? "no other process uses \(path) any more" : nil
    case .other: return nil
    }
  }

  public var description: String {
    let count = waiting.map { " with \($0) captures that wait" } ?? ""
    let (until, hint) = advice
    guard let second else {
      return singleLine("\(path)\(count) cannot be taken in (\(problem))\(until)\(hint)")
    }
    return singleLine(
      "\(path)\(count) cannot be used (\(problem))\(until); it was left as it is, and captures go "
        + "to \(second)\(hint)")
  }

  /// How long it waits, and what shortens that.
  private var advice: (until: String, hint: String) {
    switch cause {
    case .room(let neededBytes):
      (" before \((neededBytes + 1023) / 1024) KB are free", "; \(roomHint(path))")
    case .inUse: (" before that one has ended", "")
    case .other: ("", "; it was left as it is")
    }
  }
}

/// What frees room beside a store.
func roomHint(_ path: String) -> String {
  let old = Disk.files(beginning: path + ".damaged-")
  let bytes = old.reduce(0) { $0 + Disk.size(of: $1) }
  let files = old.isEmpty ? "" : "\(path).damaged-* (\((bytes + 1023) / 1024) KB), "
  return "to make room, remove \(files)recordings or logs"
}

/// What became of a damaged store.
public struct Salvage: Sendable, Equatable, CustomStringConvertible {
  /// Captures that are in the new store.
  public var recovered: Int
  /// Numbers that are missing among those known: lost, or pruned before.
  public var missing: Int
  /// The next number. Those between the last known one and this may have been given; none is
  /// given twice.
  public var continuesAt: UInt32
  /// Whether the device is still who it was.
  public var isIdentityKept: Bool
  /// Where the damaged file lies now, its log beside it.
  public var movedTo: String
  /// What was found wrong, in SQLite's words.
  public var damage: String

  public var description: String {
    singleLine(
      "the store was damaged (\(damage)): \(recovered) captures recovered, \(missing) missing "
        + "between them, the count goes on at \(continuesAt)"
        + (isIdentityKept ? "" : ", the device has a new identity")
        + "; the old file is kept as \(movedTo)")
  }
}

/// `text` on one line.
func singleLine(_ text: String) -> String {
  text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
