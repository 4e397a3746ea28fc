public import TrackerCore

/// The settings of a serial line.
public struct SerialLineConfiguration: Sendable {
  public var place: SerialPlace
  public var baud: BaudRate
  /// The first rate of a search, bits per second.
  public var firstTried = 9600
  /// The longest time that a burst may gather before it is read; zero: it is read piece by piece. A
  /// fast line is read sooner, before the kernel's buffer is full.
  public var gathering: Milliseconds = 0
  /// How much output may be queued; a command to a receiver has some 100 bytes.
  public var outgoingBytes = 1024
  /// Replacements for /sys and /dev, for rehearsals.
  public var systemFolder = "/sys"
  public var deviceFolder = "/dev"

  public init(_ place: SerialPlace, _ baud: BaudRate) {
    self.place = place
    self.baud = baud
  }

  /// How many bytes may gather in the kernel: a terminal buffers 4096 (N_TTY_BUF_SIZE), of which a
  /// quarter is reserved for a late poll.
  static let gatheredBytes: Int64 = 3072

  /// `gathering`, limited by the buffer: with 10 bits per byte to 3.2 s at 9600 baud, 266 ms at 115
  /// 200.
  func gathering(at baud: Int) -> Milliseconds {
    min(gathering, Milliseconds(Self.gatheredBytes * 10 * 1000 / Int64(max(baud, 1))))
  }

}
