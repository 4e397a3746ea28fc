import Testing

@testable import TrackerCore

/// A modem that nobody wants and that is not certainly off.
@Suite struct ModemLingeringTests {
  /// Told to switch off its radio at 1000 ms; the answer is still to come.
  private func lingering() -> ModemTape {
    var tape = ModemTape.attached(Self.self) {
      $0.rest = .radioOff
      $0.hasPowerKey = false
    }
    tape.at(1000, .release, .setLink(isUp: false), .says(.radioOff))
    return tape
  }

  @Test func `What a program has left on is told to switch off by the next, which presses no key`()
  {
    for rest in [ModemRest.off, .radioOff] {
      let command: ModemCommand = rest == .off ? .powerOff : .radioOff
      var left = ModemTape(Self.self) { ($0.mayBeOn, $0.rest) = (true, rest) }
      left.at(0, .deadline, .says(command))
      left.at(100, .hears("OK\r\n"))
      #expect(left.wait(until: 60_000).isEmpty && left.modem.isOff, again(Self.self))
      var silent = ModemTape(Self.self) { ($0.mayBeOn, $0.rest) = (true, rest) }
      silent.at(0, .deadline, .says(command))
      #expect(silent.wait(until: 60_000).isEmpty && silent.modem.isOff, again(Self.self))
    }
  }

  @Test func `A contact that is due at the start does not wait until what was left on is off`() {
    var tape = ModemTape(Self.self) { $0.mayBeOn = true }
    tape.at(0, .connect, .says(.attention))
  }

  @Test func `A port that goes tells nothing of a modem that stays on with its radio off`() {
    var tape = lingering()
    tape.at(1100, .line(false))
    #expect(!tape.modem.isOff, again(Self.self))
    tape.at(1200, .hears("OK\r\n"))
    #expect(tape.modem.isOff, again(Self.self))
  }

  @Test func `A port that comes back has it told again at once`() {
    var tape = lingering()
    tape.at(1100, .line(true), .says(.radioOff))
    // Nothing is expected from before.
    tape.at(1200, .hears("OK\r\n"))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self))
  }

  @Test func `A port that goes after its key was held to switch it off went with the power`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.wait(until: 10_000)
    #expect(!tape.modem.isOff, again(Self.self))
    tape.at(12_000, .line(false))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self))
  }

  @Test func `A port that comes back while it switches itself off proves nothing`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.at(2000, .line(true))
    #expect(tape.wait(until: 8999).isEmpty, again(Self.self))
    tape.at(9000, .deadline, .pressOff)
  }

  @Test func `One without a key that refused to switch itself off is told again`() {
    var tape = ModemTape.attached(Self.self) { $0.hasPowerKey = false }
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.at(1100, .hears("ERROR\r\n"))
    tape.at(9000, .deadline, .says(.powerOff))
    tape.at(9100, .hears("OK\r\n"))
    #expect(tape.wait(until: 60_000).isEmpty && tape.modem.isOff, again(Self.self))
  }

  @Test func `An OK that may be another command's has it told again`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(210, .release, .says(.powerOff))
    tape.at(300, .hears("OK\r\n"))
    tape.at(8210, .deadline, .says(.powerOff))
    #expect(!tape.modem.isOff, again(Self.self))
  }

  @Test func `One that is still on is told again soon after it left a question unanswered`() {
    var tape = lingering()
    // After the second refusal the other command is tried.
    let commands: [ModemCommand] = [.radioOff, .minimumFunction, .radioOff]
    for (number, command) in commands.enumerated() {
      let now = 1100 + 2000 * Int64(number)
      tape.play(.hears("ERROR\r\n"), at: .at(now))
      tape.at(now + 1900, .deadline, .says(command))
    }
    tape.at(17_000, .deadline, .says(.radioOff))
    #expect(tape.modem.phase == .stillOn, again(Self.self))
    tape.at(27_000, .deadline, .says(.signal))
    tape.at(32_000, .deadline)
    #expect(tape.modem.deadline == .at(34_000), again(Self.self))
    tape.at(34_000, .deadline, .says(.radioOff))
  }

  @Test func `First words mean that it heard nothing, and it is told when it can hear`() {
    var tape = lingering()
    tape.at(2500, .hears("RDY\r\n"))
    tape.at(3000, .deadline)
    tape.at(3500, .deadline, .says(.radioOff))
    tape.at(3600, .hears("OK\r\n"))
    #expect(tape.modem.isOff, again(Self.self))
  }

  @Test func `An order for its receiver that it does not answer does not keep it on`() {
    var tape = lingering()
    tape.at(1100, .hears("ERROR\r\n"))
    tape.at(1200, .receiver(true), .says(.receiverOn))
    tape.at(6200, .deadline, .says(.signal))
    tape.at(6300, .hears("+CSQ: 99,99\r\nOK\r\n"), .says(.radioOff))
    tape.at(6400, .hears("OK\r\n"), .says(.attention))
  }

  @Test func `One that served its receiver and refused to switch off its radio is told again`() {
    var tape = ModemTape(Self.self) { $0.rest = .radioOff }
    tape.at(0, .receiver(true), .says(.attention))
    tape.at(10, .hears("OK\r\n"), .says(.radioOff))
    tape.at(20, .hears("ERROR\r\n"), .says(.receiverOn))
    tape.at(30, .hears("OK\r\n"))
    #expect(!tape.modem.isOff, again(Self.self))
    tape.at(30, .deadline, .says(.radioOff))
    tape.at(40, .hears("OK\r\n"))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self))
  }
}
