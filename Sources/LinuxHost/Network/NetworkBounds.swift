import Courier
import TrackerCore

/// The bounds of the network client, each with its reason.
public enum NetworkBounds {
  /// Real answers have about 1 KiB of headers.
  public static let headerBytes = 64 << 10
  /// More than enough for one server and a second one of its addresses.
  public static let keptConnections = 4
  /// An idle one is not used again after this: the courier counts on it.
  static let connectionLife = CourierBounds.connectionLife
  /// No request is given up sooner, of real time: a rehearsal does not make a network faster.
  static let shortestPatience: Int64 = 5000
  /// Requests in progress at once. The dialogue with a server has one; a person may add some.
  public static let transfers = 16
  /// A secrets file has a few lines.
  public static let secretsFileBytes = 64 << 10
  /// After this time a name that was not found is looked up again, on a link that came up within
  /// `freshLink`: scripts take a second or two to write the DNS servers, a DHCP client after DAD or
  /// a slow disk some more.
  static let nameRetry = Milliseconds.seconds(1)
  static let freshLink = Milliseconds.seconds(15)
}
