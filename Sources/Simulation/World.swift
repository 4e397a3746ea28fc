public import BoardSupport
public import CaptureStore
import Courier
public import Courses
import FeatureService
import ModemDialogues
import TrackerCore
import Uplink

/// A simulated world: a trace, a modem, a network, a server and a battery, in virtual time.
///
/// It is a `Host` like any other. The same trace, board, scenario and seed give the same arrivals,
/// in the same order, at the same instants.
public struct World: Host, CourseHolder, ~Copyable {
  /// Why a run ended.
  public enum Ending: UInt8, Sendable, Equatable {
    /// The trace is over and the queue is empty.
    case finished
    /// The trace is over, and the queue could not be emptied within `SimulationBounds.drain`.
    case stillPending
    case batteryEmpty
    /// The trace could not be read to the end; see `traceError`.
    case traceUnreadable
    /// The tracker asks to be called again and again at one instant.
    case stuck
  }

  /// Time between measurements of the battery voltage.
  static let measureInterval = Milliseconds.seconds(60)
  /// Time to store a capture: an SD card with one flush.
  static let storeDelay = Milliseconds(20)

  public private(set) var now = Instant.start
  public internal(set) var ending: Ending?
  public var traceError: TraceError? { receiver.error }
  /// When the last byte of the trace arrived.
  public var traceEndsAt: Instant? { receiver.traceEndsAt }
  public internal(set) var battery: SimulatedBattery
  public private(set) var meter: EnergyMeter
  public let server: SimulatedServer
  /// Times from capture to acknowledgement, milliseconds, in the order of acknowledgement.
  public internal(set) var latencies: [Int64] = []
  var positionAge = PositionAge()
  /// The number of HTTP requests made, whatever their results.
  public internal(set) var requestCount: UInt32 = 0
  /// Including headers and TLS (`WireCost`).
  public internal(set) var bytesSent: Int64 = 0
  public internal(set) var bytesReceived: Int64 = 0
  /// The queue of captures.
  public var store: CaptureStore { courier.store }
  /// The store's last real error, not one from the scenario.
  public var storeProblem: StoreError? { courier.storeProblem }
  public var tally: StoreTally { courier.store.tally }
  /// The number of short messages that the network accepted.
  var texts = 0

  /// `atMark` is how things stand here, while the run goes on.
  var markAt = Instant.distantFuture
  private(set) var atMark: Standing?
  /// The run is broken off here.
  public var breaksOffAt = Instant.distantFuture
  /// Before anything later happens, `wait` returns `inspection`: somebody wants to look at this
  /// moment. The clock stays at what happened last, so that looking changes nothing.
  public var pausesAt = Instant.distantFuture
  /// What the requests have shown besides their outcomes.
  public internal(set) var serverNews = ServerNews()

  /// `nil`: the tracker has none.
  public var courseTable: CourseTable? {
    didSet {
      courseView = courseTable?.view
      courier.store.placeNames = course?.places.map(\.name) ?? []
    }
  }
  public private(set) var courseView: CourseView?
  /// Called when the server has acknowledged a capture. It must change nothing.
  public var onDelivery: ((CaptureKey, Instant) -> Void)?
  /// Called when the server has stored captures. It must change nothing.
  var onStored: (([TakenCapture], Instant) -> Void)?
  /// Called when a request goes out to the server that has captures to add. It must change nothing.
  var onSending: (([UniqueID], Instant) -> Void)?
  /// Called when a request to the server has its reply, before anybody judges it. It must change
  /// nothing.
  var onReply: ((HTTPReply) -> Void)?
  /// Called when a card has lost what it had said was written: with the store that was, and the one
  /// that is left.
  var onDiskLoss: ((CaptureStore, CaptureStore) -> Void)?
  /// Called when the store was opened again on a disk on which a cut may have torn a write.
  var onReopening: ((Result<CaptureStore, any Error>) -> Void)?
  /// Called when the program is killed: what it does from now on until its restart is not done.
  var onProgramEnd: (() -> Void)?
  /// Called once a minute; see `beginLooking`.
  var onLook: ((borrowing Tracker, borrowing World) -> Void)?
  /// Where several worlds share a server, what comes after this waits until the others have come so
  /// far; see `takeSlice`.
  var sliceEnd = Instant.distantFuture
  /// Called when all has happened until `sliceEnd`; `nil`: then the run is left, and can go on.
  var onSlice: ((borrowing World) -> Void)?
  /// Called from time to time with the share of the trace that has been played, 0...1, if its size
  /// is known, and the time of the run.
  public var progress: ((Double?, Instant) -> Void)? {
    get { receiver.progress }
    set { receiver.progress = newValue }
  }

