import Foundation
import Testing
import TrackerCore
import Wording

@testable import Reports

/// The page of a run, from figures to HTML.
@Suite struct RunPageTests {
  private func count(_ part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test(arguments: Language.all)
  func `Each capture is on the map and in the table, in each language`(_ language: Language) {
    let page = RunPage.html(
      PageFixture.facts(PageFixture.history(12), in: language))
    #expect(count("data-i=", in: page) == 12, repeatPageTests)
    #expect(count(" data-t=", in: page) == 12)
    #expect(count("<use href=\"#s\" data-i", in: page) == 11, "all are sent but the last")
    #expect(count("<use href=\"#p\" data-i", in: page) == 1)
    #expect(page.contains("<html lang=\"\(language.code)\">"))
  }

  @Test func `The figures of the page are those of JSON`() throws {
    let figures = PageFixture.figures(taken: 12)
    let page = RunPage.html(PageFixture.facts(PageFixture.history(12)))
    let json = try JSONSerialization.jsonObject(with: Data(figures.json.utf8)) as? [String: Any]
    #expect((json?["captures"] as? [String: Any])?["taken"] as? Int == 12)
    for path in figures.paths {
      let value = ReportLines(figures, in: .english).word(path)
      #expect(page.contains("data-path=\"\(path)\" value=\"\(value)\""), "\(path)")
    }
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "\" onload=\"alert(1)", "<img src=x onerror=alert(1)>",
    "'><b>", "&lt;", "a\u{0}b\u{202E}c",
  ])
  func `A hostile name is a text and nothing else`(_ name: String) {
    var facts = PageFixture.facts(PageFixture.history(2, team: name))
    facts.checkpoints = [.init(name: name, position: PageFixture.position(1))]
    facts.claims = [.init(source: name, found: name, holds: false, isDead: false)]
    facts.program = name
    facts.zone.name = name
    let page = RunPage.html(facts)
    let plain = RunPage.html(PageFixture.facts(PageFixture.history(2, team: "x")))
    #expect(count("<script", in: page) == 1 && count("</script", in: page) == 1, repeatPageTests)
    #expect(!page.contains("<img") && !page.contains("'><b>") && !page.contains("\" onload"))
    #expect(!page.unicodeScalars.contains("\u{0}") && !page.unicodeScalars.contains("\u{202E}"))
    #expect(count("<b", in: page) == count("<b", in: plain), "no element more")
  }

  @Test func `A place far away is left out, and does not make the course a dot`() {
    var facts = PageFixture.facts(PageFixture.history(12))
    let near = RunPage.html(facts)
    facts.checkpoints = [
      .init(name: "Far away", position: Coordinate(latitude: 0, longitude: 1_700_000_000))
    ]
    #expect(RunPage.html(facts) == near, repeatPageTests)
    facts.checkpoints = [.init(name: "On the way", position: PageFixture.position(1))]
    #expect(RunPage.html(facts).contains("On the way"))
  }

