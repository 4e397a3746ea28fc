/// The write-ahead log of a store, read without SQLite (sqlite.org/fileformat2.html §4).
///
/// SQLite reads a log up to its first damaged frame and silently ignores the rest. This continues
/// after such a frame: each frame's checksum continues that of the previous frame, which is stored
/// in it, so that one wrong byte affects only the page that it is in. A single wrong byte is even
/// located and corrected.
struct LogScan {
  private(set) var bytes: [UInt8]
  let pageBytes: Int
  /// Offset of the last committed content of each page.
  private var places: [Int: Int] = [:]
  /// Offsets of content that is not trustworthy, except for rows with checksums.
  private var doubtfulPlaces: [Int] = []
  /// Offsets of committed pages whose page number may be the wrong byte, and which might therefore
  /// replace another page.
  private var strayPlaces: [Int] = []
  private(set) var highestPage = 0
  /// The size of the database in pages according to the last commit; `nil` when there is none.
  private(set) var committedPages: Int?
  /// What SQLite would ignore; `nil` when it reads the whole log.
  private(set) var damage: String?
  /// What the log held if only its header is wrong: offsets of the last content of each page, and
  /// the size of the database.
  private var behindHeader: (places: [Int: Int], pages: Int)?

  private static let headerBytes = 32
  private static let frameHeaderBytes = 24

  init(_ bytes: [UInt8], pageBytes: Int) {
    self.bytes = bytes
    self.pageBytes = pageBytes
    let size = Self.frameHeaderBytes + pageBytes
    let count = max(0, (bytes.count - Self.headerBytes) / size)
    guard count > 0 else { return }
    // The last bit of the magic number is the byte order of the checksums.
    var isBigEndian = word(0) & 1 == 1
    var header = sum(0, 24, LogChecksum(), isBigEndian)
    let isHeaderWhole =
      word(0) & ~1 == 0x377F_0682 && word(8) == pageBytes && header == stored(24)
    if !isHeaderWhole {
      // A log is written in the byte order of its machine, which is this one.
      isBigEndian = UInt32(1).bigEndian == 1
      header = sum(0, 24, LogChecksum(), isBigEndian)
    }
    var walk = LogWalk(seeds: isHeaderWhole ? [header] : [stored(24), header])
    var trusting = walk
    let salts = isHeaderWhole ? word64(16) : saltsOfFrames(count)
    // Frames after the last one of this log are left over from an older log.
    let last = (0..<count).last { word64(begin($0) + 8) == salts } ?? 0
    var isChained = true
    for index in 0..<count {
      let begin = begin(index)
      let isOfThisLog = word64(begin + 8) == salts
      guard
        var frame = check(
          begin, walk.seeds, isBigEndian, isOfThisLog: isOfThisLog, isChained: isChained,
          mayEnd: index >= last)
      else { break }
      if !isPossible(begin) { frame.state = .bad }
      isChained = frame.state != .bad
      if frame.state == .bad { doubtfulPlaces.append(begin + Self.frameHeaderBytes) }
      let isKnown = isOfThisLog && isPossible(begin) || frame.state != .bad
      let commit = isKnown ? word(begin + 4) : 0
      var page = frame.isPageKnown ? Int(word(begin)) : pageByContent(begin)
      walk.add(frame, page: page, commit: commit)
      // What the first frame continues is in the header.
      if index == 0, isOfThisLog, isPossible(begin) {
        frame.state = .whole
        page = Int(word(begin))
      }
      trusting.add(frame, page: page, commit: commit)
    }
    // SQLite flushes the header before any frame: frames after a torn header are of an older log.
    let isHeaderDamaged = !isHeaderWhole && bytes[Self.headerBytes...].contains { $0 != 0 }
    if !isHeaderDamaged { walk.finish() }
    if isHeaderDamaged { keep(trusting) }
    for frame in walk.dropped {
      doubtfulPlaces.append(Self.headerBytes + frame.index * size + Self.frameHeaderBytes)
    }
    for frame in walk.committed {
      let place = Self.headerBytes + frame.index * size + Self.frameHeaderBytes
      if frame.page == 0 {
        strayPlaces.append(place)
      } else {
        places[frame.page] = place
        highestPage = max(highestPage, frame.page)
      }
    }
    committedPages = walk.committedPages
    if isHeaderDamaged {
      damage = "the header of its log is damaged"
    } else if let first = walk.firstDamage {
      damage = "frame \(first + 1) of its log is damaged"
    }
  }

  /// Whether every frame is known, apart from bytes put right: then the last transaction is
  /// the last one that was written.
  var isComplete: Bool { doubtfulPlaces.isEmpty && strayPlaces.isEmpty }

