import SystemCalls

/// Names of people at the control socket.
public enum PeerName {
  /// Whether a line to the socket may begin with `as` and this.
  public static func isName(_ text: String) -> Bool {
    (1...MachineBounds.personBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || "@-_./".utf8.contains(byte)
      }
  }

  /// The user's name, or `uid:1000`, one word.
  public static func text(of user: UInt32?) -> String {
    guard let user else { return "unknown" }
    guard let name = userName(user), isName(name) else { return "uid:\(user)" }
    return name
  }
}
