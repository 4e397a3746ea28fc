import Glibc

/// One line of a client: `[as WHO] COMMAND [REST]`.
struct ControlRequest {
  var command: String
  /// What follows the command, without spaces around it; `nil`: nothing.
  var rest: String?
  /// Who asks, as the client says.
  private var name: String?

  static let wanted = """
    after "as" write a name of 1 to \(PeerName.longest) letters, digits, @ - _ . / and a command
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
    command = words.first.map(String.init) ?? ""
    rest = words.dropFirst().first.map { String($0.drop { $0 == " " }) }
    while rest?.last == " " { rest?.removeLast() }
    if rest?.isEmpty == true { rest = nil }
  }

  func who(_ user: UInt32?) -> String { name ?? PeerName.text(of: user) }
}

/// Names of people at the control socket.
public enum PeerName {
  static let longest = 32

  /// Whether a line to the socket may begin with `as` and this.
  public static func isName(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || "@-_./".utf8.contains(byte)
      }
  }

  /// The user's name, or `uid:1000`, one word.
  static func text(of user: UInt32?) -> String {
    guard let user else { return "unknown" }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let name = entry.pw_name.map({ String(cString: $0) }), isName(name)
    else { return "uid:\(user)" }
    return name
  }

  /// The user of that name; `nil`: there is none.
  static func user(named name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return entry.pw_uid
  }

  /// The user of the process at the other end of a socket.
  static func user(of socket: Int32) -> UInt32? { credentials(of: socket)?.user }

  /// The process at the other end of a socket: on a client's side the one that listens (unix(7),
  /// SO_PEERCRED).
  static func credentials(of socket: Int32) -> (process: Int32, user: UInt32)? {
    // struct ucred: pid, uid and gid. Glibc declares it for _GNU_SOURCE only.
    var words: (UInt32, UInt32, UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: words))
    guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &words, &length) == 0 else { return nil }
    return (Int32(bitPattern: words.0), words.1)
  }
}