  /// Whether the header is wrong and the file has all that the log held, as a kill or a power cut
  /// leaves them when the log is started over: SQLite does that when the file has all of it and is
  /// flushed, and ignores a log with such a header.
  func isObsolete(in main: [UInt8]) -> Bool {
    guard let behindHeader, behindHeader.pages * pageBytes <= main.count else { return false }
    return behindHeader.places.allSatisfy { page, place in
      (1...behindHeader.pages).contains(page)
        && main[(page - 1) * pageBytes..<page * pageBytes] == bytes[place..<place + pageBytes]
    }
  }

  private mutating func keep(_ trusting: LogWalk) {
    var walk = trusting
    walk.finish()
    guard walk.firstDamage == nil else { return }
    guard let pages = walk.committedPages else {
      // A kill in a first transaction leaves frames that count for nothing.
      if walk.isWhole { behindHeader = ([:], 0) }
      return
    }
    var places: [Int: Int] = [:]
    for frame in walk.committed where frame.page <= pages {
      places[frame.page] = begin(frame.index) + Self.frameHeaderBytes
    }
    behindHeader = (places, pages)
  }

  func page(_ number: Int) -> ArraySlice<UInt8>? {
    places[number].map { bytes[$0..<$0 + pageBytes] }
  }

  var pages: [Int] { places.keys.sorted() }

  /// Pages with an unknown number, in the order in which they were written.
  var strays: [ArraySlice<UInt8>] { strayPlaces.map { bytes[$0..<$0 + pageBytes] } }

  /// The content of frames whose checksums do not agree.
  var doubtfulPages: [ArraySlice<UInt8>] { doubtfulPlaces.map { bytes[$0..<$0 + pageBytes] } }

  // MARK: Frames

  private func begin(_ index: Int) -> Int {
    Self.headerBytes + index * (Self.frameHeaderBytes + pageBytes)
  }

  /// Whether the page number and the size at the beginning of a frame are possible. SQLite has no
  /// page 0, and larger stores are not read.
  private func isPossible(_ begin: Int) -> Bool {
    let most = UInt32(StoreBounds.imageBytes / pageBytes)
    return (1...most).contains(word(begin)) && word(begin + 4) <= most
  }

  /// A frame's page number according to its content: 1, or 0 if unknown.
  private func pageByContent(_ begin: Int) -> Int {
    let content = bytes[(begin + Self.frameHeaderBytes)...]
    return content.starts(with: Array("SQLite format 3\0".utf8)) ? 1 : 0
  }

  /// The salts of a log whose header cannot be read: those of the first possible frame, as a new
  /// log overwrites the beginning of the old one.
  private func saltsOfFrames(_ count: Int) -> UInt64 {
    let first = (0..<count).first { isPossible(begin($0)) && word64(begin($0) + 8) != 0 }
    return word64(begin(first ?? 0) + 8)
  }

  /// - Parameters:
  ///   - isChained: whether the checksum of the previous frame is known to be of this log. A kill
  ///     or a power cut can leave a frame header of which only the first part was written: the
  ///     salts of this log, and the checksum of the older log that is continued behind it.
  ///   - mayEnd: whether no frame of this log comes after it.
  /// - Returns: `nil` where the log ends.
  private mutating func check(
    _ begin: Int, _ seeds: [LogChecksum], _ isBigEndian: Bool, isOfThisLog: Bool, isChained: Bool,
    mayEnd: Bool
  ) -> LogWalk.Frame? {
    let stored = stored(begin + 16)
    let sums = seeds.map { frameSum(begin, $0, isBigEndian) }
    if sums.contains(stored), isOfThisLog || isChained {
      // The salts are not part of the checksum; a frame of an older log would not continue it.
      return LogWalk.Frame(state: isOfThisLog ? .whole : .mended, seeds: [stored])
    }
    guard isOfThisLog else {
      return mayEnd ? nil : LogWalk.Frame(state: .bad, seeds: [stored] + sums.prefix(1))
    }
    for sum in sums {
      if sum.differsInOneByte(from: stored) {
        // The wrong byte is in the checksum or, if it is the highest bit of a word, in the frame.
        return LogWalk.Frame(state: .mended, seeds: [sum, stored], isPageKnown: false)
      }
      if let isRight = mend(begin, from: sum, to: stored, isBigEndian) {
        return LogWalk.Frame(state: .mended, seeds: [stored], isPageKnown: isRight)
      }
    }
    return LogWalk.Frame(state: .bad, seeds: [stored] + sums.prefix(1))
  }

