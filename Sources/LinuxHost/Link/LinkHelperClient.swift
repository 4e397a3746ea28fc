import Glibc
import SystemCalls
import Wording

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
      return fail(role, HostPhrase.helperUnreached.texts(path, SystemReason.texts(of: errno)))
    }
    let bytes = Array("\(order.rawValue)\n".utf8)
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == bytes.count
    else {
      hangUp()
      return fail(role, HostPhrase.helperDeaf.texts(path))
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
      case .refused(let why): return lose(why.texts)
      case nil: return lose(HostPhrase.helperOther.texts(path))
      }
    }
    guard incoming.hasEnded else { return }
    lose(HostPhrase.helperEnded.texts(path))
  }

  /// The helper closes the link when it ends, so nothing is left to be told.
  private func lose(_ why: Texts) {
    let wasNeeded = isOpen || isBusy || given > obeyed
    hangUp()
    if wasNeeded { fail(isOpen ? .up : .down, why) }
  }

  private func fail(_ role: LinkReport.Role, _ why: Texts) {
    reports.append(LinkReport(role: role, end: .noHelper(why)))
  }

  private func hangUp() {
    guard let socket else { return }
    Glibc.close(socket)
    self.socket = nil
    isBusy = false
  }
}
