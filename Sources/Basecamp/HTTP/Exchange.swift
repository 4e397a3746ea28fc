import FeatureService
import Synchronization
import TrackerCore
import Wording

/// One request while it is being received.
final class Exchange {
  /// Why a body is not taken. What still comes of it is dropped.
  enum Refusal {
    case tooLarge
    /// Too many others are being received.
    case noRoom
    /// Its Content-Encoding is not supported.
    case coding
    /// It is not what its Content-Encoding says.
    case damaged
  }

  private let target: [UInt8]
  private let room: BodyRoom
  private let client: String
  private var body: [UInt8] = []
  /// The bytes of `room` that it holds.
  private var held = 0
  private var gzip: GzipReader?
  /// `nil` until the headers are complete.
  private(set) var head: RequestHead?
  private(set) var refusal: Refusal?

  /// - Parameter client: the sender's address.
  init(target: [UInt8], client: String, _ room: BodyRoom) {
    self.target = target
    self.client = client
    self.room = room
  }

  deinit { room.giveBack(held, of: client) }

  func begin(_ head: RequestHead) {
    self.head = head
    switch head.coding {
    case nil, "identity": break
    case "gzip", "x-gzip", "deflate":
      gzip = GzipReader()
      if gzip == nil { refuse(.noRoom) }
    default: refuse(.coding)
    }
    guard let bytes = head.announcedBytes else { return }
    if bytes > Bounds.bodyBytes { return refuse(.tooLarge) }
    // At once, because an array that grows is copied, for which there are two of it.
    body.reserveCapacity(bytes)
  }

  /// Takes a piece of the body.
  func take(_ bytes: UnsafeRawBufferPointer) {
    if refusal != nil { return }
    if let gzip {
      switch gzip.read(bytes, into: &body, atMost: Bounds.bodyBytes) {
      case .goesOn: break
      case .tooLarge: return refuse(.tooLarge)
      case .damaged: return refuse(.damaged)
      }
    } else {
      guard body.count + bytes.count <= Bounds.bodyBytes else { return refuse(.tooLarge) }
      body.append(contentsOf: bytes)
    }
    let wanted = max(0, body.count - Bounds.smallBodyBytes)
    guard wanted > held else { return }
    guard room.take(wanted - held, for: client) else { return refuse(.noRoom) }
    held = wanted
  }

  /// The body is complete.
  func end() {
    if let gzip, refusal == nil, !gzip.isComplete { refuse(.damaged) }
  }

  private func refuse(_ refusal: Refusal) {
    self.refusal = refusal
    body = []
    gzip = nil
    room.giveBack(held, of: client)
    held = 0
  }

  var isLarge: Bool { held > 0 }

  /// The complete request. The body leaves with it.
  func request(_ head: RequestHead, language: Language?) -> ServiceRequest {
    let body = self.body
    self.body = []
    return ServiceRequest(
      method: head.method, target: target, type: head.type, body: body, bearer: head.bearer,
      host: head.host, language: language, client: client)
  }
}

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
