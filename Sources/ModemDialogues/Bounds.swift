import LeanUplink
import TrackerCore

/// The bounds of a host's own dialogues with a modem, each with its reason. Those that it shares
/// with a controller have theirs in `ModemWebBounds`.
public enum ModemBounds {
  /// For all requests of one upload or query with their answers, from its beginning.
  static let taskLimit = ModemWebBounds.taskLimit
  /// With less time left no further request is begun: it would end without an answer.
  static let leastTime = Milliseconds.seconds(30)
  /// How long a modem tries to connect unless told otherwise (the same manual). Where it cannot be
  /// told, no request is begun that could outlast the task.
  static let ownConnectLimit = Milliseconds.seconds(120)
  /// The modem's own limits. The other bearers' requests have the same; with little time left they
  /// are shorter.
  static let connectSeconds = ModemWebBounds.connectSeconds
  static let shortestConnectSeconds: Int64 = 20
  static let receiveSeconds = ModemWebBounds.receiveSeconds
  static let shortestReceiveSeconds: Int64 = 2
  static let answerLimit = ModemWebBounds.answerLimit
  static let openLimit = ModemWebBounds.openLimit
  /// A modem must confirm a body within this time plus a millisecond for each
  /// `bodyBytesPerMillisecond`, half the speed of a line at 115 200 baud.
  static let bodyLimit = Milliseconds.seconds(10)
  static let bodyBytesPerMillisecond = 5
  static func pouring(_ bytes: Int) -> Milliseconds {
    Milliseconds(Int64(bytes / bodyBytesPerMillisecond))
  }
  /// What may be queued for a modem: the largest body that one takes (153 600 bytes, SIMCom's
  /// `AT+HTTPDATA`), and a command before and after it. A request with 100 captures and the longest
  /// team names is smaller.
  public static let outgoingBytes = 153_600 + 2 * lineBytes
  static let pieceLimit = ModemWebBounds.pieceLimit
  static let closeLimit = ModemWebBounds.closeLimit
  static let restLimit = ModemWebBounds.restLimit
  /// How long the modem waits for a body, seconds in SIMCom's manuals; unverified.
  static let bodySeconds = 60
  /// The answer to a batch has 100 bytes per capture, a layer's description tens of kilobytes; more
  /// would take a serial line a minute.
  static let answerBytes = 256 << 10
  /// Answers are read in pieces of this size, so that a damaged one costs little.
  static let pieceBytes = 4096
  static let headerBytes = 16 << 10
  /// Longest line that is kept.
  static let lineBytes = 512
  /// For the network's answer to a short message. 3GPP sets no limit; SIMCom's manuals give 60 s.
  static let textLimit = Milliseconds.seconds(65)
  /// For a whole short message: the core gives it up after `Bounds.textLimit`, and would send it
  /// again.
  static let messageLimit = Milliseconds.seconds(80)
  /// For reading all short messages: the core gives it up after `Bounds.readingLimit`. A SIM's 20
  /// to 50 take 1 to 2 s at 115 200 baud, a full store of 255 takes 9 s.
  static let inboxLimit = Milliseconds.seconds(25)
  /// Of a flood of messages no more are looked at in one reading.
  static let textsRead = 256
  /// A person's name in an answer: what `EmergencyAnswer.by` has room for.
  static let nameCharacters = 40
  /// Septets of one short message, 3GPP TS 23.040.
  static let textCharacters = 160
}
