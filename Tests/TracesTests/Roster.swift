import TrackerCore

/// At least one of every event and effect. A new case does not compile until it is here.
enum Roster {
  static var events: [Event] {
    var all: [Event] = []
    var next: Event? = .deadlineReached
    while let event = next {
      all += variants(event)
      next = following(event)
    }
    return all
  }

  private static func following(_ event: Event) -> Event? {
    let queue = QueueCounts(pending: 3, setAside: .max)
    return switch event {
    case .deadlineReached: .batteryMeasured(BatteryReading(millivolts: -3987))
    case .batteryMeasured: .batteryLost
    case .batteryLost: .captureStored(sequence: 7, queue: queue)
    case .captureStored: .storeFailed(sequence: .max)
    case .storeFailed: .uploadFinished(RequestID(9), .empty, queue: queue)
    case .uploadFinished: .reconcileFinished(RequestID(1), .settled(confirmed: 5), queue: queue)
    case .reconcileFinished: .fetchFinished(RequestID(5), .unsupported)
    case .fetchFinished:
      .queueChanged(QueueCounts(pending: 9, setAside: 1, held: 4, heldFor: .minutes(7)))
    case .queueChanged: .linkChanged(isUp: true)
    case .linkChanged: .pinChanged(.button, isActive: false, since: 40)
    case .pinChanged: .commandGiven(.start, from: .script)
    case .commandGiven: .textFinished(RequestID(4), wasSent: true)
    case .textFinished(let id, wasSent: _):
      .textsRead(id, .answered(by: InlineText("Marta Puig")))
    case .textsRead(let id, .answered(let person, sent: nil)):
      .textsRead(id, .answered(by: person, sent: UTC(milliseconds: 1_776_499_242_000)))
    case .textsRead(let id, .answered(let person, _)): .textsRead(id, .ended(by: person))
    case .textsRead: .lineChanged(.modem, isPresent: false)
    case .lineChanged: .haltRefused
    case .haltRefused: nil
    }
  }

  static var settings: [NewSettings] {
    var configuration = configuration
    let team = InlineText<64>("Els Corbs")
    return [NewSettings(configuration, team: team)]
      + [Finish.at(UTC(milliseconds: 1_776_499_242_000)), .after(.hours(30))].map {
        configuration.finish = $0
        configuration.endAfterFinish = nil
        (configuration.emergency, configuration.emergencyInterval) = (true, .minutes(2))
        (configuration.fetchesMessages, configuration.remoteLimit) = (true, .minutes(20))
        return NewSettings(configuration, team: team)
      }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.capture = .route(everyMetres: 1000)
    configuration.accuracyMetres = 17
    configuration.reservePercent = 23
    configuration.bearer = .modem
    configuration.accessPoint = AccessPointName(Array("internet.example".utf8).span)
    configuration.textAfter = .hours(3)
    configuration.textTo = PhoneNumber(Array("+34600000000".utf8).span)
    // As in recordings of earlier programs.
    configuration.emergency = false
    return configuration
  }

  private static func variants(_ event: Event) -> [Event] {
    switch event {
    case .uploadFinished(let id, let outcome, let queue):
      outcomes(from: outcome).map { .uploadFinished(id, $0, queue: queue) }
    case .reconcileFinished(let id, let outcome, let queue):
      [event, .reconcileFinished(id, .failed(status: 503), queue: queue)]
        + (outcome == .failed(status: 0) ? [event] : [])
    case .fetchFinished(let id, _):
      [
        event, .fetchFinished(id, .failed(status: 500)), .fetchFinished(id, .answered(nil)),
        .fetchFinished(id, .answered(answer(.read))),
        .fetchFinished(id, .answered(answer(.ended))), .fetchFinished(id, .owing(nil)),
        .fetchFinished(id, .owing(answer(.read))),
      ]
    case .batteryMeasured:
      [
        event, .batteryMeasured(BatteryReading(millivolts: 3987, currentMilliamps: -1240)),
        .batteryMeasured(BatteryReading(millivolts: 3987, percent: 100)),
        .batteryMeasured(BatteryReading(millivolts: 3987, celsius: -40)),
        .batteryMeasured(BatteryReading(millivolts: 7411, currentMilliamps: 310, percent: 0)),
      ]
    case .linkChanged: [event, .linkChanged(isUp: false)]
    case .commandGiven(let command, _):
      commands(from: command).map { .commandGiven($0, from: .script) }
        + [Origin.socket, .console, .button, .room].map { .commandGiven(.stop, from: $0) }
    default: [event]
    }
  }

  private static func answer(_ kind: EmergencyAnswer.Kind) -> EmergencyAnswer {
    EmergencyAnswer(
      kind: kind, sequence: 4_000_000_000, by: InlineText("Marta \"X\""),
      at: UTC(milliseconds: 1_776_499_242_000))
  }

