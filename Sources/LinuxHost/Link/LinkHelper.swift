import MachineAccess
import SystemCalls
import TrackerCore

/// The other end of a `LinkHelperClient`, run by root: opens and closes the link by the
/// configuration's own commands for a tracker without privileges.
///
/// It serves one tracker at a time and takes two words from it, `up` and `down`. When the tracker
/// hangs up, because it ends or was killed, the link is closed.
public final class LinkHelper {
  private let listener: Descriptor
  private let commands: BearerControl.Commands
  /// The users it serves, beside root.
  private let user: UInt32
  private let memory: String?
  private let log: Log
  private let signals: SignalWatch?
  private let limit: Milliseconds
  private var hasToEnd = false

  /// - Parameters:
  ///   - listener: a listening socket.
  ///   - user: whom it serves, beside root.
  ///   - memory: the file that remembers what is running; `nil`: none.
  ///   - signals: `nil` in tests, where a process has its own.
  ///   - limit: see `LinkProcesses`.
  init(
    _ listener: consuming Descriptor, _ commands: BearerControl.Commands, for user: UInt32,
    memory: String? = nil, signals: SignalWatch? = nil,
    limit: Milliseconds = HostBounds.linkCommandEnd, log: Log = Log()
  ) {
    self.listener = listener
    self.commands = commands
    self.user = user
    self.memory = memory
    self.signals = signals
    self.limit = limit
    self.log = log
  }

  /// Waits for a tracker and serves it until it hangs up.
  ///
  /// - Parameter limit: how long to wait.
  /// - Returns: `false`: none came, or it is time to end.
  func serveNext(within limit: Milliseconds) -> Bool {
    guard !hasToEnd, let client = accepted(within: limit) else { return false }
    serve(client)
    return !hasToEnd
  }

  /// Tells a waiting tracker why nobody is served.
  static func refuse(_ listener: borrowing Descriptor, because why: String) {
    let line = Array((LinkDialogue.Answer.refused(why).line + "\n").utf8)
    _ = try? listener.accepted(isBlocking: true).send(line)
  }

  private func accepted(within limit: Milliseconds) -> Descriptor? {
    var set = PollSet()
    set.add(listener.number)
    if let signals { set.add(signals.descriptor) }
    guard set.wait(atMost: limit.count) == .found else { return nil }
    if signals?.take() == .end { hasToEnd = true }
    guard !set.found(listener.number).isEmpty, !hasToEnd else { return nil }
    return try? listener.accepted(isBlocking: true)
  }

  private func serve(_ client: consuming Descriptor) {
    let who = client.peer
    guard let who, who.user == 0 || who.user == user else {
      log.write(.warning, "refused", ["user": who.map { PeerName.text(of: $0.user) } ?? "unknown"])
      return
    }
    let processes = LinkProcesses(limit: limit)
    if let memory, processes.remember(in: memory, down: commands.down) {
      log.write(.warning, "the link was left open; it is closed first", [:])
    }
    let number = client.number
    var session = Session(client: client, processes: processes, commands: commands)
    var set = PollSet()
    while !session.hasEnded && !hasToEnd {
      set.removeAll()
      set.add(number)
      if let signals { set.add(signals.descriptor) }
      // In tests no signal tells of the end of a command.
      let longest: Int64 = signals == nil ? 10 : 86_400_000
      let outcome = set.wait(atMost: min(processes.timeoutMilliseconds ?? longest, longest))
      if case .failed(let error) = outcome {
        log.write(.error, "the tracker cannot be heard; the link is closed", ["error": "\(error)"])
        break
      }
      if signals?.take() == .end { hasToEnd = true }
      session.pass()
    }
    session.finish()
  }
}

extension LinkHelper {
  /// One connection.
  private struct Session: ~Copyable {
    let client: Descriptor
    let processes: LinkProcesses
    let commands: BearerControl.Commands
    private var incoming = LineGathering(limit: HostBounds.linkOrderBytes)
    private var orders = 0
    private var isOpen = false
    private var told: LinkDialogue.Answer?
    /// The tracker has hung up, has said something else than an order, or does not read.
    private(set) var hasEnded = false

