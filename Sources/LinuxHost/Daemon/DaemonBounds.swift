import Glibc

/// The bounds of the daemon's own work, each with its reason.
enum DaemonBounds {
  /// A line of the log. Writes of up to this size to a pipe are atomic, so that lines are not mixed
  /// with those of other processes (pipe(7), PIPE_BUF); a longer line is cut.
  static let logLineBytes = 4096

  /// Lines of the log that are kept for a console: some hours of a walk.
  static let logLinesKept = 200
  /// An answer to a console, bytes: what a client reads at most, and what the kernel holds for one
  /// that has not read yet (net.core.wmem_default, 212 992).
  static let answerBytes = 60_000

  /// How long a command of the link may take to end after SIGTERM, milliseconds, before it is
  /// killed; `network.down` may take as long before it gets SIGTERM. pppd terminates the link,
  /// twice for 3 s, and runs scripts afterwards (pppd(8), lcp-max-terminate, lcp-restart).
  static let linkCommandEnd: Int64 = 20_000

  /// Commands of the link that run at the same time: one that opens it, one that closes it, and
  /// those before them that do not end.
  static let linkCommands = 8

  /// How long the program waits for these commands before it ends, milliseconds; then they are
  /// killed. Less than the 10 s that containers are given after SIGTERM.
  static let linkExit: Int64 = 8000

  /// How long after `network.up` has ended with code 0 the link may take to come up, milliseconds:
  /// a command that only starts something else leaves this to DHCP, which repeats its requests
  /// after 4, 8 and 16 s (RFC 2131, section 4.1). A link that is given up sooner is not called the
  /// command's failure.
  static let linkAfterUp: Int64 = 30_000
}
