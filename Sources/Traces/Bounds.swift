import NMEA
import TrackerCore

/// The limits of a recording, with their reasons.
enum TraceBounds {
  /// Longest sentence, CR and LF included (NMEA 0183). A longer record continues in the next one.
  static let sentenceBytes = 82
  /// Longest receiver's line that is kept whole; a decoder does not accept a longer one either.
  static let lineBytes = NMEABounds.lineBytes
  /// How long the beginning of a line waits for its end, so that the line can be written as it
  /// came. At 9600 baud a line takes a tenth of a second.
  static let linePatience = Milliseconds.seconds(2)
  /// Chunks in one list: as many as fit into a sentence.
  static let chunksInList = 8
  /// The end of a line that is compared, at a `=`, with the names of secrets: the longest of them.
  static let secretNameBytes = 12
  /// Lines are handed to the sink this often and at this size: a trade-off between what a crash can
  /// lose and a system call per line.
  static let handOverInterval = Milliseconds.seconds(1)
  static let handOverBytes = 16_384
  /// The date of a recording is corrected if the receiver's differs by more; reports on a busy line
  /// are delayed by less.
  static let dateTolerance = Milliseconds.seconds(2)
  /// Dates that a TAG block can carry as milliseconds; a smaller number would be taken for seconds.
  static let dates: ClosedRange<Int64> = 100_000_000_000...99_999_999_999_999
  /// Longest line and longest record that a reader accepts. We write at most 512 and some 300
  /// bytes.
  static let readBytes = 4096
  /// Records that a reader queues behind an unfinished line. We write a line after two seconds,
  /// finished or not.
  static let waiting = 4096
  /// Settings that a reader accepts in one header; there are some sixty, and a
  /// course has a hundred more.
  static let settings = 1000
}
