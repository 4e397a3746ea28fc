import TrackerCore

/// The bounds of the server, with their reasons; those of the service are in FeatureService.
enum Bounds {
  /// A request's body: twice the size of 48 hours of captures every ten seconds in one request.
  static let bodyBytes = 16 << 20
  /// A body's part that is always taken: a hundred captures, which a tracker sends at a time.
  static let smallBodyBytes = 64 << 10
  /// What the bodies of all requests may have beyond that, together: three of the largest. A Pi
  /// Zero has 512 MB, and reading a body takes five times its size.
  static let bodiesBytes = 48 << 20
  /// The same for all requests of one address: others keep room for theirs.
  static let bodiesBytesOfClient = 32 << 20
  /// When a client whose body had no room tries again: reading the largest takes some seconds.
  static let roomRetrySeconds: Int64 = 10
  /// A body up to this long is of a contact: some twenty captures.
  static let contactBytes = 16 << 10
  /// Bodies with more that wait, some seconds of work, and when those that are refused meanwhile
  /// try again.
  static let backlogsWaiting = 400
  static let behindSeconds: ClosedRange<Int64> = 5...25
  /// Captures that the control room reads at a time: more would keep edits waiting.
  static let capturesAtOnce = 500
  /// How often it reads before it shows what it has: a second of work.
  static let readingsAtOnce = 40
  /// Rows of the diary that go to the database together: a server answers each statement.
  static let diaryRowsAtOnce = 50
  /// Of its entries that are read in one statement.
  static let diaryRowsRead = 5000
  /// Before a broker is tried again that is away, at first and at most.
  static let brokerPause = Milliseconds.seconds(1)
  static let brokerLongestPause = Milliseconds.seconds(30)
  /// How long a broker keeps an acknowledgement for a tracker whose link is down, seconds: later it
  /// has sent the captures again.
  static let acknowledgementExpiry: UInt32 = 86_400
  /// A tracker's code and other texts, in characters, as the layer takes them.
  static let publishedCode = 50
  static let publishedText = 100
  /// Messages of the room to one tracker at a time, as it takes them.
  static let lettersAtOnce = 20
  /// Alarms that are over, on the page: the diary has them all.
  static let closedAlarms = 50
  /// Lines of the diary in one answer.
  static let diaryLines = 1000
  /// Captures of a team that are given to it: a capture a second for four months.
  static let capturesOfTeam = 10_000_000
  /// Diaries beside the one in use: each took somebody to damage it.
  static let diariesAside = 100
  /// Entries of the diary that the page shows at a time.
  static let diaryRecords = 300
  /// A map of coverage: its 128 parts have some 200 characters.
  static let coverageBytes = 64 << 10
  /// A telephone number, with blanks and brackets.
  static let phoneBytes = 40
  /// A message to a team, in characters, as the table of messages takes it.
  static let messageCharacters = 500
  /// An order that has not reached its tracker after this is no longer wanted.
  static let orderLife = Milliseconds.hours(2)
  /// Links for followers: one for each of a thousand teams.
  static let links: Int64 = 1000
  /// Telephones that may report at a time: one for each steward, sweeper and team of a large race.
  static let phones: Int64 = 1000
  /// How long a telephone's address works where the course has no hours: a race and its eve.
  static let phoneWithoutFinish = Milliseconds.hours(7 * 24)
  /// The same for a tracker's, which is written into it before the race, and which late teams and
  /// calls for help need after it: a season.
  static let trackerAddress = Milliseconds.hours(366 * 24)
  /// Positions of one telephone at once: ten minutes of one a second, which it has kept; and
  /// afterwards in a second: it catches up five times as fast.
  static let phoneFixesAtOnce = 600.0
  static let phoneFixesPerSecond = 5.0
  /// Positions in one request.
  static let phoneFixes = 100
  /// How old a position may be: what an app has kept of a race and its eve. And how far in the
  /// future, by a telephone's clock.
  static let phonePast = Milliseconds.hours(7 * 24)
  static let phoneFuture = Milliseconds.minutes(10)
  /// Of a telephone's code in the layer, and of how an app calls its telephone, in characters.
  static let phoneCode = 50
  /// Sessions of followers: five thousand people with two devices each.
  static let followers = 10_000
  /// How long somebody of the staff stays logged in: a race.
  static let staffSession = Milliseconds.hours(36)
  /// How long a link works after the last place has closed, for those who look once more.
  static let linkAfterFinish = Milliseconds.hours(2)
  /// How long it works where the course has no hours: a race and a night.
  static let linkWithoutFinish = Milliseconds.hours(48)
  /// How near a place a team is at it: what GPS and a camp's extent may be wrong by.
  static let placeMillimetres: Int64 = 300_000
  /// scrypt's N with r = 8, p = 1 (OWASP's least for passwords of people: 2^15 with p = 3): some
  /// 0.1 s on a laptop, 1 s on a Pi Zero, and 32 MB.
  static let passwordCost: UInt64 = 1 << 15
  /// How long a command of --alert may run: mail and SMS gateways take some seconds.
  static let alertCommand = Milliseconds.minutes(2)
  /// Emergencies of which a person is told at once with a text for each.
  static let emergencyCalls = 10
  /// A file of a JavaScript library: Leaflet's has 150 KB.
  static let libraryBytes = 1 << 20
  /// A table of teams: a thousand rows of a kilobyte.
  static let teamsBytes = 1 << 20
  /// An answer that fits into one packet gains nothing by being compressed.
  static let compressedFromBytes = 1400
  /// A request's line and headers. QGIS requests a hundred objects by number in one address.
  static let headerBytes = 64 << 10
  /// Of a body in gzip, before it is looked whether what it becomes has room.
  static let inflatedAtOnceBytes = 16 << 10
  /// Between two signs of life on a stream: a page says that it is not live after 10 s.
  static let beatSeconds: Int64 = 4
  /// Between two changes on a stream, at least: renderings for nothing but a backlog's captures.
  static let publishMilliseconds: Int64 = 200
  /// From one publication's begin to the next at least this many times as long as it takes, up to a
  /// second: a room of thousands leaves the processor to the captures.
  static let publishShare: Int64 = 12
  static let publishSlowestMilliseconds: Int64 = 1000
  /// Roles and languages of which all teams are kept as they were told last.
  static let teamChannels = 4
  /// Between two looks at what other basecamps tell.
  static let hearingMilliseconds: Int64 = 50
  /// When a browser asks again for a stream that it has lost.
  static let streamRetryMilliseconds = 1000
  /// Changes that a client can get later, of each channel: ten minutes without a network, in a race
  /// of forty teams.
  static let keptChanges = 1000
  static let keptChangesBytes = 1 << 20
  /// After its last subscriber a channel is kept so long.
  static let quietChannelSeconds: Int64 = 600
  /// Streams that were cut, to be told so.
  static let cutStreams = 10_000
  /// Of a stream at a time: more would take memory that its connection keeps.
  static let streamPieceBytes = 4000
  /// What the kernel keeps of a stream (it takes twice as much): some changes.
  static let streamKernelBytes = 32 << 10
  /// Streams that are told of a change at a time, before others have their turn, and how long they
  /// may take for it.
  static let wokenAtOnce = 200
  static let wakingMilliseconds: Int64 = 25
  /// A client that has not read its stream for so long is cut.
  static let stalledSeconds: Int64 = 20
  /// Connections at once, without those of trusted proxies: forty trackers and their viewers, and
  /// four addresses that take all that they can.
  static let connections = 256
  /// The same of one address: a carrier's network may have many trackers behind one, and a viewer
  /// opens up to eight.
  static let connectionsOfClient = 48
  /// Connections of trusted proxies: five thousand followers, and what they ask for besides.
  static let proxyConnections = 6000
  /// Files that the server itself has open: databases, the terminal, the library's own.
  static let ownFiles = 64
  /// How long a stop waits for clients to take the answers to what has been done.
  static let lastAnswersMilliseconds: Int64 = 1000
  /// Connections that may have a stream: they stay, and leave a quarter to all that comes and goes.
  static let streams = connections * 3 / 4
  static let streamsOfClient = connectionsOfClient * 3 / 4
  /// Threads that store captures: edits share transactions, and these wait for the disk.
  static let editThreads = 16
  /// The same for those that come back with a hundred captures each.
  static let backlogThreads = 4
  /// Queries at once: a Pi has four processors.
  static let queryThreads = 4
  /// The same of one address: slow ones leave some for others.
  static let queryThreadsOfClient = 3
  /// What people in the control room ask and do takes milliseconds, but waits for the disk.
  static let roomThreads = 2
  /// Silence on a connection before it is closed.
  static let idleSeconds: UInt32 = 60
  /// From a connection's begin, or the answer before, to the last header: TLS over a slow mobile
  /// network takes 10 s.
  static let headSeconds: Int64 = 30
  /// The same when three quarters of the connections are taken.
  static let crowdedHeadSeconds: Int64 = 10
  /// A request's body: a hundred captures at 400 bytes a second.
  static let bodySeconds: Int64 = 120
  /// Reading an answer: the race's captures in gzip at 1 kB a second.
  static let answerSeconds: Int64 = 120
  /// Computing time of one query: a page of 2000 out of a million captures takes a second on a Pi
  /// Zero. The time of a processor, so that queries at once do not end each other.
  static let querySeconds: Int64 = 5
  /// How long a query may take if it waits for the disk or for others.
  static let queryPatienceSeconds: Int64 = 30
  /// Between two looks at a layer that is followed: trackers send each some minutes.
  static let followSeconds: Int64 = 10
  /// Between two looks for captures that were added below the last object number: servers of
  /// ArcGIS hand the numbers out in blocks.
  static let followBelowSeconds: Int64 = 60
  /// Between two looks for captures that were deleted there: 7 bytes for each. What two of them
  /// miss is deleted here.
  static let followGone = Milliseconds.minutes(10)
  /// Captures that are looked for: the newest, eight thousand of forty teams' races.
  static let followedCaptures = 100_000
  /// The same in one request: what the strictest servers list.
  static let followedAtOnce = 1000
  /// Messages to a tracker, the newest, that are brought to such a server: it shows twenty.
  static let followedMessages = 10
  /// How much earlier than the last known edit these are looked for: a row is seen only some time
  /// after the date that it is given.
  static let followOverlap = Milliseconds.minutes(5)
  /// For a connection to such a server, and for an answer of it.
  static let followConnect = Milliseconds.seconds(10)
  static let followAnswer = Milliseconds.seconds(60)
  /// Captures with a line of their own in the log, at once and in the long run: forty trackers send
  /// one each ten seconds.
  static let logLinesAtOnce = 50
  static let logLinesPerSecond = 10
  /// How long a browser remembers what a page may do: a race. Browsers have lower bounds of their
  /// own (Chromium: two hours).
  static let preflightSeconds = 86_400
  /// A chain of a few certificates is some 10 kB long.
  static let certificateBytes = 1 << 20
  /// A course file; the race's own is 200 kB.
  static let courseBytes = 16 << 20
  /// How often the modem for text messages is asked: a call for help waits no longer.
  static let textSeconds: Int64 = 10
  /// After trouble with it.
  static let textRetrySeconds: Int64 = 15
  /// For its answer to a short command.
  static let textAnswer = Milliseconds.seconds(5)
  /// Of the messages of one telephone in this time the first is taken: a tracker sends one in 5
  /// min.
  static let textPause = Milliseconds.seconds(60)
  /// The clock of a centre for text messages may be late by so much.
  static let stampSlack = Milliseconds.minutes(10)
  /// Telephones of nobody's team that have a row of their own after a call for help: a person can
  /// call them all. Further ones share one.
  static let telephones = 50
  /// Of those so many are told apart.
  static let furtherTelephones = 100_000
  /// A call that is older is not answered any more by text message, and an end is told as long.
  static let textAnswered = Milliseconds.hours(1)
  /// Tries for a message that does not go out: the next call brings another.
  static let textTries = 5
  /// Messages that wait to go out.
  static let textsOut = 64
  /// Coordinate systems at once, of some 100 kB each; a viewer uses one or two.
  static let coordinateSystems = 32
  /// Between two looks at who evaluates alarms: of several basecamps another one takes over in less
  /// than 10 s after the first has died.
  static let seatPause = Milliseconds.seconds(2)
  /// Times that an act of a person is tried again after another basecamp was faster.
  static let actTries = 20
  /// After which a page may ask again: a server's restart takes some seconds.
  static let databaseAwaySeconds: Int64 = 5
  /// A basecamp that has not looked for so long has lost its seat; while it opens large tables it
  /// does not look.
  static let seatIdle = Milliseconds.seconds(7)
}
