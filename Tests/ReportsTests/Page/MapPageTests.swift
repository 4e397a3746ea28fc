import Courses
import Foundation
import MapTiles
import Testing
import TrackerCore
import Wording

@testable import Reports

/// The map of a page: course, places, colours, dots and tiles.
@Suite struct MapPageTests {
  private func count(_ part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  /// A course on the way of `PageFixture`, with a place every four captures.
  private func course(_ names: [String] = ["Olot", "Amer <x>", "Girona"]) -> PageFacts.Course {
    var course = PageFacts.Course()
    course.line = (0..<12).map(PageFixture.position)
    course.places = names.enumerated().map { index, name in
      PageFacts.Course.Place(
        place: .init(name: name, position: PageFixture.position(index * 4)),
        alongMetres: Double(index) * 1984, radiusMetres: 100)
    }
    return course
  }

  @Test(arguments: Language.all)
  func `The course and its places are on the map and in a table`(_ language: Language) throws {
    var facts = PageFixture.facts(PageFixture.history(12), in: language)
    var course = course()
    course.passages = [
      Passage(.entered, place: 0, at: .start), Passage(.left, place: 0, at: .start + .minutes(7)),
      Passage(.missed, place: 1, at: .start + .hours(1)),
      Passage(.inferred, place: 2, at: .start + .minutes(90)),
      Passage(.entered, place: 99, at: .start), Passage(.left, place: -1, at: .start),
    ]
    facts.course = course
    let page = RunPage.html(facts)
    #expect(count("<circle class=\"at\"", in: page) == 4, "three and the legend")
    #expect(count("<path class=\"line\"", in: page) == 2, repeatPageTests)
    #expect(page.contains(">Olot</text>") && page.contains(">Amer &lt;x&gt;</text>"))
    func word(_ phrase: PlacePhrase) -> String { phrase.text(in: language) }
    let rows = page.components(separatedBy: "id=\"places\"").last ?? ""
    #expect(
      rows.contains(
        "<td>Olot</td><td>\(language == .english ? "0.0" : "0,0")</td>"
          + "<td>2026-04-18 22:00:00</td><td>2026-04-18 22:07:00</td><td></td>"), "\(rows)")
    #expect(rows.contains("<td>-</td><td>-</td><td>\(word(.missed))</td>"))
    #expect(rows.contains("\(word(.inferred))\(language.colon)2026-04-18 23:30:00"))
    #expect(!RunPage.html(PageFixture.facts(PageFixture.history(12))).contains("id=\"places\""))
  }

  @Test func `A place visited twice has two rows, and a place never reached has one`() {
    var facts = PageFixture.facts(PageFixture.history(12))
    facts.course = course()
    facts.course?.passages = [0, 30].flatMap { minutes in
      [
        Passage(.entered, place: 1, at: .start + .minutes(minutes)),
        Passage(.left, place: 1, at: .start + .minutes(minutes + 5)),
      ]
    }
    let page = RunPage.html(facts)
    #expect(count("<td>Amer &lt;x&gt;</td>", in: page) == 2, repeatPageTests)
    #expect(page.contains("<td>Girona</td><td>4.0</td><td>-</td><td>-</td><td></td>"))
  }

  @Test func `A course without a position from the receiver is drawn all the same`() {
    var facts = PageFixture.facts(RunHistory())
    facts.course = course()
    let page = RunPage.html(facts)
    #expect(page.contains("<path class=\"line\" d=\"M36") && page.contains(">Girona</text>"))
  }

  @Test func `Names on a map do not cover each other, and are found when pointed at`() {
    var facts = PageFixture.facts(PageFixture.history(12))
    facts.course = course((0..<3).map { "A long name of a place, the \($0)th" })
    facts.course?.places += (0..<40).map { index in
      PageFacts.Course.Place(
        place: .init(name: "Place \(index)", position: PageFixture.position(5)),
        alongMetres: 0, radiusMetres: 100)
    }
    let page = RunPage.html(facts)
    let labels = (0..<40).count { page.contains(">Place \($0)</text>") }
    #expect((1...6).contains(labels), "\(labels)")
    #expect((0..<40).allSatisfy { page.contains("<title>Place \($0), km 0.0</title>") })
  }

  @Test func `A name stands where it does not hide the way`() {
    // The way leaves the place to the east.
    let way = (0..<100).map { (x: 100 + Double($0), y: 200.0) }
    var labels = MapLabels(height: 400, way: way)
    let label = labels.label("Girona", x: 100, y: 200, away: 13)
    #expect(label.contains(" y=\"-10.4\""), "\(label)")
    var free = MapLabels(height: 400, way: [])
    #expect(free.label("Girona", x: 100, y: 200, away: 13) != label, repeatPageTests)
    // Where there is way all around, it is written all the same.
    let around = (0..<400).map { index -> (x: Double, y: Double) in
      (Double(index % 20) * 10, 180 + Double(index / 20) * 2)
    }
    var hidden = MapLabels(height: 400, way: around)
    #expect(hidden.label("Girona", x: 100, y: 200, away: 13).contains(">Girona<"))
  }

