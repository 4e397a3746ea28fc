import TrackerCore

/// The bounds of what a host says to a modem by itself, each with its reason.
public enum ModemBounds {
  /// The whole of a request and its answer. The core gives one up after `Bounds.uploadLimit`, and
  /// by then the modem must be free again.
  static let requestLimit = Milliseconds.seconds(100)
  /// Setting a parameter takes no time; opening the service may open the bearer too (SIMCom allows
  /// 120 s, which no contact has).
  static let answerLimit = Milliseconds.seconds(9)
  static let openLimit = Milliseconds.seconds(40)
  /// A modem that has a body says so after this and a millisecond for each of so many bytes: half
  /// of what a line of 115 200 baud carries.
  static let bodyLimit = Milliseconds.seconds(10)
  static let bodyBytesPerMillisecond = 5
  static func pouring(_ bytes: Int) -> Milliseconds {
    Milliseconds(Int64(bytes / bodyBytesPerMillisecond))
  }
  /// What may wait to be sent to a modem: the largest body that one takes (153 600 bytes, SIMCom's
  /// `AT+HTTPDATA`), the command before it and the one after it. A request of the largest batch,
  /// 100 captures with the longest of teams' names, stays below.
  public static let outgoingBytes = 153_600 + 2 * lineBytes
  /// Between two pieces of an answer that is read out.
  static let pieceLimit = Milliseconds.seconds(10)
  /// Closing the service, whatever came before.
  static let closeLimit = Milliseconds.seconds(9)
  /// Whether the answer that was awaited last comes or not, a line that was quiet for this long is
  /// free.
  static let restLimit = Milliseconds.seconds(1)
  /// How long the modem waits for a body, seconds in SIMCom's manuals; unverified.
  static let bodySeconds = 60
  /// A batch's answer has 100 bytes a capture, a layer's description tens of kilobytes; and a
  /// serial line takes a minute for more.
  static let answerBytes = 256 << 10
  /// Read out in pieces of this size, so that one that is spoilt costs little.
  static let pieceBytes = 4096
  static let headerBytes = 16 << 10
  /// Longest line that is looked at.
  static let lineBytes = 512
  /// The network's word about a short message. 3GPP sets none; SIMCom's manuals give 60 s.
  static let textLimit = Milliseconds.seconds(65)
  /// The whole of a short message: the core gives one up after `Bounds.textLimit`, and would send
  /// it again.
  static let messageLimit = Milliseconds.seconds(80)
  /// Septets of one short message, 3GPP TS 23.040.
  static let textCharacters = 160
}
