/// The core's bounds and fixed delays, with their reasons. The decoder's are in NMEA/Bounds.swift;
/// what an organiser may change is in `Configuration`.
public enum Bounds {
  // Receiver

  /// An epoch ends when its line is quiet for this long. At 9600 baud the sentences of one epoch
  /// are within some 20 ms of each other; USB and gpsd deliver them in chunks up to about 100 ms
  /// apart.
  static let epochQuiet = Milliseconds(200)
  /// A receiver that is awake and sends nothing for this long is silent. The slowest sensible
  /// setting of a receiver is one report per 10 s.
  static let receiverSilence = Milliseconds.seconds(30)
  /// Bytes per second; more than this over `floodWindow` does not come from a receiver. The fastest
  /// receivers in use, at 115 200 baud, send 11 520.
  static let receiverFlood: Int64 = 16_384
  /// Long enough to absorb a burst that gpsd or USB held back for a few seconds.
  static let floodWindow = Milliseconds.seconds(10)
  /// A fix no older than this may be used for a capture that falls due. Phones reused fixes a
  /// minute old (measured in the race's first trials); walkers move 15 m in 10 s.
  static let fixReuse = Milliseconds.seconds(10)
  /// A receiver is woken this much earlier than its hot start requires.
  static let receiverWakeMargin = Milliseconds.seconds(10)
  /// How much faster than twice its reported speed a receiver may have moved, millimetres per
  /// second: allows a sprint between two reports of standing still.
  static let unreportedSpeed: Int64 = 7000
  /// After so many consecutive outliers that agree with each other, they are believed, and the fix
  /// that they contradict was wrong.
  public static let outlierPatience: Int32 = 5
  /// Horizontal error per unit of HDOP, metres (a common figure for single-frequency receivers).
  static let metresPerHDOP: Int32 = 5
  /// Movement below this is not added to the odometer, so that noise at rest does not accumulate.
  public static let odometerStepMetres: Int32 = 20

  // Button

  /// A shorter press is a bouncing contact: makers of push buttons state 5 to 20 ms.
  static let contactBounce = Milliseconds(30)
  /// From here on a press starts or stops the session. A knock in a rucksack is shorter.
  static let longPress = Milliseconds.seconds(3)
  /// How long a button of its own is held to call for help: it is guarded.
  static let emergencyPress = Milliseconds.seconds(2)
  /// A board that halts stays awake for so long after the control room asked for a call: its light
  /// is dark while it is halted, and a team that walks looks at it now and then.
  static let callRequest = Milliseconds.minutes(10)
  /// The same for the only button. Between the long press and this the light warns.
  static let longestPress = Milliseconds.seconds(6)

  // Clock

  /// Consecutive epochs that must advance with the monotonic clock before a date is trusted.
  static let clockAgreements: Int32 = 3
  /// Largest difference between GNSS time and the monotonic clock between two epochs. Reports
  /// reach the tracker late by up to a few seconds on a busy line.
  public static let clockTolerance = Milliseconds.seconds(5)
  /// The end of a session that is no further off is looked at with each report, as it moves with
  /// the receiver's clock.
  static let nearEnd = Milliseconds.minutes(1)
  /// A first capture waits this long for a trusted date before it is taken without one.
  static let clockPatience = Milliseconds.minutes(2)
  /// 1024 weeks: how far a receiver's date jumps back when its 10-bit week number rolls over.
  public static let rolloverWeeks: Int32 = 1024
  /// 1980-01-06T00:00:00Z: week 0 of GPS.
  static let firstGPSDate = UTC(milliseconds: 315_964_800_000)
  /// A date later than this after the build date is not believed.
  static let believableSpan = Milliseconds.hours(10 * 8766)
  /// A corrected date must lie within this span after the build date, or an old recording would be
  /// taken for a rollover.
  static let correctableSpan = Milliseconds.hours(3 * 8766)

  // Course

