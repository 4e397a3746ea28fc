import Foundation
import Reports
import TestSupport
import Testing
import TrackerCore

/// `stats` and `compare --course`, as a user has them.
@Suite struct WalkProgramTests {
  /// 3 km to the east in GPX, a point each 100 m, walked in so many seconds.
  private func gpx(
    _ seconds: Int, in folder: ScratchFolder, as name: String, places: String = ""
  ) throws -> String {
    var text = "<gpx version=\"1.1\">\(places)<trk><trkseg>\n"
    for step in 0...30 {
      let time = step * seconds / 30
      let clock = [time / 3600 + 8, time / 60 % 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      text += "<trkpt lat=\"42\" lon=\"\(2.5 + Double(step) * 0.001207)\"><ele>\(100 + step)</ele>"
      text += "<time>2026-04-18T\(clock.joined(separator: ":"))Z</time></trkpt>\n"
    }
    text += "</trkseg></trk></gpx>\n"
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `A walk has its figures, for people and for scripts`() throws {
    let folder = try ScratchFolder()
    let path = try gpx(2400, in: folder, as: "walk.gpx")
    let run = try ProgramRun(["stats", path])
    #expect(run.code == 0 && run.output.hasPrefix("distance:   at least 3.00 km\n"), "\(run)")
    #expect(run.output.contains("gain 30 m, loss 0 m"), "\(run)")
    let json = try ProgramRun(["stats", path, "--json", "--every", "500"])
    #expect(json.code == 0 && json.output.contains("\"every_m\": 500"), "\(json)")
    #expect(json.output.contains("\"time_s\": 2400.0"), "\(json)")
    let catalan = try ProgramRun(["stats", path, "--language", "ca"])
    #expect(catalan.output.contains("distància:  almenys 3,00 km"), "\(catalan)")
  }

  /// A start, a checkpoint in the middle and a finish on the way of `gpx`.
  private static let places = [("Olot", 0), ("Amer", 15), ("Girona", 30)].map { name, step in
    "<wpt lat=\"42\" lon=\"\(2.5 + Double(step) * 0.001207)\"><name>\(name)</name></wpt>\n"
  }.joined()

  @Test func `A course that is a pipe or a device is refused, and an endless log ends`() throws {
    let folder = try ScratchFolder()
    let walk = try gpx(2400, in: folder, as: "walk.gpx")
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, reason) in [
      (pipe, "it is no regular file"), ("/dev/zero", "it is no regular file"),
      (folder.path("."), "it is a directory"), (folder.path("none"), "no such file"),
    ] {
      for words in [["stats", walk], ["--trace", walk], ["passages", walk]] {
        let run = try ProgramRun(words + ["--course", path])
        #expect(run.isRefusal && run.errors.contains(reason), "\(run)")
      }
      let control = try ProgramResult("trackerctl", ["compare", walk, walk, "--course", path])
      #expect(control.code == 2 && control.errors.contains(reason), "\(control)")
    }
    // What comes out of /dev/urandom may begin like a binary log.
    for (device, reason) in [("/dev/zero", "no NMEA sentence"), ("/dev/urandom", ": ")] {
      let run = try ProgramRun(["stats", device])
      #expect(run.isRefusal && run.errors.contains(reason), "\(run)")
    }
  }

  @Test func `A run on a course reports the distance and each place`() throws {
    let folder = try ScratchFolder()
    let walk = try gpx(2400, in: folder, as: "walk.gpx")
    let course = try gpx(2400, in: folder, as: "course.gpx", places: Self.places)
    let run = try ProgramRun([
      "--trace", walk, "--course", course, "--expect", "course.passed == 3",
      "--expect", "course.missed == 0", "--expect", "course.done_m > 2900",
    ])
    #expect(run.code == 0, "\(run)")
    #expect(run.output.contains("\ncourse        "), "\(run)")
    #expect(run.output.contains("Places of the course:\n"), "\(run)")
    for name in ["entered   Olot", "left      Olot", "entered   Amer", "entered   Girona"] {
      #expect(run.output.contains(name), "\(name): \(run)")
    }
    for line in run.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let json = try ProgramRun(["--trace", walk, "--course", course, "--json"])
    #expect(json.output.contains("\"place\": \"Amer\""), "\(json)")
    #expect(json.output.contains("\"time\": \"2026-04-18T08:1"), "\(json)")
    let french = try ProgramRun(["--trace", walk, "--course", course, "--language", "fr"])
    #expect(french.output.contains("Lieux du parcours :\n"), "\(french)")
    let without = try ProgramRun(["--trace", walk, "--json"])
    #expect(without.code == 0 && !without.output.contains("course"), "\(without)")
    let unknown = try ProgramRun(["--trace", walk, "--expect", "course.passed == 3"])
    #expect(unknown.code == 2 && unknown.errors.contains("course.passed"), "\(unknown)")
  }

  @Test func `A replay reports the places as its run did, and a page has them`() throws {
    let folder = try ScratchFolder()
    let walk = try gpx(2400, in: folder, as: "walk.gpx")
    let course = try gpx(2400, in: folder, as: "course.gpx", places: Self.places)
    let (recording, page) = (folder.path("run.nmea"), folder.path("page.html"))
    let run = try ProgramRun([
      "--trace", walk, "--course", course, "--record", recording, "--report", page,
    ])
    let replay = try ProgramRun(["replay", recording])
    #expect(replay.code == 0, "\(replay)")
    func places(_ text: String) -> String {
      let part = text.components(separatedBy: "\nPlaces of the course:\n").last ?? ""
      return part.components(separatedBy: "\n\n")[0].trimmingCharacters(in: .newlines)
    }
    #expect(places(run.output).hasPrefix("  ") && places(run.output).contains("Girona"), "\(run)")
    #expect(places(replay.output) == places(run.output), "\(replay)")
    let done = run.output.split(separator: "\n").first { $0.hasPrefix("course  ") } ?? "none"
    #expect(replay.output.contains(done.split(separator: " ", maxSplits: 1)[1]), "\(replay)")
    let html = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
    for name in ["Olot", "Amer", "Girona"] {
      #expect(html.contains(">\(name)</text>") && html.contains("<td>\(name)</td>"), "\(run)")
    }
  }

  @Test func `The trace of the race has some 100 km`() throws {
    let run = try ProgramRun(["stats", "traces/race.nmea", "--every", "50000"])
    #expect(run.code == 0 && run.output.hasPrefix("distance:   101."), "\(run)")
  }

  @Test(arguments: [
    ["stats"], ["stats", "/nothing.gpx"], ["stats", "a", "b"], ["stats", "a", "--every", "1"],
    ["compare", "a", "b", "--plan", "c"], ["compare", "a", "b", "--json"],
    ["compare", "a", "--course", "c"],
  ])
  func `Wrong use is one line`(_ words: [String]) throws {
    let run = try ProgramRun(words)
    #expect(run.isRefusal, "\(run)")
  }

  @Test func `The way along a course is asked for with a file`() throws {
    let folder = try ScratchFolder()
    let path = try gpx(2400, in: folder, as: "walk.gpx")
    let run = try ProgramRun(["stats", path, "--course", path])
    #expect(run.code == 0 && run.output.contains("3.00 km along it, from km 0.0"), "\(run)")
    let json = try ProgramRun(["stats", path, "--course", path, "--json"])
    #expect(json.output.contains("\"course\": {"), "\(json)")
    let wrong = try ProgramRun(["stats", path, "--course", "README.md"])
    #expect(wrong.isRefusal && wrong.errors.contains("README.md: "), "\(wrong)")
  }

  @Test func `Passages refuses a date far from the captures, and takes one near them`() throws {
    let folder = try ScratchFolder()
    let course = try gpx(2400, in: folder, as: "course.gpx")
    let named = folder.path("named.gpx")
    let text = try String(contentsOf: URL(fileURLWithPath: course), encoding: .utf8)
      .replacingOccurrences(
        of: "<trk>",
        with: "<wpt lat=\"42\" lon=\"2.51207\"><name>Amer</name><type>checkpoint</type></wpt><trk>")
    try Data(text.utf8).write(to: URL(fileURLWithPath: named))
    let captures = (1...3).map { number -> ExportedCapture in
      let capture = Capture(
        sequence: UInt32(number),
        utc: UTC(milliseconds: 1_776_499_200_000 + Int64(number) * 600_000), isTimeTrusted: true,
        position: Coordinate(latitude: 420_000_000, longitude: 25_000_000 + Int32(number) * 90_000),
        team: InlineText(), trigger: .interval)
      return ExportedCapture(capture, device: UniqueID(high: 1, low: 2), state: .acknowledged)
    }
    let export = folder.path("export.csv")
    try Data(ExportFormat.csv.bytes(of: captures, creator: "test"))
      .write(to: URL(fileURLWithPath: export))
    let command = ["passages", "--course", named, export]
    let near = try ProgramRun(command + ["--at", "2026-04-24T08:00:00Z"])
    #expect(near.code == 0 && near.output.contains("Amer  km   1.0  ~2026-04-18 08:1"), "\(near)")
    for date in ["2099-01-01T00:00:00Z", "2026-04-01T00:00:00Z"] {
      let far = try ProgramRun(command + ["--at", date])
      #expect(
        far.isRefusal && far.errors.contains("give a date within 7 days of these"), "\(far)")
    }
    #expect(try ProgramRun(command + ["--at", "9999-01-01T00:00:00Z"]).isRefusal)
  }

  @Test func `Two walks are compared on a course, and a page is written`() throws {
    let folder = try ScratchFolder()
    let (one, other) = (
      try gpx(2400, in: folder, as: "a.gpx"), try gpx(3000, in: folder, as: "b.gpx")
    )
    let page = folder.path("page.html")
    let run = try ProgramRun(
      ["compare", one, other, "--course", one, "--every", "1000", "--report", page])
    #expect(run.code == 0 && run.output.contains("A is ") && run.output.contains("0:09"), "\(run)")
    let html = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
    #expect(html.contains("A is ") && html.contains("0:09") && html.contains("<svg"))
    let plan = folder.path("plan.csv")
    try Data("km,time\n1,0:10\n3,0:40\n".utf8).write(to: URL(fileURLWithPath: plan))
    let planned = try ProgramRun(["compare", one, "--plan", plan, "--course", one])
    #expect(planned.code == 0 && planned.output.contains("timetable"), "\(planned)")
  }
}
