internal import SQLite

/// Why the store did not do what it was asked to: one line that says what, where and what to do.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// Another process has the store.
    case inUse
    /// The file is something else. It was left as it is.
    case notAStore
    /// A later version of the program made it. It was left as it is.
    case newer(version: Int32, known: Int32)
    /// An earlier version of the program made it, which cannot hold what was to be noted.
    case older(version: Int32)
    /// A name means captures of several devices; each of the others means one of them.
    case ambiguous(name: String, instead: [String])
    /// A capture out of turn: the next one must be `expected`.
    case outOfTurn(expected: UInt32, given: UInt32)
    /// The store's own limit is reached by captures that no server has yet.
    case storeFull(waiting: Int)
    case diskFull
    case readOnly
    case inputOutput
    /// Another process holds the database for the moment.
    case busy
    /// Damage found while running; the next opening salvages.
    case damaged
    /// It or its directory cannot be opened.
    case cannotOpen
    /// There is no file to be read.
    case missing
    /// The file was removed, renamed or replaced while it was in use; a new opening makes another.
    case gone
    /// It has several names (hard links), so that two programs could use it at once.
    case linked
  }

  public var kind: Kind
  public var path: String
  /// More of it: what the system said.
  public var detail: String

  public init(_ kind: Kind, path: String, detail: String = "") {
    self.kind = kind
    self.path = path
    self.detail = detail
  }

  init(_ error: SQLiteError) {
    kind =
      switch error.kind {
      case .busy: .busy
      case .full: .diskFull
      case .readOnly: .readOnly
      case .inputOutput, .other: .inputOutput
      case .corrupt, .notADatabase, .constraint: .damaged
      case .cannotOpen: .cannotOpen
      }
    path = error.path
    detail = "\(error.operation): \(error.message) (SQLite \(error.code))"
  }

  /// Whether the same call may succeed later, when somebody or something has made room, mounted
  /// the disk again or closed another program. Nothing is lost by asking again.
  public var isRetryable: Bool {
    switch kind {
    case .storeFull, .diskFull, .readOnly, .inputOutput, .busy, .cannotOpen, .inUse: true
    case .notAStore, .newer, .older, .ambiguous, .outOfTurn, .damaged, .missing, .gone,
      .linked:
      false
    }
  }

  public var description: String {
    // The end of a path tells most.
    let shown = path.count > 200 ? "…\(path.suffix(200))" : path.isEmpty ? "(no path)" : path
    return singleLine("\(shown): \(reason)")
  }

  /// The same line without the path.
  var reason: String { detail.isEmpty ? wording : "\(wording) (\(detail))" }

  private var wording: String {
    switch kind {
    case .inUse: "another tracker uses it; stop that one, or give another store"
    case .notAStore: "is no capture store and was left as it is; give another path"
    case .newer(let version, let known):
      "has format \(version), this program knows up to \(known); install the newer program"
    case .older(let version):
      "has format \(version), which cannot note this; start the tracker once on it"
    case .ambiguous(let name, let instead):
      "\(name) means captures of several devices; write \(instead.joined(separator: " or "))"
    case .outOfTurn(let expected, let given):
      "capture \(given) is out of turn, \(expected) is next; report this mistake of the program"
    case .storeFull(let waiting):
      "is full: \(waiting) captures wait for a server; send them or raise the limit"
    case .diskFull: "the disk is full; make room on it"
    case .readOnly: "may not be read or written; check its permissions and how the disk is mounted"
    case .inputOutput: "the disk failed; check the card or disk and its contacts"
    case .busy: "another program holds it; close that one"
    case .damaged: "is damaged; start the tracker again, it saves what can be read"
    case .missing: "is not there; check the path"
    case .gone: "was removed or replaced while it was in use; start the tracker again"
    case .linked: "has another name too, a hard link; remove one of them, or make it a copy"
    case .cannotOpen: "cannot be opened; check that its directory is there and may be written"
    }
  }
}
