/// A modem that follows a dialogue, without a wire and without a clock: bytes and the time go in,
/// bytes and interests come out. `ModemEmulator` puts it on a pseudo-terminal.
///
/// Times are milliseconds on any clock that does not step.
public struct ScriptedModem: Sendable {
  enum Power: Sendable, Equatable {
    case off
    case on
    case stopping(until: Int64)
  }

  /// What the next byte belongs to.
  enum Input: Sendable, Equatable {
    case line
    case text
    case body(left: Int)
  }

  public let dialogue: Dialogue
  /// Conditions that hold.
  public internal(set) var conditions: Set<String> = []
  /// Every line that it was told while it was on, mute or not.
  public internal(set) var heard: [String] = []
  /// Short messages that it took.
  public internal(set) var texts: [String] = []
  /// How often it was switched on, reboots included.
  public internal(set) var boots = 0
  /// Requests that it was told to send.
  public internal(set) var requests: [WebRequest] = []

  var power = Power.off
  var isMute = false
  var hasEcho = true
  var input = Input.line
  var line: [UInt8] = []
  /// Lines that wait for the block under way.
  var inbox: [String] = []
  var steps: [Dialogue.Step] = []
  var resumeAt: Int64 = 0
  /// What it will say by itself.
  var moments: [(at: Int64, step: Dialogue.Step)] = []
  var uses: [Int: Int] = [:]
  var output: [UInt8] = []
  var web = WebState()
  private var keyPressedAt: Int64?
  var radio = RadioMeter()

  /// - Parameter isOn: whether it has been on for long, and has said its words.
  public init(_ dialogue: Dialogue, isOn: Bool = false) {
    self.dialogue = dialogue
    if isOn {
      powerOn(at: 0)
      // Everything of its start is over.
      for moment in moments { carryOut(moment.step, at: 0) }
      moments = []
      output = []
    }
  }

  public var isOn: Bool { power == .on }

  // MARK: What is done to it

  public mutating func receive(_ bytes: some Sequence<UInt8>, at now: Int64) {
    advance(to: now)
    for byte in bytes where isOn { take(byte, at: now) }
    advance(to: now)
  }

  /// How long its radio has been on, from the first time that it was on.
  public func radioOnMilliseconds(at now: Int64) -> Int64 { radio.total(at: now) }

  public var isRadioOn: Bool { isOn && !conditions.contains("radioOff") }

  /// PWRKEY toggles: a pulse that is long enough switches on what is off and off what is on.
  public mutating func setKey(isHigh: Bool, at now: Int64) {
    advance(to: now)
    if isHigh {
      keyPressedAt = now
      return
    }
    guard let pressed = keyPressedAt else { return }
    keyPressedAt = nil
    switch power {
    case .off where now - pressed >= dialogue.keyOnMilliseconds: powerOn(at: now)
    case .on where now - pressed >= dialogue.keyOffMilliseconds: powerOff(at: now)
    case .off, .on, .stopping: break
    }
  }

  public mutating func set(_ condition: String, _ holds: Bool) {
    if holds { conditions.insert(condition) } else { conditions.remove(condition) }
  }

  /// Says a line by itself.
  public mutating func say(_ line: String) {
    if isOn { output += Array("\r\n\(line)\r\n".utf8) }
  }

  /// Starts anew by itself.
  public mutating func reboot(at now: Int64) { if isOn { powerOn(at: now) } }

  // MARK: What it does

  /// What it has said since the last call.
  public mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// The next time at which it does something by itself.
  public var nextDeadline: Int64? {
    var times = moments.map(\.at)
    if !steps.isEmpty && web.pending == nil && input == .line { times.append(resumeAt) }
    if case .stopping(let until) = power { times.append(until) }
    return times.min()
  }

  /// Does everything that is due.
  public mutating func advance(to now: Int64) {
    if case .stopping(let until) = power, now >= until { power = .off }
    while let next = moments.first, next.at <= now {
      moments.removeFirst()
      carryOut(next.step, at: next.at)
    }
    while isOn {
      if steps.isEmpty {
        guard input == .line, !inbox.isEmpty else { return }
        let command = inbox.removeFirst()
        begin(command, at: now)
      } else {
        guard now >= resumeAt, input == .line, web.pending == nil else { return }
        let step = steps.removeFirst()
        carryOut(step, at: now)
      }
    }
  }

  mutating func powerOn(at now: Int64) {
    // It starts with its radio on, whatever it was told before.
    if conditions.remove("radioOff") != nil { conditions.remove("noNetwork") }
    let boot = min(boots, dialogue.boots.count - 1)
    let timeline = boot < 0 ? [] : dialogue.boots[boot]
    boots += 1
    power = .on
    hasEcho = true
    isMute = false
    forget()
    radio.turn(isOn: isRadioOn, at: now)
    moments = timeline.map { (now + $0.after, $0.step) }.sorted { $0.at < $1.at }
  }

  mutating func powerOff(at now: Int64) {
    power = .stopping(until: now + dialogue.offMilliseconds)
    forget()
    radio.turn(isOn: isRadioOn, at: now)
  }

  private mutating func forget() {
    line = []
    inbox = []
    steps = []
    moments = []
    input = .line
    web = WebState()
  }

  mutating func carryOut(_ step: Dialogue.Step, at now: Int64) {
    switch step {
    case .say(let bytes): if !isMute { output += bytes }
    case .wait(let time): resumeAt = now + time
    case .later(let time, let step):
      let place = moments.firstIndex { $0.at > now + time } ?? moments.count
      moments.insert((now + time, step), at: place)
    case .set(let name):
      conditions.insert(name)
      radio.turn(isOn: isRadioOn, at: now)
    case .clear(let name):
      conditions.remove(name)
      radio.turn(isOn: isRadioOn, at: now)
    case .mute: isMute = true
    case .off: powerOff(at: now)
    case .reboot: powerOn(at: now)
    case .text:
      line = []
      input = .text
    case .body(let count):
      web.body = []
      input = .body(left: count)
    case .forward: web.forward(method: 1, wantsAnswer: false)
    case .act(let method): web.forward(method: method, wantsAnswer: true)
    }
  }
}
