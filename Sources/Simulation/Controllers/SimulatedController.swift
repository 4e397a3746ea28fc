import CardStore
import FeatureService
import FirmwareHost
import TrackerCore
import Uplink

/// A controller's hardware and what is around it, in virtual time: receiver, modem and server, a
/// card, somebody at the console and at the button, and a power supply that fails.
///
/// Its own clock begins anew with each start.
final class SimulatedController {
  /// What a block takes on the bus, and on the card.
  private static let readTime = Milliseconds(1)
  private static let writeTime = Milliseconds(4)
  /// From the power to the firmware.
  private static let bootTime = Milliseconds.seconds(1)
  /// How long somebody presses the button who calls for help.
  private static let callPress = Milliseconds.seconds(12)

  /// To read a card that may only have had bad contacts, and to format it.
  private static let formatTime = Milliseconds.seconds(30)

  private static let mostIdleTurns = 20_000
  /// Three eighths of what its converter can show: a good battery.
  private static let batteryPart: UInt16 = 0x6000

  let scenario: Scenario
  let card: SimulatedCard
  private(set) var now = Instant.start
  private var bootedAt = Instant.start
  private(set) var hasPower = true
  /// Its firmware has asked for it.
  private(set) var isRestarting = false
  private(set) var isOver = false
  /// The firmware goes on and on without ever sleeping.
  private(set) var isStuck = false
  let endsAt: Instant
  let server: SimulatedServer
  /// What the server has stored, in its order.
  private(set) var stored: [TakenCapture] = []

  private var receiver: PreparedBursts
  private var burstAt: Instant?
  private var modem: ModemEmulator
  private var modemFault: ModemFault?
  private var fromModem = SerialWire(baud: World.modemBaud)
  private var ready: [MachinePort: [UInt8]] = [:]
  private var exchange: UInt32 = 0
  /// Requests on their way to the server, and replies to the modem.
  private var underWay: [(at: Instant, number: UInt32, request: ServiceRequest, Troubles)] = []
  private var replies: [(at: Instant, number: UInt32, reply: HTTPReply)] = []
  private var commands: ArraySlice<TimedCommand>
  private var buttonUntil: Instant?
  private var formatTypedAt: Instant?
  /// Those to come, and that which waits for a write.
  private var restarts: ArraySlice<Restart>
  private var armed: (restart: Restart, writesLeft: Int32)?
  private var poweredAt = Instant.start
  private var random: SeededGenerator
  private let troubles: [SimulatedCard.Trouble]
  /// What the firmware has done since it has slept last.
  private var idleTurns = 0
  /// Whether the last end came while the card was well.
  private(set) var wasCardWell = true
  /// How the firmware has ended.
  private(set) var outages: Set<Probe> = []

  init(
    _ explored: ExploredCase, _ trace: PreparedTrace, on board: Board, device: UniqueID,
    cardTroubles: [SimulatedCard.Trouble]?
  ) throws {
    scenario = explored.scenario
    random = SeededGenerator(seed: explored.seed, stream: 830)
    // Small, so that its places are used again.
    card = SimulatedCard(captures: UInt32(random.pick(from: [12, 40, 4000])), seed: explored.seed)
    receiver = PreparedBursts(trace)
    burstAt = receiver.advance()
    let last = trace.bursts.last?.at ?? .start
    endsAt = last + .hours(2)
    commands = scenario.commands[...]
    restarts = scenario.restarts[...]
    // By their beginnings, so that a race that is made smaller keeps them.
    troubles =
      cardTroubles
      ?? scenario.store.map { window in
        var random = SeededGenerator(
          seed: explored.seed, stream: 840 + UInt64(max(0, window.from.count)))
        return random.pick(from: SimulatedCard.Trouble.allCases)
      }
    server = try SimulatedServer(scenario, device: device, seed: explored.seed)
    modem = ModemEmulator(
      scenario.modemScript ?? ModemScript(family: board.modem.family),
      isOn: !board.modem.hasPowerKey, pin: scenario.sim.pin,
      searchTime: scenario.network.registration)
    modem.portBaud = World.modemBaud
    settle()
  }

  /// What is wrong with the card, one after the other.
  var cardTroubles: [SimulatedCard.Trouble] {
    zip(scenario.store, troubles).compactMap { $0.content == .full ? $1 : nil }
  }

  // MARK: Time

  /// By the controller's own clock.
  var machineTime: Instant { .start + (now - bootedAt) }

