import Glibc
import SystemCalls

/// The other end of a `LinkHelperClient`, run by root: opens and closes the link by the
/// configuration's own commands for a tracker without privileges.
///
/// It serves one tracker at a time and takes two words from it, `up` and `down`. When the tracker
/// hangs up, because it ends or was killed, the link is closed.
public final class LinkHelper {
  private let listener: Descriptor
  private let commands: BearerControl.Commands
  /// The users it serves, beside root.
  private let user: uid_t
  private let memory: String?
  private let log: Log
  private let signals: SignalWatch?
  private let makeProcesses: () -> LinkProcesses
  private var hasToEnd = false

  /// - Parameters:
  ///   - listener: a listening socket.
  ///   - user: whom it serves, beside root.
  ///   - memory: the file that remembers what is running; `nil`: none.
  ///   - signals: `nil` in tests, where a process has its own.
  public init(
    _ listener: consuming Descriptor, _ commands: BearerControl.Commands, for user: uid_t,
    memory: String? = nil, signals: SignalWatch?, log: Log = Log()
  ) {
    self.listener = listener
    self.commands = commands
    self.user = user
    self.memory = memory
    self.signals = signals
    self.log = log
    makeProcesses = { LinkProcesses() }
  }

  init(
    _ listener: consuming Descriptor, _ commands: BearerControl.Commands, for user: uid_t,
    limitMilliseconds: Int64, log: Log
  ) {
    self.listener = listener
    self.commands = commands
    self.user = user
    memory = nil
    signals = nil
    self.log = log
    makeProcesses = { LinkProcesses(limitMilliseconds: limitMilliseconds) }
  }

  /// Waits for a tracker and serves it until it hangs up.
  ///
  /// - Parameter milliseconds: how long to wait.
  /// - Returns: `false`: none came, or it is time to end.
  public func serveNext(within milliseconds: Int64) -> Bool {
    guard !hasToEnd, let client = accepted(within: milliseconds) else { return false }
    serve(client)
    return !hasToEnd
  }

  /// Tells a waiting tracker why nobody is served.
  public static func refuse(_ listener: borrowing Descriptor, because why: String) {
    let client = accept(listener.number, nil, nil)
    guard client >= 0 else { return }
    let line = Array((LinkDialogue.Answer.refused(why).line + "\n").utf8)
    _ = send(client, line, line.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    close(client)
  }

  private func accepted(within milliseconds: Int64) -> Int32? {
    var entries = [
      pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&entries, 2, Int32(clamping: milliseconds)) > 0 else { return nil }
    if signals?.take() == .end { hasToEnd = true }
    guard entries[0].revents != 0, !hasToEnd else { return nil }
    let client = retryingOnInterrupt { accept(listener.number, nil, nil) }
    guard client >= 0 else { return nil }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    return client
  }

  private func serve(_ client: Int32) {
    defer { close(client) }
    let who = PeerName.credentials(of: client)
    guard let who, who.user == 0 || who.user == user else {
      log.write(.warning, "refused", ["user": who.map { PeerName.text(of: $0.user) } ?? "unknown"])
      return
    }
    let processes = makeProcesses()
    if let memory, processes.remember(in: memory, down: commands.down) {
      log.write(.warning, "the link was left open; it is closed first", [:])
    }
    var session = Session(client: client, processes: processes, commands: commands)
    while !session.hasEnded && !hasToEnd {
      var entries = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      // In tests no signal tells of the end of a command.
      let longest: Int64 = signals == nil ? 10 : 86_400_000
      let limit = min(processes.timeoutMilliseconds ?? longest, longest)
      _ = poll(&entries, 2, Int32(limit))
      if signals?.take() == .end { hasToEnd = true }
      session.pass()
    }
    session.finish()
  }
}

extension LinkHelper {
  /// One connection.
  private struct Session {
    let client: Int32
    let processes: LinkProcesses
    let commands: BearerControl.Commands
    private var incoming = LineGathering(limit: LinkDialogue.orderBytes)
    private var orders = 0
    private var isOpen = false
    private var told: LinkDialogue.Answer?
    /// The tracker has hung up, has said something else than an order, or does not read.
    private(set) var hasEnded = false

    init(client: Int32, processes: LinkProcesses, commands: BearerControl.Commands) {
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
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      if send(client, bytes, bytes.count, flags) != bytes.count { hasEnded = true }
    }
  }
}
