import Courier
public import TrackerCore

/// The bounds of this module, in alphabetical order, each with its reason.
enum HostBounds {
  /// Without a free descriptor, a client of the control socket stays in the queue, and each poll
  /// would return at once.
  static let acceptPause = Milliseconds.seconds(1)
  /// A piece of a recording, and captures, that are looked through at once for a history: some
  /// milliseconds of a small board.
  static let historyBytes = 32 << 10
  static let historyCaptures: UInt32 = 200
  /// How far ahead an alarm may be set only to test it, seconds.
  static let alarmSeconds = 1...60 as ClosedRange<Int64>
  /// A tested alarm that has not gone off this long after it was set belongs to a clock that
  /// stands.
  static let alarmTestLimit = Milliseconds.seconds(15)
  /// A clock whose alarm could not be set, or did not go off, is tried again after this time.
  static let alarmTestRetry = Milliseconds.minutes(10)
  /// How far ahead the alarm is set to test it, seconds: clocks count whole seconds, some two.
  static let alarmTestSeconds: Int64 = 3
  /// The time between two looks at an alarm that is being tested.
  static let alarmLook = Milliseconds(500)
  /// The longest time for which the loop asks only the receiver's line, if it wakes at all: what
  /// waits for an occasion, like writing recent events, gets one.
  static let allAskedPause = Milliseconds.seconds(10)
  /// An answer to a console, bytes: what a client reads at most, and what the kernel holds for one
  /// that has not read yet (net.core.wmem_default, 212 992).
  static let answerBytes = 60_000
  /// The time between two measurements of the battery.
  static let batteryInterval = Milliseconds.seconds(60)
  /// Readings of a thermometer outside of it are of no battery that works, degrees Celsius.
  static let batteryCelsius: ClosedRange<Int32> = -40...85
  /// A measurement of the battery that fails is repeated after this time before the sensor counts
  /// as lost.
  static let batteryRepetition = Milliseconds.seconds(5)
  /// A helper that systemd starts to set the date takes some tenths of a second. The tracker waits,
  /// so it is not longer; one that is late is asked again.
  static let clockHelperLimit = Milliseconds.seconds(2)
  /// The time between two comparisons of the date.
  static let clockInterval = Milliseconds.seconds(10)
  /// How old a request to set the date may be.
  static let clockRequestAge = Milliseconds.seconds(10)
  /// A request to the helper that sets the date, bytes: two numbers.
  static let clockRequestBytes = 64
  /// Dates that a clock is set to: the tracker trusts no earlier one, and nobody a later one.
  static let clockRequestDates = 1_577_836_800_000...4_102_444_800_000 as ClosedRange<Int64>
  /// The time after which a segment of shared memory that could not be had is tried again, or a
  /// time service that has not corrected the date is looked at again.
  static let clockRetry = Milliseconds.seconds(60)
  /// A difference of the date up to this is left alone. The receiver's time is known to about a
  /// second: sentences take half a second to come, and as long to gather.
  static let clockTolerance = Milliseconds.seconds(2)
  /// How long after the last question at the control socket the machine is not halted: people read
  /// and type.
  static let consoleStay = Milliseconds.minutes(5)
  /// Trying all PINs of four digits takes two days with this pause.
  static let consolePause = Milliseconds.seconds(60)
  /// Wrong PINs at a console before it takes none for `consolePause`: a person mistypes one twice.
  static let consoleTries = 3
  /// Clients of the control socket at once; the oldest makes room for a new one.
  static let controlClients = 8
  /// A line from a client of the control socket, bytes: a command's, and who gives it.
  static let controlLineBytes = 2304
  /// When recent events are first written after the start: a machine that is switched off again
  /// soon leaves a trace.
  static let eventsFirst = Milliseconds.seconds(30)
  /// What a power cut may cost of the recent events; at this rate a walk of a day writes some 5 MB.
  static let eventsInterval = Milliseconds.minutes(5)
  /// A command of another program on the modem's line, bytes; of a longer one the rest is dropped.
  static let foreignCommandBytes = 256
  /// So many commands of another program on the modem's line are not noise.
  static let foreignCommands = 3
  /// The longest time between two of these commands: ModemManager asks for the signal every 30 s.
  static let foreignCommandSpan = Milliseconds.minutes(2)
  /// How long after the link came up a server's name that is not found is looked up again: scripts
  /// take a second or two to write the DNS servers, a DHCP client after DAD or a slow disk some
  /// more.
  static let freshLink = Milliseconds.seconds(15)
  /// An order to the helper that halts the machine, bytes: two words and a number.
  static let haltOrderBytes = 64
  /// How long after an order to halt the machine it must have ended this program, beside the time
  /// that the board takes for it. The tracker itself waits for longer.
  static let haltPatience = Milliseconds.seconds(100)
  /// The same reason for not halting the machine is logged again after this time.
  static let haltRefusalPause = Milliseconds.hours(1)
  /// How long the machine may be halted, seconds. Less, and the alarm could go off before it is
  /// off; a tracker's captures are at most a day apart.
  static let haltSeconds = 20...93_600 as ClosedRange<Int64>
  /// How long a helper that systemd starts to set an alarm may take: seconds after a boot, when all
  /// starts at once.
  static let haltHelperLimit = Milliseconds.seconds(10)
  /// How long a helper stays for the next tracker or request: a tracker that closes the link and
  /// opens it again need not wait for a new start.
  static let helperStay = Milliseconds.seconds(2)
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
  /// The time between two looks at a network interface of which the kernel sends no notifications.
  static let linkLook = Milliseconds.seconds(1)
  /// A line of the tracker to that helper, bytes: `up` or `down`.
  static let linkOrderBytes = 8
  /// A line of the log. Writes of up to this size to a pipe are atomic, so that lines are not mixed
  /// with those of other processes (pipe(7), PIPE_BUF); a longer line is cut.
  static let logLineBytes = 4096
  /// Lines of the log that are kept for a console: some hours of a walk.
  static let logLinesKept = 200
  /// What is read of logind's file about a session, bytes; they have some hundred.
  static let loginBytes = 4096
  /// How long mending a store may take: a full one on a slow card takes some minutes to salvage.
  static let mendingLimit = Milliseconds.minutes(30)
  /// How long to wait before a restart that may repair the store.
  static let mendingPause = Milliseconds.seconds(60)
  /// The same if the last restart did not help.
  static let mendingPauseAfterVain = Milliseconds.seconds(3600)
  /// After this time a name that was not found is looked up again.
  static let nameRetry = Milliseconds.seconds(1)
  /// Commands of our own that are remembered until the modem echoes them: more than the core and a
  /// dialogue send before that.
  static let ownCommands = 16
  /// More edges than this within `pinFloodWindow` are a line that is not connected; a thumb makes
  /// some 20 with each press.
  static let pinFlood = 1000
  /// Long enough for many presses, short enough to see soon that a line was connected.
  static let pinFloodWindow = Milliseconds.seconds(10)
  /// A level of STATUS or of a supply counts when it has held for this long: longer than a spike
  /// while the modem transmits, and than half a period of mains hum.
  static let pinSettling = Milliseconds(200)
  /// The time between two searches for other programs on the modem's port: a search reads all of
  /// /proc.
  static let portSearchPause = Milliseconds.seconds(10)
  /// Longer than any number or name in a file of sysfs.
  static let sensorFileBytes = 64
  /// The readings of a sensor for a measurement, one after the other: they take some 10 ms.
  static let sensorReadings = 5
  /// Fewer good readings are not enough for a median.
  static let sensorReadingsNeeded = 3
  /// Longer than any serial number of a board.
  static let serialNumberBytes = 128
  /// How soon a message to systemd is sent again for which there was no room.
  static let serviceRetry = Milliseconds.seconds(1)
  /// No request is given up sooner, in real time: a rehearsal does not make a network faster.
  static let shortestPatience = Milliseconds.seconds(5)
  /// The longest status that systemd does not ignore, characters.
  static let statusCharacters = 500
  /// The time between two looks at the state for systemd's status line: it costs as much as an
  /// answer to `trackerctl status`.
  static let statusInterval = Milliseconds.seconds(30)
  /// The time between two looks whether a store that could not be used can be.
  static let waitingStoreLook = Milliseconds.seconds(60)
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
