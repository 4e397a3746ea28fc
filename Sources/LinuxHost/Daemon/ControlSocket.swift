public import MachineAccess
import SystemCalls
public import TrackerCore

/// The Unix socket by which `trackerctl` talks to the daemon: it takes one line and returns one
/// answer.
///
/// A client cannot block the daemon: there are a few of them at most, with a bounded line each, and
/// output that a client does not read is dropped.
public final class ControlSocket: PollSource {
  /// One line from a client, to be answered with `answer`.
  public struct Question {
    var client: Int32
    public var line: String
    /// The user of the client's process; `nil`: unknown.
    var user: UInt32?
  }

  public let path: String
  private let listener: Descriptor
  /// The clients, oldest first.
  private var clients: [Client] = []

  private final class Client {
    let socket: Descriptor
    /// What it has sent so far.
    var bytes: [UInt8] = []

    init(_ socket: consuming Descriptor) { self.socket = socket }
  }

  /// When to accept the next client after a failed accept; `nil`: at once.
  private var acceptAt: Instant?

  /// - Parameter path: where to create the socket; an unused one is replaced.
  /// - Throws: if another daemon listens there, or it cannot be created.
  public init(path: String) throws(HostError) {
    self.path = path
    guard let address = UnixAddress(path) else {
      throw HostError("\(path): is not a valid socket path; use one of 1 to 107 bytes")
    }
    if let status = try? FileStatus(path, followsLinks: false) {
      guard status.kind == .socket else {
        throw HostError("\(path): exists and is not a socket; choose another path")
      }
      try Self.checkNobodyListens(path, address)
      try? removeFile(path)
    }
    do throws(SystemError) {
      listener = try address.listener(backlog: 8) { () throws(SystemError) in
        try FolderGroup.give(path, mode: 0o660)
      }
    } catch {
      throw HostError(
        "\(path): cannot create the control socket: \(error.reason); check its directory")
    }
  }

  deinit { try? removeFile(path) }

  /// Only a refused connection proves that nobody listens. Other failures, such as too many open
  /// descriptors, prove nothing.
  private static func checkNobodyListens(
    _ path: String, _ address: UnixAddress
  ) throws(HostError) {
    do throws(SystemError) {
      // Non-blocking, because the listener's queue may be full.
      _ = try address.connected()
    } catch {
      if [Errno.connectionRefused, Errno.noSuchFile].contains(error.code) { return }
      guard error.code == Errno.again else {
        throw HostError(
          "\(path): cannot tell whether another trackerd listens there: "
            + "\(error.reason); stop that one, or remove the socket")
      }
    }
    throw HostError("\(path): another trackerd listens there; stop that one")
  }

  /// The descriptors to poll for reading.
  public func descriptors(at now: Instant) -> [Int32] {
    let clients = clients.map { $0.socket.number }
    return acceptAt.map { now < $0 } == true ? clients : [listener.number] + clients
  }

  /// When `descriptors` will have the listening socket again; `nil` if it has it.
  public var wakeAt: Instant? { acceptAt }

  func register(in wait: inout LoopWait, at now: Instant) {
    for descriptor in descriptors(at: now) { wait.add(descriptor) }
    wait.wake(at: wakeAt)
  }

  func handle(_ wait: LoopWait, _ pass: inout Pass) {
    for descriptor in descriptors(at: pass.now) where !wait.found(descriptor).isEmpty {
      if let question = ready(descriptor, at: pass.now) { pass.news.append(.question(question)) }
    }
  }

  /// Reads from a readable descriptor. Returns a question if one is complete.
  public func ready(_ descriptor: Int32, at now: Instant) -> Question? {
    if descriptor == listener.number {
      accept(at: now)
      return nil
    }
    guard let client = clients.first(where: { $0.socket.number == descriptor }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: HostBounds.controlLineBytes)
    let count: Int
    do throws(SystemError) { count = try client.socket.read(into: &bytes) } catch {
      if error.code != Errno.again { drop(descriptor) }
      return nil
    }
    guard count > 0, client.bytes.count + count <= HostBounds.controlLineBytes else {
      drop(descriptor)
      return nil
    }
    client.bytes += bytes[..<count]
    guard let end = client.bytes.firstIndex(of: 0x0A) else { return nil }
    let line = String(decoding: client.bytes[..<end], as: UTF8.self)
    return Question(client: descriptor, line: line, user: client.socket.peer?.user)
  }

  private func accept(at now: Instant) {
    acceptAt = nil
    do throws(SystemError) {
      let client = Client(try listener.accepted(isBlocking: false))
      // Drop the oldest client.
      if clients.count >= HostBounds.controlClients { clients.removeFirst() }
      clients.append(client)
    } catch {
      if error.code != Errno.again && error.code != Errno.connectionAborted {
        acceptAt = now + HostBounds.acceptPause
      }
    }
  }

  /// Answers and closes the connection.
  func answer(_ question: Question, _ text: String) {
    guard let client = clients.first(where: { $0.socket.number == question.client }) else { return }
    _ = try? client.socket.send(Array(text.utf8))
    drop(question.client)
  }

  private func drop(_ descriptor: Int32) {
    clients.removeAll { $0.socket.number == descriptor }
  }
}

/// One line of a client: `[as WHO] COMMAND [REST]`.
struct ControlRequest {
  enum Verb: String, CaseIterable {
    case facts, events, why, log, start, stop, capture, send
    case attempt = "try"
    case set, get, undo, retry, pin, unlock, emergency, note
  }

  /// `nil`: an unknown one.
  var verb: Verb?
  /// What follows the command, without spaces around it; `nil`: nothing.
  var rest: String?
  /// Who asks, as the client says.
  private var name: String?

  static let wanted = """
    after "as" write a name of 1 to \(MachineBounds.personBytes) letters, digits, @ - _ . / \
    and a command
    """

  /// `nil`: not a valid name.
  init?(_ line: String) {
    var words = line.split(separator: " ", maxSplits: 1)
    if words.first == "as" {
      words = words.dropFirst().first?.split(separator: " ", maxSplits: 1) ?? []
      guard let name = words.first.map(String.init), PeerName.isName(name) else { return nil }
      self.name = name
      words = words.dropFirst().first?.split(separator: " ", maxSplits: 1) ?? []
    }
    verb = words.first.flatMap { Verb(rawValue: String($0)) }
    rest = words.dropFirst().first.map { String($0.drop { $0 == " " }) }
    while rest?.last == " " { rest?.removeLast() }
    if rest?.isEmpty == true { rest = nil }
  }

  func who(_ user: UInt32?) -> String { name ?? PeerName.text(of: user) }
}

/// The group that may read the daemon's files: that of their directory.
///
/// This makes the group independent of who starts the daemon. If the daemon is not a member of that
/// group a file keeps the daemon's own.
enum FolderGroup {
  /// Sets group and mode of an open file that only the daemon can read so far.
  static func give(_ file: borrowing Descriptor, _ path: String, mode: UInt32) {
    if let group = group(of: path) { try? file.setOwner(nil, group: group) }
    try? file.setPermissions(mode)
  }

  /// Sets group and mode of a path, such as a socket's.
  ///
  /// - Throws: if the mode cannot be set.
  static func give(_ path: String, mode: UInt32) throws(SystemError) {
    if let group = group(of: path) {
      try? setOwner(nil, group: group, of: path, followsLinks: false)
    }
    try setPermissions(mode, of: path)
  }

  private static func group(of path: String) -> UInt32? {
    (try? FileStatus(directory(of: path)))?.group
  }
}