  /// Points of a course's line. A hundred metres apart on a course of 100 km; 16 KB in memory or
  /// flash, and as many distances when a team is looked for on the whole course.
  public static let coursePoints: Int32 = 1024
  /// Places on a course; the longest races have some thirty. `Passages` has room for all of them.
  public static let coursePlaces: Int32 = 40
  /// Metres; a circle may also be that far from the line.
  public static let placeRadius: Int32 = 1000
  /// Kilometres; the distance along fits in 31 bits of millimetres.
  public static let courseKilometres: Int32 = 2000
  /// Metres between two positions that are compared with the course: the noise of a receiver at
  /// rest is not progress.
  static let courseStepMetres: Int32 = 15
  /// How often a team at rest is compared with the course.
  static let courseRest = Milliseconds.seconds(60)
  /// So near a part of the course the network is the same, metres: less than the ways of a valley
  /// are apart.
  static let coverageRadius: Int32 = 150
  /// An older fix does not say where on the course a contact was: a receiver that sleeps has one
  /// each ten minutes.
  static let coverageFixAge = Milliseconds.minutes(12)
  /// Over so many parts of a course between two that are known the network is the same: 3 km of
  /// 100, what a team walks between two searches.
  static let coverageGap: Int32 = 4
  /// Between two records of a course for a restart, where no place is passed: what was walked since
  /// then is judged as a gap, and each record is a write to the card.
  static let courseRecord = Milliseconds.minutes(30)
  /// The shortest time between two searches of the whole course.
  static let courseSearch = Milliseconds.seconds(30)
  /// A margin around a place's circle that has to be crossed to leave it, metres.
  static let placeMarginMetres: Int32 = 30
  /// Millimetres per second: faster than anybody walks or runs 100 m or more. A team that got along
  /// the course faster was not on foot.
  static let courseSpeed: Int64 = 5000
  /// A team that is further away from the line, centimetres, is nowhere on it.
  static let courseNowhere: Int64 = 200_000
  /// Walked in a gap, millimetres per second: a walker's highest pace for long.
  static let courseGapPace: Int64 = 2200
  /// After a gap in which somebody gets further than this the search starts afresh, millimetres.
  static let courseReach: Int64 = 20_000_000
  /// Nearby ends this far beyond the team's reach, millimetres.
  static let courseReachMargin: Int64 = 100_000
  /// A hypothesis that costs this much more than the best is dropped.
  static let hypothesisCost: Int32 = 30_000
  /// Two hypotheses that are this close to each other are the same, millimetres.
  static let hypothesisNearness: Int64 = 8000
  /// Metres; beyond that the distance to the line says nothing more.
  static let courseDistanceMetres: Int32 = 100_000
  /// Millimetres by which two fixes together may be off before a move counts as a lift.
  static let liftSlack: Int64 = 200_000
  /// Centimetres; beyond this nothing is near, and squares fit: 300 km.
  static let courseHorizon: Int64 = 30_000_000

  // Sessions

  /// How long the battery has to last when no finish is configured: the race's time limit is 32 h.
  static let usualRace = Milliseconds.hours(32)
  /// If the tracker starts within this time after a session's end, it is a restart and the session
  /// stays ended; later, a new session begins by itself. More than this lies between a test in the
  /// evening and the start next morning; crashes, empty batteries and loose plugs are dealt with
  /// sooner.
  public static let restartLimit = Milliseconds.hours(6)

  // Captures

  /// The longest time between two captures under a policy by distance; without it the next contact
  /// could not be promised.
  public static let heartbeat = Milliseconds.minutes(60)
  /// A capture later than this after its slot begins a new grid of slots. Ordinary delays are
  /// shorter: an epoch in transit, a disk flush, a receiver that reports every 30 s.
  static let slotTolerance = Milliseconds.seconds(30)
  /// A team that is still closer than this to its last capture minutes later is at rest; noise and
  /// walking around a checkpoint stay below it.
  static let restMetres: Int32 = 100
  /// A capture that could not be stored is retried after this.
  public static let storeRetry = Milliseconds.seconds(10)

  // Modem

