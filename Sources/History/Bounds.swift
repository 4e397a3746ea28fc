import TrackerCore

/// The bounds of a history on request, with their reasons.
public enum HistoryBounds {
  /// Of one request: ten minutes of every second and more, or a night of every minute; some 16 kB.
  public static let positions = 1000
  /// The finest grain: receivers report once a second.
  static let finest = Milliseconds.seconds(1)
  static let coarsest = Milliseconds.hours(24)
  /// Requests that one tracker works on; what comes meanwhile is refused.
  public static let open = 3
  /// Slots of one part: its text stays below `textBytes` with the longest differences.
  static let slotsOfPart = 100
  /// A text field of any database takes this.
  public static let textBytes = 4000
  public static let keyBytes = 80
  /// What a position takes in a request, and a request besides.
  static let positionBytes = 18
  static let requestBytes = 2000
  /// What is assumed of the network: GPRS at its best carries twice as much.
  static let bytesPerSecond = 4000
  /// A question and the answer to it, at least.
  static let exchangeSeconds = 4
}
