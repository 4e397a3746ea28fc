public import CardStore
import NMEA
public import TrackerCore

/// The host on a controller: three serial ports, and captures on a memory card.
///
/// Effects are performed when they are pushed; `wait` returns their completions afterwards, in
/// order. The modem's own HTTP carries uploads.
public struct FirmwareHost<Device: Machine & ~Copyable, Card: BlockDevice & ~Copyable>:
  Host, ~Copyable
{
  public private(set) var now: Instant
  var machine: Device
  var completions = Completions()
  /// Elsewhere: the core has the host as a map of the course, and a copy of it on the stack.
  let card: UnsafeMutablePointer<CardStore<Card>>
  /// When what the card does not have yet is written; `nil`: it has all.
  var stateDueAt: Instant?
  /// Of the core that this was made from: another one may not read what it remembers.
  let coreVersion: UInt32
  private let receiver: ReceiverStrings
  private let modem: ModemCommandFormatter
  let settings: UnsafePointer<FirmwareSettings>
  var delivery: Delivery
  /// What is being written, to any port.
  var text = TextLine()
  /// What somebody is typing.
  private var typed = InlineText<32>()
  /// The identity for a new card.
  private var chance: UniqueID
  /// Whether somebody has asked for the status.
  private var isAsked = false
  private var blinker = Blinker()
  var light = Light.stopped
  /// When it got its present code.
  var lightSince: Instant
  /// What people have ordered while no card was mounted.
  private var owed = OwedOrders()
  /// Whether a server has taken anything since the start.
  var hasDelivered = false
  /// Since when captures have waited, and no server has taken any.
  var undeliveredSince: Instant?
  var walk = ProofWalk()
  private var battery: BatteryMeter
  /// One that is held at the start counts when it is pressed again.
  private var isButtonPressed: Bool
  /// Since when it is held; `nil`: it is not, or was held at the start.
  private var pressedAt: Instant?
  /// The key of the next row of `captures`, that of the last, and how many rows there are.
  private var rows: (next: UInt32, last: UInt32, all: Int32) = (1, 0, 0)

  public init(
    _ machine: consuming Device, card: UnsafeMutablePointer<CardStore<Card>>,
    _ settings: UnsafePointer<FirmwareSettings>, coreVersion: UInt32
  ) {
    now = machine.now
    lightSince = now
    self.machine = machine
    // Nobody held it when the machine was restarted for a card: a press has begun since.
    let wasUp = card.pointee.owed.isButtonUp
    isButtonPressed = self.machine.readButton() && !wasUp
    self.card = card
    if wasUp { (card.pointee.owed.isButtonUp, stateDueAt) = (false, now) }
    if card.pointee.counts.pending > 0 { undeliveredSince = now }
    if card.pointee.finding != .mounted { stateDueAt = now + FirmwareBounds.cardRetry }
    self.coreVersion = coreVersion
    self.settings = settings
    delivery = Delivery(settings)
    chance = settings.pointee.core.identity.device
    battery = BatteryMeter(isWired: settings.pointee.batteryRange > 0)
    receiver = settings.pointee.core.board.receiver.dialect.words
    modem = ModemCommandFormatter(
      family: settings.pointee.core.board.modem.family,
      accessPoint: settings.pointee.core.configuration.accessPoint)
    text.text("trailtracker: ")
    sayCommands()
  }

  /// The settings stay as they were at the start.
  public var newSettings: NewSettings? { nil }

  // Apart from the loop and from what it calls, which takes much of the stack.
  @inline(never) public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    while true {
      now = machine.now
      var count = tendDelivery(filling: &buffer)
      if count > 0 { return .bytes(count: count, from: .modem) }
      if let change = readButton() { return .event(change) }
      if let due = cardDueAt, due <= now { commit() }
      if let isLit = blinker.change(at: now) { machine.setLight(isLit: isLit) }
      if let event = completions.next(card.pointee.counts) { return .event(event) }
      if let command = takeOwed() { return .event(.commandGiven(command, from: .button)) }
      if let event = battery.measure(settings, by: &machine, at: now) { return .event(event) }
      if let command = readConsole() {
        return .event(.commandGiven(command, from: .console))
      }
      if isAsked {
        isAsked = false
        return .inspection
      }
      if !delivery.isActive {
        count = machine.receive(from: .modem, into: &buffer)
        if count > 0 { return .bytes(count: count, from: .modem) }
      }
      count = machine.receive(from: .receiver, into: &buffer)
      if count > 0 { return .bytes(count: count, from: .receiver) }
      if let deadline, deadline <= now { return .event(.deadlineReached) }
      // A row takes 17 ms, in which a receiver says 16 bytes.
      if writeRow() || goOnWithProof() { continue }
      var until = Earliest()
      until.consider(deadline)
      until.consider(delivery.nextDeadline)
      until.consider(blinker.dueAt)
      until.consider(battery.dueAt)
      until.consider(cardDueAt)
      machine.sleep(until: until.instant ?? .distantFuture)
    }
  }

  @inline(never) private mutating func readButton() -> Event? {
    let isPressed = machine.readButton()
    guard isPressed != isButtonPressed else { return nil }
    isButtonPressed = isPressed
    pressedAt = isPressed ? now : nil
    return .pinChanged(.button, isActive: isPressed, since: Milliseconds(0))
  }

  /// With a card that can be read at last the tracker begins anew: it waits for whoever holds the
  /// button, as that press would not count. One that is stuck does not keep it away.
  private var cardDueAt: Instant? {
    guard let stateDueAt, let pressedAt, card.pointee.finding != .mounted else { return stateDueAt }
    return max(stateDueAt, pressedAt + FirmwareBounds.cardRetry)
  }

  // MARK: Effects

  @inline(never) public mutating func push(_ effect: Effect) {
    switch effect {
    case .store(let capture): store(capture)
    case .upload(let request): begin(request)
    case .reconcile(let id): completions.add(.reconciled(id))
    case .fetch(let id): completions.add(.fetched(id))
    case .setAside(let what):
      switch what {
      case .refusedOfLastUpload: setAsideRefused()
      case .capture(let key, _): card.pointee.setAside(key)
      }
      commit()
      completions.add(.queueChanged)
    case .sendToModem(let command): send(command)
    case .sendToReceiver(let command): send(command)
    // The modem's commands open the bearer by themselves.
    case .setLink(let isUp):
      if !isUp { abandonDelivery() }
      completions.add(.linkChanged(isUp: isUp))
    case .sendText(let id): completions.add(.texted(id))
    case .readTexts(let id): completions.add(.textsRead(id))
    case .halt: completions.add(.haltRefused)
    case .pulse(.modemPowerKey, let length): machine.pressPowerKey(for: length)
    case .setLight(let light):
      if light != self.light { lightSince = now }
      self.light = light
      blinker.show(light, at: now)
    // The other line is not wired, the modem's port has one rate, and the console is asked for the
    // rest.
    case .pulse, .setPin, .setModemBaud, .note: break
    case .rememberPIN(let isTried):
      card.pointee.rememberPIN(isTried: isTried)
      commit()
    }
  }

  @inline(never) public mutating func remember(_ memory: Memory) {
    if card.pointee.finding != .mounted {
      owed.hasEmergency = memory.emergency?.isStanding ?? false
      owed.session = memory.sessionOrder?.value
    }
    keep(memory)
    commit()
  }

  /// One of the orders that were given while there was no card.
  @inline(never) private mutating func takeOwed() -> Command? {
    guard card.pointee.finding == .mounted, !card.pointee.owed.isEmpty else { return nil }
    stateDueAt = stateDueAt ?? now
    if card.pointee.owed.hasEmergency {
      card.pointee.owed.hasEmergency = false
      return .raiseEmergency
    }
    let isStart = card.pointee.owed.session ?? true
    card.pointee.owed.session = nil
    return isStart ? .start : .stop
  }

  @inline(never) private mutating func commit() {
    guard card.pointee.finding == .mounted else { return mount() }
    if card.pointee.commit() {
      stateDueAt = nil
      return
    }
    // A card that is stuck holds up everything each time.
    stateDueAt = machine.now + TrackerCore.Bounds.storeRetry
  }

  @inline(never) private mutating func mount() {
    guard cardDueAt.map({ $0 <= now }) ?? true else { return }
    owed.isButtonUp = !isButtonPressed
    // With its captures the tracker begins anew.
    if card.pointee.mount(owing: owed) { return machine.restart() }
    stateDueAt = machine.now + FirmwareBounds.cardRetry
  }

  @inline(never) private mutating func store(_ capture: Capture) {
    guard card.pointee.finding == .mounted, card.pointee.store(capture) else {
      return completions.add(.storeFailed(sequence: capture.sequence))
    }
    undeliveredSince = undeliveredSince ?? now
    completions.add(.stored(sequence: capture.sequence))
    // Not between the rows of a table.
    if rows.next <= rows.last { return }
    text.text("captured ")
    text.number(capture.sequence)
    text.text(": ")
    text.text(capture.trigger.name)
    endLine()
  }

  @inline(never) private mutating func send(_ command: ModemCommand) {
    abandonDelivery()
    guard let line = modem.line(of: command) else { return }
    text.text(line)
    text.send(to: .modem, of: &machine)
  }

  @inline(never) private mutating func send(_ command: ReceiverCommand) {
    text.text(receiver.bytes(of: command))
    text.send(to: .receiver, of: &machine)
  }

  // MARK: Console

  @inline(never) private mutating func sayCommands() {
    say("start, stop, capture, send, status, captures, proof, format")
  }

  @inline(never) mutating func say(_ words: StaticString) {
    text.text(words)
    endLine()
  }

  @inline(never) mutating func endLine() {
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
      chance = UniqueID(device: chance, sequence: machine.cycles)
      // After a carriage return it is the end of the same line.
      if byte[0] == 0x0A && typed.isEmpty { continue }
      if byte[0] != 0x0D && byte[0] != 0x0A {
        typed.append(byte[0])
      } else if let command = obey() {
        return command
      }
    }
  }

  /// Begins a log on the card, under an identity of its own: numbers begin at 1 again. Then the
  /// machine starts again, with them.
  @inline(never) private mutating func format() {
    // It may only have had bad contacts.
    if card.pointee.finding != .mounted {
      (stateDueAt, pressedAt) = (now, nil)
      mount()
    }
    guard card.pointee.finding != .mounted else { return say("the card has captures") }
    // The times between the letters, in cycles, are what nobody can repeat.
    guard card.pointee.format(log: chance.high, of: chance) else {
      return say("the card cannot be written")
    }
    card.pointee.owed = owed
    _ = card.pointee.commit()
    machine.restart()
  }

  /// Does what was typed, or returns what the tracker is to do.
  private mutating func obey() -> Command? {
    let words = typed
    typed = InlineText()
    // Whoever types has seen enough of a table.
    rows.last = 0
    walk = ProofWalk()
    if words.isEmpty { return nil }
    if words.isWord("start") { return .start }
    if words.isWord("stop") { return .stop }
    if words.isWord("capture") { return .captureNow }
    if words.isWord("send") { return .sendNow }
    if words.isWord("status") {
      isAsked = true
    } else if words.isWord("captures") {
      listCaptures()
    } else if words.isWord("proof") {
      beginProof()
    } else if words.isWord("format") {
      format()
    } else {
      sayCommands()
    }
    return nil
  }

  /// Begins a table of the newest captures; `wait` writes its rows.
  @inline(never) private mutating func listCaptures() {
    text.captureColumns()
    endLine()
    let last = card.pointee.lastKey.number
    rows = (last - min(last, 256) + 1, last, 0)
    // Not all have been written, or can be read.
    var key = rows.next
    while key <= last {
      if card.pointee.capture(CaptureKey(key)) != nil { rows.all += 1 }
      key += 1
    }
  }

  /// - Returns: `false`: there is no more.
  @inline(never) private mutating func writeRow() -> Bool {
    guard rows.next <= rows.last else { return false }
    let key = CaptureKey(rows.next)
    rows.next += 1
    if let capture = card.pointee.capture(key) {
      text.row(capture, card.pointee.standing(of: key), of: card.pointee.tracker, rows: rows.all)
      endLine()
    }
    return true
  }

  @inline(never) public mutating func inspect(_ tracker: borrowing Tracker) {
    sayVerdict(on: tracker)
    tell(
      tracker.isSessionRunning ? "up: {1} s, session: running" : "up: {1} s, session: stopped",
      UInt32(truncatingIfNeeded: now.milliseconds / 1000))
    switch card.pointee.finding {
    case .mounted: break
    case .blank: say("card: blank; type format")
    case .damaged:
      say("card: none that can be read; check its contacts, or type format to begin a new log")
    }
    if card.pointee.finding == .mounted {
      text.text("tracker: ")
      text.uuid(card.pointee.tracker)
      endLine()
    }
    tell("captures: {1}, {2} to send", card.pointee.lastKey.number, tracker.pending)
    if let millivolts = battery.millivolts {
      tell(
        "battery: {1} mV, {2} %", UInt32(clamping: millivolts),
        UInt32(clamping: tracker.charge?.wholePercent ?? 0))
    }
    tell("sentences: {1}, fixes: {2}", tracker.sentences.accepted, tracker.fixes.accepted)
    sayRecording()
    say("no capture: ", tracker.captureReason)
    say("nothing sent: ", tracker.sendReason)
  }

  @inline(never) private mutating func sayRecording() {
    switch card.pointee.recordingState {
    case .off: return
    case .running: text.text("recording: running")
    case .full: text.text("recording: ended, its part of the card is full")
    case .failed: text.text("recording: ended, the card could not be written")
    case .noRoom: text.text("recording: none, the card has no room for it")
    }
    tell(", blocks: {1}", card.pointee.recordedBlocks)
  }

  private mutating func say(_ name: StaticString, _ reason: Reason?) {
    guard let reason else { return }
    text.text(name)
    sayCause(reason.words)
  }
}

extension InlineText {
  @inline(never) fileprivate func isWord(_ word: StaticString) -> Bool {
    if count != word.utf8CodeUnitCount { return false }
    for index in 0..<count where self[index] != word.utf8Start[index] { return false }
    return true
  }
}
