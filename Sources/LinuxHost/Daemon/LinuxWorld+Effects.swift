import CaptureStore
import Courier
import FieldConsole
import TrackerCore
import Uplink
import Wording

// Performs the core's effects.
extension LinuxWorld {
  public mutating func push(_ effect: Effect) {
    status.pushed(effect, at: now)
    switch effect {
    case .store(let capture): store(capture)
    case .upload(let request):
      modemOperations.beginTask(at: now)
      go(courier.upload(request, at: clock.hostTime))
    case .reconcile(let id):
      modemOperations.beginTask(at: now)
      go(courier.reconcile(id, at: clock.hostTime))
    case .setAside(let what): completions.append(courier.setAside(what, at: clock.hostTime))
    case .pulse(let pin, let length):
      if parts.pins?.pulse(pin, length: clock.sleep(length)) != true { missing(pin) }
    case .setPin(let pin, let isActive):
      if parts.pins?.set(pin, isActive: isActive) != true { missing(pin) }
    case .setLight(let light): parts.pins?.show(light)
    case .sendToModem(let command): sendToModem(command)
    case .setModemBaud(let baud): setModemBaud(baud)
    case .sendToReceiver(let command): sendToReceiver(command)
    case .setLink(let isUp): setLink(isUp: isUp)
    case .sendText(let id): sendText(id)
    case .rememberPIN(let isTried): rememberPIN(isTried: isTried)
    case .note(let note):
      orders.heard(note)
      if case .clockTrusted(let utc) = note {
        clockKeeper.isTrusted(utc, at: now, log)
        if settings.date(utc, at: now) { areSettingsUnsaved = true }
      }
      if case .modemSupply(let millivolts) = note {
        battery.heardModem(millivolts: millivolts, at: now, log)
      }
      tell(note)
      considerOthers(note)
    }
  }

  public mutating func remember(_ memory: Memory) {
    status.remembered(memory, at: now)
    keep(memory)
    endSettings(of: memory)
  }

  mutating func keep(_ memory: Memory) {
    do throws(StoreError) {
      try courier.store.remember(memory, at: clock.machineTime)
      orders.kept()
    } catch {
      guard orders.failed(memory, error, at: now) else { return }
      log.write(.error, "orders could not be saved", ["why": "\(error)"])
    }
  }

  private mutating func store(_ capture: Capture) {
    let event = courier.keep(capture, at: clock.hostTime)
    if case .storeFailed = event, let problem = courier.storeProblem {
      log.write(.error, "a capture could not be stored", ["why": "\(problem)"])
    }
    completions.append(event)
  }

  // MARK: Requests

  mutating func go(_ step: Courier<AnyDialogue>.Step) {
    // One at a time: the previous request is no longer needed.
    if let transfer { client.cancel(transfer) }
    transfer = nil
    nameRetry.clear()
    switch step {
    case .send(let request) where modemOperations.carriesRequests:
      server = ServerName.shown(request.url)
      sayToModem(modemOperations.begin(request, at: now))
    case .send(var request):
      server = ServerName.shown(request.url)
      request.patience = request.patience.map {
        Milliseconds(max(NetworkBounds.shortestPatience, clock.sleep($0)))
      }
      nameRetry.began(request, at: now)
      transfer = client.start(request)
    case .done(let completion): finish(completion)
    }
  }

  mutating func ended(_ completion: HTTPCompletion) {
    guard completion.id == transfer else { return }
    transfer = nil
    if nameRetry.ended(completion.failure, at: now) { return }
    failure = completion.failure
    go(courier.receive(completion.reply, at: clock.hostTime))
  }

  /// Ends the current request without an answer.
  ///
  /// - Parameter why: `nil`: because the tracker has given it up.
  mutating func breakOff(because why: Texts?) {
    endModemOperations()
    guard transfer != nil || nameRetry.dueAt != nil else { return }
    let reply = transfer.map { client.cancel($0) ?? .lost } ?? .unreachable
    transfer = nil
    modemProblem = why.map { ($0, nil) }
    if why == nil {
      let kind = reply == .unreachable ? HTTPFailure.Kind.notConnected : .timedOut
      failure = HTTPFailure(
        kind, server: server, message: HTTPPhrase.timedOut.texts,
        mayHaveArrived: reply != .unreachable)
    }
    go(courier.receive(reply, at: clock.hostTime))
  }