  /// AT is repeated this often while the modem starts (it may drop early commands).
  static let attentionInterval = Milliseconds.seconds(1)
  /// A command that is not answered by then is sent again. SIMCom's manuals promise most answers
  /// within 9 s, and modems give nearly all at once; `ATEngine` deals with a later one.
  static let answerLimit = Milliseconds.seconds(5)
  /// The same for a modem that has been measured to be slow. The slowest answer of a SIMCom modem
  /// that is not the network's takes 9 s.
  public static let slowestAnswer = Milliseconds.seconds(20)
  /// How much longer a slow modem may take until its SIM is ready.
  static let slowAllowance = Milliseconds.minutes(2)
  /// Switching the radio on or off takes longer than other commands; unverified.
  static let radioLimit = Milliseconds.seconds(10)
  /// Commands in a row without an answer before a modem counts as mute: it may have been starting
  /// at the first, and busy at the second.
  static let mutePatience: Int32 = 3
  /// How many of `LineRate` are tried before a mute modem is power-cycled, each for
  /// `attentionInterval`: what modems are delivered with, today and formerly.
  static let likeliestRates: Int8 = 2
  /// How often a modem is told to switch off, every `pollInterval` or as soon as it does not
  /// answer, before it is reported as still on. From then on it is told every `offInterval`: a
  /// command costs nothing compared to a radio that is on.
  static let offPatience: Int32 = 3
  static let offInterval = Milliseconds.seconds(10)
  /// How often one is told that is no bearer any more: some three minutes, longer than it starts.
  static let leftOnTries: Int32 = 20
  /// How often a modem refuses to switch its radio off, by one command and by the other, before the
  /// board does it: it may have been busy.
  static let offRefusals: UInt8 = 3
  /// How often in one contact only the radio is restarted when there is no bearer. Each restart is
  /// a new connection and has to wait for the reconnect floor.
  static let radioCycles: Int32 = 1
  /// SIM and registration are polled this often. Faster gains nothing: networks take seconds.
  static let pollInterval = Milliseconds.seconds(2)
  /// The PIN is entered automatically only with this many tries left; the last one is for a person
  /// to use. ETSI TS 102 221 §9.5.1: a code is blocked after three wrong ones.
  static let pinTriesNeeded: Int32 = 2
  /// A SIM that is not ready by then is given up.
  static let simLimit = Milliseconds.seconds(20)
  /// Without a network by then the modem is usually switched off again: searching takes the most
  /// power.
  static let searchLimit = Milliseconds.minutes(3)
  /// How often the limit is doubled after searches that found nothing: to 24 minutes.
  static let searchDoublings: Int32 = 3
  /// All searching beyond `searchLimit` together, at first. At 150 mA this is 75 mAh.
  static let searchBudget = Milliseconds.minutes(30)
  /// One part in so many of the time that passes is added to the budget. That is less than the
  /// usual searches of a tracker without a network take: 3 minutes out of 30 with the default
  /// interval.
  static let searchShare: Int64 = 15
  /// A network that refuses the modem for so long is given up. A refused modem tries four times
  /// more, each after 10 s (3GPP TS 24.301: T3411, attach attempt counter), and then not for 12
  /// minutes.
  static let deniedLimit = Milliseconds.seconds(60)
  /// The same in the contacts that follow, until a network accepts it; but every third one has the
  /// whole minute again.
  static let deniedAgainLimit = Milliseconds.seconds(30)
  static let deniedCycle: Int32 = 3
  /// A network that has not refused the modem for so long does not refuse it any more: longer than
  /// the 10 s between two attempts.
  static let denialPause = Milliseconds.seconds(20)
  /// A modem that refuses every question about its registration is taken for registered after this:
  /// most are by then.
  static let blindSearch = Milliseconds.seconds(30)
  /// The bearer comes up within seconds or not at all.
  static let linkLimit = Milliseconds.seconds(60)
  /// A link that was lost this often without a delivery is not opened again in the same contact.
  static let linkLosses: Int32 = 5
  /// Power cycles in a row for a mute modem before it is left alone for `faultPause`.
  static let powerCycles: Int32 = 2
  static let faultPause = Milliseconds.minutes(10)
  /// The same while a person or an emergency waits.
  static let urgentFaultPause = Milliseconds.minutes(1)
  /// Without a report from the host by then, a short message counts as not sent. Networks take up
  /// to 60 s (`AT+CMGS` in SIMCom's manuals), in addition to the prompt.
  public static let textLimit = Milliseconds.seconds(90)
  /// A short message that could not be sent is tried again after this at the earliest.
  static let textRetry = Milliseconds.minutes(60)
  /// While nobody has answered an emergency, a text message is repeated after this: one may be
  /// delayed by a network, and a telephone may be out of coverage.
  static let emergencyText = Milliseconds.minutes(5)
  /// One that was not sent is tried again with the next attempt to connect.
  static let emergencyTextRetry = Milliseconds.seconds(30)
  /// Without a report by then the messages that came in count as not read: a call for help waits
  /// behind them.
  public static let readingLimit = Milliseconds.seconds(30)
  /// While nobody has answered an emergency, answers by text message are looked for after this.
  static let answerTexts = Milliseconds.minutes(1)
  /// The same of its end, once somebody has answered: nobody waits for that.
  static let endTexts = Milliseconds.minutes(5)
  /// Longest line kept from a modem. The 3GPP TS 27.007 answers used here are shorter than 60.
  static let modemLineBytes = 128

