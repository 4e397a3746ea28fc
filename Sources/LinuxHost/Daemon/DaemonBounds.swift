import Glibc

/// The bounds of the daemon's own work, each with its reason.
enum DaemonBounds {
  /// A line of the log. A pipe takes this much whole or not at all, so that lines of others do not
  /// get in between (pipe(7), PIPE_BUF); a longer one is cut.
  static let logLineBytes = 4096

  /// How long a command of the link may take to end when it is told to, milliseconds, before it is
  /// killed. pppd takes leave of the other side, twice for 3 s, and runs scripts after it (pppd(8),
  /// lcp-max-terminate, lcp-restart).
  static let linkCommandEnd: Int64 = 20_000
}
