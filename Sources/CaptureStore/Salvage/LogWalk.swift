/// Follows the frames of a log and keeps track of what was committed.
///
/// A frame that is not whole is damage if a later transaction was written behind its own, as that
/// happens only when its own is on disk. An unfinished write may leave, behind the last commit:
/// - the first part of a frame or of its header, up to any byte, and behind it whatever was there:
///   zeros, frames of an older log (their salts differ), or frames of this log that an earlier
///   process wrote and did not complete;
/// - after a power cut, any sectors of a transaction and not the others, its last frame too.
///
/// So frames may continue each other behind one that is not whole, even from the checksum that was
/// in the place before. But those are of one transaction: it cannot leave a whole last frame that a
/// further whole frame continues. Nor, in order, can it leave the end of a transaction, then all of
/// a next one. Only these two patterns are taken for damage, and a complete transaction of which a
/// single byte is wrong.
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
  /// Where the frames began that continue each other up to here, in the same transaction.
  private var runBegin: Int?

  /// The first transaction with a frame that is not whole, and the state before it.
  private struct Doubt {
    /// Of the frame.
    var index: Int
    /// The last frame seen with which the transaction may have ended.
    var end: Int?
    /// Whether that frame is known, and not only the beginning of its header.
    var isEndKnown: Bool
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
      runBegin = nil
      doubt(index, end: commit != 0 ? index : nil, isMended: false)
      return
    case .mended, .whole:
      if let doubt, let end = doubt.end, runBegin ?? index == end + 1,
        doubt.isEndKnown || commit != 0
      {
        prove()
      }
      runBegin = runBegin ?? index
      if frame.state == .mended { doubt(index, end: nil, isMended: true) }
    }
    open.append(Place(index: index, page: page))
    guard commit != 0 else { return }
    if doubt != nil {
      doubt?.end = index
      doubt?.isEndKnown = true
      runBegin = nil
    }
    committed += open
    committedPages = Int(commit)
    open = []
  }

  private mutating func doubt(_ index: Int, end: Int?, isMended: Bool) {
    // A complete transaction of known frames needs no later one.
    if let doubt, doubt.isMended, doubt.end != nil { prove() }
    if doubt == nil {
      doubt = Doubt(
        index: index, end: end, isEndKnown: false, isMended: isMended, committed: committed,
        pages: committedPages)
    } else if !isMended {
      doubt?.isMended = false
      if let end {
        doubt?.end = end
        doubt?.isEndKnown = false
      }
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