  // Upload

  /// Most captures in one request: servers fail on large payloads.
  static let batchLimit: UInt32 = 100
  /// A capture that is refused alone this often in a row, by a server that accepts others, is set
  /// aside. A server that refuses every second request, or half of them at random, rarely gets that
  /// far.
  static let refusalsToSetAside: Int32 = 3
  /// Without a report from the host by then, the request counts as ambiguous.
  static let uploadLimit = Milliseconds.seconds(120)
  /// The same where the modem itself sends the requests, all those of one upload: long enough for
  /// it to report first. By default a SIMCom modem tries to connect for 120 s (A76XX Series AT
  /// Command Manual V1.09, `AT+HTTPPARA`), and some firmware knows no other limit; 10 s for the
  /// commands before, and 10 s to close its service.
  public static let modemUploadLimit = Milliseconds.seconds(140)
  /// In an emergency no more captures than this go in one request, so that it is short.
  static let urgentBatch: UInt32 = 8
  /// The longest wait after a failure in an emergency, unless the server asks for a longer one.
  static let urgentWait = Milliseconds.seconds(10)
  /// How often the server is asked whether a person has read an emergency.
  static let answerInterval = Milliseconds.seconds(15)
  /// From the end of such a question to the next, where the network is so slow that it takes longer
  /// than the interval.
  static let answerPause = Milliseconds.seconds(5)
  /// What questions for messages may take of the modem's charge by the board's loads, percent. With
  /// what a radio takes around a transfer that stays below 3 % in the golden race.
  static let questionPercent: Int64 = 2
  /// What one takes, before one has been measured.
  static let usualQuestion = Milliseconds.seconds(1)
  /// An answer this long before the emergency is one to another. The server's clock may be late, or
  /// that of the centre for text messages.
  static let answerSlack = Milliseconds.minutes(10)
  /// Two answers by text message whose stamps are old have just been sent if the stamps are as far
  /// apart as the answers came, within `stampError`, and at least so far: what the network has held
  /// back comes all at once.
  static let stampsApart = Milliseconds.minutes(2)
  /// They are read once a minute, and the network takes a while.
  static let stampError = Milliseconds.minutes(2)
  /// Without a measured answer a request is given up after this much silence. A server that has
  /// just started takes tens of seconds, and the time is doubled after each loss.
  static let firstAnswer = Milliseconds.seconds(30)
  /// After answers, four times the usual one and this; never less than `shortestAnswer`: one lost
  /// packet takes TCP some 3 s over 3G, two in a row 9 s. Never more than `longestAnswer`: web
  /// servers in front of others give up after 60 s.
  static let answerMargin = Milliseconds.seconds(10)
  static let shortestAnswer = Milliseconds.seconds(15)
  static let longestAnswer = Milliseconds.seconds(60)
  /// The speed of GPRS, at which a request may still be under way unseen: the kernel has taken it.
  static let slowBytesPerMillisecond: Int64 = 2
  /// Once requests may be so large, any may: a full one with usual names has some 40 KB.
  static let pathBytes: Int32 = 64 << 10
  /// A larger request that is lost so often in a row, while smaller ones are answered, was too
  /// large. On a network that loses every tenth request, one in a hundred is misjudged that way.
  static let pathStrikes: Int32 = 2
  /// A size that was lost is tried again after this, and each time after twice as long: each try
  /// costs as much as the patience above. A walker is on other cells by then.
  static let pathProbe = Milliseconds.minutes(10)
  static let longestPathProbe = Milliseconds.minutes(60)
  /// For a wait longer than this the modem is switched off, until the wait is over.
  static let attachedWait = Milliseconds.seconds(60)
  /// A measurement of the battery older than this is forgotten. A modem measures it at contacts,
  /// which are an hour apart in the reserve; other sensors report their loss themselves.
  public static let batteryReadingLife = Milliseconds.hours(3)
  /// Readings of the battery within this time count as one: they share most of their error.
  static let chargeMemory = Milliseconds.minutes(30)
  /// A battery's charge is never known better than this, millionths: two percent.
  static let chargeDeviation: Int64 = 20_000
  /// This many consecutive readings that contradict the estimate are believed.
  static let chargePatience: Int32 = 3
  /// Two that are further apart than this are believed, too. A current that was measured before
  /// such a gap says nothing about it.
  static let chargePause = Milliseconds.minutes(5)
  /// Standard deviations of what a voltage says: of the reading, per cell; of the curve, which is
  /// another cell's at another temperature; and of a fuel gauge. Millivolts and millionths; all
  /// assumptions, unverified.
  static let cellMillivoltsDeviation: Int64 = 20
  static let curveDeviation: Int64 = 50_000
  static let gaugeDeviation: Int64 = 30_000
  /// By which share of the voltage a meter may be off, all readings alike: with a divider of 1 %
  /// resistors, one in ten is off by more than 0.6 %. Where the curve is steep that is a part of
  /// the curve's own deviation.
  static let meterGainShare: Int64 = 160
  /// How far the drain of an unknown battery may be from what its file and the loads say,
  /// millionths: it may have half of its capacity, and a part may take a fifth more than its data
  /// sheet says. And how well it can be known at best: loads and temperature change.
  public static let unknownDrainDeviation: Int64 = 400_000
  static let drainDeviation: Int64 = 60_000
  /// How much of that knowledge is lost as the battery empties, variance in millionths of
  /// millionths for each millionth of the charge: in 10 % of it the drain may change by a tenth.
  static let drainChange: Int64 = 100_000
  /// The loads of the last part of the charge count for those to come, millionths.
  static let loadMemory: Int64 = 100_000
  /// How far off the remembered charge may be when nobody knows how long ago that was, millionths:
  /// five percent, which are hours.
  static let unknownPause: Int64 = 50_000
  /// A last capture and a last contact are made when the charge may have come so near to where a
  /// transmission takes the board's power, millionths: one percent, which pays for both.
  static let finalContact: Int64 = 10_000
  /// They are made again each time that so much more is gone, half an hour of a race, and after the
  /// charge was so much above that place.
  static let finalContactStep: Int64 = 20_000
  static let finalContactAgain: Int64 = 100_000
  /// The charge is saved when it has changed by more than a percent, this long after the last time,
  /// or at once when it has changed by more than five percent and is not being charged: each time
  /// writes to the card.
  static let chargeSaving = Milliseconds.minutes(5)
  /// The machine is not halted sooner after a start: what is connected to it reports first.
  static let haltGrace = Milliseconds.seconds(5)
  /// Nor sooner after the control room was asked: what it has ordered comes at once.
  static let haltAfterOrders = Milliseconds(100)
  /// A host that refused is asked again after this long: a person at the console reads and types.
  static let haltRetry = Milliseconds.minutes(5)
  /// A machine that still runs so long after it should have halted does not halt.
  static let haltPatience = Milliseconds.minutes(2)
  /// It is not halted for less: each time wears the card's file systems.
  static let shortestHalt = Milliseconds.seconds(60)
  /// A receiver that has found no fix for so long is likely indoors: under trees a cold start takes
  /// up to two minutes.
  static let fixSearch = Milliseconds.minutes(2)
  /// The same at the first slot without a fix, if that is not more than half an interval: a street
  /// or a passage is left sooner.
  static let firstFixSearch = Milliseconds.minutes(5)
  /// Longer than captures and contacts are apart.
  static let longestHalt = Milliseconds.hours(26)
  /// One that is woken later than this after its alarm was without power, or its clock is wrong.
  static let lateWake = Milliseconds.minutes(10)
  /// The energy budget always covers as much as this, also after the finish: a late team is still
  /// seen.
  static let shortestBudget = Milliseconds.hours(1)
  /// Where no finish is configured, it always covers as much as this: nobody has said that the race
  /// is over when the usual one would be.
  static let openEnd = Milliseconds.hours(8)
  /// The policy adaptive asks what the least plan could still do after so much of another one: by
  /// then more is known.
  static let planStep = Milliseconds.hours(1)
  /// Contacts become more frequent when that is paid for with so many percent to spare.
  static let planGain: Int64 = 4
  /// More captures that take at most so many percent of the battery's life are free.
  static let captureCost: Int64 = 2
  /// With a lower probability, millionths, the finish is out of reach.
  static let planHope: Int64 = 20_000
  /// Percent of the doubt that the wanted confidence leaves which a plan may take of the chance to
  /// reach the finish. Every hour brings another such plan, so that it must not be all of it. In
  /// 260 simulated races 20 took 5 % of the positions' age away, and 4 of 154 finishes.
  static let planDoubt: Int64 = 10
  /// A battery's life is not predicted beyond this: no race is longer than a few days, and
  /// self-discharge, which is not counted, is a few percent of it.
  static let longestOutlook = Milliseconds.hours(720)
  /// A drain is not followed for longer than a year: no charge is older and no finish farther.
  static let longestDrain = Milliseconds.hours(8766)
  /// A cold night lasts this long: with less time left, less of what cold takes has to be feared.
  static let coldNight = Milliseconds.hours(12)
  /// How much of what a whole night may take, squared, is doubted at each change of the
  /// temperature: with all of it a high drain would hide behind the cold. By simulated races,
  /// percent.
  static let coolingVariance: Int64 = 30
  /// What one contact takes, as time at the modem's searching current: in the golden race 34 J, at
  /// 5 V and 171 mA.
  static let usualContact = Milliseconds.seconds(40)
  /// What one contact of a modem that stays attached takes, as time at its transmitting current: of
  /// one small upload over LTE 10.9 J, with promotion and tail (AT&T Video Optimizer profile), at
  /// 5 V and 650 mA.
  static let attachedContact = Milliseconds(3350)
  /// Time between transmissions while the battery is down to its reserve.
  static let reserveTransmitInterval = Milliseconds.minutes(60)
  /// Retry-After is obeyed up to this; a server cannot silence a tracker for longer.
  static let retryAfterLimit = Milliseconds.minutes(60)