  private static func outcomes(from first: UploadOutcome) -> [UploadOutcome] {
    func following(_ outcome: UploadOutcome) -> UploadOutcome? {
      switch outcome {
      case .empty: .answered(acknowledged: 1, refused: 2, firstRefused: 3, code: -1016)
      case .answered: .refused(code: 400, first: 8, count: 9)
      case .refused: .unauthorised
      case .unauthorised: .busy(status: 503, retryAfter: .seconds(90))
      case .busy: .unreachable
      case .unreachable: .stalled
      case .stalled: .ambiguous
      case .ambiguous: nil
      }
    }
    return Array(sequence(first: first, next: following)) + [.busy(status: 429, retryAfter: nil)]
  }

  private static func commands(from first: Command) -> [Command] {
    func following(_ command: Command) -> Command? {
      let bytes = Array("Les Cañes, \"X\"\\ ^*!$~\u{1}".utf8)
      return switch command {
      case .start: .stop
      case .stop: .captureNow
      case .captureNow: .sendNow
      case .sendNow: .setTeam(InlineText(bytes.span))
      case .setTeam: .unsetTeam
      case .unsetTeam: .tryPIN
      case .tryPIN: .test(overFloor: true)
      case .test: .raiseEmergency
      case .raiseEmergency: .withdrawEmergency
      case .withdrawEmergency: .askForCall
      case .askForCall: .endCallRequest
      case .endCallRequest: nil
      }
    }
    let longest = [UInt8](repeating: 0xC3, count: 64)
    return Array(sequence(first: first, next: following))
      + [.setTeam(InlineText()), .setTeam(InlineText(longest.span))]
  }

  // MARK: Effects

  static var effects: [Effect] {
    var all: [Effect] = []
    var next: Effect? = .store(capture)
    while let effect = next {
      if case .note(let note) = effect {
        all += notes(from: note).map { .note($0) }
      } else {
        all.append(effect)
      }
      next = following(effect)
    }
    return all + [
      .store(bare), .setAside(.refusedOfLastUpload),
      .upload(UploadRequest(id: RequestID(2), selection: .oldest(limit: 9))),
      .upload(UploadRequest(id: RequestID(2), selection: .oldest(limit: 9), silence: .reserve)),
      .upload(UploadRequest(id: RequestID(2), selection: .oldest(limit: 9), silence: .finished)),
      .note(.capturing(nil)), .note(.sending(.backingOff(status: 503))),
      .note(.orderEnded(.session)),
    ]
  }

  private static func following(_ effect: Effect) -> Effect? {
    switch effect {
    case .store:
      .upload(
        UploadRequest(
          id: RequestID(2), selection: .freshest(limit: 9),
          nextContactBy: UTC(milliseconds: 1_776_499_242_000)))
    case .upload: .reconcile(RequestID(3))
    case .reconcile: .fetch(RequestID(7))
    case .fetch: .setAside(.capture(4, code: -5))
    case .setAside: .pulse(.modemPowerKey, 2000)
    case .pulse: .setPin(.flightMode, isActive: true)
    case .setPin: .setLight(.waiting)
    case .setLight: .sendToModem(.attention)
    case .sendToModem: .setModemBaud(9600)
    case .setModemBaud: .sendToReceiver(.sleep)
    case .sendToReceiver: .setLink(isUp: true)
    case .setLink: .sendText(RequestID(6))
    case .sendText: .readTexts(RequestID(8))
    case .readTexts: .rememberPIN(isTried: true)
    case .rememberPIN: .halt(.minutes(9))
    case .halt: .note(.sessionStarted)
    case .note: nil
    }
  }

  private static func notes(from first: Note) -> [Note] {
    func following(_ note: Note) -> Note? {
      switch note {
      case .sessionStarted: .sessionStopped
      case .sessionStopped: .sessionFinished
      case .sessionFinished: .orderEnded(.team)
      case .orderEnded: .captured(sequence: 5)
      case .captured: .notCaptured(.atRest)
      case .notCaptured: .capturing(.poorAccuracy)
      case .capturing: .sending(.serverRejected(code: 1016))
      case .sending: .modem(.checkingSIM)
      case .modem: .fixRejected(.impossibleSpeed)
      case .fixRejected: .clockTrusted(UTC(milliseconds: 1_776_499_242_000))
      case .clockTrusted: .weekRolloverCorrected(weeks: 1024)
      case .weekRolloverCorrected: .receiverSilent
      case .receiverSilent: .receiverHeard
      case .receiverHeard: .receiverFloods(bytesPerSecond: 99_000)
      case .receiverFloods: .signal(dBm: -97)
      case .signal: .networkOperator(InlineText("Movistar \"X\""))
      case .networkOperator: .modemSupply(millivolts: 3810)
      case .modemSupply: .subscriber(InlineText("214070000000000"))
      case .subscriber: .equipment(InlineText("861234000000000"))
      case .equipment: .modemRecovery(.radioCycle)
      case .modemRecovery: .modemRestarted
      case .modemRestarted: .modemStatusContradicted
      case .modemStatusContradicted: .radioStaysOn
      case .radioStaysOn: .externalPower(true)
      case .externalPower: .accessPointRefused
      case .accessPointRefused: .pinRefused
      case .pinRefused: .textFinished(wasSent: false)
      case .textFinished: .passage(Passage(.inferred, place: 3, at: Instant(milliseconds: 77)))
      case .passage: .offCourse(since: Instant(milliseconds: 5), metres: 210)
      case .offCourse: .backOnCourse
      case .backOnCourse: .backwards(since: Instant(milliseconds: 6))
      case .backwards: .forwards
      case .forwards: .courseChanged
      case .courseChanged: .emergency(.withdrawn)
      case .emergency: .callRequest(isOpen: true)
      case .callRequest: nil
      }
    }
    return Array(sequence(first: first, next: following))
  }

