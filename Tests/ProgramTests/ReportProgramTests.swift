import Foundation
import TestSupport
import Testing

/// `tracker-sim --report` and `compare`, as a user has them, and as a browser shows the page.
@Suite struct ReportProgramTests {
  private static let short = ["--trace", "traces/tunnel.nmea"]

  /// What a run of a short trace writes with and without a page.
  private static func page(
    _ arguments: [String] = [], in folder: ScratchFolder, environment: [String: String] = [:]
  ) throws -> (html: String, run: ProgramRun, path: String) {
    let path = folder.path("page.html")
    let run = try ProgramRun(
      short + ["--report", path] + arguments, environment: environment)
    return (try String(contentsOfFile: path, encoding: .utf8), run, path)
  }

  @Test func `A page changes nothing in the run, and has each of its figures`() throws {
    let folder = try ScratchFolder()
    let (html, run, _) = try Self.page(["--json"], in: folder)
    let plain = try ProgramRun(Self.short + ["--json"])
    #expect(run.code == 0 && run.output == plain.output, "\(run.command): \(run.errors)")
    let figures = try #require(
      JSONSerialization.jsonObject(with: Data(plain.output.utf8)) as? [String: Any])
    var found = 0
    for piece in html.components(separatedBy: "<data data-path=\"").dropFirst() {
      let parts = piece.components(separatedBy: "\"")
      let value = parts[0].split(separator: ".").reduce(figures as Any?) {
        ($0 as? [String: Any])?[String($1)]
      }
      found += 1
      switch value {
      case let text as String: #expect(parts[2] == text, "\(parts[0])")
      case let number as NSNumber: #expect(Double(parts[2]) == number.doubleValue, "\(parts[0])")
      default: #expect(parts[2] == "-", "\(parts[0])")
      }
    }
    #expect(found > 50, "\(run.command)")
    let taken = (figures["captures"] as? [String: Any])?["taken"] as? Int ?? 0
    #expect(taken > 0 && html.components(separatedBy: "data-i=").count == taken + 1)
  }

  @Test func `Expectations, language and zone are those of the run`() throws {
    let folder = try ScratchFolder()
    let (html, run, _) = try Self.page(
      ["--expect", "captures.taken == 0", "--language", "ca"], in: folder,
      environment: ["TZ": "Asia/Kolkata"])
    #expect(run.code == 1, "\(run.command)")
    #expect(html.contains("<html lang=\"ca\">") && html.contains("class=\"verdict bad\""))
    #expect(html.contains("UTC+05:30"), "\(run.command)")
  }

  @Test(arguments: [
    (["--report", "-"], "--report cannot write to standard output"),
    (["--report", "traces/tunnel.nmea"], "is an input of the run"),
    (["--report", "/nowhere/page.html"], "/nowhere/page.html"),
    (["--report", "x.html", "--events", "x.html"], "both name x.html"),
    (["--report", "x.html", "--console"], "without --console"),
    (["--tiles", "x.mbtiles"], "give --report, too"),
    (["--report", "x.html", "--tiles", "nowhere.mbtiles"], "--tiles nowhere.mbtiles: "),
    (["--report", "x.html", "--tiles", "README.md"], "not a SQLite database"),
    (["--report", "x.html", "--tiles", "/dev/zero"], "not a regular file"),
  ])
  func `A page that cannot be written is refused before the run`(
    _ arguments: [String], _ wanted: String
  ) throws {
    let run = try ProgramRun(Self.short + arguments)
    #expect(run.isRefusal && run.errors.contains(wanted), "\(run.command): \(run.errors)")
  }

  @Test func `A page that the disk has no room for does not take the summary with it`() throws {
    let run = try ProgramRun(Self.short + ["--report", "/dev/full"])
    #expect(run.code == 2 && run.output.contains("captures "), "\(run.command): \(run.output)")
    #expect(run.errors.contains("/dev/full"), "\(run.errors)")
  }

  @Test func `With its series a run has the same figures, and is drawn beside another`() throws {
    let folder = try ScratchFolder()
    let plain = try ProgramRun(Self.short + ["--json"])
    let run = try ProgramRun(Self.short + ["--json", "--series"])
    #expect(run.code == 0 && run.output.hasPrefix(plain.output.dropLast(3)), "\(run.command)")
    let path = folder.path("a.json")
    try Data(run.output.utf8).write(to: URL(fileURLWithPath: path))
    let page = folder.path("page.html")
    let compared = try ProgramRun(["compare", path, path, "--report", page])
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.components(separatedBy: "<svg class=\"run\"").count == 3, "\(compared.command)")
    let alone = try ProgramRun(Self.short + ["--series"])
    #expect(alone.isRefusal && alone.errors.contains("give --json, too"), "\(alone.command)")
  }

  @Test func `Two runs are compared as text and as a page`() throws {
    let folder = try ScratchFolder()
    for (name, more) in [("a", []), ("b", ["--seed", "2"])] as [(String, [String])] {
      let run = try ProgramRun(Self.short + ["--json"] + more)
      try Data(run.output.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
    let page = folder.path("page.html")
    let run = try ProgramRun(["compare", folder.path("a"), folder.path("b"), "--report", page])
    #expect(run.code == 0 && run.output.contains("\n  seed "), "\(run.command): \(run.output)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("<code>seed</code></td><td>1</td><td>2</td>"), "\(run.command)")
    let same = try ProgramRun(["compare", folder.path("a"), folder.path("a")])
    #expect(same.output.contains("figures are the same"), "\(same.command)")
    let own = try ProgramRun(
      ["compare", folder.path("a"), folder.path("b"), "--report", folder.path("./b")])
    #expect(own.isRefusal && own.errors.contains("is an input"), "\(own.command)")
    for wrong in [["a"], ["a", "b", "c"], ["a", "traces/tunnel.nmea"], ["a", "nowhere"]] {
      let paths = wrong.map { $0.count == 1 ? folder.path($0) : $0 }
      #expect(try ProgramRun(["compare"] + paths).isRefusal, "\(paths)")
    }
  }

  @Test func `A GPX file is a trace, by its name or through a pipe`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("walk.gpx")
    let gpx = """
      <gpx><wpt lat="42.005" lon="2"><name>Font</name></wpt><trk><trkseg>
      <trkpt lat="42" lon="2"><time>2026-04-18T08:00:00Z</time></trkpt>
      <trkpt lat="42.01" lon="2"><time>2026-04-18T08:25:00Z</time></trkpt></trkseg></trk></gpx>
      """
    try Data(gpx.utf8).write(to: URL(fileURLWithPath: path))
    let page = folder.path("page.html")
    let run = try ProgramRun(
      ["--trace", path, "--report", page, "--expect", "captures.acknowledged >= 3"])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains(">Font</text>"))
    let pipe = try ProgramRun(
      ["--trace", "-", "--expect", "captures.acknowledged >= 3"],
      input: FileHandle(forReadingFrom: URL(fileURLWithPath: path)))
    #expect(pipe.code == 0, "\(pipe.command): \(pipe.errors)")
    try Data("<gpx><trk/></gpx>".utf8).write(to: URL(fileURLWithPath: path))
    let empty = try ProgramRun(["--trace", path])
    #expect(empty.isRefusal && empty.errors.contains("no track with two points"), "\(empty.errors)")
  }

  @Test func `Positions that a converter declares invalid get a hint, others do not`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("walk.nmea")
    let converted = """
      $GPRMC,080000.000,V,4206.000,N,00230.000,E,0.00,0.00,180426,,*14
      $GPGGA,080000.000,4206.000,N,00230.000,E,0,00,0.0,400.000,M,0.0,M,,*60
      $GPRMC,082000.000,V,4206.600,N,00230.600,E,0.00,0.00,180426,,*16

      """
    try Data(converted.utf8).write(to: URL(fileURLWithPath: path))
    let run = try ProgramRun(["--trace", path])
    #expect(run.output.contains("declares them invalid"), "\(run.command): \(run.output)")
    let json = try ProgramRun(["--trace", path, "--json"])
    #expect(json.output.contains("\"hint\": \"positionsDeclaredInvalid\""), "\(json.command)")
    let indoors = "$GPRMC,080000.000,V,,,,,,,180426,,*2E\n$GPRMC,080100.000,V,,,,,,,180426,,*2F\n"
    try Data(indoors.utf8).write(to: URL(fileURLWithPath: path))
    let other = try ProgramRun(["--trace", path])
    #expect(other.code == 0 && !other.output.contains("invalid"), "\(other.output)")
  }

  // MARK: In a browser

  private static let browser = Tool.url("chromium")

  /// What Chromium prints while it shows a page.
  private static func show(_ page: String, _ arguments: [String], _ folder: ScratchFolder) throws
    -> (output: String, errors: String)
  {
    let run = try ProgramRun(
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        "--user-data-dir=\(folder.path("browser"))",
      ] + arguments + ["file://\(page)"], program: try #require(browser))
    return (run.output, run.errors)
  }

  @Test(.enabled(if: browser != nil, "needs chromium"))
  func `A browser shows the page without an error, and its script works`() throws {
    let folder = try ScratchFolder()
    let (html, run, path) = try Self.page(in: folder)
    // Does what a person does, and leaves what came of it in the title.
    let person = """
      <script>addEventListener("load",()=>{const m=document.querySelector("#map");
      m.focus();m.dispatchEvent(new KeyboardEvent("keydown",{key:"End"}));
      const last=document.querySelector("#shown").textContent,w=document.querySelector("#when"),
      i=w.querySelector("input");i.value=0;i.dispatchEvent(new Event("input"));
      const later=document.querySelectorAll("#map .later").length;
      i.value=100;i.dispatchEvent(new Event("input"));
      document.title=[w.hidden,later>0,document.querySelectorAll("#map .later").length,
      document.querySelectorAll('#map use[href="#s"]').length,
      document.documentElement.scrollWidth<=innerWidth,last].join("|")})</script>
      """
    try Data(html.replacing("</body>", with: person + "</body>").utf8).write(
      to: URL(fileURLWithPath: path))
    let shown = try Self.show(path, ["--window-size=500,900", "--dump-dom"], folder)
    #expect(!shown.errors.contains("CONSOLE"), "\(run.command): \(shown.errors)")
    let title = shown.output.components(separatedBy: "<title>").last?.prefix { $0 != "<" } ?? ""
    let sent = html.components(separatedBy: "<use href=\"#s\" data-i").count - 1
    #expect(sent > 1 && title.hasPrefix("false|true|0|\(sent)|true|"), "\(title)")
    #expect(title.contains("Capture\(sent)") || title.contains("capture\(sent)"), "\(title)")
  }

  @Test(.enabled(if: browser != nil, "needs chromium"))
  func `A mistake in a page's script would be seen`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("page.html")
    try Data("<script>nothing.at.all()</script>".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try Self.show(path, ["--dump-dom"], folder).errors.contains("CONSOLE"))
  }
}
