internal import SQLite

/// Why the store failed: one line that says what, where and what to do.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// Another process uses the store.
    case inUse
    /// The file is not a store. It was left as it is.
    case notAStore
    /// A later version of the program wrote it. It was left as it is.
    case newer(version: Int32, known: Int32)
    /// An earlier version of the program wrote it, which cannot record this.
    case older(version: Int32)
    /// A name refers to captures of several devices; `instead` has a name for each of them.
    case ambiguous(name: String, instead: [String])
    /// A capture with a wrong sequence number: the next one must be `expected`.
    case outOfTurn(expected: UInt32, given: UInt32)
    /// The store's own limit is reached, by captures that no server has yet.
    case storeFull(waiting: Int)
    case diskFull
    case readOnly
    case inputOutput
    /// Another process is using the database at the moment.
    case busy
    /// Damage found while running; the next opening salvages.
    case damaged
    /// It or its directory cannot be opened.
    case cannotOpen
    /// There is no file to read.
    case missing
    /// The file was removed, renamed or replaced while it was in use; the next opening creates a
    /// new one.
    case gone
    /// It has several names (hard links), so that two programs could use it at once.
    case linked
  }

  public var kind: Kind
  public var path: String
  /// Details: the system's message.
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

  public var description: String {
    // The end of a path is the most useful part.
    let shown = path.count > 200 ? "…\(path.suffix(200))" : path.isEmpty ? "(no path)" : path
    return singleLine("\(shown): \(reason)")
  }

  /// The same line without the path.
  var reason: String { detail.isEmpty ? wording : "\(wording) (\(detail))" }

  private var wording: String {
    switch kind {
    case .inUse: "another tracker uses it; stop that one, or choose another store"
    case .notAStore: "is not a capture store and was left as it is; choose another path"
    case .newer(let version, let known):
      "has format \(version), this program knows up to \(known); install the newer program"
    case .older(let version):
      "has format \(version), which cannot record this; start the tracker once on it"
    case .ambiguous(let name, let instead):
      "\(name) matches captures of several devices; write \(instead.joined(separator: " or "))"
    case .outOfTurn(let expected, let given):
      "capture \(given) is out of order, \(expected) is next; report this as a bug"
    case .storeFull(let waiting):
      "is full: \(waiting) captures are waiting to be sent; send them or raise the limit"
    case .diskFull: "the disk is full; make room on it"
    case .readOnly: "cannot be read or written; check its permissions and how the disk is mounted"
    case .inputOutput: "the disk failed; check the card or disk and its contacts"
    case .busy: "another program is using it; close that one"
    case .damaged: "is damaged; restart the tracker, which saves what can be read"
    case .missing: "does not exist; check the path"
    case .gone: "was removed or replaced while it was in use; restart the tracker"
    case .linked: "has a second hard link; remove one of the names, or replace it with a copy"
    case .cannotOpen: "cannot be opened; check that its directory exists and is writable"
    }
  }
}
