/// Follows the frames of a log and keeps track of what was committed.
struct LogWalk {
  struct Frame {
    enum State {
      case whole
      /// Had one wrong byte, which is known.
      case mended
      /// Its content cannot be trusted.
      case bad
    }

    var state: State
    /// The sums that the checksum of the next frame may continue.
    var seeds: [LogChecksum]
    /// Whether its page number can be trusted.
    var isPageKnown = true
  }

  struct Place {
    var index: Int
    /// 0: unknown.
    var page: Int
  }

  private(set) var seeds: [LogChecksum]
  /// The frames of complete transactions, in order.
  private(set) var committed: [Place] = []
  private(set) var committedPages: Int?
  /// The first frame that SQLite would stop at although later ones were committed.
  private(set) var firstDamage: Int?

  private var count = 0
  private var open: [Place] = []
  /// The state before a bad frame: a power cut may have torn the last transaction, but only that
  /// one.
  private var doubt: (index: Int, mayEnd: Bool, committed: [Place], pages: Int?)?

  init(seeds: [LogChecksum]) { self.seeds = seeds }

  /// - Parameter commit: the size of the database in pages, in the last frame of a transaction; 0
  ///   in others.
  mutating func add(_ frame: Frame, page: Int, commit: UInt32) {
    let index = count
    count += 1
    seeds = frame.seeds
    switch frame.state {
    case .bad:
      if firstDamage == nil, doubt == nil {
        doubt = (index, commit != 0, committed, committedPages)
      }
      return
    case .mended: firstDamage = min(firstDamage ?? index, doubt?.index ?? index)
    case .whole: break
    }
    open.append(Place(index: index, page: page))
    guard commit != 0 else { return }
    if let doubt {
      // The transaction of the bad frame may not have been completed; a later complete one proves
      // that it was.
      if doubt.mayEnd {
        firstDamage = min(firstDamage ?? doubt.index, doubt.index)
        self.doubt = nil
      } else {
        self.doubt?.mayEnd = true
      }
    }
    committed += open
    committedPages = Int(commit)
    open = []
  }

  /// Removes a transaction torn by a power cut: it was never completed.
  mutating func finish() {
    guard let doubt, firstDamage == nil else { return }
    committed = doubt.committed
    committedPages = doubt.pages
  }
}
