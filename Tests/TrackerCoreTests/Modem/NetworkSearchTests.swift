import Testing

@testable import TrackerCore

/// What a network lets in, by what the modem answers about each domain.
@Suite struct NetworkSearchTests {
  typealias Row = (
    circuit: Registration?, packet: [Registration], coverage: NetworkSearch.Coverage,
    waitingFor: Reason
  )

  static let rows: [Row] = [
    (nil, [], .nothing, .searching), (.searching, [], .nothing, .searching),
    (.home, [], .data, .searching), (.roaming, [], .data, .searching),
    (.unknown, [], .nothing, .searching), (.denied, [], .nothing, .registrationDenied),
    (.emergencyOnly, [], .nothing, .registrationDenied),
    // Some modems join the packet domain only when the bearer is asked for.
    (.home, [.idle], .data, .searching), (.home, [.unknown], .data, .searching),
    (.searching, [.idle], .nothing, .searching),
    // Calls and short messages alone.
    (.home, [.searching], .texts, .searching), (.home, [.denied], .texts, .registrationDenied),
    (.roaming, [.denied], .texts, .registrationDenied),
    (.roaming, [.emergencyOnly], .texts, .registrationDenied),
    (.unknown, [.denied], .nothing, .registrationDenied),
    // Data alone.
    (nil, [.home], .data, .searching), (.denied, [.roaming], .data, .searching),
    // Of two networks' packet domains the one that lets the modem in counts, then a refusal.
    (nil, [.denied, .home], .data, .searching), (nil, [.roaming, .denied], .data, .searching),
    (nil, [.home, .roaming], .data, .searching),
    (nil, [.denied, .searching], .nothing, .registrationDenied),
    (nil, [.emergencyOnly, .searching], .nothing, .registrationDenied),
    (nil, [.searching, .denied], .nothing, .registrationDenied),
    (.home, [.denied, .idle], .texts, .registrationDenied),
    // It is still attaching to one of them.
    (.home, [.searching, .idle], .texts, .searching),
    (.home, [.idle, .searching], .texts, .searching),
    // Short messages alone.
    (.textsOnly, [], .texts, .searching), (.textsOnly, [.denied], .texts, .registrationDenied),
    (.textsOnly, [.roaming], .data, .searching), (.searching, [.textsOnly], .texts, .searching),
    (.denied, [.textsOnly, .denied], .texts, .searching),
  ]

  @Test(arguments: rows.indices)
  func `The best answer of each domain decides what a network lets in`(_ number: Int) {
    let (circuit, packet, coverage, waitingFor) = Self.rows[number]
    var search = NetworkSearch(SearchTerms(), asksByDomain: false, at: .start)
    if let circuit { search.hear(circuit, .circuit) }
    for registration in packet { search.hear(registration, .packet) }
    #expect(search.judge(at: .start) == coverage, again(Self.self, "row \(number);"))
    #expect(search.waitingFor == waitingFor, again(Self.self, "row \(number);"))
  }

  @Test func `Each question is judged by its own answers`() {
    var search = NetworkSearch(SearchTerms(), asksByDomain: false, at: .start)
    search.hear(.home, .circuit)
    search.hear(.denied, .packet)
    #expect(search.judge(at: .start) == .texts, again(Self.self))
    #expect(search.judge(at: .at(2000)) == .nothing, again(Self.self))
    // A modem that was refused is searching in between.
    #expect(search.waitingFor == .registrationDenied, again(Self.self))
    #expect(search.judge(at: .at(20_000)) == .nothing, again(Self.self))
    #expect(search.waitingFor == .searching, again(Self.self))
  }
}
