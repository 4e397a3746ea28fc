import FeatureService
import Synchronization
import TrackerCore
import Wording

/// One request, until it is answered.
///
/// `@unchecked`, because one thread at a time has it: the event loop's, or, while the connection is
/// suspended, the one that carries it out.
final class Exchange: @unchecked Sendable {
  /// Why a body is not taken. What still comes of it is dropped.
  enum Refusal {
    case tooLarge
    /// Too many others are being received.
    case noRoom
    /// Its sender, behind a proxy, has too many others.
    case crowded
    /// Too many others wait to be stored.
    case behind
    /// Its Content-Encoding is not supported.
    case coding
    /// It is not what its Content-Encoding says.
    case damaged
  }

  private let target: [UInt8]
  private let room: BodyRoom
  /// The sender's address.
  private(set) var client: String
  /// The same, if a proxy has told it.
  private(set) var forwarded: String?
  private var body: [UInt8] = []
  /// The bytes of `room` that it holds.
  private var held = 0
  private var isCompressed = false
  /// `nil` until the headers are complete.
  private(set) var head: RequestHead?
  private(set) var refusal: Refusal?
  /// What is sent when the event loop has it again.
  var result: PreparedReply?

  /// - Parameter client: the sender's address.
  init(target: [UInt8], client: String, _ room: BodyRoom) {
    self.target = target
    self.client = client
    self.room = room
  }

  deinit { room.giveBack(held, of: client) }

  /// - Parameter sender: the sender's address, if a proxy has passed it on.
  func begin(_ head: RequestHead, forwardedOf sender: String?) {
    self.head = head
    forwarded = sender
    if let sender { client = sender }
    switch head.coding {
    case nil, "identity": break
    case "gzip", "x-gzip", "deflate": isCompressed = true
    default: refuse(.coding)
    }
    guard let bytes = head.announcedBytes else { return }
    if bytes > limit { return refuse(.tooLarge) }
    // At once, because an array that grows is copied, for which there are two of it.
    body.reserveCapacity(bytes)
  }

  /// Takes a piece of the body, as it comes.
  func take(_ bytes: UnsafeRawBufferPointer) {
    if refusal != nil { return }
    guard body.count + bytes.count <= limit else { return refuse(.tooLarge) }
    body.append(contentsOf: bytes)
    hold(body.count)
  }

  /// What people type in the control room is short, and so is what their telephones tell.
  var limit: Int {
    ["/room", "/phone"].contains { target.starts(with: $0.utf8) }
      ? Bounds.smallBodyBytes : Bounds.bodyBytes
  }

  private func hold(_ bytes: Int) {
    let wanted = max(0, bytes - Bounds.smallBodyBytes)
    guard wanted > held else { return }
    guard room.take(wanted - held, for: client) else { return refuse(.noRoom) }
    held = wanted
  }

  /// Whether its body must be inflated.
  var needsInflating: Bool { isCompressed && refusal == nil }

  /// Inflates the body. Not on the event loop: a small body can become a thousand times its size.
  func inflate() {
    guard needsInflating else { return }
    guard let reader = GzipReader() else { return refuse(.noRoom) }
    let compressed = body
    var plain: [UInt8] = []
    compressed.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, refusal == nil {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Bounds.inflatedAtOnceBytes))
        rest = rest.dropFirst(piece.count)
        switch reader.read(piece, into: &plain, atMost: limit) {
        case .goesOn: hold(compressed.count + plain.count)
        case .tooLarge: refuse(.tooLarge)
        case .damaged: refuse(.damaged)
        }
      }
    }
    if refusal == nil, !reader.isComplete { refuse(.damaged) }
    if refusal != nil { return }
    body = plain
    isCompressed = false
    let wanted = max(0, body.count - Bounds.smallBodyBytes)
    room.giveBack(held - wanted, of: client)
    held = wanted
  }

  func refuse(_ refusal: Refusal) {
    self.refusal = refusal
    body = []
    room.giveBack(held, of: client)
    held = 0
  }

  /// How much work its body is.
  enum Weight {
    case small
    /// Of a tracker that has not been heard for a while.
    case backlog
    /// Most of it is held in `room`.
    case large
  }

  /// Whoever calls for help does not wait behind backlogs.
  var weight: Weight {
    if held > 0 { return .large }
    if body.count <= Bounds.contactBytes { return .small }
    let word = Array("emergency".utf8)
    let isCall = body.indices.contains { body[$0] == word[0] && body[$0...].starts(with: word) }
    return isCall ? .small : .backlog
  }

  /// What it asks for, without what its body says.
  var question: ServiceRequest {
    let path = target.prefix { $0 != UInt8(ascii: "?") }
    return ServiceRequest(method: head?.method ?? "", target: Array(path), type: nil, body: [])
  }

  /// The complete request. The body leaves with it.
  func request(_ head: RequestHead, language: Language?) -> ServiceRequest {
    let body = self.body
    self.body = []
    var request = ServiceRequest(
      method: head.method, target: target, type: head.type, body: body, bearer: head.bearer,
      host: head.host, language: language, client: client)
    (request.session, request.csrf) = (head.session, head.csrf)
    return request
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
