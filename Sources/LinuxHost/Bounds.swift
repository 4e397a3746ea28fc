import Courier
public import TrackerCore

/// The bounds of this module, in alphabetical order, each with its reason. How long a machine of a
/// protocol waits for its next step stands with that machine.
enum HostBounds {
  /// Without a free descriptor, a client of the control socket stays in the queue, and each poll
  /// would return at once.
  static let acceptPause = Milliseconds.seconds(1)
  /// An answer to a console, bytes: what a client reads at most, and what the kernel holds for one
  /// that has not read yet (net.core.wmem_default, 212 992).
  static let answerBytes = 60_000
  /// What a client reads of an answer, bytes.
  static let answerBytesRead = 65_536
  /// A request to the helper that sets the date, bytes: two numbers.
  static let clockRequestBytes = 64
  /// An idle connection is not used again after this: the courier counts on it.
  static let connectionLife = CourierBounds.connectionLife
  /// Clients of the control socket at once; the oldest makes room for a new one.
  static let controlClients = 8
  /// A line from a client of the control socket, bytes.
  static let controlLineBytes = 512
  /// A command of another program on the modem's line, bytes; of a longer one the rest is dropped.
  static let foreignCommandBytes = 256
  /// How long after the link came up a server's name that is not found is looked up again: scripts
  /// take a second or two to write the DNS servers, a DHCP client after DAD or a slow disk some
  /// more.
  static let freshLink = Milliseconds.seconds(15)
  /// How many bytes may gather in the kernel: a terminal buffers 4096 (N_TTY_BUF_SIZE), of which a
  /// quarter is reserved for a late poll.
  static let gatheredBytes: Int64 = 3072
  /// Real answers have about 1 KiB of headers.
  static let headerBytes = 64 << 10
  /// More than enough for one server and a second one of its addresses.
  static let keptConnections = 4
  /// How long after `network.up` has ended with code 0 the link may take to come up: a command
  /// that only starts something else leaves this to DHCP, which repeats its requests after 4,
  /// 8 and 16 s (RFC 2131, section 4.1). A link that is given up sooner is not called the command's
  /// failure.
  static let linkAfterUp = Milliseconds.seconds(30)
  /// A line of the helper that runs the link's commands, bytes.
  static let linkAnswerBytes = 1024
  /// How long a command of the link may take to end after SIGTERM before it is killed;
  /// `network.down` may take as long before it gets SIGTERM. pppd terminates the link,
  /// twice for 3 s, and runs scripts afterwards (pppd(8), lcp-max-terminate, lcp-restart).
  static let linkCommandEnd = Milliseconds.seconds(20)
  /// Commands of the link that run at the same time: one that opens it, one that closes it, and
  /// those before them that do not end.
  static let linkCommands = 8
  /// How long the program waits for these commands before it ends; then they are killed.
  /// Less than the 10 s that containers are given after SIGTERM.
  static let linkExit = Milliseconds.seconds(8)
  /// A line of the tracker to that helper, bytes: `up` or `down`.
  static let linkOrderBytes = 8
  /// A line of the log. Writes of up to this size to a pipe are atomic, so that lines are not mixed
  /// with those of other processes (pipe(7), PIPE_BUF); a longer line is cut.
  static let logLineBytes = 4096
  /// Lines of the log that are kept for a console: some hours of a walk.
  static let logLinesKept = 200
  /// After this time a name that was not found is looked up again.
  static let nameRetry = Milliseconds.seconds(1)
  /// Commands of our own that are remembered until the modem echoes them: more than the core and a
  /// dialogue send before that.
  static let ownCommands = 16
  /// The name of a person at the control socket, bytes.
  static let personBytes = 32
  /// The time between two searches for other programs on the modem's port: a search reads all of
  /// /proc.
  static let portSearchPause = Milliseconds.seconds(10)
  /// A secrets file has a few lines.
  static let secretsFileBytes = 64 << 10
  /// Longer than any number or name in a file of sysfs.
  static let sensorFileBytes = 64
  /// Longer than any serial number of a board.
  static let serialNumberBytes = 128
  /// No request is given up sooner, in real time: a rehearsal does not make a network faster.
  static let shortestPatience = Milliseconds.seconds(5)
  /// The longest status that systemd does not ignore, characters.
  static let statusCharacters = 500
  /// Requests in progress at once. The dialogue with a server has one; a person may add some.
  static let transfers = 16
}

/// How much space a recording may take, and how often it is flushed.
public struct RecordingBounds: Sendable, Equatable {
  /// Beyond this size the next file begins.
  var partBytes: Int64
  /// For all files together; the oldest are removed. A race of 32 hours at seven sentences a second
  /// takes some 70 MB.
  var totalBytes: Int64
  /// The largest number of files besides the current one: each start of the daemon begins a new
  /// one.
  public var olderFiles: Int
  /// Space to leave free on the disk, for captures.
  var freeBytes: Int64
  /// What a power cut may lose: the file is flushed after this many bytes or this time.
  var syncBytes: Int64
  var syncInterval: Milliseconds
  /// Writing is retried after this when it has failed.
  var retryInterval: Milliseconds

  public init(
    partBytes: Int64 = 8 << 20, totalBytes: Int64 = 256 << 20, olderFiles: Int = 99,
    freeBytes: Int64 = 32 << 20, syncBytes: Int64 = 64 << 10,
    syncInterval: Milliseconds = .seconds(10), retryInterval: Milliseconds = .seconds(30)
  ) {
    self.partBytes = partBytes
    self.totalBytes = totalBytes
    self.olderFiles = max(1, olderFiles)
    self.freeBytes = freeBytes
    self.syncBytes = syncBytes
    self.syncInterval = syncInterval
    self.retryInterval = retryInterval
  }
}
