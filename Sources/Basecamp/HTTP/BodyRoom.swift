import Synchronization

/// The memory for bodies that all requests share, so that many large ones at once do not take all
/// of the machine's.
final class BodyRoom: Sendable {
  private struct Taken {
    var total = 0
    var byClient: [String: Int] = [:]
  }

  private let taken = Mutex(Taken())
  private let all: Int
  private let ofClient: Int

  /// - Parameters:
  ///   - all: the bytes of all requests.
  ///   - ofClient: the bytes of one address.
  init(all: Int = Bounds.bodiesBytes, ofClient: Int = Bounds.bodiesBytesOfClient) {
    self.all = all
    self.ofClient = ofClient
  }

  /// The bytes that are taken.
  var bytesTaken: Int { taken.withLock { $0.total } }

  /// - Returns: whether there is room for so many bytes more.
  func take(_ bytes: Int, for client: String) -> Bool {
    taken.withLock { taken in
      let own = taken.byClient[client, default: 0]
      guard taken.total + bytes <= all, own + bytes <= ofClient else { return false }
      taken.total += bytes
      taken.byClient[client] = own + bytes
      return true
    }
  }

  func giveBack(_ bytes: Int, of client: String) {
    if bytes == 0 { return }
    taken.withLock { taken in
      taken.total -= bytes
      let own = taken.byClient[client, default: 0] - bytes
      taken.byClient[client] = own > 0 ? own : nil
    }
  }
}
