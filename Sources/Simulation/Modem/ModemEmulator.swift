public import TrackerCore
public import Uplink

/// A modem that follows a script, without I/O: bytes and the time go in; bytes, requests to send
/// and a deadline come out. tracker-sim drives it in virtual time, the daemon's tests behind a
/// pseudo-terminal.
///
///     modem.receive(bytes, at: now)  …  modem.advance(to: now)  …
///     send(modem.takeOutput())
///     if let request = modem.takeRequest() { … modem.answer(reply, at: now) }
///     … call again at modem.nextDeadline …
public struct ModemEmulator: Sendable {
  /// What it is doing, which determines its current.
  enum Activity: Sendable, Equatable {
    case off
    case starting
    /// On, with its radio off.
    case radioOff
    case searching
    case registered
    case stopping
  }

  enum Power: Sendable, Equatable {
    case off
    case on
    case stopping(until: Instant)
  }

  /// What the next byte is part of.
  enum Input: Sendable, Equatable {
    case line
    case text
    case body(left: Int)
  }

  /// A planned output or action.
  struct Plan: Sendable {
    var at: Instant
    var step: ModemScript.Step
    var condition: ModemScript.Condition?
  }

  struct Flags: Sendable, Equatable {
    let isRadioOff, isStarting, hasSIM, hasNetwork, isReceiverOff, hasRoute, isChunked: Bool
    let continues, interrupts, isTight, isNumeric, isQuiet: Bool

    init(_ conditions: Set<String>) {
      isRadioOff = conditions.contains("radioOff")
      isStarting = conditions.contains("starting")
      hasSIM = !conditions.contains("noSIM") && !conditions.contains("locked")
      hasNetwork = !conditions.contains("noNetwork")
      isReceiverOff = conditions.contains("receiverOff")
      hasRoute = !conditions.contains("noRoute")
      isChunked = conditions.contains("chunked")
      continues = conditions.contains("continues")
      interrupts = conditions.contains("interrupts")
      isTight = conditions.contains("tight")
      isNumeric = conditions.contains("numeric")
      isQuiet = conditions.contains("quiet")
    }
  }

  /// Conditions that are derived from others (see `ModemScript`).
  static let derivedConditions: Set<String> = ["sim", "searching", "denied", "noBearer"]

  private(set) var activity = Activity.off
  /// The next instant at which it does something by itself; `nil`: it waits for input.
  public private(set) var nextDeadline: Instant?
  /// The coverage hole that it is in; `nil`: none. Takes effect with the next call.
  var coverage: CoverageHole?
  /// The conditions that hold, except derived ones.
  var conditions: Set<String> = [] {
    didSet { flags = Flags(conditions) }
  }
  /// The frequently used conditions.
  private(set) var flags = Flags([])
  /// How often it was switched on, including reboots.
  public private(set) var boots = 0

  // These are only kept on request, as they grow without bound.

  /// Every line received while it was on, mute or not.
  public internal(set) var heard: [String] = []
  /// Short messages that it accepted.
  public internal(set) var texts: [String] = []
  /// HTTP requests that it was told to send.
  public internal(set) var requests: [HTTPRequest] = []
  let keepsTranscript: Bool

  var store = TextStore()
  let http: ModemScript.HTTPStyle?
  var blocks: [CommandBlock]
  var hasEcho = true
  var isMute = false
  var input = Input.line
  var line: [UInt8] = []
  /// Lines that wait for the end of the current block.
  var inbox: [[UInt8]] = []
  var steps: ArraySlice<ModemScript.Step> = []
  var resumeAt = Instant.start
  var output: [UInt8] = []
  var web = ModemWebState()
  /// The rate of its line, bits per second; `nil`: any.
  private var baud: Int64?
  /// The rate at which its port is open; at another than its own nobody understands a byte.
  public var portBaud: Int64?
  private let script: ModemScript
  private let searchTime: Milliseconds
  var answerTime: Milliseconds { script.answerTime }
  /// `nil`: each search takes its time exactly, and the signal is the script's.
  private var variation: Variation?
  /// As `+CSQ` reports it, 0...31, since the last registration.
  private(set) var signal: Int64?
  /// The voltage at its supply; `nil`: according to the script.
  var supplyMillivolts: Int32?
  private var power = Power.off
  /// Sorted by time.
  private var plans: [Plan] = []
  private var keyPressedAt: Instant?
  private var keyReleasedAt: Instant?
  private var registersAt: Instant?
  private var radio = RadioMeter()
  /// Of the transfers that the world makes over it.
  var connection = RadioConnection()