  @Test func `A page refers to nothing outside of it`() {
    let page = RunPage.html(PageFixture.facts(PageFixture.history(3)))
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("url("))
    #expect(!page.contains("src=") && !page.contains("@import"), repeatPageTests)
    #expect(page.contains("default-src 'none'"), "and a browser lets it")
  }

  @Test func `A run without a capture has no map, and says why`() {
    let page = RunPage.html(PageFixture.facts(RunHistory()))
    #expect(!page.contains("id=\"map\"") && page.contains("No position, so no map."))
    #expect(page.contains("No position from the receiver"), repeatPageTests)
    #expect(page.contains("No trusted date"))
  }

  @Test func `A run with one capture has a map of one mark`() {
    let page = RunPage.html(PageFixture.facts(PageFixture.history(1)))
    #expect(count("data-i=", in: page) == 1 && page.contains("id=\"map\""))
    #expect(!page.contains("nan") && !page.contains("null"), "\(page)")
  }

  @Test func `Coverage holes are on the map, in a lane and in the legend, or nowhere`() {
    var facts = PageFixture.facts(PageFixture.history(12))
    #expect(!RunPage.html(facts).contains("class=\"hole\""))
    facts.holes = [
      .init(from: .start + .minutes(15), to: .start + .minutes(45), kind: .noBearer),
      .init(from: .start + .minutes(80), to: nil, kind: .noService),
    ]
    let page = RunPage.html(facts)
    #expect(count("<path class=\"hole\" d=\"M", in: page) == 3, "two holes and the legend")
    #expect(count("class=\"b h\"", in: page) == 2, repeatPageTests)
  }

  @Test func `A silence just before the end is drawn before the end, not beyond it`() {
    var facts = PageFixture.facts(PageFixture.history(3))
    facts.figures = PageFixture.figures(
      taken: 3, silences: [PageFixture.silence(0, 60), PageFixture.silence(21_590, 21_600)])
    let page = RunPage.html(facts)
    #expect(page.contains("style=\"left:0.000%;width:0.278%\""), repeatPageTests)
    #expect(page.contains("style=\"right:0.000%;width:0.150%\""))
  }

  @Test func `The profile has the same altitudes as the text above it`() {
    let page = RunPage.html(
      PageFixture.facts(PageFixture.history(3, altitudes: [-5600, 498_600, 100_000])))
    #expect(page.contains("-6 to 499 m"), repeatPageTests)
    #expect(page.contains(">-6 m</text>") && page.contains(">499 m</text>"))
  }

  @Test func `A session over midnight has the date at midnight of its own clocks`() {
    let page = RunPage.html(PageFixture.facts(PageFixture.history(30)))
    #expect(page.contains("<td>2026-04-18 22:00:00</td>"), "the first capture, at UTC+02:00")
    #expect(page.contains("<td>2026-04-19 00:00:00</td>"))
    #expect(page.contains("class=\"day\" style=\"left:33.333%\">2026-04-19<"), "\(page)")
    #expect(page.contains("Europe/Madrid (UTC+02:00)"), repeatPageTests)
  }

  @Test func `A course over the antimeridian is one short line`() {
    let history = RunHistory()
    for (index, longitude) in [1_799_990_000, -1_799_990_000].enumerated()
      as EnumeratedSequence<[Int32]>
    {
      let at = Instant.start + .minutes(Int64(index))
      history.looked(
        .init(at: at, position: Coordinate(latitude: 0, longitude: longitude), percent: 50))
    }
    let page = RunPage.html(PageFixture.facts(history))
    let way = page.components(separatedBy: "class=\"way\" d=\"M").last?.prefix { $0 != "\"" } ?? ""
    let x = way.split(separator: "L").compactMap { Double($0.split(separator: " ")[0]) }
    #expect(x.count == 2 && x[0] < x[1] && x[1] - x[0] < 720, "\(way)")
  }

  @Test func `What is expected is listed with what was found`() {
    var facts = PageFixture.facts(PageFixture.history(2))
    facts.claims = [
      .init(source: "captures.pending == 0", found: "1", holds: false, isDead: false),
      .init(source: "captures.taken == 2", found: "2", holds: true, isDead: false),
    ]
    let page = RunPage.html(facts)
    #expect(page.contains("1 expectation of 2 does not hold"), repeatPageTests)
    #expect(page.contains("<section class=\"verdict bad\">"))
    #expect(page.contains("<li class=\"bad\"><code>captures.pending == 0</code>"))
    facts.claims.removeFirst()
    #expect(RunPage.html(facts).contains("<section class=\"verdict good\">"))
  }

  @Test func `Forty hours with a capture a minute stay below a megabyte`() {
    let history = PageFixture.history(2400 * 4, limit: 2048)
    for minute in 0..<(9600 * 10) {
      history.looked(
        .init(
          at: .start + .minutes(Int64(minute)), position: PageFixture.position(minute % 5000),
          percent: 50))
    }
    #expect(history.marks.count <= 2048 && history.looks.count <= 2048, repeatPageTests)
    #expect(history.modem.steps.count <= 4096 && history.queue.steps.count <= 4096)
    var facts = PageFixture.facts(history, hours: 1600)
    facts.figures = PageFixture.figures(
      taken: 9600,
      silences: (0..<3000).map { PageFixture.silence(Double($0) * 100, Double($0) * 100 + 60) })
    let page = RunPage.html(facts)
    #expect(page.utf8.count < 1_000_000, "\(page.utf8.count)")
    #expect(page.contains("One capture of 8 is drawn."))
    #expect(page.contains("The longest 400 of 3000."))
  }
}