  // MARK: Colours

  /// A walk to the east that becomes faster and higher, looked at every minute.
  private func walk(_ minutes: Int = 240, lift: Int? = nil) -> PageFacts {
    let history = PageFixture.history(3)
    var longitude = 25_000_000.0
    for minute in 0..<minutes {
      // 0 to 6 km/h, at 82 600 m a degree.
      let speed = minute == lift ? 90 : 6 * Double(minute) / Double(minutes)
      longitude += speed * 1000 / 60 / 82_600 * 1e7
      history.looked(
        .init(
          at: .start + .minutes(Int64(minute)) + 1,
          position: Coordinate(latitude: 421_000_000, longitude: Int32(longitude)), percent: 50,
          altitudeMillimetres: Int32(400_000 + minute * 1000)))
    }
    return PageFixture.facts(history)
  }

  @Test func `The way is coloured by speed and by altitude, with a scale that has units`() {
    let page = RunPage.html(walk())
    #expect(page.contains("id=\"by-speed\" checked>") && page.contains("id=\"by-altitude\">"))
    #expect(page.contains("role=\"img\" aria-label=\"speed, km/h: 0 – 6"), repeatPageTests)
    #expect(page.contains("aria-label=\"altitude, m: 400 – 650\"") || page.contains("m: 400 – 640"))
    let speeds = page.components(separatedBy: "<g class=\"v\">").last?.prefix { $0 != "\n" } ?? ""
    let outline = page.components(separatedBy: "<g class=\"case\">").last?.prefix(26) ?? ""
    #expect(outline == "<path class=\"way\" d=\"M36.0", "\(outline)")
    #expect(speeds.contains("class=\"k0\"") && speeds.contains("class=\"k7\""), "\(speeds)")
  }

  @Test func `Without altitudes there is no choice, and without a way no scale`() {
    let page = RunPage.html(PageFixture.facts(PageFixture.history(12)))
    #expect(!page.contains("<input type=\"radio\"") && page.contains("aria-label=\"speed, km/h"))
    let empty = RunPage.html(PageFixture.facts(PageFixture.history(1)))
    #expect(!empty.contains("class=\"ramp"), repeatPageTests)
  }

  @Test func `One lift does not make everybody else slow`() throws {
    let page = RunPage.html(walk(lift: 100))
    #expect(page.contains("km/h: 0 – 6+\"") || page.contains("km/h: 0 – 7+\""), repeatPageTests)
  }

  @Test func `Speeds are those of the way between two looks, not of a jump after a gap`() {
    let history = RunHistory()
    // An hour without a fix: the tracker repeats where it was, then is 4 km further.
    for minute in 0..<90 {
      let east = minute < 20 ? minute * 800 : minute < 80 ? 19 * 800 : 500_000 + minute * 800
      history.looked(
        .init(
          at: .start + .minutes(Int64(minute)),
          position: Coordinate(latitude: 421_000_000, longitude: 25_000_000 + Int32(east)),
          percent: 50))
    }
    let way = RunPage(PageFixture.facts(history)).way
    #expect(way.count == 30, "a repeated position counts once")
    #expect(RunPage.speeds(way).allSatisfy { $0 < 5 }, "\(RunPage.speeds(way))")
  }

  @Test func `Lightness grows with each colour, so that grey shows the same`() {
    let lightness = ColourScale.palette.map { colour -> Double in
      let value = Int(colour.dropFirst(), radix: 16) ?? 0
      // Rec. 709 luma.
      return 0.2126 * Double(value >> 16) + 0.7152 * Double(value >> 8 & 255)
        + 0.0722 * Double(value & 255)
    }
    #expect(lightness == lightness.sorted(), "\(lightness)")
    #expect(zip(lightness, lightness.dropFirst()).allSatisfy { $1 - $0 > 15 }, "\(lightness)")
    let style = RunPage.html(PageFixture.facts(RunHistory()))
    for (index, colour) in ColourScale.palette.enumerated() {
      #expect(style.contains(".k\(index){color:\(colour)}"), repeatPageTests)
    }
  }