  /// All there is to remember, in the midst of a session.
  static var memory: Memory {
    let day = UTC(milliseconds: 1_776_499_242_000)
    return Memory(
      session: SessionRecord(number: 3, begun: Moment(at: .start, utc: day), isOrdered: true),
      sessionOrder: Order(
        true, from: .socket, given: Moment(utc: day), session: 3, configured: false),
      teamOrder: Order(
        InlineText(Array("Les Cañes, \"X\"".utf8).span), from: .button,
        given: Moment(at: Instant(milliseconds: -7)), session: 4, configured: InlineText()),
      charge: ChargeRecord(
        charge: 463_210, deviation: 31_000, drain: 1_400_000, drainDeviation: 90_000,
        at: Moment(at: .start + .minutes(2), utc: nil), covarianceBillionths: -123_456_789,
        bias: 23_456, contradictions: -2, held: 34_567, finalContact: 45_678,
        unmeasuredMilliseconds: 17_000),
      course: course, sleep: sleep,
      emergency: EmergencyRecord(
        stage: .read, raised: Moment(at: .start + .minutes(4), utc: nil), origin: .button,
        firstSequence: 4_000_000_001, person: InlineText("Marta \"X\""), answered: day))
  }

  static var sleep: SleepRecord {
    SleepRecord(
      at: Moment(at: .start + .minutes(3), utc: nil), alarm: .minutes(8), capture: .minutes(9),
      contact: .minutes(19), floor: .minutes(7), captured: .seconds(50),
      position: Coordinate(latitude: 421_800_000, longitude: -24_900_000), failedContacts: 2,
      capturePercent: 50, contactPercent: 600, spent: 56_789, planned: 67_890)
  }

  /// Every field has a value of its own.
  static var course: CourseRecord {
    var record = CourseRecord(done: 12_345, next: 4, inside: 3, isFinished: true)
    record.course = 4_123_456_789
    record.unseen = 6
    record.knownFrom = 1_234_567
    record.position = Coordinate(latitude: -421_234_567, longitude: 23_456_789)
    record.away = 321
    record.offSeconds = 77
    record.at = Moment(
      at: Instant(milliseconds: -99), utc: UTC(milliseconds: 1_776_499_242_111))
    record.wanted = WantedPassages(entered: 1, inferred: 0xFF_FFFF_FFFF, left: 1 << 39)
    for step in Int64(0)...60 {
      record.forecast.walked(
        to: Int32(step * 200), checkpoints: step < 40 ? 2 : 3,
        at: UTC(milliseconds: 1_776_499_242_000) + .minutes(3 * step), isNight: step > 20)
    }
    record.coverage = CourseCoverage([1, 2, 4, 1 << 63])
    return record
  }

  /// The same after its end, the team's name undone.
  static var stopped: Memory {
    var memory = memory
    memory.session?.ending = .stopped
    memory.session?.ended = Moment(at: Instant(milliseconds: 99), utc: nil)
    memory.sessionOrder?.value = false
    memory.teamOrder = nil
    return memory
  }

  /// Every field has a value of its own.
  static var capture: Capture {
    let team = Array("Els Fal·lers".utf8)
    var capture = Capture(
      sequence: 11, utc: UTC(milliseconds: 1_776_499_242_000), isTimeTrusted: true,
      position: Coordinate(latitude: -421_234_567, longitude: 23_456_789),
      team: InlineText(team.span), trigger: .heartbeat)
    capture.altitudeMillimetres = -1204
    capture.speedMillimetresPerSecond = 1250
    capture.courseMillidegrees = 90_500
    capture.accuracyMetres = 7
    capture.satellites = 9
    capture.batteryPercent = 83
    capture.batteryMillivolts = 3912
    return capture
  }

  static var bare: Capture {
    Capture(
      sequence: 12, utc: nil, isTimeTrusted: false,
      position: Coordinate(latitude: 0, longitude: 0), team: InlineText(), trigger: .start)
  }
}
