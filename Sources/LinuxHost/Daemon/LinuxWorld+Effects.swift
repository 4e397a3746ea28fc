import CaptureStore
import Courier
import FieldConsole
import ModemDialogues
import TrackerCore
import Uplink
import Wording

// Performs the core's effects.
extension LinuxWorld {
  public mutating func push(_ effect: Effect) {
    loop.askAll()
    status.pushed(effect, at: now)
    switch effect {
    case .store(let capture): store(capture)
    case .upload(let request):
      modem.beginTask(at: now)
      go(queue.courier.upload(request, at: clock.hostTime))
    case .reconcile(let id):
      modem.beginTask(at: now)
      go(queue.courier.reconcile(id, at: clock.hostTime))
    case .fetch(let id):
      modem.beginTask(at: now)
      queue.courier.historyTerms = historyTerms
      go(queue.courier.fetch(id, at: clock.hostTime))
    case .setAside(let what):
      loop.append(queue.courier.setAside(what, at: clock.hostTime))
    case .pulse(let pin, let length): pins.pulse(pin, length: length, log)
    case .setPin(let pin, let isActive): pins.set(pin, isActive: isActive, log)
    case .setLight(let light): pins.show(light)
    case .sendToModem(let command):
      endModemOperations()
      modem.send(command, &loop.pass)
    case .setModemBaud(let baud):
      endModemOperations()
      modem.setBaud(baud, log)
    case .sendToReceiver(let command): sendToReceiver(command)
    case .setLink(let isUp): setLink(isUp: isUp)
    case .sendText(let id):
      let text = PositionText.text(
        of: status.lastCapture?.capture, team: settings.team,
        isEmergency: status.memory.emergency?.isStanding ?? false, code: callCode)
      modem.sendText(id, text, &loop.pass)
      act()
    case .readTexts(let id):
      modem.readTexts(id, &loop.pass)
      act()
    case .rememberPIN(let isTried): modem.rememberPIN(isTried: isTried, log)
    case .halt(let time):
      guard let halting else { return loop.append(.haltRefused) }
      halting.halt(for: time, unless: haltObstacle, &loop.pass)
      act()
    case .note(let note):
      orders.heard(note)
      if case .sending(let reason?) = note {
        if reason == .batteryReserve { isInReserve = true }
        if reason == .notDue { isInReserve = false }
      }
      if case .clockTrusted(let utc) = note {
        clockKeeper.isTrusted(utc, at: now, log)
        if settings.inForce.date(utc, at: now) { settings.isUnsaved = true }
      }
      if case .modemSupply(let millivolts) = note {
        battery.heardModem(millivolts: millivolts, at: now, log)
      }
      tell(note)
      modem.considerOthers(note, &loop.pass)
      act()
    }
  }

  /// Of the present or the last emergency.
  private var callCode: CallCode? {
    status.memory.emergency.map {
      CallCode(device: queue.courier.store.device, firstSequence: $0.firstSequence)
    }
  }

  public mutating func remember(_ memory: Memory) {
    loop.askAll()
    status.remembered(memory, at: now)
    keep(memory)
    endSettings(of: memory)
  }

  /// What only the world knows: what a halted machine would lose, or leave undone.
  private var haltObstacle: HaltObstacle? {
    if settings.isUnsaved || orders.unkept != nil { return .unsaved }
    return queue.courier.store.waiting == nil ? nil : .secondStore
  }

  mutating func keep(_ memory: Memory) {
    do throws(StoreError) {
      try queue.courier.store.remember(memory, at: clock.machineTime)
      orders.kept()
    } catch {
      guard orders.failed(memory, error, at: now) else { return }
      log.write(.error, "orders could not be saved", ["why": "\(error)"])
    }
  }

  private mutating func store(_ capture: Capture) {
    let event = queue.courier.keep(capture, at: clock.hostTime)
    if case .storeFailed = event, let problem = queue.courier.storeProblem {
      log.write(.error, "a capture could not be stored", ["why": "\(problem)"])
    }
    loop.append(event)
  }

  // MARK: Requests

  mutating func receive(_ reply: HTTPReply) {
    queue.courier.historyTerms = historyTerms
    go(queue.courier.receive(reply, at: clock.hostTime))
  }

  mutating func go(_ step: Courier<AnyDialogue>.Step) {
    // One at a time: the previous request is no longer needed.
    network.drop()
    switch step {
    case .send(var request):
      network.reach(request.url)
      if modem.carriesRequests { return modem.begin(request, &loop.pass) }
      request.patience = request.patience.map {
        max(HostBounds.shortestPatience, Milliseconds(clock.sleep($0)))
      }
      network.start(request, at: now)
    case .done(let completion): finish(completion)
    }
  }

  /// An operation of the daemon's own on the modem is complete.
  mutating func ended(_ completed: ModemOperations.Completed) {
    switch completed {
    case .texted(let id, let wasSent): loop.append(.textFinished(id, wasSent: wasSent))
    case .read(let id, let reading):
      loop.append(.textsRead(id, modem.answer(in: reading, to: callCode, log)))
    case .replied(let result):
      network.ended(result)
      receive(result.reply)
      if result.isNetworkLost { loop.append(.linkChanged(isUp: false)) }
      // The next request may have ended at once.
      modem.report(&loop.pass)
    }
  }

  /// The modem is needed for something else.
  private mutating func endModemOperations() {
    modem.end(&loop.pass)
    act()
  }

  /// Ends the current request without an answer.
  ///
  /// - Parameter why: `nil`: because the tracker has given it up.
  mutating func breakOff(because why: Texts?) {
    endModemOperations()
    guard network.isBusy else { return }
    receive(network.breakOff(because: why))
  }

  private mutating func finish(_ completion: Courier<AnyDialogue>.Completion) {
    // The transport knows better than the dialogue why there was no answer.
    let known = network.takeProblem()
    if let problem = completion.problem {
      let (why, cause) = known ?? (problem, completion.cause)
      log.write(.warning, "request failed", ["why": why.english])
      status.learned(
        StatusBoard.Trouble(text: why, cause: cause, of: network.server, at: now))
    }
    if !completion.displaced.isEmpty {
      queue.displaced += Int64(completion.displaced.count)
      log.write(
        .warning, "identifiers belong to other captures on the server; new ones were assigned",
        ["captures": "\(completion.displaced.count)"])
    }
    if case .uploadFinished(_, let outcome, let queue) = completion.event {
      log.write(
        .info, "upload finished", ["outcome": Self.text(outcome), "pending": "\(queue.pending)"])
    }
    loop.append(completion.event)
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

  private mutating func sendToReceiver(_ command: ReceiverCommand) {
    let bytes = parts.dialect.words.bytes(of: command)
    guard !bytes.isEmpty else { return }
    let wasSent = parts.receiver.send((0..<bytes.count).map { bytes[$0] }, at: now)
    if !wasSent {
      log.write(.warning, "command not sent to the receiver", ["command": "\(command)"])
    }
  }

  private mutating func setLink(isUp: Bool) {
    if !isUp {
      breakOff(because: bearer.isOpen ? nil : HostPhrase.linkDown.texts)
      // The next request would be lost on a kept connection of a link that is gone.
      do throws(HTTPError) { try network.disconnect() } catch {
        log.write(.error, "the network client failed", ["why": "\(error)"])
      }
      MemoryTrim.run()
    }
    bearer.set(isUp: isUp)
  }
}
