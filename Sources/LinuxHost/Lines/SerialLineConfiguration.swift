public import TrackerCore

/// How a serial line is set up.
public struct SerialLineConfiguration: Sendable {
  public var place: SerialPlace
  public var baud: BaudRate
  /// The rate that a search begins with, bits per second.
  public var firstTried = 9600
  /// How long a burst may gather before it is read, at most; zero: it is read piece by piece. A
  /// fast line is read sooner, before the kernel's buffer is full.
  public var gathering: Milliseconds = 0
  /// What may wait to be sent; a command of a receiver has some 100 bytes.
  public var outgoingBytes = 1024
  /// Other folders than /sys and /dev, for rehearsals.
  public var systemFolder = "/sys"
  public var deviceFolder = "/dev"

  public init(_ place: SerialPlace, _ baud: BaudRate) {
    self.place = place
    self.baud = baud
  }

  /// What may lie in the kernel before it is read: a terminal keeps 4096 bytes (N_TTY_BUF_SIZE),
  /// and a quarter is for a poll that comes late.
  static let gatheredBytes: Int64 = 3072

  /// `gathering`, or less at a rate that would bring too much: with 10 bits to a byte 3.2 s at
  /// 9600 baud, 266 ms at 115 200.
  func gathering(at baud: Int) -> Milliseconds {
    min(gathering, Milliseconds(Self.gatheredBytes * 10 * 1000 / Int64(max(baud, 1))))
  }

}
