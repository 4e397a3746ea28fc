import Testing

@testable import TrackerCore

/// A whole tracker on a bench: receiver, modem, disk and server are as a test sets them.
struct Bench {
  enum Sky: Equatable {
    case fix(accuracyMetres: Int32)
    case noFix
    case silent
  }

  enum Disk: Equatable {
    case works
    case fails
    /// Full, but for what is spared for a call for help.
    case spare
    /// Says nothing.
    case mute
  }

  enum Server: Equatable {
    case accepts
    /// Everything, for good.
    case refuses(code: Int32)
    case ends(UploadOutcome)
    /// One capture a request, the oldest first: what begins with the newest does not get through.
    case takesOldest
    /// Takes it, and the acknowledgement is lost.
    case losesAnswer
    case mute
  }

  struct Entry: Equatable {
    var at: Instant
    var effect: Effect
  }

  enum Coming {
    case event(Event)
    case modemSays(String)
  }

  var tracker: Tracker
  let bearer: Bearer
  private(set) var now = Instant.start
  private(set) var log: [Entry] = []

  var sky = Sky.fix(accuracyMetres: 5)
  var place = Coordinate.olot
  /// The course; empty: none.
  var points: [CoursePoint] = []
  var places: [CoursePlace] = []
  /// What is known of its coverage from an earlier race.
  var coverage = CourseCoverage()
  var metresPerReport: Int64 = 0
  var reportEvery = Milliseconds.seconds(1)
  /// What the receiver's date is at the bench's start; `nil`: it has none.
  var date: UTC? = UTC(milliseconds: 1_780_000_000_000)
  var disk = Disk.works
  var isModemMute = false
  var simAnswer = "+CPIN: READY"
  var registrationAnswer = "+CREG: 0,1"
  var hasBearer = true
  /// The SIM's PIN, when it has one; and what the host's secrets say.
  /// What the SIM says of the tries that are left; `nil`: the modem does not know the question.
  var pinTriesAnswer: String? = "+SPIC: 3,10,3,10"
  var pin: String?
  var secret = "0742"
  /// Whether the network takes short messages.
  var takesText = true
  /// It never tells what became of a text message.
  var isTextMute = false
  private(set) var texts: [Instant] = []
  /// When the messages that came in were read.
  private(set) var readings: [Instant] = []
  /// What is found at the next reading.
  var inbox = TextsOutcome.nothing
  private(set) var pinsTried = 0
  var server = Server.accepts
  /// The server cannot say which captures it has.
  var failsQuestions = false
  /// What the server says when it is asked for messages.
  var answer = FetchOutcome.answered(nil)
  /// For how long the tracker last wanted the machine halted.
  private(set) var halt: Milliseconds?

  /// On disk and not acknowledged, oldest first.
  private(set) var queue: [UInt32] = []
  /// In the order in which they were stored.
  private(set) var stored: [Capture] = []
  private(set) var setAside: [UInt32] = []
  /// What the server has.
  private(set) var received: [UInt32] = []
  /// What is on disk of orders and session; whether the disk takes any of it.
  private(set) var kept: Memory
  var isMemoryKept = true
  /// All that was to be remembered, kept or not.
  private(set) var memories: [Memory] = []
  private var lastUpload: [UInt32] = []
  private var coming: [(at: Instant, what: Coming)] = []
  private var reportAt = Instant.at(500)
  private var callsAtInstant = 0

  init(
    board: Board = .bench, identity: Identity = .bench,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    adjust(&configuration)
    bearer = configuration.bearer
    kept = identity.memory
    tracker = Tracker(
      board: board, configuration: configuration, identity: identity, at: .start)
    if bearer == .none { later(0, .event(.linkChanged(isUp: true))) }
  }

  // MARK: Time

  /// Lets everything happen that happens up to an instant.
  mutating func run(seconds: Int64) { run(until: now + .seconds(seconds)) }

  mutating func run(until end: Instant) {
    while true {
      var earliest = Earliest()
      earliest.consider(tracker.nextDeadline)
      earliest.consider(coming.first?.at)
      if sky != .silent { earliest.consider(reportAt) }
      guard let next = earliest.instant, next <= end else { break }
      callsAtInstant = next <= now ? callsAtInstant + 1 : 0
      guard callsAtInstant < 100 else {
        Issue.record("stuck at \(now), deadline \(String(describing: tracker.nextDeadline))")
        return
      }
      now = max(now, next)
      step()
    }
    now = end
  }

