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
  /// Frames of a transaction that was never completed: their pages count for nothing, their rows
  /// may be looked at.
  private(set) var dropped: [Place] = []
  /// The first frame that SQLite would stop at although later ones were committed.
  private(set) var firstDamage: Int?

  private var count = 0
  private var open: [Place] = []
  private var doubt: Doubt?

  /// The first transaction with a frame that is not whole, and the state before it. The last
  /// transaction may be incomplete: after a power cut in any order, after a kill because a frame's
  /// header is written before its page, and the place of the page still has that of an earlier
  /// process, which may differ in one byte only.
  private struct Doubt {
    /// Of the frame.
    var index: Int
    /// Whether a frame has been seen with which the transaction may have ended.
    var mayEnd: Bool
    /// Whether all its frames are known by now.
    var isMended: Bool
    var committed: [Place]
    var pages: Int?
  }

  init(seeds: [LogChecksum]) { self.seeds = seeds }

  /// - Parameter commit: the size of the database in pages, in the last frame of a transaction; 0
  ///   in others.
  mutating func add(_ frame: Frame, page: Int, commit: UInt32) {
    let index = count
    count += 1
    seeds = frame.seeds
    switch frame.state {
    case .bad:
      doubt(index, mayEnd: commit != 0, isMended: false)
      return
    case .mended, .whole:
      // What follows the end of the doubtful transaction proves that it was complete: the next one
      // is written when it is on disk.
      if doubt?.mayEnd == true { prove() }
      if frame.state == .mended { doubt(index, mayEnd: false, isMended: true) }
    }
    open.append(Place(index: index, page: page))
    guard commit != 0 else { return }
    doubt?.mayEnd = true
    committed += open
    committedPages = Int(commit)
    open = []
  }

  private mutating func doubt(_ index: Int, mayEnd: Bool, isMended: Bool) {
    // A complete transaction of known frames needs no later one.
    if let doubt, doubt.isMended, doubt.mayEnd { prove() }
    if doubt == nil {
      doubt = Doubt(
        index: index, mayEnd: mayEnd, isMended: isMended, committed: committed,
        pages: committedPages)
    } else if !isMended {
      doubt?.isMended = false
      if mayEnd { doubt?.mayEnd = true }
    }
  }

  private mutating func prove() {
    firstDamage = firstDamage ?? doubt?.index
    doubt = nil
  }

  /// Removes a transaction torn by a power cut or a kill: it was never completed.
  mutating func finish() {
    guard let doubt else { return }
    // A killed process may have left this, too, if the page that was there before differs in one
    // byte. But it may be a finished transaction with a wrong byte, and nothing is lost by taking
    // it for that.
    if doubt.isMended, doubt.mayEnd { return prove() }
    dropped = Array(committed[doubt.committed.count...]) + open
    committed = doubt.committed
    committedPages = doubt.pages
  }
}
