import SystemCalls
import TrackerCore
import Wording

/// Has the link's commands run by a helper of root's (`LinkHelper`), because a daemon without
/// privileges cannot run pppd.
///
/// The connection is the link's life line: when it ends, for whatever reason, the helper closes the
/// link. There is none while the link is closed, so that the helper need not run.
public final class LinkHelperClient: LinkRunner {
  private let path: String
  private var socket: Descriptor?
  private var incoming = LineGathering(limit: HostBounds.linkAnswerBytes)
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

  public var descriptor: Int32? { socket?.number }

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
    socket?.endSending()
    let limit = KernelTimer.monotonic.milliseconds + 2 * HostBounds.linkExit.count
    while let number = socket?.number {
      let rest = limit - KernelTimer.monotonic.milliseconds
      guard rest > 0 else { break }
      _ = poll(number, atMost: rest)
      listen()
    }
    hangUp()
  }

  // MARK: The connection

  private func order(_ order: LinkDialogue.Order, _ role: LinkReport.Role) {
    if socket == nil {
      (given, obeyed, isHelperWaiting, isBusy) = (0, 0, false, false)
      incoming = LineGathering(limit: HostBounds.linkAnswerBytes)
      // It does not wait: systemd takes the connection before the helper runs.
      do throws(SystemError) {
        guard let address = UnixAddress(path) else { throw SystemError(code: Errno.invalid) }
        socket = try address.connected()
      } catch {
        let why = SystemReason.texts(of: error.code)
        return fail(role, HostPhrase.helperUnreached.texts(path, why))
      }
    }
    let bytes = Array("\(order.rawValue)\n".utf8)
    guard (try? socket?.send(bytes)) == true else {
      hangUp()
      return fail(role, HostPhrase.helperDeaf.texts(path))
    }
    given += 1
  }

  private func listen() {
    for line in takeLines() {
      switch LinkDialogue.Answer(line) {
      case .state(let orders, let isWaiting, let isBusy):
        (obeyed, isHelperWaiting, self.isBusy) = (orders, isWaiting, isBusy)
      case .ended(let report): reports.append(report)
      case .refused(let why): return lose(why.texts)
      case nil: return lose(HostPhrase.helperOther.texts(path))
      }
    }
    guard socket != nil, incoming.hasEnded else { return }
    lose(HostPhrase.helperEnded.texts(path))
  }

  private func takeLines() -> [String] {
    guard socket != nil else { return [] }
    return incoming.take(from: socket!)
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
    socket = nil
    isBusy = false
  }
}

/// The lines between the tracker and the helper that runs the link's commands for it.
///
/// The tracker says `up` or `down`, nothing else: the commands are the helper's own. The helper
/// answers each with a `state`, and says how each command ended.
enum LinkDialogue {
  enum Order: String {
    case up, down
  }

  enum Answer: Equatable {
    /// So many orders were obeyed; whether the link still waits to be opened, and whether any
    /// command is still running.
    case state(orders: Int, isWaiting: Bool, isBusy: Bool)
    case ended(LinkReport)
    /// The helper serves nobody: what, where and what to do.
    case refused(String)
  }

}

extension LinkDialogue.Answer {
  /// Without its end.
  var line: String {
    switch self {
    case .state(let orders, let isWaiting, let isBusy):
      return "state \(orders) \(isWaiting ? "waiting" : "begun") \(isBusy ? "busy" : "idle")"
    case .ended(let report):
      let flags = (report.wasTold ? "told" : "-") + " " + (report.wasOverdue ? "overdue" : "-")
      return Self.oneLine("ended \(report.role.rawValue) \(flags) \(Self.words(report.end))")
    case .refused(let why): return Self.oneLine("refused \(why)")
    }
  }

  private static func words(_ end: LinkReport.End) -> String {
    switch end {
    case .code(let code): "code \(code)"
    case .signal(let signal): "signal \(signal)"
    case .unknown: "unknown -"
    case .notRun(let program, let code): "notRun \(code) \(program)"
    case .othersRun(let program): "othersRun \(program)"
    // A helper has none itself.
    case .noHelper(let why): "noHelper \(why.english)"
    }
  }

  private static func oneLine(_ text: String) -> String {
    let plain = text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }
    // Four bytes each at most.
    return String(String.UnicodeScalarView(plain.prefix(HostBounds.linkAnswerBytes / 4)))
  }

  /// `nil`: not a line of this version's helper.
  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "state":
      let words = words[1].split(separator: " ")
      guard words.count == 3, let orders = Int(words[0]), orders >= 0,
        ["waiting", "begun"].contains(words[1]), ["busy", "idle"].contains(words[2])
      else { return nil }
      self = .state(orders: orders, isWaiting: words[1] == "waiting", isBusy: words[2] == "busy")
    case "ended":
      guard let report = Self.report(words[1]) else { return nil }
      self = .ended(report)
    case "refused": self = .refused(words[1])
    default: return nil
    }
  }

  private static func report(_ text: String) -> LinkReport? {
    let words = text.split(separator: " ", maxSplits: 4).map(String.init)
    guard words.count == 5, let role = LinkReport.Role(rawValue: words[0]),
      ["told", "-"].contains(words[1]), ["overdue", "-"].contains(words[2])
    else { return nil }
    let end: LinkReport.End? =
      switch words[3] {
      case "code": Int32(words[4]).map { .code($0) }
      case "signal": Int32(words[4]).map { .signal($0) }
      case "unknown": .unknown
      case "notRun": notRun(words[4])
      case "othersRun": .othersRun(program: words[4])
      default: nil
      }
    return end.map {
      LinkReport(
        role: role, end: $0, wasTold: words[1] == "told", wasOverdue: words[2] == "overdue")
    }
  }

  /// `2 /usr/sbin/pppd`
  private static func notRun(_ text: String) -> LinkReport.End? {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let code = Int32(words[0]) else { return nil }
    return .notRun(program: String(words[1]), code: code)
  }
}

/// The lines that come on a socket, without waiting for them.
struct LineGathering {
  /// The longest line, bytes.
  let limit: Int
  private var bytes: [UInt8] = []
  /// The other side has closed it, or a line was too long.
  private(set) var hasEnded = false

  init(limit: Int) { self.limit = limit }

  /// The next whole lines; those that came before the end are among them.
  mutating func take(from socket: borrowing Descriptor) -> [String] {
    var piece = [UInt8](repeating: 0, count: 4096)
    var lines: [String] = []
    while !hasEnded {
      let count: Int
      do throws(SystemError) { count = try socket.receive(into: &piece) } catch {
        if error.code == Errno.again { break }
        count = 0
      }
      guard count > 0 else {
        hasEnded = true
        break
      }
      for byte in piece[..<count] {
        guard byte == UInt8(ascii: "\n") else {
          bytes.append(byte)
          continue
        }
        lines.append(String(decoding: bytes, as: UTF8.self))
        bytes = []
      }
      if bytes.count > limit || lines.contains(where: { $0.utf8.count > limit }) {
        hasEnded = true
      }
      // A client that never stops talking is read again in the next pass.
      if lines.count >= 64 { break }
    }
    return lines
  }
}
