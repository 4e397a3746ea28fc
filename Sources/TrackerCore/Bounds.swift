/// Every bound and fixed delay of the core, with its reason. The decoder's stand in
/// NMEA/Bounds.swift; what an organiser may change stands in `Configuration`.
public enum Bounds {
  // Receiver

  /// A line quiet for this long has ended its epoch. At 9600 baud sentences of one epoch follow
  /// each other within some 20 ms; USB and gpsd hand them on in chunks of up to about 100 ms.
  public static let epochQuiet = Milliseconds(200)
  /// A receiver that is awake and says nothing for this long is silent. The slowest sensible
  /// setting of a receiver is one report per 10 s.
  public static let receiverSilence = Milliseconds.seconds(30)
  /// More than this over `floodWindow` is no receiver: bytes per second. 115 200 baud, the fastest
  /// line that a receiver of position reports is used with, carry 11 520.
  public static let receiverFlood: Int64 = 16_384
  /// Long enough for a chunk that gpsd or a USB line held back for a few seconds.
  public static let floodWindow = Milliseconds.seconds(10)
  /// A fix no older than this may serve a capture that falls due. Phones reused fixes a minute
  /// old (measured in the race's first trials); walkers move 15 m in 10 s.
  public static let fixReuse = Milliseconds.seconds(10)
  /// A tracker woken to position itself gets this much on top of its receiver's hot start.
  public static let receiverWakeMargin = Milliseconds.seconds(10)
  /// How much faster than twice its reported speed a receiver may have moved, millimetres per
  /// second: a sprint between two reports of standing.
  public static let unreportedSpeed: Int64 = 7000
  /// Consecutive outliers that agree with each other before they are believed: the fix that they
  /// contradict was the wrong one.
  public static let outlierPatience: Int32 = 5
  /// Horizontal error per unit of HDOP, metres (a common figure for single-frequency receivers).
  public static let metresPerHDOP: Int32 = 5
  /// Movement below this adds nothing to the odometer: noise at rest must not walk.
  public static let odometerStepMetres: Int32 = 20

  // Clock

  /// Consecutive epochs that must advance with the monotonic clock before a date is trusted.
  public static let clockAgreements: Int32 = 3
  /// Largest difference between GNSS time and the monotonic clock between two epochs. Reports
  /// reach the tracker late by up to a few seconds on a busy line.
  public static let clockTolerance = Milliseconds.seconds(5)
  /// A first capture waits this long for a trusted date before it is taken without one.
  public static let clockPatience = Milliseconds.minutes(2)
  /// 1024 weeks: how far a receiver's date jumps back when its 10-bit week number rolls over.
  public static let rolloverWeeks: Int32 = 1024
  /// 1980-01-06T00:00:00Z: week 0 of GPS.
  public static let firstGPSDate = UTC(milliseconds: 315_964_800_000)
  /// A date later than this after the build date is not believed.
  public static let believableSpan = Milliseconds.hours(10 * 8766)
  /// A date that was put right must lie within this span after the build date, or an old recording
  /// would be taken for a rollover.
  public static let correctableSpan = Milliseconds.hours(3 * 8766)

  // Sessions

  /// How long the battery is to last where no finish is configured: the race gives its teams 32 h.
  public static let usualRace = Milliseconds.hours(32)
  /// A start of the tracker so long after a session's end is a restart, and the session stays
  /// ended; after it the next one begins by itself. Between an evening's test and the start next
  /// morning there is more; crashes, empty batteries and loose plugs are seen to within less.
  public static let restartLimit = Milliseconds.hours(6)

  // Captures

  /// The longest time between two captures of a policy that goes by distance, so that a promise
  /// of the next contact can be given at all.
  public static let heartbeat = Milliseconds.minutes(60)
  /// A capture later than this after its slot begins a new grid of slots. Below it are the delays
  /// of the ordinary: an epoch on its way, a disk that flushes, a receiver that reports every 30 s.
  public static let slotTolerance = Milliseconds.seconds(30)
  /// A team that is closer than this to its last capture, minutes later, is at rest; noise and a
  /// stroll around the checkpoint stay below it.
  public static let restMetres: Int32 = 100
  /// A capture that could not be stored is offered again after this.
  public static let storeRetry = Milliseconds.seconds(10)