    init(client: consuming Descriptor, processes: LinkProcesses, commands: BearerControl.Commands) {
      self.client = client
      self.processes = processes
      self.commands = commands
    }

    /// Obeys what has come, and tells what has become of it.
    mutating func pass() {
      for line in incoming.take(from: client) {
        guard let order = LinkDialogue.Order(rawValue: line) else {
          hasEnded = true
          return
        }
        orders += 1
        isOpen = order == .up
        switch order {
        case .up: processes.open(commands.up)
        case .down: processes.close(commands.down)
        }
      }
      for report in processes.tend() { tell(.ended(report)) }
      let state = LinkDialogue.Answer.state(
        orders: orders, isWaiting: processes.isWaiting, isBusy: processes.isBusy)
      if state != told { tell(state) }
      told = state
      if incoming.hasEnded { hasEnded = true }
    }

    /// Ends everything: what was started for this tracker is not left to another one.
    mutating func finish() {
      if isOpen { processes.close(commands.down) }
      processes.finish()
    }

    private mutating func tell(_ answer: LinkDialogue.Answer) {
      let bytes = Array((answer.line + "\n").utf8)
      if (try? client.send(bytes)) != true { hasEnded = true }
    }
  }
}

extension LinkHelper {
  /// Serves trackers on the socket that systemd hands over, until none is left.
  ///
  /// - Parameters:
  ///   - name: the user whom it serves, beside root.
  ///   - memory: the file that remembers what is running.
  ///   - commands: reads the link's commands.
  public static func run(
    for name: String, memory: String, _ commands: () throws -> BearerControl.Commands
  ) throws {
    let listener = try ServiceSocket.fromEnvironment()
    let user: UInt32
    let words: BearerControl.Commands
    do {
      guard let number = SystemCalls.user(named: name) else {
        throw HostError("there is no user \(name); give another one with --user")
      }
      user = number
      words = try commands()
    } catch {
      refuse(listener, because: "\(error)")
      throw error
    }
    let helper = LinkHelper(
      listener, words, for: user, memory: memory, signals: try SignalWatch())
    while helper.serveNext(within: HostBounds.helperStay) {}
  }
}

/// A listening socket from systemd (sd_listen_fds(3)).
enum ServiceSocket {
  /// SD_LISTEN_FDS_START
  private static let first: Int32 = 3

  static func fromEnvironment() throws(HostError) -> Descriptor {
    let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    let values = names.map { environmentValue($0) }
    for name in names { removeEnvironmentValue(name) }
    let problem = HostError(
      "no socket to listen on; systemd starts this by a socket")
    guard values[0] == "\(ownProcess)", values[1] == "1" else { throw problem }
    let socket = Descriptor(owning: first)
    guard socket.isListening else { throw problem }
    socket.closeOnExec()
    // Another process may have taken the connection that poll(2) has seen.
    socket.doNotBlock()
    return socket
  }
}

/// A file that only root can change: what is read from it, root may run.
public enum RootsFile {
  /// Checks a file and the folders on its way.
  ///
  /// - Returns: its path without symbolic links, along which nobody else can put another file.
  public static func check(_ path: String) throws -> String {
    let real: String
    do throws(SystemError) { real = try resolved(path) } catch {
      throw HostError("\(path): cannot be read: \(error.reason); give an existing file")
    }
    var place = real
    while true {
      let status: FileStatus
      do throws(SystemError) { status = try FileStatus(place, followsLinks: false) } catch {
        throw HostError("\(place): cannot be read: \(error.reason); give another file")
      }
      // In a folder like /tmp others can add files, but not replace root's (chmod(2), S_ISVTX).
      let isShared = status.kind == .folder && status.permissions & 0o1000 != 0
      let isOthers = status.permissions & 0o022 != 0 && !isShared
      guard status.owner == 0, !isOthers else {
        throw HostError(
          "\(path): root runs no commands from it, because others can change \(place); "
            + "chown root:root and chmod go-w that")
      }
      if place == "/" { return real }
      place = directory(of: place)
    }
  }
}
