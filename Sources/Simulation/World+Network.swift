import CaptureStore
import TrackerCore

// Disk and modem.
extension World {
  // MARK: Disk

  mutating func store(_ capture: Capture) {
    let event: Event
    let offeredAt = offer?.sequence == capture.sequence ? offer?.at ?? now : now
    if scenario.store.content(at: now) == .full {
      event = .storeFailed(sequence: capture.sequence)
      offer = (capture.sequence, offeredAt)
    } else {
      offeredAtOfWaiting[courier.store.nextKey] = offeredAt
      event = courier.keep(capture, at: moment)
      offer = nil
    }
    planned.plan(.deliver(event), at: now + Self.storeDelay)
  }

  mutating func setAside(_ what: SetAside) {
    planned.plan(.deliver(courier.setAside(what, at: moment)), at: now + Self.storeDelay)
  }

  /// What the disk does not take is gone with the run: nothing is started from its store again.
  mutating func remember(_ memory: Memory) {
    if scenario.store.content(at: now) == .full { return }
    try? courier.store.remember(memory, at: MachineTime(now: now, date: utc))
  }

  // MARK: Modem

  mutating func sendToModem(_ command: ModemCommand) {
    let answer = modem.answer(
      command, hole: scenario.coverage.content(at: now), fault: scenario.modem.content(at: now),
      at: now)
    if let answer { planned.plan(.modemSays(answer), at: now + SimulatedModem.answerDelay) }
    if !isBearerUp { breakExchange() }
    if answer != nil, command == .receiverOn || command == .receiverOff {
      controlReceiver(command == .receiverOn ? .wake : .sleep)
    }
    planModemChange()
  }

  mutating func setLink(isUp: Bool) {
    if !isUp {
      modem.setLink(isUp: false)
      breakExchange()
    } else if modem.isRegistered(at: now), scenario.coverage.content(at: now) == nil {
      modem.setLink(isUp: true)
      planned.plan(.deliver(.linkChanged(isUp: true)), at: now + SimulatedModem.linkDelay)
    }
  }
}
