import ModemTerminal
import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues
@testable import Simulation

/// A whole tracker, a modem that follows a script and a server, on one desk in virtual time.
///
/// It is wired as a daemon would be: while a dialogue of the host's is active, the modem's bytes
/// are the dialogue's.
struct Desk {
  /// Whom it writes to, and who may answer.
  static let number = PhoneNumber(Array("+34600000000".utf8).span)

  struct Sink: EffectSink {
    var effects: [Effect] = []
    mutating func push(_ effect: Effect) { effects.append(effect) }
    mutating func remember(_ memory: Memory) {}
  }

  var tracker: Tracker
  var modem: ModemEmulator
  private(set) var now = Instant.start
  private(set) var effects: [Effect] = []
  /// What the host's secrets say.
  var pin: String?
  /// Whether the host has kept that the PIN was tried.
  private(set) var isPINTried = false
  /// On disk and not acknowledged.
  private(set) var queue: [UInt32] = []
  /// What the server has, in the order in which it came.
  private(set) var received: [UInt32] = []
  var isReceiverHeard = true
  /// What becomes of requests instead of a server's answer.
  var serverFailure: HTTPReply?
  /// Whether "off" is to be true whenever it is said.
  var checksRadio = false
  /// Why requests had no answer, as a status would say it.
  private(set) var problems: [String] = []
  /// How often the tracker spoke to the modem in the middle of a dialogue of the host's.
  private(set) var intrusions = 0

  private let formatter: ModemCommandFormatter
  private let bearer: Bearer
  private var operations: ModemOperations
  private var request: (id: RequestID, sequences: [UInt32], isReconcile: Bool)?
  private var lastUpload: [UInt32] = []
  private var coming: [(at: Instant, event: Event)] = []
  private var reportAt = Instant(milliseconds: 300)
  /// The serial line between tracker and modem, in each direction.
  private var toModem: SerialWire
  private var fromModem: SerialWire

  /// - Parameters:
  ///   - waiting: captures that wait for a server when the tracker starts.
  ///   - baud: bits per second of the modem's line; `nil`: everything at once.
  ///   - searchTime: how long the modem looks for its network; `nil`: as its script says.
  init(
    _ script: String, _ family: ModemFamily, simPIN: PINState = .absent, waiting: UInt32 = 0,
    baud: Int64? = nil, board: Board? = nil, isOn: Bool = false, searchTime: Milliseconds? = nil,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configuration.accessPoint = AccessPointName(Array("internet".utf8).span)
    configuration.reconnectFloor = .minutes(2)
    configuration.transmitInterval = .minutes(5)
    adjust(&configuration)
    modem = ModemEmulator(
      try ModemScript(named: script), isOn: isOn, searchTime: searchTime, keepsTranscript: true)
    modem.portBaud = 115_200
    toModem = SerialWire(baud: baud)
    fromModem = SerialWire(baud: baud)
    queue = Array(1..<waiting + 1)
    formatter = ModemCommandFormatter(family: family, accessPoint: configuration.accessPoint)
    bearer = configuration.bearer
    operations = ModemOperations(
      family: family, http: ModemHTTP(family: family, trust: .nobody))
    tracker = Tracker(
      board: board ?? .desk(family), configuration: configuration,
      identity: Identity(
        device: UniqueID(high: 1, low: 2), team: InlineText("Desk"), nextSequence: waiting + 1,
        pending: waiting, seed: 1, simPIN: simPIN),
      at: .start)
  }

  // MARK: Time

  /// Lets everything happen that happens in so many seconds, or until it is enough.
  mutating func run(seconds: Int64, until isEnough: (Desk) -> Bool = { _ in false }) {
    let end = now + .seconds(seconds)
    var turns = 0
    while !isEnough(self) {
      let times = [
        tracker.nextDeadline, modem.nextDeadline, operations.nextDeadline,
        coming.first?.at, isReceiverHeard ? reportAt : nil,
        toModem.nextAt, fromModem.nextAt,
      ]
      guard let next = times.compactMap({ $0 }).min(), next <= end else { break }
      turns = next > now ? 0 : turns + 1
      guard turns < 1000 else {
        Issue.record("stuck at \(now), \(tracker.modemPhase), \(times)")
        return
      }
      now = max(now, next)
      turn()
    }
    if !isEnough(self) { now = end }
  }

  private mutating func turn() {
    modem.advance(to: now)
    let arrived = toModem.take(at: now)
    if !arrived.isEmpty { modem.receive(arrived, at: now) }
    serve()
    listen()
    if let due = coming.first, due.at <= now {
      coming.removeFirst()
      handle(due.event)
    }
    if isReceiverHeard, reportAt <= now {
      reportAt = now + .seconds(1)
      receive(Array(report().utf8), from: .receiver)
    }
    remindDialogues()
    if let deadline = tracker.nextDeadline, deadline <= now { handle(.deadlineReached) }
    finishDialogues()
  }

