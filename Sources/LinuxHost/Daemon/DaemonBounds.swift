import Glibc

/// The bounds of the daemon's own work, each with its reason.
enum DaemonBounds {
  /// A line of the log. Writes of up to this size to a pipe are atomic, so that lines are not mixed
  /// with those of other processes (pipe(7), PIPE_BUF); a longer line is cut.
  static let logLineBytes = 4096

  /// How long a command of the link may take to end after SIGTERM, milliseconds, before it is
  /// killed. pppd terminates the link, twice for 3 s, and runs scripts afterwards (pppd(8),
  /// lcp-max-terminate, lcp-restart).
  static let linkCommandEnd: Int64 = 20_000
}