  /// Who begins the run: needed where the scenario ends the program, which begins as this again.
  public var identity: Identity?
  /// An end of the program that the scenario has, and how many more effects until then.
  var comingOutage: Restart?
  /// `nil`: none is coming. Asked with each effect and arrival, so not beside all that it is about.
  var effectsLeft: Int?
  /// The end that comes within a write.
  var outageInWrite: Restart?
  /// Where the store is a file; `nil`: it is in memory.
  var disk: TornDisk?
  /// Of the restarts that lose something, what is left then, by their numbers.
  var diskImages: [Int: [UInt8]] = [:]
  /// The same of the coming outage; `nil`: it loses nothing.
  var survivingImage: [UInt8]?
  /// Why the run could not go on.
  public internal(set) var problem: (any Error)?
  /// Whether the next start of the program has only what is on disk.
  var isProgramLost = false
  /// The PIN, as the effect of that name says.
  var isPINTried: Bool?
  var given: Given
  /// What people change while the program does not run.
  var changes = Changes()
  /// What people have written, and when.
  var written: [(writing: Writing, at: Instant)] = []
  var room = Room()
  var board: Board { _read { yield given.board } }
  public var sensor: BatterySensor? { given.sensor }
  var scenario: Scenario { _read { yield given.scenario } }
  /// Whether the board measures its battery's temperature.
  public var hasThermometer = false
  /// `nil`: every day is the same.
  var variation: Variation?
  /// The server's date at the start of the run, which then needs no trusted date of the board.
  var serverBegin: UTC?
  /// How long the server had been there before.
  var serverAge = Milliseconds(0)
  /// Identifies the present boot of the machine.
  var boot: String
  var planned = EventQueue<Planned>()
  /// Not in `Planned`, which is copied often and should stay small.
  var deliveries: [UInt32: Event] = [:]
  public internal(set) var newSettings: NewSettings?
  var deliveryCount: UInt32 = 0
  var modem: ModemEmulator
  var toModem = SerialWire(baud: World.modemBaud)
  var fromModem = SerialWire(baud: World.modemBaud)
  /// The host's own dialogues with the modem.
  var modemOperations: ModemOperations
  var formatter: ModemCommandFormatter
  /// The scenario's fault that is applied to the modem.
  var modemFault: ModemFault?
  /// Its STATUS line, as last reported.
  var modemStatus: Bool?
  /// Whether the receiver inside the modem is on.
  var isModemReceiverOn = true
  /// Whether the interface over the modem is up.
  var isLinkUp = false
  var textTo: PhoneNumber?
  var lastCapture: Capture?
  /// The team has called for help.
  var emergency: EmergencyRecord?
  /// The memory that a full disk has refused.
  var unsaved: Memory?
  /// What a full disk still takes for that: trackerd's spare of 1 MiB has room for more.
  var spareWrites = 1000
  var courier: Courier<AnyDialogue>
  /// The capture that could not be stored yet, and when that was first tried.
  var offer: (sequence: UInt32, at: Instant)?
  /// When each capture that is not acknowledged yet was first passed to the store.
  var offeredAtOfWaiting: [CaptureKey: Instant] = [:]
  var exchange: Exchange?
  var exchangeCount: UInt32 = 0
  /// Requests that a slow server has received but not carried out yet. Not in `Planned`, which is
  /// copied often and should stay trivial.
  var lateExchanges: [UInt32: Exchange] = [:]
  /// The connection to the server stays open until then.
  var connectedUntil: Instant?
  /// The setting of the board's clock, once the receiver's date is trusted.
  var clockSetting: (utc: UTC, at: Instant)?
  var bearer = Bearer.interface
  /// The last reported state of a bearer that comes and goes by itself.
  var isBearerTold = false
  var receiver: SimulatedReceiver
  /// `nil`: it runs.
  var haltedMachine: HaltedMachine?
  /// What people ordered while it was halted.
  var ordersAtWake: [Event] = []
  /// Whether the stop after the trace has been delivered.
  var isStopped = false
  private var idleTurns = 0

