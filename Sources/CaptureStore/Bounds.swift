internal import TrackerCore

/// The store's bounds and fixed delays, with their reasons. What a program may choose is in
/// `StoreLimits`.
enum StoreBounds {
  // Numbers

  /// How many sequence numbers are reserved at once. After damage the numbering continues above
  /// them, so that no number is given to two captures although the last one is unknown. A longer
  /// block would write the identity less often, and make larger jumps.
  static let reservation: UInt32 = 4096

  // Rows

  /// Of a history's steps: the last dozen or so. An older word is cut off, perhaps in its middle.
  static let historyBytes = 120
  /// Characters and bytes of a place's name. A character may have any number of bytes, and a
  /// request has to hold a hundred names.
  static let placeNameCharacters = 40
  static let placeNameBytes = 120
  /// Captures that one transaction marks as handed out: a tracker that uses the store does not wait
  /// longer for it than for a request's acknowledgement.
  static let handedOutAtOnce = 500
  /// Sessions kept for people to read; only the last one matters.
  static let sessionsKept: Int64 = 100
  /// Messages to the tracker that are kept: some 100 kB at most.
  static let messagesKept: Int64 = 100

  /// Until the alarm of a halted machine at the latest: captures are at most a day apart.
  static let longestHalt = Milliseconds.hours(26)

  // The disk

  /// With less free space the log is moved into the file at each change. Twice the size at which
  /// SQLite moves it by itself (1000 pages).
  static let littleSpace: Int64 = 8 << 20
  /// For the log of one acknowledgement: 100 captures are on some 40 pages of 4 KiB.
  static let mostReserve: Int64 = 256 << 10
  /// For a call for help on a full disk: its captures of some hours, and what is remembered of it.
  static let spareBytes = 1 << 20
  /// For the log's header and new pages of the file.
  static let leastReserve: Int64 = 32 << 10
  /// Acknowledged captures that are dropped at once on a disk that is nearly full: removals go
  /// through the log, too.
  static let droppedAtOnce = 400
  /// How often captures are dropped for one that finds the file full: a removal may free one page,
  /// and an insertion take a leaf and an inner page of both the table and its index.
  static let fullTries = 4
  /// Pages that an insertion may take: a leaf and an inner page of both the table and its index.
  static let pagesOfInsertion: Int64 = 4
  /// With so many free pages in the file there is room although the disk has none: each takes a few
  /// captures.
  static let freePages: Int64 = 4
  /// One part in so many that a file at its limit may grow by when captures change their states.
  static let growthShare: Int64 = 8
  /// Space that a salvage leaves for new captures; with less the store could not take any.
  static let salvageMargin: Int64 = 256 << 10

  // Other programs

  /// How long a change waits for another program's lock. Whoever asks a tracker for its status
  /// waits two seconds, and a change or two may come before the answer.
  static let foreignLock = Milliseconds(500)

  // The lock file

  /// How often the lock is tried, and the pause before the next time: half a second in all. A
  /// process just forked from this one holds copies of its file descriptors, including the lock of
  /// a store closed meanwhile, until it calls exec.
  static let lockTries = 25
  static let lockPause = Milliseconds(20)
  /// More of the mark is not read. A line has some 120 bytes, for 4096 captures.
  static let markBytes = 64 << 10
  /// No line of it is shorter.
  static let markLineBytes = 60
  /// With more lines it is written anew.
  static let markLines = 64

  // Reading without SQLite

  /// Twice the usual limit of a store; more is not read into memory.
  static let imageBytes = 128 << 20
  /// How often reading is tried while a tracker is writing, and the pause before the next time.
  static let imageTries = 50
  static let imagePause = Milliseconds(20)
  /// The pause if only the log looks damaged, which may be a write that is not finished.
  static let logPause = Milliseconds(1)
  /// More columns than any of our tables has.
  static let rowColumns = 32
}
