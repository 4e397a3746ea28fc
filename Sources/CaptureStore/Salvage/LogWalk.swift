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
    /// The last frame seen with which the transaction may have ended.
    var end: Int?
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
      doubt(index, end: commit != 0 ? index : nil, isMended: false)
      return
    case .mended, .whole:
      // A next transaction proves that the doubtful one was complete: it is written when that is on
      // disk. It is certain if it is complete itself, or continues the end of the doubtful one;
      // other frames may be left over from a transaction that an earlier process did not complete.
      if let end = doubt?.end, commit != 0 || end == index - 1 { prove() }
      if frame.state == .mended { doubt(index, end: nil, isMended: true) }
    }
    open.append(Place(index: index, page: page))
    guard commit != 0 else { return }
    doubt?.end = index
    committed += open
    committedPages = Int(commit)
    open = []
  }

  private mutating func doubt(_ index: Int, end: Int?, isMended: Bool) {
    // A complete transaction of known frames needs no later one.
    if let doubt, doubt.isMended, doubt.end != nil { prove() }
    if doubt == nil {
      doubt = Doubt(
        index: index, end: end, isMended: isMended, committed: committed, pages: committedPages)
    } else if !isMended {
      doubt?.isMended = false
      if let end { doubt?.end = end }
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
    if doubt.isMended, doubt.end != nil { return prove() }
    dropped = Array(committed[doubt.committed.count...]) + open
    committed = doubt.committed
    committedPages = doubt.pages
  }
}