  /// - Parameters:
  ///   - sensor: what measures the battery; `nil`: nothing does, and the tracker gets no readings.
  ///   - store: an empty queue; its device is the tracker's.
  ///   - code: the tracker's on the server; `nil`: its device's.
  ///   - server: that of an earlier run; `nil`: an empty one.
  ///   - mayActFor: the configured time for which the server may still apply a request that was
  ///     given up; `nil`: the default.
  /// - Throws: if the simulated server cannot be created, which its tests rule out.
  public init(
    trace: consuming TracePlayer, board: Board, sensor: BatterySensor?, scenario: Scenario,
    store: CaptureStore, seed: UInt64, variation: Variation? = nil, mayActFor: Milliseconds? = nil,
    code: String? = nil, server: SimulatedServer? = nil
  ) throws {
    self.init(
      trace: trace,
      given: Given(
        board: board, sensor: sensor, scenario: scenario, code: code,
        mayActFor: mayActFor ?? CourierBounds.mayActFor), store: store,
      server: try server ?? SimulatedServer(scenario, device: store.device, seed: seed),
      dialogue: try SimulatedServer.anyDialogue(scenario.service, code: code),
      variation: variation)
    planScenario()
    advanceTrace()
    // A trace without reports was refused before; here it just has no bursts.
    planMeasurement()
    planned.plan(.turn, at: receiver.readyAt)
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown, and lets no method change what has constants before the initialiser has ended.
  private init(
    trace: consuming TracePlayer, given: Given, store: CaptureStore, server: SimulatedServer,
    dialogue: AnyDialogue, variation: Variation?
  ) {
    let (board, scenario) = (given.board, given.scenario)
    self.server = server
    // Each run's clock begins at 0: what an earlier run on the same store held, it held on another
    // clock. A run that held something has stored something.
    boot = "simulated from \(store.nextSequence)"
    courier = Courier(store, dialogue, mayActFor: given.mayActFor, boot: boot)
    receiver = SimulatedReceiver(trace, readyAt: .start + board.receiver.coldStart)
    self.given = given
    self.variation = variation
    battery = SimulatedBattery(
      board.battery, startPercent: scenario.batteryStartPercent,
      weakCellPercent: scenario.weakCellPercent)
    meter = EnergyMeter(supplyMillivolts: board.supplyMillivolts)
    // Without a key it is on from the start.
    modem = ModemEmulator(
      scenario.modemScript ?? ModemScript(family: board.modem.family),
      isOn: !board.modem.hasPowerKey, pin: scenario.sim.pin,
      searchTime: scenario.network.registration,
      variation: scenario.network.registration == nil && scenario.modemScript == nil
        ? variation : nil)
    modem.portBaud = Self.modemBaud
    formatter = ModemCommandFormatter(family: board.modem.family, accessPoint: nil)
    modemOperations = ModemOperations(family: board.modem.family, http: nil)
  }

  // MARK: Host

  public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    if now >= markAt && atMark == nil { atMark = standing }
    if now >= breaksOffAt { return .end }
    if room.isObeyed { concludeOrders() }
    while true {
      endProgramIfDue()
      if problem != nil { return .end }
      if let ending = checkEnding() {
        self.ending = ending
        return .end
      }
      // A copy of it takes longer than all of these questions.
      if haltedMachine != nil, let haltedMachine {
        if let arrival = sleepThrough(haltedMachine, into: &buffer) { return arrival }
        continue
      }
      if receiver.isBurstOpen {
        if let count = readBurst(into: &buffer) { return .bytes(count: count, from: .receiver) }
        continue
      }
      let plannedAt = planned.next
      let burst = receiver.burstAt ?? .distantFuture
      let due = deadline.map { max($0, now) } ?? .distantFuture
      let modemAt = modemDeadline
      let next = min(min(plannedAt ?? .distantFuture, modemAt), min(burst, due))
      // Nothing would happen ever again.
      guard next < .distantFuture else {
        ending = .stillPending
        return .end
      }
      if next > sliceEnd {
        if onSlice == nil { return .end }
        takeSlice()
        continue
      }
      if next > pausesAt { return .inspection }
      if let plannedAt, plannedAt <= modemAt, plannedAt <= burst, plannedAt <= due {
        move(to: plannedAt)
        if ending != nil { return .end }
        if let arrival = carryOut(planned.take(), into: &buffer) { return arrival }
      } else if modemAt <= burst, modemAt <= due, modemAt < .distantFuture {
        move(to: modemAt)
        if ending != nil { return .end }
        let arrival = modemTurn(into: &buffer)
        if let arrival, isAliveAfterWrites() { return arrival }
      } else if burst <= due, burst < .distantFuture {
        move(to: burst)
        receiver.openBurst()
      } else {
        move(to: due)
        if ending != nil { return .end }
        return .event(.deadlineReached)
      }
    }
  }