  private func frameSum(_ begin: Int, _ seed: LogChecksum, _ isBigEndian: Bool) -> LogChecksum {
    let head = sum(begin, 8, seed, isBigEndian)
    return sum(begin + Self.frameHeaderBytes, pageBytes, head, isBigEndian)
  }

  /// Finds the one byte of a frame that explains a wrong checksum, and corrects it.
  ///
  /// Each pair of words (x, y) takes the sums (a, b) to (a + b + x, a + 2b + x + y): a difference
  /// in a word is propagated by each later pair, and is found by undoing these steps. If several
  /// bytes explain it, the rows' checksums decide; if they do not, nothing is changed.
  ///
  /// - Returns: whether it was corrected; `nil` if no single byte explains it.
  private mutating func mend(
    _ begin: Int, from sum: LogChecksum, to stored: LogChecksum, _ isBigEndian: Bool
  ) -> Bool? {
    var (first, second) = (stored.first &- sum.first, stored.second &- sum.second)
    let content = begin + Self.frameHeaderBytes
    var explanations: [(place: Int, word: [UInt8])] = []
    var pair = content + pageBytes
    while pair > begin {
      pair = pair == content ? begin : pair - 8
      for (place, difference) in [(pair, first), (pair + 4, second)]
      where place > pair ? first == 0 : first == second {
        if let word = changed(place, by: difference, isBigEndian) {
          explanations.append((place, word))
        }
      }
      (first, second) = (2 &* first &- second, second &- first)
    }
    let before = wholeRows(content)
    let best = explanations.map { explanation -> Int in
      var other = self
      other.put(explanation)
      return other.wholeRows(content)
    }
    for (place, explanation) in explanations.enumerated()
    where explanations.count == 1 || best[place] > before && best[place] == best.max() {
      put(explanation)
      return true
    }
    return explanations.isEmpty ? nil : false
  }

  private func wholeRows(_ content: Int) -> Int {
    RawRecord.rows(of: Array(bytes[content..<content + pageBytes]), from: 0).count { $0.isWhole }
  }

  private mutating func put(_ explanation: (place: Int, word: [UInt8])) {
    let place = explanation.place
    bytes.replaceSubrange(place..<place + 4, with: explanation.word)
  }

  /// The bytes of a word after adding a difference, if that changes only one byte.
  private func changed(
    _ place: Int, by difference: UInt32, _ isBigEndian: Bool
  ) -> [UInt8]? {
    let old = isBigEndian ? word(place) : word(place).byteSwapped
    let new = old &+ difference
    guard (old ^ new).hasOneByte else { return nil }
    let ordered = isBigEndian ? new.bigEndian : new.littleEndian
    return withUnsafeBytes(of: ordered) { Array($0) }
  }

  // MARK: Words

  /// Four bytes, big-endian.
  private func word(_ place: Int) -> UInt32 {
    bytes.withUnsafeBytes {
      UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
  }

  private func word64(_ place: Int) -> UInt64 {
    UInt64(word(place)) << 32 | UInt64(word(place + 4))
  }

  private func stored(_ place: Int) -> LogChecksum {
    LogChecksum(first: word(place), second: word(place + 4))
  }

  /// - Parameter count: a multiple of eight.
  private func sum(
    _ begin: Int, _ count: Int, _ seed: LogChecksum, _ isBigEndian: Bool
  ) -> LogChecksum {
    var (first, second) = (seed.first, seed.second)
    bytes.withUnsafeBytes { buffer in
      var place = begin
      while place < begin + count {
        let x = buffer.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let y = buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        first = first &+ (isBigEndian ? x.bigEndian : x.littleEndian) &+ second
        second = second &+ (isBigEndian ? y.bigEndian : y.littleEndian) &+ first
        place += 8
      }
    }
    return LogChecksum(first: first, second: second)
  }
}

/// The two sums of a log's checksum.
struct LogChecksum: Equatable {
  var first: UInt32 = 0
  var second: UInt32 = 0

  func differsInOneByte(from other: LogChecksum) -> Bool {
    let (a, b) = (first ^ other.first, second ^ other.second)
    return a == 0 ? b.hasOneByte : b == 0 && a.hasOneByte
  }
}

extension UInt32 {
  /// Whether exactly one of its bytes is not zero.
  fileprivate var hasOneByte: Bool {
    self != 0 && [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000].contains { self & ~$0 == 0 }
  }
}

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
  /// Whether all frames are as they were written.
  private(set) var isWhole = true

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
    if frame.state != .whole { isWhole = false }
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
