import Testing

@testable import TrackerCore

/// A receiver inside the modem, which rests with its radio off instead of being switched off.
@Suite struct ModemReceiverTests {
  private func tape(_ adjust: (inout ModemTape.Setting) -> Void = { _ in }) -> ModemTape {
    ModemTape(Self.self) {
      $0.rest = .radioOff
      $0.floor = .seconds(60)
      adjust(&$0)
    }
  }

  @Test func `The modem is switched on for its receiver, and stays out of the network`() {
    var tape = tape()
    tape.at(0, .receiver(true), .says(.attention))
    tape.at(1000, .deadline, .pressOn)
    tape.at(1200, .deadline)
    tape.at(5000, .release)
    tape.at(9000, .hears("RDY\r\n"), .says(.attention))
    tape.at(9050, .hears("OK\r\n"), .says(.radioOff))
    tape.at(9100, .hears("OK\r\n"), .says(.receiverOn))
    tape.at(9150, .hears("OK\r\n"))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, "at rest")
    #expect(tape.modem.connectableAt == .at(9150), "the network has not seen it")
  }

  @Test func `It is put to sleep and woken while the modem rests`() {
    var tape = tape()
    tape.at(0, .receiver(true), .says(.attention))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(10))
    #expect(tape.modem.isOff, again(Self.self, "\(tape.modem.power.state)"))
    tape.at(5000, .receiver(false), .says(.attention))
    tape.at(5010, .hears("OK\r\n"), .says(.radioOff))
    tape.at(5020, .hears("OK\r\n"), .says(.receiverOff))
    tape.at(5030, .hears("OK\r\n"))
    tape.at(6000, .receiver(false))
    #expect(tape.modem.isOff, "what is so already is not said")
  }

  @Test func `A contact switches the radio on and leaves the receiver alone`() {
    var tape = tape()
    tape.play(.receiver(true), at: .at(0))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(10))
    tape.at(1000, .connect, .says(.attention))
    tape.at(1010, .hears("OK\r\n"), .says(.radioOn))
    tape.at(1100, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(1110, .hears("OK\r\n"), .says(.simStatus))
    tape.at(1120, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.play(.hears("214070000000001\r\nOK\r\n"), at: .at(1122))
    tape.at(
      1125, .hears("351602000330570\r\nOK\r\n"),
      .note(.equipment(InlineText("351602000330570"))), .says(.registration))
    tape.at(1130, .hears("+CREG: 0,1\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
    tape.play(.hears("+CSQ: 15,99\r\nOK\r\n+CBC: 3.8V\r\nOK\r\nERROR\r\n"), at: .at(1140))
    // An order in the middle of a contact is carried out at once.
    tape.at(2000, .receiver(false), .says(.receiverOff))
    tape.at(2050, .hears("OK\r\n"))
    tape.at(3000, .release, .setLink(isUp: false), .says(.radioOff))
    tape.at(3500, .hears("OK\r\n"))
    #expect(tape.modem.isOff && tape.modem.connectableAt == .at(61_000), again(Self.self))
  }

  @Test func `A contact that is due while it starts for the receiver joins in`() {
    var tape = tape()
    tape.play(.receiver(true), at: .at(0))
    tape.at(500, .connect)
    tape.at(600, .hears("OK\r\n"), .says(.radioOn))
    tape.at(700, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(710, .hears("OK\r\n"), .says(.receiverOn))
  }

  @Test func `A mute modem that only its receiver needs is power-cycled twice, then left alone`() {
    var tape = tape()
    tape.play(.receiver(true), at: .at(0))
    var cycles = 0
    while tape.modem.phase != .faulted, let deadline = tape.modem.deadline,
      deadline < .at(600_000)
    {
      let effects = tape.play(.deadline, at: deadline)
      cycles += effects.count { $0 == ModemRecoveryTests.powerCycle }
      // Nothing is to be sent.
      tape.play(.release, at: deadline)
    }
    #expect(cycles == 2 && tape.modem.phase == .faulted, again(Self.self, "\(cycles) cycles"))
  }

  /// The floor ends at 60 000 ms. Until the contact is due the modem answers nothing: it is asked,
  /// its key is held, or it is starting.
  @Test(arguments: [Int64(59_500), 58_900, 50_000], [Int64(59_999), 60_000])
  func `A contact joins in from the end of the reconnect floor on, however far the start is`(
    _ start: Int64, _ due: Int64
  ) {
    var tape = ModemTape.attached(Self.self) {
      $0.rest = .radioOff
      $0.floor = .seconds(60)
    }
    tape.at(1000, .release, .setLink(isUp: false), .says(.radioOff))
    tape.at(1100, .hears("OK\r\n"))
    tape.at(start, .receiver(true), .says(.attention))
    tape.wait(until: due - 1)
    tape.at(due, .connect)
    let joins = tape.live(until: due + 20_000).contains { $0.effect == .says(.radioOn) }
    #expect(joins == (due >= 60_000), again(Self.self, "\(start) \(due);"))
  }

  @Test func `An order that is taken back before its turn is not carried out`() {
    var tape = tape()
    tape.play(.receiver(true), at: .at(0))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(10))
    tape.at(1000, .connect, .says(.attention))
    tape.at(1010, .hears("OK\r\n"), .says(.radioOn))
    tape.at(1020, .receiver(false))
    tape.at(1030, .receiver(true))
    tape.at(1100, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(1110, .hears("OK\r\n"), .says(.simStatus))
  }

  @Test func `An order that a release cut off is carried out afterwards`() {
    var tape = tape()
    tape.play(.connect, at: .at(0))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(10))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
    tape.at(20, .receiver(true))
    tape.at(30, .release, .says(.radioOff))
    // This OK is not the order's.
    tape.at(40, .hears("+CPIN: READY\r\nOK\r\n"), .says(.signal))
    tape.at(42, .hears("OK\r\n"))
    tape.at(45, .hears("+CSQ: 99,99\r\nOK\r\n"), .says(.radioOff))
    tape.at(50, .hears("OK\r\n"), .says(.attention))
    tape.at(60, .hears("OK\r\n"), .says(.radioOff))
    tape.at(70, .hears("OK\r\n"), .says(.receiverOn))
  }

  @Test func `After a restart of the modem the receiver is switched on again`() {
    var tape = tape()
    tape.play(.receiver(true), at: .at(0))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(10))
    tape.at(5000, .hears("RDY\r\n"), .says(.radioOff))
    tape.at(5005, .hears("OK\r\n"), .says(.attention))
    tape.at(5010, .hears("OK\r\n"), .says(.radioOff))
    tape.at(5020, .hears("OK\r\n"), .says(.receiverOn))
  }

  @Test func `After a reset of a mute modem the receiver is switched on again`() {
    var tape = tape {
      $0.hasPowerKey = false
      $0.floor = 0
    }
    tape.live(until: 50)
    tape.play(.receiver(true), at: .at(100))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(110))
    tape.at(1000, .connect, .says(.attention))
    tape.play(.hears("OK\r\nOK\r\nOK\r\n"), at: .at(1010))
    #expect(tape.wait(until: 18_010).last == .says(.reset), again(Self.self))
    let orders = tape.live(until: 32_000).map(\.effect)
    #expect(orders.contains(.says(.receiverOn)), again(Self.self, "\(orders)"))
  }

  @Test func `A modem that stays mute is left alone, and tried again after the pause`() {
    var tape = tape()
    tape.play(.receiver(true), at: .at(0))
    tape.wait(until: 120_000)
    #expect(tape.modem.phase == .faulted && tape.modem.contact.failure == nil, again(Self.self))
    let effects = tape.wait(until: 800_000)
    #expect(effects.contains { $0.isPress }, again(Self.self))
  }

  @Test func `A family without a receiver is asked for none`() {
    var tape = tape { $0.family = .generic }
    tape.at(0, .receiver(true))
    #expect(tape.modem.isOff, again(Self.self))
  }

  @Test func `The whole tracker captures and sends with the modem's receiver`() {
    var board = Board.bench
    board.modem.family = .sim5320
    board.modem.rest = .radioOff
    board.receiver.dialect = .modemGPS
    var bench = Bench(board: board) { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 3700)
    #expect(bench.sequences.count == 7 && bench.queue.count <= 1, again(Self.self))
    let orders = bench.log.filter {
      $0.effect == .says(.receiverOn) || $0.effect == .says(.receiverOff)
    }
    #expect(orders.count >= 13, again(Self.self, "\(orders.count)"))
    #expect(!bench.log.contains { $0.effect == .says(.powerOff) }, again(Self.self))
  }
}
