/// Goes from frame to frame of a log and knows what was committed.
struct LogWalk {
  struct Frame {
    enum State {
      case whole
      /// One wrong byte, which is known.
      case mended
      /// Its content is not to be believed.
      case bad
    }

    var state: State
    /// What the checksum of the next frame may continue.
    var seeds: [LogChecksum]
    /// Whether the number of its page is to be believed.
    var isPageKnown = true
  }

  struct Place {
    var index: Int
    /// 0: nobody knows.
    var page: Int
  }

  private(set) var seeds: [LogChecksum]
  /// The frames of whole transactions, in order.
  private(set) var committed: [Place] = []
  private(set) var committedPages: Int?
  /// The first frame that SQLite would stop at though later ones were committed.
  private(set) var firstDamage: Int?

  private var count = 0
  private var open: [Place] = []
  /// What a bad frame has put in doubt: a power cut tears the last transaction, and only that one.
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
      // The transaction of the bad frame may never have ended. A later one that did proves it did.
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

  /// Takes back a transaction that a power cut has torn: it never ended.
  mutating func finish() {
    guard let doubt, firstDamage == nil else { return }
    committed = doubt.committed
    committedPages = doubt.pages
  }
}
