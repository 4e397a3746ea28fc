import Glibc
import SystemCalls

/// Has the link's commands run by a helper of root's (`LinkHelper`), because a daemon without
/// privileges cannot run pppd.
///
/// The connection is the link's life line: when it ends, for whatever reason, the helper closes the
/// link. There is none while the link is closed, so that the helper need not run.
public final class LinkHelperClient: LinkRunner {
  private let path: String
  private var socket: Int32?
  private var incoming = LineGathering(limit: LinkDialogue.answerBytes)
  /// Orders given on this connection, and obeyed.
  private var given = 0
  private var obeyed = 0
  private var isHelperWaiting = false
  private var isBusy = false
  /// The link was opened and not closed since.
  private var isOpen = false
  private var reports: [LinkReport] = []

  /// - Parameter path: the helper's socket.
  public init(path: String) { self.path = path }

  deinit { hangUp() }

  public var descriptor: Int32? { socket }

  public var isWaiting: Bool { isOpen && socket != nil && (given > obeyed || isHelperWaiting) }

  public func open(_ words: [String]) {
    isOpen = true
    if !words.isEmpty { order(.up, .up) }
  }

  public func close(_ words: [String]) {
    isOpen = false
    // It may know of something to close even if no command says how.
    if socket != nil || !words.isEmpty { order(.down, .down) }
  }

  public func tend() -> [LinkReport] {
    listen()
    if socket != nil, !isOpen, !isBusy, given == obeyed { hangUp() }
    defer { reports.removeAll() }
    return reports
  }

  public var timeoutMilliseconds: Int64? { reports.isEmpty ? nil : 0 }

  /// The helper remembers by itself.
  public func remember(in path: String, down: [String]) -> Bool { false }

  /// Hangs up, which makes the helper end everything, and waits for that.
  public func finish() {
    isOpen = false
    guard let socket else { return }
    shutdown(socket, Int32(SHUT_WR))
    let limit = milliseconds(of: CLOCK_MONOTONIC) + 2 * DaemonBounds.linkExit
    while self.socket != nil {
      let rest = limit - milliseconds(of: CLOCK_MONOTONIC)
      guard rest > 0 else { break }
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, Int32(rest))
      listen()
    }
    hangUp()
  }

  // MARK: The connection

  private func order(_ order: LinkDialogue.Order, _ role: LinkReport.Role) {
    if socket == nil {
      (given, obeyed, isHelperWaiting, isBusy) = (0, 0, false, false)
      incoming = LineGathering(limit: LinkDialogue.answerBytes)
      // It does not wait: systemd takes the connection before the helper runs.
      socket = UnixAddress(path)?.connected()
    }
    guard let socket else {
      return fail(role, "cannot be reached: \(reason(of: errno)); start trackerd-link.socket")
    }
    let bytes = Array("\(order.rawValue)\n".utf8)
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == bytes.count
    else {
      hangUp()
      return fail(role, "does not listen; look at its log")
    }
    given += 1
  }

  private func listen() {
    guard let socket else { return }
    for line in incoming.take(from: socket) {
      switch LinkDialogue.Answer(line) {
      case .state(let orders, let isWaiting, let isBusy):
        (obeyed, isHelperWaiting, self.isBusy) = (orders, isWaiting, isBusy)
      case .ended(let report): reports.append(report)
      case .refused(let why): return lose(why)
      case nil: return lose("\(path): the link's helper is of another version; restart it")
      }
    }
    guard incoming.hasEnded else { return }
    lose("\(path): the link's helper has ended; look at its log")
  }

  /// The helper closes the link when it ends, so nothing is left to be told.
  private func lose(_ why: String) {
    let wasNeeded = isOpen || isBusy || given > obeyed
    hangUp()
    guard wasNeeded else { return }
    reports.append(LinkReport(role: isOpen ? .up : .down, end: .noHelper(why)))
  }

  private func fail(_ role: LinkReport.Role, _ why: String) {
    reports.append(LinkReport(role: role, end: .noHelper("\(path): the link's helper \(why)")))
  }

  private func hangUp() {
    guard let socket else { return }
    Glibc.close(socket)
    self.socket = nil
    isBusy = false
  }
}
