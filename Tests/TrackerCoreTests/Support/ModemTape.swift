import Testing

@testable import TrackerCore

/// A transcript of a modem: what happens when, and what must come of it.
///
/// The board's times: PWRKEY 200 ms on and 1 s off, boot 15 s, power-off 8 s, rest 2 s.
struct ModemTape {
  enum Event {
    case connect
    case release
    case hears(String)
    case link(Bool)
    case deadline
  }

  let suite: Any.Type
  var modem: Modem
  private var line = ModemLineBuffer()

  init(_ suite: Any.Type, floor: Milliseconds = .minutes(10)) {
    self.suite = suite
    modem = Modem(Board.bench.modem, reconnectFloor: floor)
  }

  /// Plays one event. Fails the test unless exactly the expected effects come of it.
  mutating func at(
    _ milliseconds: Int64, _ event: Event, _ expected: Effect...,
    location: SourceLocation = #_sourceLocation
  ) {
    let effects = play(event, at: .at(milliseconds))
    let moment = "at \(milliseconds) ms, now \(modem.state);"
    #expect(effects == expected, again(suite, moment), sourceLocation: location)
  }

  mutating func play(_ event: Event, at now: Instant) -> [Effect] {
    var sink = Sink()
    switch event {
    case .connect: modem.connect(at: now, into: &sink)
    case .release: modem.release(at: now, into: &sink)
    case .link(let isUp): modem.linkChanged(isUp: isUp, at: now, into: &sink)
    case .deadline: modem.deadlineReached(at: now, into: &sink)
    case .hears(let text):
      for byte in text.utf8 where line.append(byte) {
        modem.hear(ModemLine(line), at: now, into: &sink)
        line.clear()
      }
    }
    return sink.effects
  }

  /// Lets time pass: every deadline up to an instant is kept to the millisecond.
  mutating func wait(until end: Int64) -> [Effect] {
    var effects: [Effect] = []
    while let deadline = modem.deadline, deadline <= .at(end) {
      effects += play(.deadline, at: deadline)
    }
    return effects
  }

  /// A modem that was on already, brought to where the first question is open.
  static func checkingSIM(_ suite: Any.Type, floor: Milliseconds = .minutes(10)) -> ModemTape {
    var tape = ModemTape(suite, floor: floor)
    _ = tape.play(.connect, at: .at(0))
    _ = tape.play(.hears("OK\r\n"), at: .at(100))
    return tape
  }

  static func searching(_ suite: Any.Type, floor: Milliseconds = .minutes(10)) -> ModemTape {
    var tape = checkingSIM(suite, floor: floor)
    _ = tape.play(.hears("+CPIN: READY\r\nOK\r\n"), at: .at(200))
    return tape
  }

  static func registered(_ suite: Any.Type, floor: Milliseconds = .minutes(10)) -> ModemTape {
    var tape = searching(suite, floor: floor)
    _ = tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(300))
    return tape
  }

  static func attached(_ suite: Any.Type, floor: Milliseconds = .minutes(10)) -> ModemTape {
    var tape = registered(suite, floor: floor)
    _ = tape.play(.link(true), at: .at(400))
    return tape
  }
}