  // Modem

  /// AT is repeated this often while the modem starts (it may drop what comes early).
  public static let attentionInterval = Milliseconds.seconds(1)
  /// A command is answered by then or asked again. SIMCom's manuals promise most answers within 9 s
  /// and modems give nearly all at once; one that comes later is told apart by `ATEngine`.
  public static let answerLimit = Milliseconds.seconds(5)
  /// Switching the radio on or off takes longer than other commands; unverified.
  public static let radioLimit = Milliseconds.seconds(10)
  /// Commands in a row without an answer before a modem counts as mute: the first may have met its
  /// start, the second its being busy.
  public static let mutePatience: Int32 = 3
  /// How often a modem is told to switch off, every `pollInterval` or as soon as it does not
  /// answer, before people are told that it is still on. From then on it is told every
  /// `offInterval`: a command costs nothing beside a radio that is on.
  public static let offPatience: Int32 = 3
  public static let offInterval = Milliseconds.seconds(10)
  /// How often in one contact the radio alone is started anew when there is no bearer. Each is a
  /// new connection and waits for the reconnect floor; after it the power goes off and on anyway.
  public static let radioCycles: Int32 = 1
  /// SIM and registration are asked for this often. Faster gains nothing: networks answer in
  /// seconds.
  public static let pollInterval = Milliseconds.seconds(2)
  /// The PIN is entered by itself with so many tries left: one more than the last, which is for a
  /// person to spend. ETSI TS 102 221 §9.5.1: a code is blocked after three wrong ones.
  public static let pinTriesNeeded: Int32 = 2
  /// A SIM that is not ready by then is missing or locked.
  public static let simLimit = Milliseconds.seconds(20)
  /// Without a network by then the modem goes back to sleep: a search is the dearest state there
  /// is.
  public static let searchLimit = Milliseconds.minutes(3)
  /// The bearer comes up within seconds or not at all.
  public static let linkLimit = Milliseconds.seconds(60)
  /// Power cycles in a row for a mute modem before it is left alone for `faultPause`.
  public static let powerCycles: Int32 = 2
  public static let faultPause = Milliseconds.minutes(10)
  /// The host reports by then what became of a short message; else it counts as not sent. Networks
  /// take up to 60 s (`AT+CMGS` in SIMCom's manuals), and then there is the prompt.
  public static let textLimit = Milliseconds.seconds(90)
  /// A short message that could not be sent is tried again after this at the earliest.
  public static let textRetry = Milliseconds.minutes(60)
  /// Longest line kept from a modem. 3GPP TS 27.007 answers that matter here stay below 60.
  public static let modemLineBytes = 128

  // Upload

  /// Captures in one request at the most: servers fail on large payloads.
  public static let batchLimit: UInt32 = 100
  /// A capture that is refused alone so often in a row, by a server that accepts others, is bad. A
  /// server that refuses every second request, or half of all by chance, seldom gets that far.
  public static let refusalsToSetAside: Int32 = 3
  /// The host reports by then; else the request counts as ambiguous.
  public static let uploadLimit = Milliseconds.seconds(120)
  /// A wait longer than this is spent with the modem off.
  public static let attachedWait = Milliseconds.seconds(60)
  /// Failed contacts stretch the time to the next one up to this many transmit intervals.
  public static let contactStretch: Int64 = 3
  /// Time between transmissions while the battery is in its reserve.
  public static let reserveTransmitInterval = Milliseconds.minutes(60)
  /// Retry-After is believed up to here; a server cannot silence a tracker for longer.
  public static let retryAfterLimit = Milliseconds.minutes(60)
}