  @Test(arguments: [[], [0.0], [5, 5, 5], [-1e9, 1e9], [0.01, 0.02], [1e300, -1e300]])
  func `A scale has eight classes at most, whatever the values`(_ values: [Double]) {
    for isSpeed in [true, false] {
      guard let scale = ColourScale(values, isSpeed: isSpeed) else {
        #expect(values.isEmpty)
        continue
      }
      #expect((1...8).contains(scale.count) && scale.step > 0, "\(scale)")
      for value in values + [0, 1e300] { #expect((0..<scale.count).contains(scale.index(value))) }
      #expect((0..<scale.count).allSatisfy { (0...7).contains(scale.colour($0)) })
    }
  }

  // MARK: Dots

  @Test func `Where dots would cover each other some are left out, never those that wait`() {
    // A thousand captures in a row of 1000 units; one in a hundred was not sent.
    let places = (0..<1000).map { (x: Double($0), y: 0.0, isSent: $0 % 100 != 50) }
    let marks = MapMarks(places)
    #expect(marks.shown < 80 && marks.shown > 40, "\(marks.shown)")
    #expect(marks.styles.first == "" && marks.styles.last == "", repeatPageTests)
    for index in stride(from: 50, to: 1000, by: 100) { #expect(marks.styles[index] == "") }
    let drawn = places.indices.filter { marks.styles[$0] != " class=\"d\"" && places[$0].isSent }
    for (one, next) in zip(drawn, drawn.dropFirst().dropLast()) {
      #expect(places[next].x - places[one].x >= 18, "\(one) and \(next)")
    }
    #expect(MapMarks([]).styles.isEmpty)
    #expect(MapMarks([(0, 0, true), (1, 0, false), (2, 0, true), (99, 0, true)]).shown == 3)
  }

  @Test func `Dots that are left out are in the table, and it is said`() {
    let page = RunPage.html(PageFixture.facts(PageFixture.history(400)))
    #expect(count("data-i=", in: page) == 400 && count(" data-t=", in: page) == 400)
    #expect(count(" class=\"d\"/>", in: page) > 250, repeatPageTests)
    #expect(page.contains(" of 400 captures are drawn as dots"))
    #expect(!RunPage.html(PageFixture.facts(PageFixture.history(12))).contains("drawn as dots"))
  }

  // MARK: The modem's lane

  @Test func `Few contacts are drawn one by one, many as shares of the time`() throws {
    let few = RunPage.html(PageFixture.facts(PageFixture.history(100)))
    #expect(few.contains("class=\"m area\"") && !few.contains("share of the time"))
    let history = PageFixture.history(300)
    let many = RunPage.html(PageFixture.facts(history, hours: 50))
    #expect(!many.contains("class=\"m area\"") && many.contains("share of the time"))
    // Three states of ten seconds every ten minutes: 5 % in all.
    let shares = history.modemShares
    let most = ReportBounds.modemBins
    #expect(shares.bins.count <= most && shares.bins.count > most / 2)
    let sum = shares.bins.reduce(0) { $0 + $1.reduce(0, +) }
    #expect(sum == 300 * 30_000, repeatPageTests)
    #expect(shares.bins.allSatisfy { Double($0.reduce(0, +)) / Double(shares.width.count) < 0.11 })
  }

  @Test func `Few falls of the queue are drawn one by one, many as its range in pieces`() throws {
    // It falls by itself in all contacts but the last.
    let few = RunPage.html(PageFixture.facts(PageFixture.history(81), hours: 14))
    #expect(few.contains("class=\"q area\"") && !few.contains("fewest in"))
    let many = RunPage.html(PageFixture.facts(PageFixture.history(82), hours: 14))
    #expect(!many.contains("class=\"q area\""), repeatPageTests)
    #expect(many.contains("most in 8 min</li>") && many.contains("fewest in 8 min</li>"))
    // Fourteen hours are 105 pieces of 8 min.
    for style in ["q1", "q0"] {
      let area = try #require(many.components(separatedBy: "<path class=\"\(style)\" d=\"").last)
      let drawn = area.prefix { $0 != "\"" }
      #expect(drawn.count { $0 == "H" } == 105 && drawn.hasSuffix("H1000.0V100Z"), "\(drawn)")
    }
  }

  @Test func `Of a long run the queue takes fewer bytes than its steps would`() throws {
    let page = RunPage.html(PageFixture.facts(PageFixture.history(400), hours: 67))
    let lane = try #require(page.components(separatedBy: "<h3>captures waiting").last)
    #expect(lane.prefix(while: { $0 != "\n" }).utf8.count < 5000, repeatPageTests)
  }

  @Test func `Shares keep all time however long a run is`() {
    var shares = ModemShares()
    shares.add(.inUse, from: .start + .seconds(50), to: .start + .seconds(130))
    #expect(shares.bins.map { $0[3] } == [10_000, 60_000, 10_000])
    shares.add(.off, from: .start, to: .start + .hours(9))
    shares.add(.searching, from: .start + .hours(1), to: .start + .hours(1))
    shares.add(.searching, from: .start + .hours(1), to: .start + .hours(2000))
    #expect(shares.bins.reduce(0) { $0 + $1[1] } == 1999 * 3_600_000, repeatPageTests)
    #expect(shares.bins.reduce(0) { $0 + $1[3] } == 80_000 && shares.bins.count <= 128)
  }

  // MARK: Tiles

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0, 0, 0, 1, 0]
    + [UInt8](repeating: 0, count: 20)

  @Test func `Tiles are below the way, where Web Mercator has them, with their attribution`() throws
  {
    var facts = PageFixture.facts(PageFixture.history(12))
    var asked: MapView?
    let image = try #require(TileImage(Self.png))
    facts.tiles = { view in
      asked = view
      var mosaic = TileMosaic()
      // The tile of zoom 9 in which 2.5° E, 42.1° N lies: column 259, row 189.
      mosaic.tiles = [.init(left: 259.0 / 512, top: 189.0 / 512, width: 1.0 / 512, image: image)]
      mosaic.attribution = "© <b>"
      return mosaic
    }
    let page = RunPage.html(facts)
    let view = try #require(asked)
    // 2.5° is 0.50694 of the world; the twelve captures are 0.066° wide.
    #expect(abs((view.left + view.right) / 2 - (0.5 + 2.533 / 360)) < 1e-6, "\(view)")
    #expect(abs((view.right - view.left) / (0.066 / 360) - 720.0 / 648) < 1e-6, repeatPageTests)
    #expect(page.contains("href=\"data:image/png;base64,iVBORw0KGgo"))
    #expect(page.contains("<p class=\"note\">Map: © &lt;b&gt;</p>"))
    let tiles = try #require(page.range(of: "<g class=\"tiles\">"))
    let way = try #require(page.range(of: "<g class=\"case\">"))
    #expect(tiles.lowerBound < way.lowerBound)
    // Where the first capture lies in the tile is where it lies in the world.
    let projection = MapProjection((0..<12).map(PageFixture.position))
    let place = projection.place(
      .init(left: 259.0 / 512, top: 189.0 / 512, width: 1.0 / 512, image: image))
    let share = (projection.x(PageFixture.position(0)) - place.x) / place.width
    #expect(abs(share - (0.5 + 2.5 / 360 - 259.0 / 512) * 512) < 1e-6)
    let down = (projection.y(PageFixture.position(0)) - place.y) / place.width
    // Of Python: (1 - asinh(tan(radians(42.1))) / pi) / 2 * 512 - 189.
    #expect(abs(down - 0.871_593) < 1e-4, "\(down)")
  }

  @Test func `A page without tiles has none, and no attribution`() {
    var facts = PageFixture.facts(PageFixture.history(2))
    facts.tiles = { _ in
      var mosaic = TileMosaic()
      mosaic.attribution = "somebody"
      return mosaic
    }
    #expect(RunPage.html(facts) == RunPage.html(PageFixture.facts(PageFixture.history(2))))
  }

  @Test func `Course, altitudes and shares come back out of a series, and tiles are shared`() throws
  {
    var facts = walk()
    facts.course = course()
    // So many that the lowest values are kept apart.
    for index in 0..<9000 {
      let queue = QueueCounts(pending: index % 3 == 1 ? 0 : 5)
      let at = Instant.start + .hours(4) + .seconds(Int64(index))
      facts.history.arrived(.event(.queueChanged(queue)), at: at)
    }
    let figures = facts.figures.adding("series", facts.series)
    let read = try Figure(parsing: Array(figures.json.utf8), like: .none)
    let back = try #require(PageFacts(seriesOf: read, in: .english))
    #expect(back.course?.line == facts.course?.line && back.course?.places.count == 3)
    #expect(back.history.modemShares == facts.history.modemShares, repeatPageTests)
    #expect(facts.history.queue.steps.contains { $0.low < $0.value })
    #expect(back.history.queue.steps == facts.history.queue.steps)
    #expect(
      back.history.looks.map(\.altitudeMillimetres)
        == facts.history.looks.map(\.altitudeMillimetres))
    var bytes: [Int] = []
    let run = Comparison.Run(name: "a", figures: read)
    let page = Comparison(run, run, in: .english).page(by: "x") {
      bytes.append($0.bytes)
      return TileMosaic()
    }
    #expect(bytes == [TileBounds.pictureBytes / 2, TileBounds.pictureBytes / 2])
    #expect(count("<fieldset", in: page) == 1 && count("<g class=\"y\">", in: page) == 2)
  }
}
