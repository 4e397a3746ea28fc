import NMEA
public import TrackerCore

/// The host on a controller: three serial ports, and captures in memory.
///
/// Effects are performed when they are pushed; `wait` returns their completions afterwards, in
/// order. Nobody carries requests yet: each ends at once, without a connection.
public struct FirmwareHost<Device: Machine & ~Copyable>: Host, ~Copyable {
  public private(set) var now: Instant
  private var machine: Device
  private var completions = Completions()
  private var captures: CaptureRing
  private var queue = QueueCounts(pending: 0)
  private let device: UniqueID
  private let receiver: ReceiverStrings
  private let modem: ModemCommandFormatter
  /// What is being written, to any port.
  private var text = TextLine()
  /// What somebody is typing.
  private var typed = InlineText<32>()
  /// Whether somebody has asked for the status.
  private var isAsked = false

  public init(
    _ machine: consuming Device, captures: consuming CaptureRing,
    _ settings: UnsafePointer<FirmwareSettings>
  ) {
    now = machine.now
    self.machine = machine
    self.captures = captures
    device = settings.pointee.identity.device
    receiver = settings.pointee.board.receiver.dialect.words
    modem = ModemCommandFormatter(
      family: settings.pointee.board.modem.family,
      accessPoint: settings.pointee.configuration.accessPoint)
    say("trailtracker: start, stop, capture, send, status, captures")
  }

  // Apart from the loop and from what it calls, which takes much of the stack.
  @inline(never) public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    while true {
      now = machine.now
      if let event = completions.next(queue) { return .event(event) }
      if let command = readConsole() {
        return .event(.commandGiven(command, from: .console))
      }
      if isAsked {
        isAsked = false
        return .inspection
      }
      var count = machine.receive(from: .modem, into: &buffer)
      if count > 0 { return .bytes(count: count, from: .modem) }
      count = machine.receive(from: .receiver, into: &buffer)
      if count > 0 { return .bytes(count: count, from: .receiver) }
      if let deadline, deadline <= now { return .event(.deadlineReached) }
      machine.sleep(until: deadline ?? .distantFuture)
    }
  }

  // MARK: Effects

  @inline(never) public mutating func push(_ effect: Effect) {
    switch effect {
    case .store(let capture): store(capture)
    case .upload(let request): completions.add(.uploaded(request.id))
    case .reconcile(let id): completions.add(.reconciled(id))
    case .fetch(let id): completions.add(.fetched(id))
    case .setAside: completions.add(.queueChanged)
    case .sendToModem(let command): send(command)
    case .sendToReceiver(let command): send(command)
    case .setLink: completions.add(.linkChanged(isUp: false))
    case .sendText(let id): completions.add(.texted(id))
    case .readTexts(let id): completions.add(.textsRead(id))
    case .halt: completions.add(.haltRefused)
    // There are no lines yet, the modem's has one rate, and the console is asked for the rest.
    case .pulse, .setPin, .setLight, .setModemBaud, .rememberPIN, .note: break
    }
  }

  /// Nothing survives a restart yet.
  @inline(never) public mutating func remember(_ memory: Memory) {}

  @inline(never) private mutating func store(_ capture: Capture) {
    captures.append(capture)
    queue.pending &+= 1
    completions.add(.stored(sequence: capture.sequence))
    text.text("captured ")
    text.number(capture.sequence)
    text.text(": ")
    text.text(capture.trigger.name)
    endLine()
  }

  @inline(never) private mutating func send(_ command: ModemCommand) {
    guard let line = modem.line(of: command) else { return }
    text.text(line)
    text.send(to: .modem, of: &machine)
  }

  @inline(never) private mutating func send(_ command: ReceiverCommand) {
    text.text(receiver.bytes(of: command))
    text.send(to: .receiver, of: &machine)
  }

  // MARK: Console

  private mutating func say(_ words: StaticString) {
    text.text(words)
    endLine()
  }

  private mutating func endLine() {
    text.text("\r\n")
    text.send(to: .console, of: &machine)
  }

  /// Answers what needs no tracker.
  @inline(never) private mutating func readConsole() -> Command? {
    // One by one: what comes after an order waits in the port's ring.
    var byte = InlineArray<1, UInt8>(repeating: 0)
    while true {
      var place = byte.mutableSpan
      guard machine.receive(from: .console, into: &place) > 0 else { return nil }
      if byte[0] != 0x0D && byte[0] != 0x0A {
        typed.append(byte[0])
      } else if let command = obey() {
        return command
      }
    }
  }

  /// Does what was typed, or returns what the tracker is to do.
  private mutating func obey() -> Command? {
    let words = typed
    typed = InlineText()
    if words.isEmpty { return nil }
    if words == InlineText("start") { return .start }
    if words == InlineText("stop") { return .stop }
    if words == InlineText("capture") { return .captureNow }
    if words == InlineText("send") { return .sendNow }
    if words == InlineText("status") {
      isAsked = true
    } else if words == InlineText("captures") {
      listCaptures()
    } else {
      say("start, stop, capture, send, status, captures")
    }
    return nil
  }

  @inline(never) private mutating func listCaptures() {
    text.captureColumns()
    endLine()
    for index in 0..<captures.count {
      text.row(captures[index], of: device, rows: captures.count)
      endLine()
    }
  }

  @inline(never) public mutating func inspect(_ tracker: borrowing Tracker) {
    text.text("up: ")
    text.number(now.milliseconds / 1000)
    say(tracker.isSessionRunning ? " s, session: running" : " s, session: stopped")
    text.text("captures: ")
    text.number(captures.count)
    text.text(", ")
    text.number(tracker.pending)
    say(" to send")
    text.text("sentences: ")
    text.number(tracker.sentences.accepted)
    text.text(", fixes: ")
    text.number(tracker.fixes.accepted)
    endLine()
    say("no capture: ", tracker.captureReason)
    say("nothing sent: ", tracker.sendReason)
  }

  private mutating func say(_ name: StaticString, _ reason: Reason?) {
    guard let reason else { return }
    text.text(name)
    say(reason.key)
  }
}