  func sleep(until deadline: Instant) {
    guard hasPower, !isOver else { return }
    let wanted = deadline == .distantFuture ? endsAt : bootedAt + (deadline - .start)
    let next = max(now, min(wanted, nextHappening))
    if next > now { idleTurns = 0 }
    countTurn()
    now = next
    settle()
  }

  /// The firmware does something, or sleeps.
  func countTurn() {
    idleTurns += 1
    if idleTurns > Self.mostIdleTurns { (isStuck, isOver) = (true, true) }
  }

  private var nextHappening: Instant {
    var next = endsAt
    func consider(_ instant: Instant?) { if let instant { next = min(next, instant) } }
    consider(burstAt)
    consider(modem.nextDeadline)
    consider(fromModem.nextAt)
    consider(buttonUntil)
    consider(commands.first.map { .start + $0.at })
    if armed == nil { consider(restarts.first.map { .start + $0.at }) }
    for going in underWay { consider(going.at) }
    for reply in replies { consider(reply.at) }
    for window in scenario.coverage { consider(border(of: window.from, window.to)) }
    for window in scenario.modem { consider(border(of: window.from, window.to)) }
    return next
  }

  private func border(of from: Milliseconds, _ to: Milliseconds?) -> Instant? {
    if .start + from > now { return .start + from }
    return to.flatMap { .start + $0 > now ? .start + $0 : nil }
  }

  /// Carries out what is due.
  private func settle() {
    if now >= endsAt { isOver = true }
    hearReceiver()
    applyModemScenario()
    actOnRequests()
    turnModem()
    obeyPeople()
    considerPower()
    troubleCard()
  }

  private func troubleCard() {
    let elapsed = now - .start
    let index = scenario.store.firstIndex { $0.contains(elapsed) }
    card.trouble = index.flatMap { scenario.store[$0].content == .full ? troubles[$0] : nil }
  }

  // MARK: Receiver

  private func hearReceiver() {
    while let at = burstAt, at <= now {
      var bytes: [UInt8] = []
      var piece = InlineArray<1024, UInt8>(repeating: 0)
      while true {
        var free = piece.mutableSpan
        let count = receiver.read(into: &free)
        if count == 0 { break }
        for index in 0..<count { bytes.append(piece[index]) }
      }
      // Its ring drops what nobody reads.
      if hasPower, scenario.receiver.content(at: now) == nil, ready[.receiver]?.count ?? 0 < 4096 {
        ready[.receiver, default: []] += bytes
      }
      burstAt = receiver.advance()
    }
  }

  // MARK: Modem and server

  private func applyModemScenario() {
    modem.coverage = scenario.coverage.content(at: now)
    let fault = scenario.modem.content(at: now)
    if fault != modemFault {
      if modemFault == .noSIM { modem.set("noSIM", false) }
      if modemFault == .simLocked { modem.set("locked", false) }
      if fault == .noSIM { modem.set("noSIM") }
      if fault == .simLocked { modem.set("locked") }
      modemFault = fault
    }
  }

  private func turnModem() {
    modem.advance(to: now)
    let said = modem.takeOutput()
    if !said.isEmpty { fromModem.put(said, at: now + World.answerDelay) }
    if let request = modem.takeRequest() { send(request) }
    let heard = fromModem.take(at: now)
    if hasPower, !heard.isEmpty { ready[.modem, default: []] += heard }
  }

  private func send(_ request: HTTPRequest) {
    exchange += 1
    let arrived = ServiceRequest(request)
    let troubles = server.troubles(of: arrived, at: serverTime)
    if troubles.refusesConnection {
      replies.append((now + World.connectDelay, exchange, .unreachable))
    } else if !troubles.isDead {
      let latency = scenario.network.latency ?? World.usualLatency
      underWay.append((now + latency + troubles.delay, exchange, arrived, troubles))
    }
  }

  private var serverTime: HostTime {
    HostTime(utc: UTC(milliseconds: 1_790_000_000_000) + (now - .start), uptime: now - .start)
  }

  private func actOnRequests() {
    for (at, number, request, troubles) in underWay where at <= now {
      let answer = server.answer(request, troubles, at: serverTime)
      stored += server.takeStored()
      if answer != .silence { replies.append((now + 100, number, HTTPReply(answer))) }
    }
    underWay.removeAll { $0.at <= now }
    for (at, number, reply) in replies where at <= now && number == exchange {
      modem.answer(reply, at: now)
    }
    replies.removeAll { $0.at <= now }
  }

  // MARK: People

