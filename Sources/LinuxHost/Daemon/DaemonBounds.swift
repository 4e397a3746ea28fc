import Glibc

/// The bounds of the daemon's own work, each with its reason.
enum DaemonBounds {
  /// A line of the log. A pipe takes this much whole or not at all, so that lines of others do not
  /// get in between (pipe(7), PIPE_BUF); a longer one is cut.
  static let logLineBytes = 4096
}