  public mutating func push(_ effect: Effect) {
    guard isAlive() else { return }
    perform(effect)
    _ = isAliveAfterWrites()
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .store(let capture): store(capture)
    case .upload(let request): beginUpload(request)
    case .reconcile(let id): beginReconcile(id)
    case .fetch(let id): beginFetch(id)
    case .setAside(let what): setAside(what)
    case .pulse(.modemPowerKey, let length):
      modem.press(for: length, at: now)
      modemChanged()
    // Only some boards have these lines, and nothing in this world depends on them.
    case .pulse(.flightMode, _), .setPin, .setLight: break
    case .sendToModem(let command): sendToModem(command)
    case .setModemBaud(let baud): setModemBaud(baud.map { Int64($0) } ?? Self.modemBaud)
    case .sendToReceiver(let command): controlReceiver(command)
    case .setLink(let isUp): setLink(isUp: isUp)
    case .note(.clockTrusted(let utc)): setClock(utc)
    case .sendText(let id): sendText(id)
    case .readTexts(let id): sayToModem(modemOperations.beginReading(id, at: now))
    case .rememberPIN(let isTried): isPINTried = isTried
    case .halt(let time): halt(for: time)
    case .note(.callRequest(let isOpen)): callRequested(isOpen: isOpen)
    case .note: break
    }
  }

  // MARK: Time

  /// The board's clock: it begins in 1970, and is set when the receiver's date is trusted.
  var utc: UTC {
    guard let clockSetting else { return UTC(milliseconds: now.milliseconds) }
    return clockSetting.utc + (now - clockSetting.at)
  }

  /// A machine that is halted keeps its date, and its uptime goes on: it is one boot for the store.
  var moment: HostTime { HostTime(utc: utc, uptime: now - .start) }

  /// Moves the clock and discharges the battery for that time.
  mutating func move(to instant: Instant) {
    if instant <= now {
      idleTurns += 1
      // A core whose deadline does not advance would loop here forever.
      if idleTurns >= SimulationBounds.idleTurns { ending = .stuck }
      return
    }
    idleTurns = 0
    let draw = EnergyMeter.Draw(
      boardMicroamps: boardMicroamps, receiverMicroamps: receiverMicroamps,
      modemMicroamps: isModemCut ? 0 : modemMicroamps)
    let carried = meter.add(draw, for: instant - now, from: &battery)
    now = now + carried
    if battery.isEmpty { ending = .batteryEmpty }
  }

  /// When the last byte of the trace arrives, or would have arrived if the battery had not been
  /// empty before.
  public mutating func findTraceEnd() throws(TraceError) -> Instant {
    try receiver.findTraceEnd(now: now)
  }

  private mutating func checkEnding() -> Ending? {
    if let ending { return ending }
    guard let traceEndsAt else { return nil }
    // What happens at this moment is told first.
    if let next = planned.next, next <= now { return nil }
    if traceError != nil { return .traceUnreadable }
    let isQueueEmpty = store.counts.pending == 0 && offer == nil
    let isAllDone = isStopped && ordersAtWake.isEmpty && isQueueEmpty
    if isAllDone && isModemOff && exchange == nil { return .finished }
    return now - traceEndsAt >= SimulationBounds.drain ? .stillPending : nil
  }

  /// What a meter at the battery says.
  mutating func measuredMillivolts() -> Int32 {
    Int32((variation?.reading(battery.millivolts) ?? battery.millivolts).rounded())
  }

  // MARK: Receiver

  private mutating func advanceTrace() {
    receiver.advance()
    guard receiver.burstAt == nil, traceEndsAt == nil else { return }
    receiver.traceEndsAt = now
    // Ends the last line of a truncated log, as silence on the wire would.
    planned.plan(.lineEnds, at: now)
    deliver(.commandGiven(.stop, from: .script), at: now + .seconds(1))
  }

  /// Reads the next chunk of the current burst, unless the receiver cannot be heard.
  private mutating func readBurst(into buffer: inout MutableSpan<UInt8>) -> Int? {
    let canBeHeard = scenario.receiver.content(at: now) == nil
    let count = receiver.read(into: &buffer, canBeHeard: canBeHeard, at: now)
    if count > 0 { return count }
    advanceTrace()
    receiver.tellProgress(at: now)
    return nil
  }

  mutating func controlReceiver(_ command: ReceiverCommand) {
    switch command {
    case .sleep: receiver.sleep()
    // The content of a trace was determined when it was recorded; but any byte wakes a receiver.
    case .wake, .setRate, .setSentences:
      if receiver.isAsleep { startReceiver(in: board.receiver.hotStart) }
    }
  }

  /// - Parameter time: until its first fix.
  mutating func startReceiver(in time: Milliseconds) {
    receiver.start(readyAt: now + (variation?.firstFix(time) ?? time))
    planned.plan(.turn, at: receiver.readyAt)
  }

  /// What the receiver would have reported until now is not heard.
  mutating func skipTrace(until now: Instant) {
    while let at = receiver.burstAt, at < now { advanceTrace() }
  }

  private var receiverMicroamps: Int32 {
    if isReceiverCut { return 0 }
    if receiver.isAsleep { return board.loads.receiverStandbyMicroamps }
    return now < receiver.readyAt
      ? board.loads.receiverAcquiringMicroamps : board.loads.receiverTrackingMicroamps
  }
}

extension Array {
  /// The content of the window that contains an instant, if any.
  func content<Content>(at now: Instant) -> Content? where Element == Window<Content> {
    first { $0.contains(now - .start) }?.content
  }
}