  // MARK: Between tracker and modem

  /// Hands what the modem has said to whom it belongs.
  private mutating func listen() {
    fromModem.put(modem.takeOutput(), at: now)
    let (bytes, now) = (fromModem.take(at: now), self.now)
    guard !bytes.isEmpty else { return }
    if operations.isActive {
      let answer = operations.receive(bytes, at: now)
      let news = operations.takeNews()
      if news.isEmpty {
        tell(answer)
      } else {
        // The tracker hears of them before it hears of the dialogue's end.
        toModem.put(answer, at: now)
        receive(news, from: .modem)
      }
    } else {
      receive(bytes, from: .modem)
    }
    finishDialogues()
  }

  private mutating func remindDialogues() {
    let answer = operations.deadlineReached(at: now)
    tell(answer)
  }

  private mutating func tell(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    toModem.put(bytes, at: now)
    modem.receive(toModem.take(at: now), at: now)
    serve()
    listen()
  }

  private mutating func finishDialogues() {
    while let completed = operations.takeCompleted() {
      switch completed {
      case .replied(let result): finish(result)
      case .texted(let id, let wasSent): handle(.textFinished(id, wasSent: wasSent))
      case .read(let id, let reading):
        guard let number = Self.number else { break }
        let found = AnswerText.finding(in: reading, from: number, to: nil)
        operations.clear(found.places)
        handle(.textsRead(id, found.outcome))
      }
    }
  }

  mutating func handle(_ event: Event) {
    var sink = Sink()
    tracker.handle(event, at: now, into: &sink)
    perform(sink.effects)
  }

  private mutating func receive(_ bytes: [UInt8], from role: SerialRole) {
    var sink = Sink()
    tracker.receive(bytes.span, from: role, at: now, into: &sink)
    perform(sink.effects)
  }

  private mutating func perform(_ wanted: [Effect]) {
    effects += wanted
    if checksRadio && wanted.contains(.note(.modem(.off))) {
      #expect(!modem.isRadioOn, "said to be off at \(now); \(emulatorAgain)")
    }
    for effect in wanted {
      switch effect {
      case .store(let capture):
        queue.append(capture.sequence)
        later(20, .captureStored(sequence: capture.sequence, queue: counts))
      case .upload(let request): upload(request.id, request.selection)
      case .reconcile(let id): reconcile(id)
      case .fetch(let id): later(20, .fetchFinished(id, .unsupported))
      case .pulse(_, let length): modem.press(for: length, at: now)
      case .sendToModem(let command): say(command)
      case .setLink(let isUp):
        if isUp && !modem.conditions.contains("noNetwork") {
          later(1500, .linkChanged(isUp: true))
        }
      case .sendText(let id):
        guard let number = Self.number else { break }
        let message = operations.begin(id, to: number, text: "Desk 42.00000 2.00000", at: now)
        tell(message)
      case .readTexts(let id):
        let words = operations.beginReading(id, at: now)
        tell(words)
      case .halt: break
      case .rememberPIN(let isTried): isPINTried = isTried
      case .setModemBaud(let baud): modem.portBaud = Int64(baud ?? 115_200)
      case .setAside, .setPin, .setLight, .sendToReceiver, .note: break
      }
    }
  }

  private mutating func say(_ command: ModemCommand) {
    if operations.isActive { intrusions += 1 }
    tell(operations.abandon(.needed))
    let line =
      command == .enterPIN
      ? pin.flatMap { formatter.pinLine(Array($0.utf8).span) } : formatter.line(of: command)
    guard let line else { return }
    // The key is remembered before the line goes out.
    #expect(command != .enterPIN || isPINTried, "the PIN went out before it was remembered")
    tell((0..<line.count).map { line[$0] })
  }

  mutating func later(_ delay: Int64, _ event: Event) {
    let at = now + Milliseconds(delay)
    coming.insert((at, event), at: coming.firstIndex { $0.at > at } ?? coming.count)
  }

  // MARK: The server

  private var counts: QueueCounts { QueueCounts(pending: UInt32(queue.count)) }

  private mutating func upload(_ id: RequestID, _ selection: Selection) {
    switch selection {
    case .freshest(let limit): lastUpload = Array(queue.suffix(Int(limit)))
    case .oldest(let limit): lastUpload = Array(queue.prefix(Int(limit)))
    }
    guard bearer == .modem else {
      received += lastUpload
      return later(700, acknowledged(id, lastUpload))
    }
    // As long as applyEdits makes them.
    let rest = String(repeating: "x", count: 460)
    let body = lastUpload.map { "\($0),\(rest)" }.joined(separator: ",")
    send(
      id, HTTPRequest(method: .post, url: "http://camp/add", headers: [], body: Array(body.utf8)))
  }