  private mutating func step() {
    if let first = coming.first, first.at <= now {
      coming.removeFirst()
      switch first.what {
      case .event(let event): handle(counted(event))
      case .modemSays(let text): receive(text, from: .modem)
      }
    } else if sky != .silent, reportAt <= now {
      report()
    } else {
      handle(.deadlineReached)
    }
  }

  /// A host counts its queue when it reports, not when it was asked.
  private func counted(_ event: Event) -> Event {
    switch event {
    case .captureStored(let sequence, _): .captureStored(sequence: sequence, queue: counts)
    case .uploadFinished(let id, let outcome, _): .uploadFinished(id, outcome, queue: counts)
    case .reconcileFinished(let id, let outcome, _):
      .reconcileFinished(id, outcome, queue: counts)
    case .queueChanged: .queueChanged(counts)
    case .deadlineReached, .batteryMeasured, .batteryLost, .storeFailed, .linkChanged, .pinChanged,
      .commandGiven, .textFinished, .textsRead, .lineChanged, .haltRefused,
      .fetchFinished:
      event
    }
  }

  private mutating func report() {
    reportAt = now + reportEvery
    guard tracker.isReceiverAwake else { return }
    place = place.north(metresPerReport)
    let utc = date.map { $0 + (now - .start) }
    switch sky {
    case .fix(let accuracy):
      receive(Sentences.report(place, accuracyMetres: accuracy, utc: utc), from: .receiver)
    case .noFix:
      receive(
        Sentences.report(place, accuracyMetres: 0, hasFix: false, utc: utc), from: .receiver)
    case .silent: break
    }
  }

  /// Time passes, and the host is busy: nothing is handled.
  mutating func pass(_ time: Milliseconds) { now = now + time }

  // MARK: Input

  mutating func handle(_ event: Event) {
    var sink = Sink(points: points, places: places, courseCoverage: coverage)
    tracker.handle(event, at: now, into: &sink)
    perform(sink)
  }

  /// - Parameter team: `nil`: the bench's.
  mutating func adopt(_ configuration: Configuration, team: InlineText<64>? = nil) {
    var sink = Sink(points: points, places: places, courseCoverage: coverage)
    let settings = NewSettings(configuration, team: team ?? Identity.bench.team)
    tracker.adopt(settings, at: now, into: &sink)
    perform(sink)
  }

  mutating func receive(_ text: String, from role: SerialRole) {
    var sink = Sink(points: points, places: places, courseCoverage: coverage)
    let bytes = Array(text.utf8)
    tracker.receive(bytes.span, from: role, at: now, into: &sink)
    perform(sink)
  }

  /// Something that will happen.
  mutating func later(_ delay: Milliseconds, _ what: Coming) {
    let at = now + delay
    let index = coming.firstIndex { $0.at > at } ?? coming.count
    coming.insert((at, what), at: index)
  }

  // MARK: Output

  private mutating func perform(_ sink: Sink) {
    memories += sink.memories
    if isMemoryKept, let memory = sink.memories.last { kept = memory }
    for effect in sink.effects {
      log.append(Entry(at: now, effect: effect))
      switch effect {
      case .store(let capture): store(capture)
      case .upload(let request): upload(request)
      case .reconcile(let id): reconcile(id)
      case .fetch(let id): later(500, .event(.fetchFinished(id, answer)))
      case .setAside(let aside): putAside(aside)
      case .sendToModem(let command): answer(command)
      case .setLink(let isUp):
        if hasBearer && isUp { later(1000, .event(.linkChanged(isUp: true))) }
      case .sendText(let id):
        if isTextMute { continue }
        if takesText { texts.append(now) }
        later(3000, .event(.textFinished(id, wasSent: takesText)))
      case .readTexts(let id):
        readings.append(now)
        if isTextMute { continue }
        later(1000, .event(.textsRead(id, inbox)))
        inbox = .nothing
      case .halt(let time): halt = time
      case .pulse, .setPin, .setLight, .sendToReceiver, .note, .rememberPIN, .setModemBaud: break
      }
    }
  }

  private mutating func store(_ capture: Capture) {
    switch disk {
    case .works:
      stored.append(capture)
      queue.append(capture.sequence)
      later(5, .event(.captureStored(sequence: capture.sequence, queue: counts)))
    case .fails: later(5, .event(.storeFailed(sequence: capture.sequence)))
    case .spare where capture.trigger == .emergency || capture.trigger == .emergencyOver:
      disk = .works
      store(capture)
      disk = .spare
    case .spare: later(5, .event(.storeFailed(sequence: capture.sequence)))
    case .mute: break
    }
  }

