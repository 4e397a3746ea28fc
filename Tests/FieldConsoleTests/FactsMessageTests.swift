import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// Facts between two programs, which may be of different versions, and for scripts.
@Suite struct FactsMessageTests {
  private let again: Comment = "repeat with: swift test --filter FactsMessageTests"

  /// Scripts rely on them.
  private static let names = """
    presence team number device version language consoleAccess runningForMs lastSignOfLifeMs
    lastWords systemd utcMs isClockTrusted timeZone systemClock emergency emergencyAgeMs
    emergencyPerson emergencyAnsweredMs session sessionNumber
    sessionAgeMs sessionOrder teamOrder callAskedMs untilFinishMs finishAtMs finishAfterMs
    endAfterFinishMs settingOrders receiverPort receiverProblem isReceiverAwake
    isReceiverSilent receiverHeardMs sentencesPerMinute badChecksumsPerMinute
    rejectedPerMinute bytesPerMinute satellitesSeen satellitesUsed bestSignalDBHz satellites
    hdopHundredths fixAgeMs noFixMs receiverAwakeForMs latitude longitude coldStartMs
    courseDoneMetres courseToGoMetres place nextPlace nextPlaceMetres nextPlaceOpensMs
    nextPlaceClosesMs offCourseForMs offCourseMetres backwardsForMs nextPlaceArrivalMs
    nextPlaceEarliestMs nextPlaceLatestMs finishArrivalMs finishEarliestMs finishLatestMs
    courseCoverage courseProblem capturing nextCaptureMs captureIntervalMs capturePolicy lastCapture
    lastCaptureAgeMs pending setAside acknowledged held heldForMs oldestPendingMs
    pendingBytes store storeProblem diskFreeBytes secondStore storeNews earlierDevices
    damagedRows displaced sending obstacle nextContactMs contactIntervalMs contactRule
    promisedMs lastDeliveryMs lastDelivered lastContactMs contactsFailed silentServer
    pathLimitBytes byBroker lastProblem lastProblemMs failingForMs failingInNetworkMs failing
    isBackingOff hasModem modem isRadioStuck modemPort modemProblem isModemPortTaken
    signalDBm operator simReadyMs registeredMs modemLimitMs modemForMs batteryState
    batteryPercent isFuelGauge batteryAgeMs batteryImplausible isBatteryMeasured isCharging
    isInReserve millivolts milliamps thermometerProblem batteryCelsius chargePercent
    chargeDeviationPercent chargeDeviationAbovePercent drainTenths
    batteryLastsMs batteryReaches batteryReachesAtPercent confidencePercent
    batteryProblem planMs
    planLeftPercent planEmptyInMs planPositionAgeMs planMoreFromPercent planLessBelowPercent pins
    sleep sleepProblem recording recordingProblem logDropped
    """

  @Test func `Scripts find every fact under its name, in this order`() {
    let names = Self.names.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(TrackerFacts().figures.map(\.name) == names, again)
    #expect(TrackerFacts.healthy.figures.map(\.name) == names, again)
  }

