import Testing

@testable import BoardSupport

/// How far a board's figures may be off, by the kind of their sources.
@Suite struct FigureDoubtTests {
  private let again: Comment = "repeat with: swift test --filter FigureDoubtTests"

  /// Percent by key path, of the bench board after changes.
  private func doubts(_ changes: [(String, String)] = []) throws -> [String: Int32] {
    var text = Fixture.board
    for (old, new) in changes { text = text.replacing(old, with: new) }
    let board = try BoardDescription.parse(try Fixture.root(text), identifier: "bench")
    return Dictionary(uniqueKeysWithValues: board.doubts.map { ($0.keyPath, $0.percent) })
  }

  @Test func `Every figure of the energy model may be off, with and without a flag`() throws {
    let doubts = try doubts()
    #expect(doubts["loads.board"] == 10 && doubts["loads.modemStarting"] == 20, again)
    #expect(doubts["battery.cutOff"] == 3 && doubts["battery.regulator.efficiency"] == 3, again)
    #expect(doubts["battery.capacityAtFreezing"] == 10 && doubts["supply"] == nil, again)
    #expect(doubts.count == 13, "\(doubts); \(again)")
  }

  @Test(arguments: [
    ("basis: \"measured\"", 5), ("basis: \"data sheet\"", 10), ("basis: \"others\"", 15),
    ("unverified: true", 20), ("within: \"30 %\"", 30),
    ("basis: \"others\", within: \"2 %\"", 2), ("unverified: true, within: \"40 %\"", 40),
    ("within: \"0 %\"", nil),
  ])
  func `A load is as certain as its source, unless the file says more`(
    _ words: String, _ percent: Int32?
  ) throws {
    let load = "\"75 mA\", source: \"bench\""
    let changed = try doubts([(load, "\(load), \(words)")])
    #expect(changed["loads.board"] == percent, "\(words); \(again)")
  }

  @Test(arguments: [("alkaline AA", "", 20), ("alkaline AA", ", basis: \"measured\"", 5)])
  func `Brands of alkaline cells differ, and one that was measured does not`(
    _ chemistry: String, _ words: String, _ percent: Int32
  ) throws {
    let changed = try doubts([
      ("\"2.6 Ah\", source: \"bench\"", "\"2.6 Ah\", source: \"bench\"\(words)")
    ])
    #expect(changed["battery.cellCapacity"] == percent, again)
    #expect(
      try doubts([
        ("alkaline AA", "NiMH AA"),
        ("\"2.6 Ah\", source: \"bench\"", "\"2.6 Ah\", source: \"b\", basis: \"others\""),
      ])["battery.cellCapacity"] == 10, again)
  }

  @Test func `A basis is one of three words, and does not go with unverified`() {
    #expect(
      Fixture.boardError(
        "\"75 mA\", source: \"bench\"", "\"75 mA\", source: \"bench\", basis: \"friends\"")
        == "x.json5:5: loads.board.basis: \"friends\" is not a valid choice; write \"measured\", "
        + "\"data sheet\" or \"others\"", again)
    #expect(
      Fixture.boardError(
        "\"0.1 A\", source: \"bench\"", "\"0.1 A\", source: \"bench\", basis: \"others\"")
        == "x.json5:10: loads.modemStarting.basis: does not go with unverified: true; remove one "
        + "of the two", again)
  }

  @Test func `What the parts of a combination draw together is as certain as most of it`() throws {
    // 230 mA measured by others and 23 µA from memory; 1 mA of a data sheet beside 575 mA.
    for name in ["pi-3b+sim5320+max17048", "pi-4b+sim5320+ina219"] {
      let path = name.split(separator: "+").map { "\(Fixture.package)/boards/\($0)" }
      let board = try BoardDescription.load(named: path.joined(separator: "+"))
      let load = board.doubts.first { $0.keyPath == "loads.board" }
      #expect(load?.percent == 15, "\(name): \(load as Any); \(again)")
    }
  }

  // Computers that others have measured; the other loads are from the makers' documents.
  @Test(arguments: ["pi-3b", "pi-4b", "pi-5", "pi-zero-2w"])
  func `A computer's load that others have measured says so`(_ name: String) throws {
    let path = "\(Fixture.package)/boards/\(name)+\(Fixture.package)/boards/sim5320"
    let board = try BoardDescription.load(named: path + "+\(Fixture.package)/boards/li-ion-3p")
    let load = try #require(board.figures.first { $0.keyPath == "loads.board" })
    #expect(load.basis == .others, "\(name); \(again)")
  }
}