  /// - Parameters:
  ///   - isOn: whether it has been on for long and finished booting; otherwise it waits for its
  ///     key.
  ///   - pin: the SIM's PIN; `nil`: according to the script.
  ///   - searchTime: from readiness to registration; `nil`: according to the script.
  ///   - variation: of the script's own times.
  ///   - keepsTranscript: whether `heard`, `texts` and `requests` are kept.
  public init(
    _ script: ModemScript, isOn: Bool = false, pin: String? = nil,
    searchTime: Milliseconds? = nil, variation: Variation? = nil, keepsTranscript: Bool = false
  ) {
    var script = script
    script.pin = pin ?? script.pin
    self.script = script
    self.searchTime = searchTime ?? script.searchTime
    self.variation = variation
    self.keepsTranscript = keepsTranscript
    http = script.http
    blocks = script.blocks.map { CommandBlock($0, pin: script.pin) }
    conditions = script.traits
    flags = Flags(conditions)
    guard isOn else { return }
    powerOn(at: .start)
    // Run through the whole boot sequence.
    let all = plans
    plans = []
    for plan in all {
      if case .every = plan.step {
        plans.append(plan)
      } else if holds(plan.condition) {
        carryOut(plan.step, at: .start)
      }
    }
    output = []
    if registersAt != nil { registersAt = .start }
    settle(at: .start)
  }

  public var isOn: Bool { power == .on }
  public var isRadioOn: Bool { isOn && !flags.isRadioOff }
  var isStarting: Bool { flags.isStarting }
  /// Its STATUS line: from the end of its start until it is off.
  var isStatusActive: Bool { activity != .off && activity != .starting }

  /// The total time for which its radio has been on.
  public func radioOnTime(at now: Instant) -> Milliseconds { radio.total(at: now) }

  // MARK: Input

