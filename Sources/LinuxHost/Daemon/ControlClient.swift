import Glibc
import SystemCalls
public import TrackerCore
public import Wording

/// The client of a `ControlSocket`: sends one command and reads the answer.
public enum ControlClient {
  private static let answerBytes = 65_536

  /// - Parameters:
  ///   - line: without a line end.
  ///   - limit: how long all of it may take. A running daemon answers at once, unless the disk
  ///     delays an order.
  public static func ask(
    _ line: String, at path: String, within limit: Milliseconds = .seconds(10)
  ) throws(NoAnswer) -> String {
    let deadline = milliseconds(of: CLOCK_MONOTONIC) + limit.count
    guard let address = UnixAddress(path) else {
      throw NoAnswer(.impossible, AnswerPhrase.badPath.texts(path))
    }
    guard let connected = address.connected(within: rest(until: deadline)) else {
      throw NoAnswer(connecting: path, errno)
    }
    let socket = Descriptor(owning: connected)
    var bytes = Array((line.filter { !$0.isNewline } + "\n").utf8)
    guard send(socket.number, &bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw NoAnswer(.other, AnswerPhrase.hungUp.texts(path, SystemReason.texts(of: errno)))
    }
    return try answer(from: socket.number, path, deadline)
  }

  private static func answer(
    from socket: Int32, _ path: String, _ deadline: Int64
  ) throws(NoAnswer) -> String {
    var answer: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while answer.count < answerBytes {
      var limit = rest(until: deadline)
      setsockopt(
        socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      let count = retryingOnInterrupt { recv(socket, &bytes, bytes.count, 0) }
      if count == 0 { break }
      guard count > 0 else {
        let code = errno
        guard code == EAGAIN else {
          throw NoAnswer(.other, AnswerPhrase.hungUp.texts(path, SystemReason.texts(of: code)))
        }
        throw NoAnswer(
          .silent(process: PeerName.credentials(of: socket)?.process),
          AnswerPhrase.silent.texts(path))
      }
      answer += bytes[..<count]
    }
    guard !answer.isEmpty else {
      throw NoAnswer(.other, AnswerPhrase.hungUpSilently.texts(path))
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// At least a millisecond: 0 would mean no limit.
  private static func rest(until deadline: Int64) -> timeval {
    let rest = max(1, deadline - milliseconds(of: CLOCK_MONOTONIC))
    return timeval(tv_sec: Int(rest / 1000), tv_usec: Int(rest % 1000) * 1000)
  }
}

/// Why a daemon gave no answer: one line that says what, where and what to do.
public struct NoAnswer: Error, Sendable, Worded {
  public enum Kind: Sendable, Equatable {
    /// Nobody listens there.
    case absent
    /// This user may not ask.
    case forbidden
    /// Somebody listens and does not answer in time; `process` if it is known.
    case silent(process: Int32?)
    /// No socket can have such a path.
    case impossible
    /// It hung up: it ended just then, or is not a trackerd.
    case other
  }

  public var kind: Kind
  public let texts: Texts

  init(_ kind: Kind, _ texts: Texts) {
    self.kind = kind
    self.texts = texts
  }

  /// What came back is not a tracker's answer.
  public init(foreign path: String) { self.init(.other, AnswerPhrase.foreign.texts(path)) }

  init(connecting path: String, _ code: Int32) {
    switch code {
    case EACCES, EPERM:
      self.init(.forbidden, AnswerPhrase.forbidden.texts(path, SocketOwner.texts(path)))
    // The listener's queue stayed full.
    case EAGAIN: self.init(.silent(process: nil), AnswerPhrase.silent.texts(path))
    case ENOENT, ECONNREFUSED, ENOTDIR:
      self.init(.absent, AnswerPhrase.absent.texts(path, SystemReason.texts(of: code)))
    default: self.init(.other, AnswerPhrase.other.texts(path, SystemReason.texts(of: code)))
    }
  }
}

/// Who may use a socket.
enum SocketOwner {
  /// `only user root and group trailtracker`, of the socket or of the directory that hides it.
  static func texts(_ path: String) -> Texts {
    var place = path
    var status = stat()
    while stat(place, &status) != 0 {
      let above = directory(of: place)
      guard above != place else { return AnswerPhrase.onlyOthers.texts }
      place = above
    }
    let user = PeerName.text(of: status.st_uid)
    let isForGroup = status.st_mode & (status.st_mode & S_IFMT == S_IFSOCK ? 0o020 : 0o010) != 0
    guard isForGroup else { return AnswerPhrase.onlyUser.texts(user) }
    return AnswerPhrase.onlyGroup.texts(user, group(status.st_gid))
  }

  private static func group(_ number: gid_t) -> String {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getgrgid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let name = entry.gr_name.map({ String(cString: $0) }), PeerName.isName(name)
    else { return "\(number)" }
    return name
  }
}
