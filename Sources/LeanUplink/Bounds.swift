public import TrackerCore

/// The bounds of requests by a modem's own commands, each with its reason.
public enum ModemWebBounds {
  /// Setting a parameter is fast; opening the service may open the bearer too (SIMCom allows 120 s,
  /// which is too long for a contact).
  public static let answerLimit = Milliseconds.seconds(9)
  public static let openLimit = Milliseconds.seconds(40)
  /// The modem's own limits for connecting and for the server's answer, seconds, within SIMCom's
  /// ranges (A76XX Series AT Command Manual V1.09, `AT+HTTPPARA`: 20 to 120 and 2 to 120).
  public static let connectSeconds: Int64 = 30
  public static let receiveSeconds: Int64 = 60
  /// For a piece of an answer.
  public static let pieceLimit = Milliseconds.seconds(10)
  /// A line that was quiet for this long is free, whether the last expected answer has come or not.
  public static let restLimit = Milliseconds.seconds(1)
  /// For closing the service.
  public static let closeLimit = Milliseconds.seconds(9)
  /// For all requests of one upload with their answers, from its beginning. The core gives it up
  /// after `Bounds.modemUploadLimit`; by then the modem's service is closed, and its result
  /// reported.
  public static let taskLimit = Bounds.modemUploadLimit - closeLimit - Milliseconds.seconds(1)
  /// With less time left `ModemPosting` begins no further request: the modem might not have
  /// reported by the end.
  static let leastTime = Milliseconds.seconds(connectSeconds + receiveSeconds + 5)
  /// Bytes of a body that are looked at, to see whether it is a web page.
  static let lookedAt: Int32 = 64
}