  private mutating func answer(_ command: ModemCommand) {
    guard !isModemMute else { return }
    var end = "OK"
    switch command {
    case .simStatus:
      let line = pin == nil ? simAnswer : "+CPIN: SIM PIN"
      if line.hasPrefix("+CME") { end = line } else { say(line) }
    case .enterPIN:
      pinsTried += 1
      if pin == secret { pin = nil } else { end = "+CME ERROR: 16" }
    case .pinTries: if let pinTriesAnswer { say(pinTriesAnswer) } else { end = "ERROR" }
    case .registration, .circuitRegistration: say(registrationAnswer)
    case .packetRegistration, .epsRegistration: end = "ERROR"
    case .subscriber: say("214070000000001")
    case .equipment: say("351602000330570")
    case .signal: say("+CSQ: 15,99")
    case .supply: say("+CBC: 3.810V")
    case .networkOperator: say("+COPS: 0,0,\"Movistar\",7")
    case .attention, .reportErrors, .definePDP, .radioOn, .radioOff, .reset, .powerOff,
      .receiverOn, .receiverOff, .wordAnswers, .storeTexts, .minimumFunction:
      break
    }
    later(60, .modemSays("\r\n\(end)\r\n"))
  }

  private mutating func say(_ line: String) { later(50, .modemSays("\r\n\(line)\r\n")) }

  private mutating func upload(_ request: UploadRequest) {
    lastUpload = selected(request.selection)
    let count = UInt32(lastUpload.count)
    guard let first = lastUpload.first else { return finish(request.id, .empty) }
    switch server {
    case .accepts:
      acknowledge(lastUpload)
      finish(
        request.id, .answered(acknowledged: count, refused: 0, firstRefused: 0, code: 0))
    case .refuses(let code):
      finish(request.id, .refused(code: code, first: CaptureKey(first), count: count))
    case .ends(let outcome): finish(request.id, outcome)
    case .takesOldest:
      guard case .oldest = request.selection else { return finish(request.id, .stalled) }
      acknowledge([first])
      finish(request.id, .answered(acknowledged: 1, refused: 0, firstRefused: 0, code: 0))
    case .losesAnswer:
      received += lastUpload
      finish(request.id, .ambiguous)
    case .mute: break
    }
  }

  private func selected(_ selection: Selection) -> [UInt32] {
    switch selection {
    case .freshest(let limit): Array(queue.suffix(Int(limit)))
    case .oldest(let limit): Array(queue.prefix(Int(limit)))
    }
  }

  private mutating func acknowledge(_ sequences: [UInt32]) {
    received += sequences.filter { !received.contains($0) }
    queue.removeAll { sequences.contains($0) }
  }

  private mutating func finish(_ id: RequestID, _ outcome: UploadOutcome) {
    later(2000, .event(.uploadFinished(id, outcome, queue: counts)))
  }

  private mutating func reconcile(_ id: RequestID) {
    if failsQuestions {
      return later(1500, .event(.reconcileFinished(id, .failed(status: 500), queue: counts)))
    }
    let known = lastUpload.filter { received.contains($0) }
    let confirmed = UInt32(known.filter { queue.contains($0) }.count)
    acknowledge(known)
    let outcome = ReconcileOutcome.settled(confirmed: confirmed)
    later(1500, .event(.reconcileFinished(id, outcome, queue: counts)))
  }

  private mutating func putAside(_ aside: SetAside) {
    if case .capture(let key, _) = aside {
      queue.removeAll { $0 == key.number }
      setAside.append(key.number)
    }
    later(1, .event(.queueChanged(counts)))
  }

  var counts: QueueCounts {
    QueueCounts(pending: UInt32(queue.count), setAside: UInt32(setAside.count))
  }

  // MARK: What was seen

  var notes: [Note] {
    log.compactMap { if case .note(let note) = $0.effect { note } else { nil } }
  }
  var uploads: [UploadRequest] {
    log.compactMap { if case .upload(let request) = $0.effect { request } else { nil } }
  }
  var sequences: [UInt32] { stored.map(\.sequence) }
  /// When captures were handed to the disk, seconds.
  var captureTimes: [Int64] {
    log.compactMap { if case .store = $0.effect { $0.at.milliseconds / 1000 } else { nil } }
  }
}
