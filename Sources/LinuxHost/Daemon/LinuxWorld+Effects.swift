import CaptureStore
import TrackerCore
import Uplink

// What the core wants done.
extension LinuxWorld {
  public mutating func push(_ effect: Effect) {
    status.pushed(effect, at: now)
    switch effect {
    case .store(let capture): store(capture)
    case .upload(let request): go(desk.begin(request, at: BootClock.date))
    case .reconcile(let id): go(desk.begin(reconcile: id, at: BootClock.date))
    case .setAside(let what): completions.append(desk.setAside(what, at: BootClock.date))
    case .setPin(let pin, let isHigh): setPin(pin, isHigh: isHigh)
    case .sendToModem(let command): sendToModem(command)
    case .sendToReceiver(let command): sendToReceiver(command)
    case .setLink(let isUp): setLink(isUp: isUp)
    case .note(let note): tell(note)
    }
  }

  private mutating func store(_ capture: Capture) {
    do throws(StoreError) {
      try store.append(capture, at: BootClock.date)
      completions.append(.captureStored(sequence: capture.sequence, queue: store.counts))
    } catch {
      log.write(.error, "a capture could not be stored", ["why": "\(error)"])
      completions.append(.storeFailed(sequence: capture.sequence))
    }
  }

  // MARK: Requests

  private mutating func go(_ step: UploadDesk.Step) {
    // One at a time: what was under way is of no interest any more.
    if let transfer { client.cancel(transfer) }
    transfer = nil
    switch step {
    case .send(let request): transfer = client.start(request)
    case .finished(let event): finish(event)
    }
  }

  mutating func ended(_ completion: HTTPCompletion) {
    guard completion.id == transfer else { return }
    transfer = nil
    if let failure = completion.failure { status.problem = ("\(failure)", now) }
    if let step = desk.receive(completion.reply, at: BootClock.date) { go(step) }
  }

  private mutating func finish(_ event: Event) {
    if let problem = desk.problem {
      log.write(.warning, "a request ended badly", ["why": problem])
      if status.problem?.at != now { status.problem = (problem, now) }
    }
    if case .uploadFinished(_, let outcome, let queue) = event {
      log.write(
        .info, "upload finished", ["outcome": "\(outcome)", "pending": "\(queue.pending)"])
    }
    completions.append(event)
  }

  // MARK: Wires

  private mutating func sendToModem(_ command: ModemCommand) {
    guard let modem = parts.modem else { return }
    let text = command.bytes
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = modem.send(Array(bytes), at: now)
  }

  private mutating func sendToReceiver(_ command: ReceiverCommand) {
  }

  private mutating func setPin(_ pin: OutputPin, isHigh: Bool) {
    if parts.pins?.set(pin, isHigh: isHigh) == true { return }
    log.write(.warning, "a pin is not wired", ["pin": "\(pin)"])
  }

  private mutating func setLink(isUp: Bool) {
    isLinkWanted = isUp
    toldLink = nil
    guard !isUp else { return tellLink() }
    // A kept connection of a link that is no more would swallow the next request.
    if let transfer { client.cancel(transfer) }
    do throws(HTTPFailure) { try client.disconnect() } catch {
      log.write(.error, "the network client failed", ["why": "\(error)"])
    }
  }

  /// Says how the bearer stands when the core wants it and does not know.
  mutating func tellLink() {
    guard isLinkWanted, toldLink != isLinkUp else { return }
    // That it is not up yet is no news to one who waits for it.
    if toldLink != nil || isLinkUp { completions.append(.linkChanged(isUp: isLinkUp)) }
    toldLink = isLinkUp
  }
}
