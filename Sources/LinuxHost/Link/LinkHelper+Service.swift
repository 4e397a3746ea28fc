import Glibc
import SystemCalls

extension LinkHelper {
  /// How long the helper stays for the next tracker, milliseconds: a tracker that closes the link
  /// and opens it again need not wait for a new start.
  private static let stay: Int64 = 2000

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
    let user: uid_t
    let words: BearerControl.Commands
    do {
      guard let number = PeerName.user(named: name) else {
        throw HostProblem("there is no user \(name); give another one with --user")
      }
      user = number
      words = try commands()
    } catch {
      refuse(listener, because: "\(error)")
      throw error
    }
    let helper = LinkHelper(
      listener, words, for: user, memory: memory, signals: try SignalWatch())
    while helper.serveNext(within: stay) {}
  }
}

/// A listening socket from systemd (sd_listen_fds(3)).
enum ServiceSocket {
  /// SD_LISTEN_FDS_START
  private static let first: Int32 = 3

  static func fromEnvironment() throws(HostProblem) -> Descriptor {
    let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    let values = names.map { name in getenv(name).map { String(cString: $0) } }
    for name in names { unsetenv(name) }
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard values[0] == "\(getpid())", values[1] == "1",
      getsockopt(first, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening == 1
    else {
      throw HostProblem(
        "no socket to listen on; systemd starts this by trackerd-link.socket")
    }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    // Another process may have taken the connection that poll(2) has seen.
    _ = fcntl(first, F_SETFL, O_NONBLOCK)
    return Descriptor(owning: first)
  }
}
