internal import CMicroHTTP
import FeatureService
import Glibc
import SystemCalls
import Wording

/// Listens, reads requests, and sends a handler's answers, using libmicrohttpd with one thread for
/// all connections. Requests are carried out by other threads, while their connections are
/// suspended.
struct HTTPServer: ~Copyable {
  /// How it treats people's browsers.
  struct Manners {
    var language = PageLanguage()
    var pages = CrossOrigin()
    /// `http` or `https`.
    var scheme = "http"
    /// For the bodies of requests.
    var room = BodyRoom()

    /// What the headers say of the page that a request comes from.
    func source(of head: RequestHead) -> ServiceRequest.Source {
      let isLocal = head.host.map { CrossOrigin.isThisMachine($0) } ?? true
      let isOwn = isLocal && head.origin == head.host.map { "\(scheme)://\($0)" }
      var source = ServiceRequest.Source()
      source.origin = head.origin
      source.isForeign = pages.isForeign(head.origin, isOwn: isOwn)
      source.isNamedElsewhere = !isLocal
      return source
    }
  }

  /// What requests are for.
  struct Handler: Sendable {
    /// Who carries a request out; it is asked before the form in the body is read.
    var lane: @Sendable (ServiceRequest, Exchange.Weight) -> Workers.Lane
    var answer: @Sendable (ServiceRequest, RequestHead) -> Outcome
  }

  private let daemon: OpaquePointer
  private let handler: Unmanaged<HandlerBox>
  private let workers: Workers
  private let connections: Connections
  private let hub: EventHub
  /// The port that it listens on, chosen by the system if none was given.
  let port: UInt16

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - certificate: for TLS; `nil`: plain HTTP.
  ///   - manners: towards people and web pages.
  ///   - hub: whose streams end with it.
  /// - Throws: `ServiceError` if the address is in use or not available.
  init(
    at address: ListenAddress, _ certificate: ServerCertificate?, _ manners: Manners,
    _ connections: Connections, _ hub: EventHub, _ handler: Handler
  ) throws(ServiceError) {
    let listener = try Listener(at: address)
    let workers: Workers
    do throws(SystemError) { workers = try Workers() } catch {
      close(listener.descriptor)
      throw ServiceError("cannot start threads: \(error.reason); end other programs")
    }
    let box = Unmanaged.passRetained(HandlerBox(manners, connections, workers, handler))
    let started = cmicrohttp_start(
      listener.descriptor, certificate?.chain, certificate?.key, UInt32(connections.limit),
      connections.idleSeconds, Bounds.headerBytes, accepts, noteConnection, beginExchange, proceed,
      endExchange, box.toOpaque())
    guard let started else {
      workers.close()
      box.release()
      throw ServiceError("cannot listen on \(address): libmicrohttpd fails; report this as a bug")
    }
    daemon = started
    port = listener.port
    self.handler = box
    self.workers = workers
    self.connections = connections
    self.hub = hub
  }

  // What has been begun is done, and its answers are sent. The library wants no connection to be
  // suspended then.
  deinit {
    workers.close()
    hub.close()
    connections.waitForAnswers()
    MHD_stop_daemon(daemon)
    handler.release()
  }
}

/// A listening socket. It is bound here, because libmicrohttpd does not always report why that
/// failed (1.0.1 loses `errno`). The user of the descriptor closes it.
struct Listener {
  let descriptor: Int32
  /// The port that it listens on, chosen by the system if none was given.
  let port: UInt16

  /// - Throws: `ServiceError` if the address is in use or not available.
  init(at address: ListenAddress) throws(ServiceError) {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = address.address
    place.sin_port = address.port.bigEndian
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_INET, Int32(type), 0)
    guard descriptor >= 0 else { throw Self.refusal(address, errno) }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Connections of a server that has just ended may linger on the port.
    var reuses: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, 4)
    let isListening = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      let refusal = Self.refusal(address, errno)
      close(descriptor)
      throw refusal
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: place.sin_port)
  }

  private static func refusal(_ address: ListenAddress, _ code: Int32) -> ServiceError {
    ServiceError("cannot listen on \(address): \(cure(of: code))")
  }

  private static func cure(of code: Int32) -> String {
    switch code {
    case EMFILE, ENFILE: "no descriptor is left; close other programs"
    case EADDRINUSE: "another program listens there; stop it, or use another port"
    case EACCES: "ports below 1024 are for root; use a higher one"
    case EADDRNOTAVAIL: "this machine has no such address; use 127.0.0.1 or one of its addresses"
    default: "\(reason(of: code)); use another address"
    }
  }
}

/// The address to listen on: an IPv4 address and a port, `127.0.0.1:8080`. With port 0 the system
/// chooses one.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
  var address: in_addr_t
  public var port: UInt16

  static let standard = ListenAddress(address: in_addr_t(0x7F00_0001).bigEndian, port: 8080)

  init(address: in_addr_t, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// - Returns: `nil` if it is not an address of that form. Names other than `localhost` are not
  ///   supported.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy(\.isNumber), let port = UInt16(parts[1]) else {
      return nil
    }
    var address = in_addr()
    let host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
    guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
    self.init(address: address.s_addr, port: port)
  }

  /// Whether a text is an address, IPv4 or IPv6, without a port.
  public static func isAddress(_ text: String) -> Bool {
    var bytes = in6_addr()
    return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
  }

  /// `127.0.0.1:8080`
  public var description: String {
    let number = UInt32(bigEndian: address)
    let bytes = [number >> 24, number >> 16 & 255, number >> 8 & 255, number & 255]
    return bytes.map { String($0) }.joined(separator: ".") + ":\(port)"
  }
}

/// The server's identity for TLS: its certificate chain (PEM, its own first) and the matching
/// private key.
public struct ServerCertificate: Sendable {
  /// Terminated by a zero, for C.
  let chain: [CChar]
  let key: [CChar]

  /// Reads both files and verifies that they match.
  ///
  /// - Throws: `ServiceError` with the file's path.
  public init(file: String, keyFile: String) throws(ServiceError) {
    chain = try Self.text(
      readFile(file, atMost: Bounds.certificateBytes), file, having: ["BEGIN CERTIFICATE"],
      "certificate")
    key = try Self.text(
      readSecretFile(keyFile, atMost: Bounds.certificateBytes), keyFile,
      having: ["BEGIN PRIVATE KEY", "BEGIN EC PRIVATE KEY", "BEGIN RSA PRIVATE KEY"],
      "private key without a password")
    guard cmicrohttp_takes(chain, key) != 0 else {
      throw ServiceError(
        "\(keyFile): is not the key of the certificate in \(file), or one of them is damaged; "
          + "use two that belong together")
    }
  }

  private static func text(
    _ bytes: [UInt8], _ path: String, having marks: [String], _ kind: String
  ) throws(ServiceError) -> [CChar] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !bytes.contains(0), marks.contains(where: { text.has("-----\($0)-----") }) else {
      throw ServiceError("\(path): has no \(kind) in PEM form; use a file that has one")
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