  // Course

  /// Farther along a course is not counted: ten times the race.
  static let longestCourseMetres: Int32 = 1_000_000
  /// A pace is learned from stretches so long: a fix's error is a percent of it.
  static let forecastStretchMetres: Int32 = 1000
  /// Older stretches of a pace are forgotten in favour of later ones.
  static let stretchesLearned: Int16 = 56
  /// A team has moved on when it is so much further; receivers wander by less at rest.
  static let forecastMoveMetres: Int32 = 100
  /// A rest at a checkpoint is over so far behind it: people walk about there, and a checkpoint's
  /// radius is some 100 m.
  static let forecastRestMetres: Int32 = 400
  /// A longer rest counts as this long: it is a sleep, which is not repeated at each checkpoint.
  static let longestRestSeconds: Int64 = 7200
  /// Older rests are forgotten in favour of later ones.
  static let restsLearned: Int16 = 100
  /// The error of a position and of noticing an arrival.
  static let forecastErrorSeconds: Int64 = 25
  /// More checkpoints are not counted: a course has at most `coursePlaces`.
  static let checkpointsCounted: Int16 = 100
  /// Anything faster was a lift or a wrong position: 18 km/h.
  static let fastestSecondsPerKilometre: Int64 = 200
  /// The steps in which day and night are distinguished ahead: a twilight lasts half an hour.
  static let forecastStepSeconds: Int64 = 1200
  /// After a longer time without news a forecast asks where the team is now, and not how fast it
  /// was: longer than any rest.
  static let forecastGapSeconds: Int64 = 6 * 3600
  /// An arrival further ahead is not predicted: no race lasts a week.
  static let longestForecast = Milliseconds.hours(168)
}
