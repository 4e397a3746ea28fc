import TrackerCore
import Uplink

/// The bounds of this module, each with its reason.
enum TransferBounds {
  /// An idle connection is not used again after this: the courier counts on it.
  static let connectionLife = UplinkBounds.connectionLife
  /// Real answers have about 1 KiB of headers.
  static let headerBytes = 64 << 10
  /// More than enough for one server and a second one of its addresses.
  static let keptConnections = 4
  /// How often it is asked whether a request is still wanted.
  static let lookMilliseconds: Int64 = 100
  /// How long a broker keeps a capture for a receiver that is away, seconds: a day, within which it
  /// is sent again anyway. It is kept for ever where the broker's word counts.
  static let messageExpiry: UInt32 = 86_400
  /// Requests in progress at once. The dialogue with a server has one; a person may add some.
  static let transfers = 16
}
