import Foundation
import Testing
import TrackerCore
import Wording

@testable import Reports

/// Two runs beside each other.
@Suite struct ComparisonPageTests {
  private func run(_ name: String, taken: Int, silences: [Figure] = []) -> Comparison.Run {
    Comparison.Run(name: name, figures: PageFixture.figures(taken: taken, silences: silences))
  }

  @Test func `Only what differs is listed, with the difference`() {
    let comparison = Comparison(
      run("a.json", taken: 100), run("b.json", taken: 90, silences: [PageFixture.silence(60, 180)]),
      in: .english)
    #expect(
      comparison.moves == [
        .init(path: "captures.taken", before: "100", after: "90", change: "-10 (-10.0 %)"),
        .init(path: "captures.acknowledged", before: "99", after: "89", change: "-10 (-10.1 %)"),
        .init(path: "silence", before: "0", after: "1", change: "+1"),
      ], repeatPageTests)
    #expect(comparison.text.hasPrefix("a.json → b.json: 3 figures of 11 differ\n"))
    let page = comparison.page(by: "x")
    #expect(page.contains("<code>captures.<wbr>taken</code></td><td>100</td><td>90</td>"))
    #expect(page.contains("class=\"b c\"") && !page.contains("<script"))
  }

  @Test func `In a narrow window texts may be broken anywhere, numbers nowhere`() {
    let digests = ["4fb078fe8eb2dc06", "56ee0f6a774bd869"].map {
      Comparison.Run(name: $0, figures: .object([.init("digest", .text($0))]))
    }
    let page = Comparison(digests[0], digests[1], in: .english).page(by: "x")
    #expect(page.contains("<td><code>4fb078fe8eb2dc06</code></td>"), repeatPageTests)
  }

  @Test func `As many silences at other times are a difference`() {
    let comparison = Comparison(
      run("a", taken: 5, silences: [PageFixture.silence(60, 180)]),
      run("b", taken: 5, silences: [PageFixture.silence(600, 900)]), in: .english)
    #expect(
      comparison.moves == [.init(path: "silence", before: "1", after: "1", change: "≠")],
      repeatPageTests)
  }

  /// The figures of a run with what it draws, as they come out of a file.
  private func drawn(_ captures: Int) throws -> Comparison.Run {
    var facts = PageFixture.facts(PageFixture.history(captures))
    facts.history.looked(.init(at: .start, position: PageFixture.position(0), percent: 100))
    facts.history.looked(.init(at: .start + .hours(1), position: nil, percent: 90))
    facts.holes = [.init(from: .start + .minutes(5), to: nil, kind: .noBearer)]
    facts.checkpoints = [.init(name: "<Font>", position: PageFixture.position(1))]
    let figures = facts.figures.adding("series", facts.series)
    return Comparison.Run(
      name: "\(captures)", figures: try Figure(parsing: Array(figures.json.utf8), like: .none))
  }

  @Test func `What two runs draw over time is beside each other`() throws {
    let page = Comparison(try drawn(3), try drawn(5), in: .english).page(by: "x")
    #expect(page.components(separatedBy: "<svg class=\"run\"").count == 3, repeatPageTests)
    #expect(page.components(separatedBy: "href=\"#s\" data-i").count - 1 == 2 + 4)
    // As the flag's name, and when it is pointed at.
    #expect(page.components(separatedBy: "&lt;Font&gt;").count == 5 && !page.contains("<Font>"))
    for lane in ["coverage", "modem", "captures waiting", "battery, %"] {
      #expect(page.contains("<h3>A · \(lane)") && page.contains("<h3>B · \(lane)"), "\(lane)")
    }
    // One of them without: the other's is still drawn.
    let one = Comparison(run("a", taken: 5), try drawn(5), in: .english).page(by: "x")
    #expect(one.components(separatedBy: "<svg class=\"run\"").count == 2)
    #expect(one.contains("<h3>B · modem") && !one.contains("<h3>A · modem"))
  }

  @Test func `What a run draws comes back out of its figures`() throws {
    let facts = PageFixture.facts(PageFixture.history(4))
    let read = try #require(
      PageFacts(
        seriesOf: facts.figures.adding("series", facts.series), in: .english))
    #expect(read.history.marks.map(\.at) == facts.history.marks.map(\.at))
    #expect(read.history.marks.map(\.position) == facts.history.marks.map(\.position))
    #expect(read.history.marks.map(\.deliveredAt) == facts.history.marks.map(\.deliveredAt))
    #expect(read.history.modem.steps == facts.history.modem.steps)
    #expect(read.history.queue.steps == facts.history.queue.steps)
    #expect(read.end == facts.end)
  }

  @Test(arguments: [
    "7", "[7, null, {}]", "[{\"of\":\"capture\"}]",
    "[{\"of\":\"run\",\"end\":-1e300,\"start_percent\":1e300,\"band_share\":\"x\"}]",
    "[{\"of\":\"capture\",\"at\":1e300,\"latitude\":1e300,\"longitude\":0}]",
    "[{\"of\":\"capture\",\"at\":-5,\"latitude\":90,\"longitude\":180,\"delivered\":-9}]",
    "[{\"of\":\"modem\",\"at\":5,\"value\":1e300},{\"of\":\"modem\",\"at\":1,\"value\":-7}]",
    "[{\"of\":\"queue\",\"at\":5,\"value\":1e300,\"peak\":-1e300}]",
    "[{\"of\":\"look\",\"at\":5,\"percent\":1e300},{\"of\":\"look\",\"at\":1,\"percent\":0}]",
    "[{\"of\":\"hole\",\"kind\":\"noService\",\"from\":9,\"to\":1},{\"of\":\"hole\"}]",
  ])
  func `A series that no run has never traps`(_ series: String) throws {
    let json = "{\"captures\":{\"taken\":1},\"series\":\(series)}"
    let wild = Comparison.Run(
      name: "a", figures: try Figure(parsing: Array(json.utf8), like: .none))
    #expect(Comparison(wild, wild, in: .english).page(by: "").hasSuffix("</html>\n"), "\(series)")
  }

  @Test func `Two equal runs have no difference`() {
    let comparison = Comparison(run("a", taken: 5), run("a", taken: 5), in: .french)
    #expect(
      comparison.moves.isEmpty && comparison.text == "a → a : les 11 chiffres sont les mêmes\n")
  }

  @Test func `A figure that only one of them has differs`() {
    let more = Figure.object([.init("a", .integer(1 as Int)), .init("b", .text("x"))])
    let less = Figure.object([.init("a", .integer(1 as Int))])
    let comparison = Comparison(
      .init(name: "</script>", figures: less), .init(name: "b", figures: more), in: .english)
    #expect(comparison.moves == [.init(path: "b", before: "-", after: "x", change: "")])
    #expect(!comparison.page(by: "").contains("</script>"), repeatPageTests)
  }

  @Test func `Figures come back out of their JSON`() throws {
    let figures = PageFixture.figures(taken: 12)
    let read = try Figure(parsing: Array(figures.json.utf8), like: figures)
    #expect(read == figures, repeatPageTests)
    #expect(throws: FigureError(offset: 1)) {
      try Figure(parsing: Array("{".utf8), like: figures)
    }
  }

  @Test(arguments: ["1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "null", "[]"])
  func `Figures that no run has never trap`(_ number: String) throws {
    let json = """
      {"duration_s": \(number), "drain_s": \(number), "distance_m": \(number),
      "delivery": {"latency_s": {"p50": \(number), "p95": \(number), "max": 1}},
      "energy": {"consumed_mwh": 1, "by_part": {"board": \(number), "modem": \(number)}},
      "silence": [{"of": "capturing", "from": 0, "to": \(number), "reason": \(number)}, 7]}
      """
    let blank = PageFixture.figures(taken: 0)
    let wild = Comparison.Run(
      name: "a", figures: try Figure(parsing: Array(json.utf8), like: blank))
    for other in [Comparison.Run(name: "b", figures: blank), wild] {
      let comparison = Comparison(wild, other, in: .english)
      #expect(!comparison.text.isEmpty && comparison.page(by: "").hasSuffix("</html>\n"))
    }
  }
}
