import FieldConsole
import MachineAccess
import ModemDialogues
import TrackerCore
import Uplink
import Wording

/// What the daemon itself says on the modem's line and looks for there: the core's commands, its
/// own dialogues, the PIN, and the commands of other programs.
final class ModemTalk: PollSource {
  /// `nil`: there is no modem.
  private let line: LineSource?
  private let formatter: ModemCommandFormatter
  /// The recipient of short messages.
  private let textTo: PhoneNumber?
  private let pin: Secret?
  private let pinMemory: PINMemory?
  private var operations: ModemOperations
  private var mask: PINMask?
  /// Whether it is saved on disk that the PIN is being tried.
  private var isPINRemembered = false
  /// Whether its store had no room for another short message when it was last read.
  private var isStoreFull = false
  /// Whether the line did not take the last command of the core. Logged once: without a modem there
  /// is one each second for as long as the core tries to start it.
  private var isRefused = false
  private var foreign = ForeignTalk()
  /// When other programs on the port were looked for.
  private var lookedAt: Instant?

  init(_ line: LineSource?, _ parts: LinuxParts) {
    self.line = line
    formatter = parts.commandFormatter
    textTo = parts.textTo
    pin = parts.pin
    pinMemory = parts.pinMemory
    operations = ModemOperations(family: formatter.family, http: parts.modemHTTP)
    mask = parts.pin.map { PINMask($0.revealed) }
  }

  // MARK: The daemon's own dialogues

  var carriesRequests: Bool { operations.carriesRequests }
  var isActive: Bool { operations.isActive }

  func beginTask(at now: Instant) { operations.beginTask(at: now) }

  func begin(_ request: HTTPRequest, _ pass: inout Pass) {
    say(operations.begin(request, at: pass.now), &pass)
  }

  /// Sends one short message with the last stored position.
  /// - Parameter text: `nil`: there is nothing to say.
  func sendText(_ id: RequestID, _ text: String?, _ pass: inout Pass) {
    guard line != nil, let textTo, let text else {
      pass.news.append(.event(.textFinished(id, wasSent: false)))
      return
    }
    say(operations.begin(id, to: textTo, text: text, at: pass.now), &pass)
  }

  /// Reads the short messages that have come in.
  func readTexts(_ id: RequestID, _ pass: inout Pass) {
    guard line != nil, textTo != nil else {
      pass.news.append(.event(.textsRead(id, .nothing)))
      return
    }
    say(operations.beginReading(id, at: pass.now), &pass)
  }

  /// Looks for a person's answer. Whatever else came in stays in the modem, and is only counted.
  func answer(in reading: InboxReading, to call: CallCode?, _ log: Log) -> TextsOutcome {
    guard let textTo else { return .nothing }
    let found = AnswerText.finding(in: reading, from: textTo, to: call)
    operations.clear(found.places)
    if let reason = found.reason {
      log.write(.notice, "the room says by text message that it is over", ["why": reason])
    }
    let others = reading.texts.count + reading.unread - found.places.count
    if others > 0 {
      log.write(.notice, "short messages ignored", ["count": "\(others)"])
    }
    if reading.isFull != isStoreFull {
      isStoreFull = reading.isFull
      if isStoreFull {
        log.write(
          .error, "the modem has no room for further text messages; delete some on its SIM", [:])
      }
    }
    return found.outcome
  }

  func register(in wait: inout LoopWait, at now: Instant) { wait.wake(at: operations.nextDeadline) }

  func tend(_ pass: inout Pass) {
    say(operations.deadlineReached(at: pass.now), &pass)
    report(&pass)
  }

  /// The modem is needed for something else: ends the current operation without a result.
  func end(_ pass: inout Pass) {
    say(operations.abandon(.needed), &pass)
    report(&pass)
  }

  func lineLost() {
    _ = operations.abandon(.lineLost)
    _ = mask?.release()
  }

  /// Gives the completed operations.
  func report(_ pass: inout Pass) {
    while let completed = operations.takeCompleted() { pass.news.append(.modem(completed)) }
  }

  /// Ends the request if the line does not accept the bytes: a modem waiting for the rest would
  /// take the next commands for it.
  private func say(_ bytes: [UInt8], _ pass: inout Pass) {
    guard !bytes.isEmpty, let modem = line?.line else { return }
    foreign.sent(bytes)
    if modem.send(bytes, at: pass.now) { return }
    pass.log.write(
      .warning, "the modem's line accepts no data", ["bytes": "\(bytes.count)"])
    modem.discardUnsent()
    let closing = operations.lineRefused(at: pass.now)
    guard modem.isConnected, closing.isEmpty || modem.send(closing, at: pass.now) else {
      _ = operations.abandon(.lineLost)
      return
    }
  }

  // MARK: What the modem says

  /// Reads the line; hides a PIN that the modem repeats.
  ///
  /// - Returns: how many bytes are in the buffer.
  func read(_ line: LineSource, into buffer: inout MutableSpan<UInt8>, at now: Instant) -> Int {
    guard mask != nil else { return line.read(into: &buffer, at: now) }
    // Leave room for what the mask has held back.
    var came = [UInt8](repeating: 0, count: buffer.count - PINMask.longestPIN)
    var room = came.mutableSpan
    let count = line.read(into: &room, at: now)
    came.removeSubrange(count...)
    // The bytes of a request are not recorded, and a body must not be changed.
    let passed = isActive ? (mask?.release() ?? []) + came : mask?.pass(came) ?? []
    for (place, byte) in passed.enumerated() { buffer[place] = byte }
    return passed.count
  }

