import NMEA
import TrackerCore

/// Every bound of a recording, with its reason.
public enum TraceBounds {
  /// Longest sentence, CR and LF included (NMEA 0183). A longer record goes on in the next one.
  static let sentenceBytes = 82
  /// A receiver's line is kept whole up to here; what is longer is none for any decoder either.
  static let lineBytes = NMEABounds.lineBytes
  /// The beginning of a line waits this long for its end, so that it is written as it came. At
  /// 9600 baud a line takes a tenth of a second.
  static let linePatience = Milliseconds.seconds(2)
  /// Chunks in one list: as many as a sentence has room for.
  static let chunksInList = 8
  /// Lines are handed over this often and at this size: what a crash can cost, against a call of
  /// the system for every line.
  static let handOverInterval = Milliseconds.seconds(1)
  static let handOverBytes = 16_384
  /// The date of a recording is put right when the receiver's differs by more: less is the delay
  /// of reports on a busy line.
  static let dateTolerance = Milliseconds.seconds(2)
  /// Dates that a TAG block can carry as milliseconds: below, they would be taken for seconds.
  static let dates: ClosedRange<Int64> = 100_000_000_000...99_999_999_999_999
  /// Longest line and longest record that a reader takes in. We write 512 bytes and some 300.
  static let readBytes = 4096
  /// Records that a reader keeps waiting behind a line that has not ended. We write a line after
  /// two seconds, whether it has ended or not.
  static let waiting = 4096
  /// Settings in one header that a reader takes in; there are some sixty.
  static let settings = 1000
}