  private func obeyPeople() {
    if let until = buttonUntil, until <= now { buttonUntil = nil }
    while let next = commands.first, .start + next.at <= now {
      commands.removeFirst()
      guard hasPower else { continue }
      switch next.command {
      case .start: type("start")
      case .stop: type("stop")
      case .captureNow: type("capture")
      case .sendNow: type("send")
      case .raiseEmergency, .withdrawEmergency: buttonUntil = now + Self.callPress
      default: type(random.pick(from: ["status", "captures", "proof", "format", "help"]))
      }
    }
  }

  /// Somebody has just typed that the card is to be formatted.
  var isFormatting: Bool { formatTypedAt.map { now - $0 < Self.formatTime } ?? false }

  private func type(_ word: String) {
    if word == "format" { formatTypedAt = now }
    ready[.console, default: []] += Array("\(word)\r".utf8)
  }

  // MARK: Power

  private func considerPower() {
    while hasPower, armed == nil, let next = restarts.first, .start + next.at <= now {
      restarts.removeFirst()
      if next.afterWrites > 0 { armed = (next, next.afterWrites) } else { losePower(next) }
    }
  }

  private func losePower(_ restart: Restart, inWrite: Bool = false) {
    let isCut = restart.outage == .powerCut
    outages.insert(inWrite ? (isCut ? .powerCutInWrite : .killInWrite) : isCut ? .powerCut : .kill)
    hasPower = false
    wasCardWell = card.trouble == nil
    armed = nil
    poweredAt = now + restart.time + Self.bootTime
    ready = [:]
  }

  /// The firmware asks for it.
  func restart() {
    (hasPower, isRestarting) = (false, true)
    poweredAt = now + Self.bootTime
    ready = [:]
  }

  /// Time passes until the power is back.
  func powerUp() {
    while now < poweredAt, !isOver {
      now = max(now + 1, min(poweredAt, nextHappening))
      settle()
    }
    (hasPower, isRestarting) = (true, false)
    bootedAt = now
    idleTurns = 0
  }

  // MARK: Card

  func hasCard() -> Bool {
    troubleCard()
    return card.answers()
  }

  func readCard(_ number: UInt32, into block: inout Block) -> Bool {
    guard hasPower else { return false }
    now = now + Self.readTime
    troubleCard()
    return card.read(number, into: &block)
  }

  func writeCard(_ block: inout Block, to number: UInt32) -> Bool {
    guard hasPower else { return false }
    now = now + Self.writeTime
    troubleCard()
    if case .slow(let time)? = scenario.store.content(at: now) { now = now + time }
    if let (restart, writesLeft) = armed {
      guard writesLeft > 1 else {
        // A reset leaves the card its power.
        if restart.outage == .powerCut { card.tear(&block, at: number) }
        losePower(restart, inWrite: true)
        return false
      }
      armed = (restart, writesLeft - 1)
    }
    return card.write(&block, to: number)
  }

  // MARK: Ports

  func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int {
    // Lets a host leave its loop that has lost its power, or whose race is over.
    guard hasPower, !isOver else {
      guard port == .receiver else { return 0 }
      buffer[0] = 0
      return 1
    }
    guard let bytes = ready[port], !bytes.isEmpty else { return 0 }
    let count = min(buffer.count, bytes.count)
    for index in 0..<count { buffer[index] = bytes[index] }
    ready[port] = Array(bytes[count...])
    return count
  }

  func send(_ bytes: Span<UInt8>, to port: MachinePort) {
    guard hasPower, port == .modem else { return }
    if modemFault == .mute { modem.fallMute() }
    modem.receive(bytes.indices.map { bytes[$0] }, at: now)
    turnModem()
  }

  func pressPowerKey(for length: Milliseconds) {
    guard hasPower else { return }
    modem.press(for: length, at: now)
    turnModem()
  }

  var isButtonPressed: Bool { buttonUntil != nil }
  func readBattery() -> UInt16? { random.once(in: 20) ? nil : Self.batteryPart }
  var cycles: UInt32 { UInt32(truncatingIfNeeded: random.next()) }
}

/// What the firmware sees of it.
struct ControllerMachine: Machine {
  let controller: SimulatedController

  var now: Instant { controller.machineTime }
  func sleep(until deadline: Instant) { controller.sleep(until: deadline) }
  func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int {
    controller.receive(from: port, into: &buffer)
  }
  func send(_ bytes: Span<UInt8>, to port: MachinePort) { controller.send(bytes, to: port) }
  func pressPowerKey(for length: Milliseconds) { controller.pressPowerKey(for: length) }
  func readButton() -> Bool { controller.isButtonPressed }
  func setLight(isLit: Bool) {}
  func readBattery() -> UInt16? { controller.readBattery() }
  var cycles: UInt32 { controller.cycles }
  func restart() { controller.restart() }
}