  private mutating func reconcile(_ id: RequestID) {
    send(id, HTTPRequest(method: .get, url: "http://camp/query", headers: []))
  }

  private mutating func send(_ id: RequestID, _ request: HTTPRequest) {
    self.request = (id, lastUpload, request.method == .get)
    operations.beginTask(at: now)
    let bytes = operations.begin(request, at: now)
    tell(bytes)
  }

  /// Performs what the modem was told to send.
  private mutating func serve() {
    guard let request = modem.takeRequest() else { return }
    if let serverFailure { return modem.answer(serverFailure, at: now) }
    var body = "taken"
    if request.method == .post {
      let text = String(decoding: request.body, as: UTF8.self)
      received += text.split(separator: ",").compactMap { UInt32($0) }
    } else {
      body = received.map(String.init).joined(separator: ",")
    }
    modem.answer(.response(status: 200, headers: [], body: Array(body.utf8)), at: now)
  }

  private mutating func finish(_ result: ModemHTTPResult) {
    guard let request else { return }
    self.request = nil
    if let problem = result.problem { problems.append(problem.english) }
    if result.isNetworkLost { handle(.linkChanged(isUp: false)) }
    switch result.reply {
    case .response(200, _, let body):
      let known = String(decoding: body, as: UTF8.self).split(separator: ",").compactMap {
        UInt32($0)
      }
      if request.isReconcile {
        let confirmed = request.sequences.filter { known.contains($0) }
        queue.removeAll { confirmed.contains($0) }
        handle(
          .reconcileFinished(
            request.id, .settled(confirmed: UInt32(confirmed.count)), queue: counts))
      } else {
        handle(acknowledged(request.id, request.sequences))
      }
    case .response, .unreachable, .tooLarge, .stalled, .lost:
      let outcome: UploadOutcome =
        switch result.reply {
        case .lost: .ambiguous
        case .stalled: .stalled
        case .response, .unreachable, .tooLarge: .unreachable
        }
      handle(
        request.isReconcile
          ? .reconcileFinished(request.id, .failed(status: 0), queue: counts)
          : .uploadFinished(request.id, outcome, queue: counts))
    }
  }

  private mutating func acknowledged(_ id: RequestID, _ sequences: [UInt32]) -> Event {
    queue.removeAll { sequences.contains($0) }
    return .uploadFinished(
      id,
      .answered(
        acknowledged: UInt32(sequences.count), refused: 0, firstRefused: 0, code: 0),
      queue: counts)
  }
}

// MARK: What was seen, and what stands on the desk

extension Desk {
  var notes: [Note] {
    effects.compactMap { if case .note(let note) = $0 { note } else { nil } }
  }

  /// How long the radio has been on, seconds.
  var radioSeconds: Int64 { (modem.radioOnTime(at: now).count + 999) / 1000 }

  func told(_ reason: Reason) -> Bool { notes.contains(.sending(reason)) }

  private func report() -> String {
    let utc = 1_780_000_000 + now.milliseconds / 1000
    let day = utc % 86_400
    let time = [day / 3600, day / 60 % 60, day % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    // 2026-05-28 and the day after.
    let date = utc < 1_780_012_800 ? "280526" : "290526"
    return framed("GPRMC,\(time).000,A,4210.9320,N,00229.3400,E,0.0,0.0,\(date),,")
      + framed("GPGGA,\(time).000,4210.9320,N,00229.3400,E,1,08,1.0,443.0,M,49.0,M,,")
  }

  private func framed(_ body: String) -> String {
    let sum = String(body.utf8.reduce(UInt8(0), ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
  }
}

extension Board {
  /// With the times of a SIM7600 HAT.
  static func desk(_ family: ModemFamily) -> Board {
    Board(
      supplyMillivolts: 5000,
      loads: Loads(
        boardMicroamps: 1, receiverStandbyMicroamps: 1, receiverAcquiringMicroamps: 1,
        receiverTrackingMicroamps: 1, modemOffMicroamps: 1, modemStartingMicroamps: 1,
        modemSearchingMicroamps: 1, modemIdleMicroamps: 1, modemTransmittingMicroamps: 1),
      battery: Battery(
        cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 3000,
        cellMillivolts: [2500, 3300, 3400, 3500, 3600, 3700, 3800, 3900, 4000, 4100, 4200],
        cutOffMillivolts: 2600, capacityAtFreezingPercent: 80, regulator: .linear),
      modem: ModemBoard(
        family: family, powerOnPulse: .seconds(2), powerOffPulse: .seconds(3),
        bootLimit: .seconds(20), powerOffTime: .seconds(26), offOnGap: 0),
      receiver: ReceiverBoard(canSleep: false, coldStart: .seconds(27), hotStart: .seconds(1)))
  }
}
