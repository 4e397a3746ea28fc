import Glibc
import SystemCalls
public import TrackerCore

/// The Unix socket by which `trackerctl` talks to the daemon: it takes one line and returns one
/// answer.
///
/// A client cannot block the daemon: there are at most `clientBound` of them, with a bounded line
/// each, and output that a client does not read is dropped.
public final class ControlSocket {
  /// One line from a client, to be answered with `answer`.
  public struct Question {
    public var client: Int32
    public var line: String
    /// The user of the client's process; `nil`: unknown.
    public var user: UInt32?
  }

  public let path: String
  private let listener: Int32
  /// The clients and what each has sent so far, oldest first.
  private var clients: [(descriptor: Int32, bytes: [UInt8])] = []

  /// When to accept the next client after a failed accept; `nil`: at once.
  private var acceptAt: Instant?

  private static let clientBound = 8
  /// Without a free descriptor, the waiting client stays in the queue, and each poll would return
  /// at once.
  private static let acceptPause = Milliseconds.seconds(1)
  private static let lineBytes = 512

  /// - Parameter path: where to create the socket; an unused one is replaced.
  /// - Throws: if another daemon listens there, or it cannot be created.
  public init(path: String) throws(HostProblem) {
    self.path = path
    guard let address = UnixAddress(path) else {
      throw HostProblem("\(path): is not a valid socket path; use one of 1 to 107 bytes")
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw HostProblem("\(path): exists and is not a socket; choose another path")
      }
      try Self.checkNobodyListens(path, address)
      unlink(path)
    }
    let socket = UnixAddress.socket(isBlocking: false)
    guard socket >= 0, address.bind(socket),
      FolderGroup.give(path, mode: 0o660), listen(socket, 8) == 0
    else {
      let code = errno
      if socket >= 0 { close(socket) }
      throw HostProblem(
        "\(path): cannot create the control socket: \(reason(of: code)); check its directory")
    }
    listener = socket
  }

  deinit {
    for client in clients { close(client.descriptor) }
    close(listener)
    unlink(path)
  }

  /// Only a refused connection proves that nobody listens. Other failures, such as too many open
  /// descriptors, prove nothing.
  private static func checkNobodyListens(
    _ path: String, _ address: UnixAddress
  ) throws(HostProblem) {
    // Non-blocking, because the listener's queue may be full.
    if let other = address.connected() {
      close(other)
    } else {
      let code = errno
      if code == ECONNREFUSED || code == ENOENT { return }
      guard code == EAGAIN else {
        throw HostProblem(
          "\(path): cannot tell whether another trackerd listens there: "
            + "\(reason(of: code)); stop that one, or remove the socket")
      }
    }
    throw HostProblem("\(path): another trackerd listens there; stop that one")
  }

  /// The descriptors to poll for reading.
  public func descriptors(at now: Instant) -> [Int32] {
    let clients = clients.map(\.descriptor)
    return acceptAt.map { now < $0 } == true ? clients : [listener] + clients
  }

  /// When `descriptors` will have the listening socket again; `nil` if it has it.
  public var wakeAt: Instant? { acceptAt }

  /// Reads from a readable descriptor. Returns a question if one is complete.
  public func ready(_ descriptor: Int32, at now: Instant) -> Question? {
    if descriptor == listener {
      acceptAt = nil
      let client = retryingOnInterrupt { accept(listener, nil, nil) }
      guard client >= 0 else {
        if errno != EAGAIN && errno != ECONNABORTED { acceptAt = now + Self.acceptPause }
        return nil
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      // Drop the oldest client.
      if clients.count >= Self.clientBound { drop(clients[0].descriptor) }
      clients.append((client, []))
      return nil
    }
    guard let index = clients.firstIndex(where: { $0.descriptor == descriptor }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.lineBytes)
    let count = retryingOnInterrupt { read(descriptor, &bytes, bytes.count) }
    if count < 0 && errno == EAGAIN { return nil }
    guard count > 0, clients[index].bytes.count + count <= Self.lineBytes else {
      drop(descriptor)
      return nil
    }
    clients[index].bytes += bytes[..<count]
    guard let end = clients[index].bytes.firstIndex(of: 0x0A) else { return nil }
    let line = String(decoding: clients[index].bytes[..<end], as: UTF8.self)
    return Question(client: descriptor, line: line, user: PeerName.user(of: descriptor))
  }

  /// Answers and closes the connection.
  public func answer(_ question: Question, _ text: String) {
    guard clients.contains(where: { $0.descriptor == question.client }) else { return }
    var bytes = Array(text.utf8)
    _ = send(question.client, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
    drop(question.client)
  }

  private func drop(_ descriptor: Int32) {
    clients.removeAll { $0.descriptor == descriptor }
    close(descriptor)
  }
}
