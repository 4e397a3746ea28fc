import TrackerCore

/// The bounds of the control room, with their reasons.
enum Bounds {
  /// From the promised time until it counts as broken: a contact that begins in time takes a minute
  /// or two until its first capture is stored.
  static let promiseGrace = Milliseconds.minutes(4)
  /// Of which a minute or two is what a contact takes longer than the others did.
  static let contactTakes = Milliseconds.minutes(2)
  /// Contacts in which a tracker shows how early before its promise it is heard.
  static let habit = 4
  /// A tracker takes a capture of an emergency at least every half hour while it stands: after a
  /// longer time without one it is another emergency.
  static let emergencyGap = Milliseconds.minutes(31)
  /// How long a promise that was broken is blamed on nobody while nothing else arrives: either
  /// others prove that the server hears, or the outage is plain by then.
  static let proofOfLife = Milliseconds.minutes(15)
  /// Contacts that must be missing before the server or its network is blamed: with fewer it would
  /// be chance once in a thousand gaps.
  static let missingContacts = 7.0
  /// The same of trackers elsewhere, if all that have broken a promise are at one place.
  static let missingElsewhere = 4.0
  /// Trackers that must break a promise together before one cause is assumed.
  static let together = 3
  /// What speaks for a hole that nobody has come out of yet, besides the tracker in question: one
  /// other whose place is known well, or two.
  static let suspicion = 2
  /// After its start, until a team of which nothing has come needs a human: a tracker makes contact
  /// as soon as it is switched on.
  static let firstContact = Milliseconds.minutes(30)
  /// What the usual number of contacts is counted in.
  static let trafficSpan = Milliseconds.hours(1)
  /// Trackers that were silent for one cause are this far apart along the course at most, metres.
  static let stretchMetres: Int32 = 5_000
  /// After an outage until a tracker has tried again: its longest backoff, 38 min, and what a
  /// contact takes.
  static let backoff = Milliseconds.minutes(45)
  /// After a hole in the coverage until a tracker has tried again: it waits for no longer than its
  /// contact interval, of which this much is believed.
  static let retry = Milliseconds.minutes(10)...Milliseconds.minutes(60)
  /// A team walks between these shares of the pace that it had.
  static let paceShare = 0.6...1.3
  /// Metres per second of a team whose pace is not known, and the slowest that is assumed for one
  /// that moves.
  static let usualPace = 1.2
  static let leastPace = 0.5
  /// What a pace is measured over.
  static let paceSpan = Milliseconds.hours(1)
  /// A team that stays within `standingMetres` for so long off a place of the course has stopped.
  static let standing = Milliseconds.minutes(45)
  /// The same at a checkpoint, where people sleep.
  static let resting = Milliseconds.hours(4)
  static let standingMetres: Int64 = 200
  /// People rest beside a place, too: so far from its circle.
  static let besideMetres: Int64 = 100
  /// Off the course for this long: a detour to a bar is shorter.
  static let offCourse = Milliseconds.minutes(10)
  /// A battery's trend is taken over this time, and over at least a third of it.
  static let batterySpan = Milliseconds.hours(4)
  /// Percent that it must have fallen by for there to be a trend.
  static let batteryFall = 5.0
  /// At or below this a silent tracker's battery is taken to be empty, percent.
  static let batteryEmpty = 4.0
  /// A battery that ends so long before the finish will not reach it, whatever the trend's error.
  static let batteryMargin = Milliseconds.hours(2)
  /// Above this there is time for the tracker to save by itself, percent.
  static let batteryLow = 35.0
  /// A contact shows that there is coverage where a capture was taken this short before.
  static let contactHere = Milliseconds.minutes(5)
  /// A capture that is missing in so many contacts after a later one has come does not come any
  /// more. One contact may be cut off.
  static let contactsPassed = 3
  /// Arrivals of one contact follow each other this closely.
  static let oneContact = Milliseconds.minutes(2)
  /// A team is late when it would be even if it came earlier than the forecast's earliest time, by
  /// this share of the time from then to the expected one.
  static let lateDoubt = 0.5
  /// A place that closed longer ago is another race's.
  static let raceSpan = Milliseconds.hours(4 * 24)
  /// Captures of one tracker that are looked for: 48 hours at ten seconds.
  static let captures = 17_280
  /// From a place of contact that has coverage, too, metres.
  static let contactMetres: Int32 = 500
  /// Between two places of contact that are this far apart there is coverage, too, metres.
  static let coveredMetres: Int32 = 1_500
  /// Accuracies that say something of where a team is, metres.
  static let accuracies: ClosedRange<Int32> = 0...100_000
  /// A server's clock, milliseconds: the years 1970 to 9999.
  static let dates: Range<Int64> = 0..<253_402_300_800_000
  /// A time that is this far from that of the arrival cannot be believed.
  static let longestDelay = Milliseconds.hours(366 * 24)
  /// Alarms that are kept, beside emergencies: a hundred for each of a hundred trackers. The board
  /// shows the need of a team without an alarm, too.
  static let alarms = 10_000
  /// Trackers that have a row: more than this are not a race's but an attack's.
  static let trackers = 6_000
  /// Among them those of which the server has stored nothing yet, beside the organisers' teams.
  static let refusedTrackers = 200
  /// Beside these, trackers that ask for help: made-up codes do not keep them out.
  static let callingTrackers = 1_000
  /// Names that a tracker gives its team, and devices that send under its code, of which captures
  /// are kept in few bytes: below 255, and so few that they are looked through.
  static let namesOfTracker = 16
  /// Characters of a name or a remark that are kept.
  static let words = 500
}

extension String {
  /// Its first `Bounds.words` code points: a character may be any number of them.
  var bounded: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(Bounds.words)))
  }
}
