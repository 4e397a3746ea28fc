internal import CMicroHTTP
import FeatureService

/// Listens, reads requests, and sends a handler's answers, using libmicrohttpd with a thread for
/// each connection.
struct HTTPServer: ~Copyable {
  /// How it treats people's browsers.
  struct Manners {
    var language = PageLanguage()
    var pages = CrossOrigin()
    /// `http` or `https`.
    var scheme = "http"
    /// For the bodies of requests.
    var room = BodyRoom()
  }

  typealias Handler = @Sendable (ServiceRequest, _ isLarge: Bool) -> ServiceReply

  private let daemon: OpaquePointer
  private let handler: Unmanaged<HandlerBox>
  /// The port that it listens on, chosen by the system if none was given.
  let port: UInt16

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - certificate: for TLS; `nil`: plain HTTP.
  ///   - manners: towards people and web pages.
  /// - Throws: `ServiceError` if the address is in use or not available.
  init(
    at address: ListenAddress, _ certificate: ServerCertificate?, _ manners: Manners,
    _ connections: Connections, _ handle: @escaping Handler
  ) throws(ServiceError) {
    let listener = try Listener(at: address)
    let box = Unmanaged.passRetained(HandlerBox(manners, connections, handle))
    let started = cmicrohttp_start(
      listener.descriptor, certificate?.chain, certificate?.key, Bounds.connections,
      Bounds.connectionsOfClient, connections.idleSeconds, Bounds.headerBytes, noteConnection,
      beginExchange, proceed, endExchange, box.toOpaque())
    guard let started else {
      box.release()
      throw ServiceError("cannot listen on \(address): libmicrohttpd fails; report this as a bug")
    }
    daemon = started
    port = listener.port
    handler = box
  }

  // Waits for answers in progress.
  deinit {
    MHD_stop_daemon(daemon)
    handler.release()
  }
}
