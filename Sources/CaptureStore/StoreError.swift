internal import SQLite
public import Wording

/// Why the store failed: one line that says what, where and what to do.
public struct StoreError: Error, Sendable, Equatable, Worded {
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
  /// Details, such as the system's message.
  public var detail: Texts

  public init(_ kind: Kind, path: String, detail: Texts) {
    self.kind = kind
    self.path = path
    self.detail = detail
  }

  /// - Parameter detail: of the database or of a file's content, as it is.
  public init(_ kind: Kind, path: String, detail: String = "") {
    self.init(kind, path: path, detail: detail.texts)
  }

  init(_ error: SQLiteError) {
    kind =
      switch error.kind {
      case .busy: .busy
      case .full: .diskFull
      case .readOnly: .readOnly
      case .inputOutput, .interrupted, .other: .inputOutput
      case .corrupt, .notADatabase, .constraint: .damaged
      case .cannotOpen: .cannotOpen
      }
    path = error.path
    detail = "\(error.operation): \(error.message) (SQLite \(error.code))".texts
  }

  public var texts: Texts {
    // The end of a path is the most useful part.
    let shown = path.count > 200 ? "…\(path.suffix(200))".texts : path.texts
    return (path.isEmpty ? StorePhrase.noPath.texts : shown).colon(reason).map(singleLine)
  }

  /// The same line without the path.
  var reason: Texts { detail.english.isEmpty ? wording : wording + detail.map { " (\($0))" } }

  private var wording: Texts {
    switch kind {
    case .inUse: StorePhrase.inUse.texts
    case .notAStore: StorePhrase.notAStore.texts
    case .newer(let version, let known): StorePhrase.newer.texts("\(version)", "\(known)")
    case .older(let version): StorePhrase.older.texts("\(version)")
    case .ambiguous(let name, let instead):
      StorePhrase.ambiguous.texts(name, listed(plain: instead, or: true))
    case .outOfTurn(let expected, let given):
      StorePhrase.outOfTurn.texts("\(given)", "\(expected)")
    case .storeFull(let waiting): StorePhrase.storeFull.texts("\(waiting)")
    case .diskFull: StorePhrase.diskFull.texts
    case .readOnly: StorePhrase.readOnly.texts
    case .inputOutput: StorePhrase.inputOutput.texts
    case .busy: StorePhrase.busy.texts
    case .damaged: StorePhrase.damaged.texts
    case .missing: StorePhrase.missing.texts
    case .gone: StorePhrase.gone.texts
    case .linked: StorePhrase.linked.texts
    case .cannotOpen: StorePhrase.cannotOpen.texts
    }
  }
}