  /// Passes bytes to the current operation.
  ///
  /// - Returns: how many bytes are in the buffer, for the core: before it hears of the operation's
  ///   end.
  func receive(
    _ bytes: [UInt8], into buffer: inout MutableSpan<UInt8>, _ pass: inout Pass
  ) -> Int {
    say(operations.receive(bytes, at: pass.now), &pass)
    report(&pass)
    let news = operations.takeNews().prefix(buffer.count)
    for (place, byte) in news.enumerated() { buffer[place] = byte }
    return news.count
  }

  // MARK: The core's commands

  func send(_ command: ModemCommand, _ pass: inout Pass) {
    guard let modem = line?.line else { return }
    if command == .enterPIN { return enterPIN(modem, pass) }
    guard let line = formatter.line(of: command) else { return }
    let bytes = (0..<line.count).map { line[$0] }
    foreign.sent(bytes)
    let wasRefused = isRefused
    isRefused = !modem.send(bytes, at: pass.now)
    if isRefused, !wasRefused {
      pass.log.write(.warning, "modem not told", ["command": "\(command)"])
    }
  }

  func setBaud(_ baud: Int32?, _ log: Log) {
    line?.line.setBaud(baud.map { Int($0) })
    let rate = baud.map { "\($0)" } ?? "usual"
    log.write(.info, "the modem's port is opened at another rate", ["baud": rate])
  }

  /// The digits are sent to the modem and nowhere else.
  private func enterPIN(_ modem: any ByteLine, _ pass: Pass) {
    guard isPINRemembered, let pin = pin?.revealed, let line = formatter.pinLine(pin.span)
    else { return }
    guard modem.send((0..<line.count).map { line[$0] }, at: pass.now) else {
      return pass.log.write(
        .warning, "modem not told", ["command": "\(ModemCommand.enterPIN)"])
    }
    // Only for a PIN that was sent: without its echo, the mask would hide the digits of other
    // answers from the tracker. No byte of the echo has been read yet.
    mask?.enters()
  }

  func rememberPIN(isTried: Bool, _ log: Log) {
    isPINRemembered = pinMemory?.remember(isTried: isTried) == true && isTried
    if isTried && !isPINRemembered {
      log.write(.error, "PIN not tried: the try could not be recorded", [:])
    }
  }

  // MARK: Other programs on the port. Locks keep most of them away, but not all of root's.

  /// The core has noted something that another program may have caused, or may cause now.
  func considerOthers(_ note: Note, _ pass: inout Pass) {
    switch note {
    case .modem(.starting), .modemRecovery: lookForOthers(&pass)
    default: return
    }
  }

  /// Bytes have come from the modem.
  func considerOthers(_ bytes: [UInt8], _ pass: inout Pass) {
    if foreign.hears(bytes, at: pass.now) { lookForOthers(&pass) }
  }

  /// A person asks: another program may have opened or closed the port meanwhile.
  func followOthers(_ pass: inout Pass) {
    if line?.sharing != nil { lookForOthers(&pass) }
  }

  /// Names the programs that have the modem's port open.
  private func lookForOthers(_ pass: inout Pass) {
    if let lookedAt, pass.now - lookedAt < HostBounds.portSearchPause { return }
    guard let line, let device = line.line.device else { return }
    lookedAt = pass.now
    let known = PortUsers().users(of: device).map { "\($0)" }.joined(separator: ", ")
    var others = known.isEmpty ? nil : known.texts
    if known.isEmpty && foreign.isCertain(at: pass.now) {
      others = HostPhrase.anotherUsers.texts(device)
    }
    let problem = others.map { HostPhrase.portShared.texts(device, $0) }
    guard problem != line.sharing else { return }
    line.sharing = problem
    guard let problem else {
      return pass.log.write(
        .notice, "no other program uses the modem's port now", ["port": device])
    }
    pass.log.write(
      .error, "another program uses the modem's port", ["why": problem.english])
    pass.news.append(.trouble(problem))
  }
}

/// Notices commands on the modem's line that another program has sent: a modem echoes them to
/// whoever reads.
struct ForeignTalk {
  /// The last commands of our own, without their line ends.
  private var own: [[UInt8]] = []
  private var line: [UInt8] = []
  /// Commands of others, each within `span` after the one before.
  private var count = 0
  private var lastAt: Instant?

  mutating func sent(_ bytes: [UInt8]) {
    own.append(Array(bytes.prefix { $0 >= 0x20 }))
    if own.count > HostBounds.ownCommands { own.removeFirst() }
  }

  /// Whether another program is talking at the moment.
  func isCertain(at now: Instant) -> Bool {
    guard let lastAt else { return false }
    return count >= HostBounds.foreignCommands && now - lastAt <= HostBounds.foreignCommandSpan
  }

  /// Returns whether a command has been heard that is not our own.
  mutating func hears(_ bytes: some Sequence<UInt8>, at now: Instant) -> Bool {
    var isForeign = false
    for byte in bytes {
      guard byte < 0x20 else {
        if line.count < HostBounds.foreignCommandBytes { line.append(byte) }
        continue
      }
      if isCommand && !own.contains(line) { isForeign = true }
      line.removeAll(keepingCapacity: true)
    }
    guard isForeign else { return false }
    count = lastAt.map { now - $0 <= HostBounds.foreignCommandSpan } ?? false ? count + 1 : 1
    lastAt = now
    return true
  }

  private var isCommand: Bool {
    // The PIN is masked in its echo.
    line.count > 2 && (line.starts(with: "AT".utf8) || line.starts(with: "at".utf8))
      && !line.starts(with: "AT+CPIN=".utf8)
  }
}