  public mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) {
    advance(to: now)
    for byte in bytes where isOn && !isStarting && isInTune { take(byte, at: now) }
    advance(to: now)
  }

  /// Holds PWRKEY for this long.
  mutating func press(for length: Milliseconds, at now: Instant) {
    setKey(isPressed: true, at: now)
    keyReleasedAt = now + length
    advance(to: now)
  }

  /// PWRKEY toggles: a pulse that is long enough switches the modem on or off.
  public mutating func setKey(isPressed: Bool, at now: Instant) {
    advance(to: now)
    if isPressed {
      keyPressedAt = now
      return
    }
    guard let pressed = keyPressedAt else { return }
    keyPressedAt = nil
    switch power {
    case .off where now - pressed >= script.keyOn: powerOn(at: now)
    case .on where now - pressed >= script.keyOff: powerOff(at: now)
    case .off, .on, .stopping: break
    }
    advance(to: now)
  }

  /// Sets or clears a condition; it takes effect with the next call.
  public mutating func set(_ condition: String, _ holds: Bool = true) {
    if holds { conditions.insert(condition) } else { clear(condition) }
  }

  private mutating func clear(_ condition: String) {
    conditions.remove(condition)
    // Unlocking a SIM gives it all of its tries again.
    if condition == "locked" { conditions.subtract(["oneWrong", "twoWrong"]) }
  }

  /// Stops answering until it is next switched on.
  mutating func fallMute() { if isOn { isMute = true } }

  /// Sends an unsolicited line.
  public mutating func say(_ line: String) {
    if isOn { put(Array("\r\n\(line)\r\n".utf8)) }
  }

  /// A short message comes in, which it stores. Returns whether there was room.
  ///
  /// - Parameter sender: a number, with or without `+`, or a word.
  @discardableResult
  public mutating func deliver(_ text: String, from sender: String, sent: UTC? = nil) -> Bool {
    store.add(TextStore.message(text, from: sender, sent: sent))
  }

  /// The same with the bytes of the message, which may be anything.
  @discardableResult
  public mutating func deliver(message: [UInt8]) -> Bool { store.add(message) }

  /// How many short messages are stored.
  public var storedTexts: Int { store.count }

  /// Restarts by itself.
  public mutating func reboot(at now: Instant) {
    if isOn { powerOn(at: now) }
  }

  // MARK: Output and actions

  /// Returns the output since the last call.
  public mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return isInTune ? output : output.map { _ in 0xFF }
  }

  private var isInTune: Bool { baud == nil || portBaud == nil || baud == portBaud }

  /// Does everything that is due.
  public mutating func advance(to now: Instant) {
    if let released = keyReleasedAt, now >= released {
      keyReleasedAt = nil
      setKey(isPressed: false, at: released)
    }
    if case .stopping(let until) = power, now >= until { power = .off }
    while let at = plans.first?.at, at <= now {
      let plan = plans.removeFirst()
      if case .every(let interval, _) = plan.step {
        insert(Plan(at: at + interval, step: plan.step, condition: plan.condition))
      }
      if holds(plan.condition) { carryOut(plan.step, at: plan.at) }
    }
    giveUpRequest(at: now)
    // The rest of a body never comes where the program was killed within it.
    if case .body = input, let end = web.bodyEndsAt, now >= end { input = .line }
    settle(at: now)
    while isOn, input == .line {
      if steps.isEmpty {
        guard !inbox.isEmpty else { break }
        begin(inbox.removeFirst(), at: now)
      } else {
        guard now >= resumeAt, web.pending == nil, let step = steps.popFirst() else { break }
        carryOut(step, at: now)
      }
    }
    settle(at: now)
  }

  private mutating func powerOn(at now: Instant) {
    let timeline = script.boots.isEmpty ? [] : script.boots[min(boots, script.boots.count - 1)]
    boots += 1
    power = .on
    hasEcho = true
    isMute = false
    // It starts with its radio on, whatever it was set to before.
    conditions.remove("radioOff")
    if script.pin != nil { conditions.insert("locked") }
    registersAt = nil
    forget()
    plans = timeline.map { Plan(at: now + $0.after, step: $0.step, condition: $0.condition) }
    plans.sort { $0.at < $1.at }
    settle(at: now)
  }

  private mutating func powerOff(at now: Instant) {
    power = .stopping(until: now + script.offTime)
    conditions.remove("starting")
    forget()
    settle(at: now)
  }

  private mutating func forget() {
    line = []
    inbox = []
    steps = []
    plans = []
    input = .line
    web = ModemWebState()
  }

  mutating func carryOut(_ step: ModemScript.Step, at now: Instant) {
    switch step {
    case .say(let bytes): if !isMute { put(measured(bytes)) }
    case .wait(let time): resumeAt = now + time
    case .later(let time, let step):
      insert(Plan(at: now + time, step: step))
    case .every(_, let step): carryOut(step, at: now)
    case .set(let name):
      conditions.insert(name)
      settle(at: now)
    case .clear(let name):
      clear(name)
      settle(at: now)
    case .mute: isMute = true
    case .off: powerOff(at: now)
    case .reboot: powerOn(at: now)
    case .baud(let rate): baud = rate
    case .text:
      line = []
      input = .text
    case .body(let count):
      web.body = []
      web.bodyEndsAt = web.bodyTime.map { now + $0 }
      input = .body(left: count)
    case .forward: web.prepare(.post, wantsAnswer: false, at: now)
    case .act(let action): web.prepare(action, wantsAnswer: true, at: now)
    }
  }

  private mutating func insert(_ plan: Plan) {
    plans.insert(plan, at: plans.firstIndex { $0.at > plan.at } ?? plans.endIndex)
  }

  /// Says something in its own manner.
  private mutating func put(_ bytes: [UInt8]) {
    let text = bytes.prefix(32)
    if text == Self.done || text == Self.refusal {
      if flags.isQuiet { return }
      if flags.isNumeric {
        output += Array((text == Self.done ? "0\r" : "4\r").utf8)
        return
      }
    }
    guard flags.isTight, let colon = text.firstIndex(of: 0x3A), colon + 1 < text.count,
      text[colon + 1] == 0x20, text.prefix(3) == [0x0D, 0x0A, 0x2B]
    else {
      output += bytes
      return
    }
    output += bytes[...colon] + bytes[(colon + 2)...]
  }

  private static let done = Array("\r\nOK\r\n".utf8)[...]
  private static let refusal = Array("\r\nERROR\r\n".utf8)[...]

  // MARK: Conditions and the network

  func holds(_ condition: ModemScript.Condition?) -> Bool {
    guard let condition else { return true }
    return holds(condition.name) == condition.holds
  }

  private func holds(_ name: String) -> Bool {
    switch name {
    case "sim": flags.hasSIM
    case "searching": activity != .registered
    case "denied": coverage == .denied
    case "noBearer": coverage == .noBearer
    default: conditions.contains(name)
    }
  }

  /// Whether its own HTTP commands reach a server.
  var hasBearer: Bool { activity == .registered && coverage != .noBearer }

  private var canRegister: Bool {
    guard isRadioOn, !isStarting, flags.hasSIM, flags.hasNetwork else { return false }
    switch coverage {
    case .noService, .denied: return false
    case .noBearer, nil: return true
    }
  }

  /// A line of the script, with what is known better: the signal that was drawn, the supply.
  private func measured(_ line: [UInt8]) -> [UInt8] {
    if let signal, line.starts(with: Self.signalAnswer) {
      return Self.signalAnswer + Array("\(signal),99\r\n".utf8)
    }
    if let supplyMillivolts, line.starts(with: Self.supplyAnswer) {
      let rest = String("\(1000 + supplyMillivolts % 1000)".dropFirst())
      return Self.supplyAnswer + Array("\(supplyMillivolts / 1000).\(rest)V\r\n".utf8)
    }
    return line
  }

  private static let signalAnswer = Array("\r\n+CSQ: ".utf8)
  private static let supplyAnswer = Array("\r\n+CBC: ".utf8)

  /// Updates everything that is derived from its state.
  private mutating func settle(at now: Instant) {
    if !canRegister {
      registersAt = nil
    } else if registersAt == nil {
      registersAt = now + (variation?.registration(searchTime) ?? searchTime)
      signal = variation?.signal()
    }
    radio.turn(isOn: isRadioOn, at: now)
    let isRegistered = registersAt.map { now >= $0 } ?? false
    switch power {
    case .off: activity = .off
    case .stopping: activity = .stopping
    case .on where isStarting: activity = .starting
    case .on where !isRadioOn: activity = .radioOff
    case .on: activity = isRegistered ? .registered : .searching
    }
    var deadline = plans.first?.at ?? .distantFuture
    if case .stopping(let until) = power { deadline = min(deadline, until) }
    if let registersAt, !isRegistered { deadline = min(deadline, registersAt) }
    if let pending = web.pending {
      deadline = min(deadline, pending.givesUpAt)
    } else if !steps.isEmpty && input == .line {
      deadline = min(deadline, resumeAt)
    }
    if let keyReleasedAt { deadline = min(deadline, keyReleasedAt) }
    if case .body = input, let end = web.bodyEndsAt { deadline = min(deadline, end) }
    nextDeadline = deadline < .distantFuture ? deadline : nil
  }
}