  private mutating func finish(_ completion: Courier<AnyDialogue>.Completion) {
    if let problem = completion.problem {
      // The transport knows better than the dialogue why there was no answer.
      let (why, cause) =
        failure.map { ($0.texts, $0.cause) } ?? modemProblem ?? (problem, completion.cause)
      log.write(.warning, "request failed", ["why": why.english])
      status.learned(StatusBoard.Trouble(text: why, cause: cause, of: server, at: now))
    }
    if !completion.displaced.isEmpty {
      displaced += Int64(completion.displaced.count)
      log.write(
        .warning, "identifiers belong to other captures on the server; new ones were assigned",
        ["captures": "\(completion.displaced.count)"])
    }
    failure = nil
    modemProblem = nil
    if case .uploadFinished(_, let outcome, let queue) = completion.event {
      log.write(
        .info, "upload finished", ["outcome": Self.text(outcome), "pending": "\(queue.pending)"])
    }
    completions.append(completion.event)
  }

  /// `answered: 40 acknowledged, 1 refused`
  private static func text(_ outcome: UploadOutcome) -> String {
    switch outcome {
    case .answered(let acknowledged, let refused, _, let code):
      let why = refused > 0 ? " with code \(code)" : ""
      return "answered: \(acknowledged) acknowledged, \(refused) refused\(why)"
    case .refused(let code, _, let count): return "all \(count) refused with code \(code)"
    case .busy(let status, _): return "busy: status \(status)"
    case .unauthorised: return "unauthorised"
    case .unreachable: return "unreachable"
    case .stalled: return "stalled"
    case .ambiguous: return "no answer"
    case .empty: return "nothing to send"
    }
  }

  // MARK: Wires

  private mutating func sendToModem(_ command: ModemCommand) {
    guard let modem = parts.modem else { return }
    endModemOperations()
    if command == .enterPIN { return enterPIN(modem) }
    guard let line = parts.commandFormatter.line(of: command) else { return }
    let bytes = (0..<line.count).map { line[$0] }
    foreignTalk.sent(bytes)
    let wasSent = modem.send(bytes, at: now)
    if !wasSent { log.write(.warning, "modem not told", ["command": "\(command)"]) }
  }

  private mutating func setModemBaud(_ baud: Int32?) {
    endModemOperations()
    parts.modem?.setBaud(baud.map { Int($0) })
    let rate = baud.map { "\($0)" } ?? "usual"
    log.write(.info, "the modem's port is opened at another rate", ["baud": rate])
  }

  /// The digits are sent to the modem and nowhere else.
  private mutating func enterPIN(_ modem: any ByteLine) {
    guard isPINRemembered, let pin = parts.pin?.revealed,
      let line = parts.commandFormatter.pinLine(pin.span)
    else { return }
    guard modem.send((0..<line.count).map { line[$0] }, at: now) else {
      return log.write(.warning, "modem not told", ["command": "\(ModemCommand.enterPIN)"])
    }
    // Only for a PIN that was sent: without its echo, the mask would hide the digits of other
    // answers from the tracker. No byte of the echo has been read yet.
    pinMask?.enters()
  }

  private mutating func rememberPIN(isTried: Bool) {
    isPINRemembered = parts.pinMemory?.remember(isTried: isTried) == true && isTried
    if isTried && !isPINRemembered {
      log.write(.error, "PIN not tried: the try could not be recorded", [:])
    }
  }

  private mutating func sendToReceiver(_ command: ReceiverCommand) {
    let bytes = parts.dialect.words.bytes(of: command)
    guard !bytes.isEmpty else { return }
    let wasSent = parts.receiver.send((0..<bytes.count).map { bytes[$0] }, at: now)
    if !wasSent {
      log.write(.warning, "command not sent to the receiver", ["command": "\(command)"])
    }
  }

  private func missing(_ pin: OutputPin) {
    log.write(.warning, "pin not wired", ["pin": "\(pin)"])
  }

  private mutating func setLink(isUp: Bool) {
    if !isUp {
      breakOff(because: bearer.isOpen ? nil : HostPhrase.linkDown.texts)
      // The next request would be lost on a kept connection of a link that is gone.
      do throws(HTTPFailure) { try client.disconnect() } catch {
        log.write(.error, "the network client failed", ["why": "\(error)"])
      }
      MemoryTrim.run()
    }
    bearer.set(isUp: isUp)
  }
}
