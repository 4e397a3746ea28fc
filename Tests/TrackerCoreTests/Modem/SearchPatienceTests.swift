import Testing

@testable import TrackerCore

/// How long a search for a network lasts, by what became of those before.
@Suite struct SearchPatienceTests {
  private func seconds(_ patience: SearchPatience, at now: Int64) -> Int64 {
    patience.terms(at: .start + .seconds(now)).limit.count / 1000
  }

  /// A contact that searches for so long.
  private func search(
    _ patience: inout SearchPatience, from begin: Int64, for length: Int64, isFound: Bool = false,
    isSparing: Bool = false
  ) {
    patience.isSparing = isSparing
    patience.contactBegins()
    patience.searchBegins(at: .start + .seconds(begin))
    let end = Instant.start + .seconds(begin + length)
    if isFound { patience.found(at: end) } else { patience.failed(isDenied: false, at: end) }
  }

  @Test func `Each search in vain doubles the next one, up to 24 minutes`() {
    var patience = SearchPatience(at: .start)
    #expect(seconds(patience, at: 0) == 180, again(Self.self))
    search(&patience, from: 0, for: 180)
    #expect(seconds(patience, at: 900) == 360, again(Self.self))
    search(&patience, from: 900, for: 360)
    #expect(seconds(patience, at: 2700) == 720, again(Self.self))
    search(&patience, from: 2700, for: 720)
    #expect(seconds(patience, at: 5400) == 1440, again(Self.self))
    patience = SearchPatience(at: .start)
    for _ in 0..<10 { search(&patience, from: 0, for: 1) }
    #expect(seconds(patience, at: 5400) == 1440, again(Self.self))
  }

  @Test func `What goes beyond the usual comes out of a budget that fills up slowly`() {
    var patience = SearchPatience(at: .start)
    for _ in 0..<3 { search(&patience, from: 0, for: 10) }
    search(&patience, from: 0, for: 1440)
    // 1800 s less 1260 s, and a fifteenth of the time since then.
    #expect(seconds(patience, at: 1440) == 180 + 540, again(Self.self))
    #expect(seconds(patience, at: 1440 + 1500) == 180 + 640, again(Self.self))
    search(&patience, from: 2940, for: 820)
    #expect(seconds(patience, at: 3760) == 180 + 54, again(Self.self))
    #expect(seconds(patience, at: 3760 + 86_400) == 1440, again(Self.self))
    // It does not grow without bound.
    search(&patience, from: 2_000_000, for: 1440)
    #expect(seconds(patience, at: 2_001_440) == 180 + 540, again(Self.self))
  }

  @Test func `A network that was found late is given half as long again`() {
    var patience = SearchPatience(at: .start)
    search(&patience, from: 0, for: 200, isFound: true)
    #expect(seconds(patience, at: 300) == 300, again(Self.self))
    // A second search of the same contact, for a link that was lost, is a quick one.
    patience.searchBegins(at: .start + .seconds(300))
    patience.found(at: .start + .seconds(301))
    #expect(seconds(patience, at: 400) == 300, again(Self.self))
    search(&patience, from: 900, for: 20, isFound: true)
    #expect(seconds(patience, at: 1000) == 180, again(Self.self))
  }

  @Test func `Nothing is spent on a search that would be shorter than the one that succeeded`() {
    var patience = SearchPatience(at: .start)
    search(&patience, from: 0, for: 1200, isFound: true)
    // 780 s are left.
    #expect(seconds(patience, at: 1200) == 180, again(Self.self))
    #expect(seconds(patience, at: 1200 + 3599) == 180, again(Self.self))
    #expect(seconds(patience, at: 1200 + 3600) == 1200, again(Self.self))
    #expect(seconds(patience, at: 1200 + 36_000) == 1800, again(Self.self))
    // If it is in vain after all, the search starts over with shorter ones.
    search(&patience, from: 37_200, for: 1800)
    #expect(seconds(patience, at: 100_000) == 360, again(Self.self))
  }

  @Test func `In the battery's reserve no search takes longer than usual`() {
    var patience = SearchPatience(at: .start)
    search(&patience, from: 0, for: 180, isSparing: true)
    #expect(seconds(patience, at: 900) == 180, again(Self.self))
    patience.isSparing = false
    #expect(seconds(patience, at: 900) == 360, again(Self.self))
  }

  @Test func `A refusal shortens the next one, and a network that accepts ends that`() {
    var patience = SearchPatience(at: .start)
    #expect(patience.terms(at: .start).deniedLimit == .seconds(60), again(Self.self))
    patience.searchBegins(at: .start)
    patience.failed(isDenied: true, at: .start + .seconds(60))
    #expect(patience.terms(at: .start).deniedLimit == .seconds(30), again(Self.self))
    #expect(seconds(patience, at: 900) == 180, "it has not been searched for in vain")
    patience.searchBegins(at: .start)
    patience.failed(isDenied: true, at: .start + .seconds(30))
    #expect(patience.terms(at: .start).deniedLimit == .seconds(30), again(Self.self))
    patience.searchBegins(at: .start)
    patience.failed(isDenied: true, at: .start + .seconds(30))
    #expect(patience.terms(at: .start).deniedLimit == .seconds(60), "every third time")
    patience.searchBegins(at: .start)
    patience.failed(isDenied: true, at: .start + .seconds(60))
    search(&patience, from: 900, for: 10, isFound: true)
    #expect(patience.terms(at: .start).deniedLimit == .seconds(60), again(Self.self))
  }

  @Test func `A search that is broken off counts for the budget alone`() {
    var patience = SearchPatience(at: .start)
    patience.searchBegins(at: .start)
    patience.abandoned(at: .start + .seconds(780))
    patience.abandoned(at: .start + .seconds(9000))
    #expect(seconds(patience, at: 780) == 180, again(Self.self))
    for _ in 0..<3 { search(&patience, from: 780, for: 1) }
    #expect(seconds(patience, at: 781) == 180 + 1200, again(Self.self))
  }

  @Test(arguments: [(200, 2), (1200, 4)])
  func `A network that takes long is reached, and reached again`(_ length: Int64, _ contact: Int) {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    var found: [Int] = []
    for number in 1...8 {
      let begin = Int64(number) * 2_700_000
      tape.play(.connect, at: .at(begin))
      tape.live(until: begin + 10, [.registration: "+CREG: 0,2\r\nOK\r\n"])
      // It finds the network so long after the search has begun.
      tape.live(until: begin + length * 1000, [.registration: "+CREG: 0,2\r\nOK\r\n"])
      tape.live(until: begin + length * 1000 + 4000)
      if tape.modem.phase == .registered { found.append(number) }
      tape.play(.release, at: .at(begin + 2_000_000))
      tape.live(until: begin + 2_600_000)
    }
    #expect(found.first == contact, again(Self.self, "\(found)"))
    #expect(found.count >= (length == 200 ? 7 : 2), again(Self.self, "\(found)"))
  }
}
