import TrackerCore

/// The bounds of this module, in alphabetical order, each with its reason.
public enum MachineBounds {
  /// What a client reads of an answer, bytes.
  static let answerBytesRead = 65_536
  /// How many bytes may gather in the kernel: a terminal buffers 4096 (N_TTY_BUF_SIZE), of which a
  /// quarter is reserved for a late poll.
  static let gatheredBytes: Int64 = 3072
  /// The time limit for connecting to gpsd and for its greeting, each.
  static let gpsdPatience = Milliseconds.seconds(5)
  /// The name of a person at the control socket, bytes.
  public static let personBytes = 32
  /// How long a receiver's sentences are counted, from the first one on: a receiver at 1 Hz sends
  /// twice.
  static let probeCounting = Milliseconds.seconds(2)
  /// How long a probe waits for a receiver's first byte: one that is awake sends once a second.
  static let probeSilence = Milliseconds.seconds(3)
  /// The same behind a gpsd, which looks for the rate itself when its first client comes.
  static let probeSilenceOfGpsd = Milliseconds.seconds(8)
  /// A baud rate that was right is given up after only garbage for this long.
  static let rateGarbage = Milliseconds.seconds(3)
  /// From the first byte at a baud rate until the next rate is tried: a receiver at 1 Hz sends
  /// twice.
  static let rateListening = Milliseconds(2200)
  /// A baud rate that was right is given up after this long without a byte: longer than a receiver
  /// sleeps between two captures, or it would meet a wrong rate when it wakes.
  static let rateLongSilence = Milliseconds.hours(1)
  /// How long a baud rate is tried without any byte: a receiver may report once in 10 s.
  static let rateSilence = Milliseconds.seconds(10)
  /// How soon a line that is down is tried again at first; each time it is twice as long.
  static let reopeningFirst = Milliseconds(250)
  /// How soon it is tried again at the latest: somebody who plugs a cable in waits for it.
  static let reopeningLongest = Milliseconds.seconds(5)
  /// A secrets file has a few lines.
  static let secretsFileBytes = 64 << 10
}