  @Test func `Scripts read facts of several parts as one text, and what people read in English`() {
    let facts = Self.detailed
    let figures = Figure.object(facts.figures)
    #expect(figures[path: "sessionOrder"] == .text("7200000 socket"), again)
    #expect(figures[path: "teamOrder"] == .text("console"), again)
    #expect(
      figures[path: "settingOrders"]
        == .list([.text("interval 7200000 anna 5 min"), .text("reserve - anna 20 %")]), again)
    #expect(
      figures[path: "earlierDevices"]
        == .list([.text("\(UniqueID(high: 1, low: 2).lowercaseText) 12")]),
      again)
    #expect(figures[path: "sending"] == .text("backingOff 503"), again)
    #expect(figures[path: "systemd"] == .text("masked"), again)
    #expect(figures[path: "language"] == .text("ca"), again)
    #expect(figures[path: "modem"] == .text("inUse"), again)
    #expect(figures[path: "receiverPort"] == .text("not connected"), again)
    #expect(figures[path: "runningForMs"] == .whole(3_600_000), again)
    #expect(figures[path: "receiverHeardMs"] == Figure.none, again)
    // No tracker said in which phase its modem is.
    #expect(Figure.object(TrackerFacts().figures)[path: "modem"] == .text(""), again)
  }

  @Test func `All of them arrive, in every language`() throws {
    #expect(try TrackerFacts(message: Self.detailed.message) == Self.detailed, again)
    #expect(try TrackerFacts(message: TrackerFacts().message) == TrackerFacts(), again)
  }

  @Test func `Facts that are missing are unknown, and those of a later version are skipped`() throws
  {
    let facts = try TrackerFacts(
      message: """
        {"format": 2, "later": [1, {}], "facts": {"identity": {"team": "A", "shoes": null},
         "modem": {"isRadioStuck": true}, "receiver": {"isReceiverAwake": null}, "moon": {}}}
        """)
    var known = TrackerFacts()
    (known.identity.team, known.modem.isRadioStuck) = ("A", true)
    #expect(facts == known, again)
  }

  @Test func `Nothing else is taken for facts`() {
    let (good, bad) = (TrackerFacts.healthy.message, #""presence": "asleep""#)
    #expect(throws: FactsError.otherFormat(3)) {
      try TrackerFacts(message: good.exchanging(#""format": 2"#, for: #""format": 3"#))
    }
    for message in [
      // The form of the versions before.
      "team A\nnumber 17\nsession running\n", "", "ok", "[]", "2", #"{"format": "2"}"#,
      #"{"format": 2, "facts": 1}"#, String(good.dropLast()),
      good.exchanging(#""presence": "running""#, for: bad),
      good.exchanging(#""bytesPerMinute": 4000"#, for: #""bytesPerMinute": "4000""#),
      String(repeating: "[", count: 60_000),
    ] {
      #expect(throws: FactsError.notFacts, "\(message.prefix(80)); \(again)") {
        try TrackerFacts(message: message)
      }
    }
  }

  @Test func `What a terminal would act on and numbers that sums overflow do not arrive`() throws {
    var facts = TrackerFacts()
    facts.identity.team = "a\u{1B}[2J\nb"
    (facts.queue.pending, facts.queue.setAside) = (.max, (1 << 56) - 1)
    facts.receiver.fixAge = Milliseconds(.min)
    let read = try TrackerFacts(message: facts.message)
    #expect(read.identity.team == "a [2J b", again)
    #expect(read.queue.pending == 0 && read.queue.setAside == (1 << 56) - 1, again)
    #expect(read.receiver.fixAge == nil, again)
  }

  @Test func `With as many satellites as are kept they fit the 64 KB of an answer`() throws {
    var facts = Self.detailed
    let name = try #require(SatelliteName(12, of: .galileo))
    facts.receiver.satellites = Array(
      repeating: SatelliteLevel(name, level: 48, isUsed: false),
      count: FieldBounds.satelliteSignals)
    #expect(facts.message.utf8.count < 32_768, "\(facts.message.utf8.count); \(again)")
  }

  private static var detailed: TrackerFacts {
    var facts = TrackerFacts.healthy
    facts.identity.language = .catalan
    facts.identity.systemd = Texts(ca: "a", es: "b", en: "masked", fr: "d")
    facts.session.order = TrackerFacts.Origin(age: .hours(2), who: "socket")
    facts.session.teamOrder = TrackerFacts.Origin(age: nil, who: "console")
    facts.session.settingOrders = [
      TrackerFacts.SettingInForce(
        key: .interval, value: "5 min", origin: TrackerFacts.Origin(age: .hours(2), who: "anna")),
      TrackerFacts.SettingInForce(
        key: .reserve, value: "20 %", origin: TrackerFacts.Origin(age: nil, who: "anna")),
    ]
    facts.store.earlierDevices = [
      TrackerFacts.EarlierDevice(UniqueID(high: 1, low: 2), waiting: 12)
    ]
    facts.sending.reason = .backingOff(status: 503)
    facts.sending.failing = .portal
    facts.modem.phase = .inUse
    facts.receiver.port = .notConnected
    return facts
  }
}
