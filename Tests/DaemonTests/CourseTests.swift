import CaptureStore
import Foundation
import TestSupport
import Testing

/// A daemon that follows a course.
@Suite(.serialized, .blocking) struct CourseTests {
  /// Along the walk of a `ReceiverLine`, with places at 0 m, where `middle` says, and at 8 km.
  private static func course(
    _ middle: [(name: String, metres: Double)] = [("El Mallol", 300)], more: String = ""
  ) -> String {
    func point(_ name: String, _ metres: Double, _ more: String) -> String {
      let latitude = 42 + 10.0 / 60 + metres / 111_195
      return #"{"type":"Feature","properties":{"name":"\#(name)"\#(more)},"#
        + #""geometry":{"type":"Point","coordinates":[2.489,\#(latitude)]}}"#
    }
    let places =
      [point("Olot", 0, #","kind":"start""#)]
      + middle.map { point($0.name, $0.metres, #","radius":40\#(more)"#) }
      + [point("Sant Feliu", 8000, #","kind":"finish""#)]
    return #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"#
      + #""geometry":{"type":"LineString","coordinates":[[2.489,42.1666],[2.489,42.2386]]}},"#
      + places.joined(separator: ",") + "]}"
  }

  private func run(_ course: String) throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "20"])
    run.settings["course"] = "'\(run.path("course.geojson"))'"
    run.settings["capture"] = "{ policy: 'standard', interval: '1 h' }"
    try Data(course.utf8).write(to: URL(fileURLWithPath: run.path("course.geojson")))
    run.line.walk(speed: 20)
    try run.startAndWait()
    return run
  }

  @Test func `It captures where it passes a place, and says how far it is`() throws {
    let run = try run(Self.course(more: #","closes":"2099-01-01T00:00:00Z""#))
    // The first, Olot left, El Mallol entered and left.
    try run.wait("captured sequence=", times: 4, seconds: 90)
    let status = try run.status()
    #expect(status.contains(" km done, "), "\(status); \(run.command)")
    #expect(status.contains("Sant Feliu in "), "\(status); \(run.command)")
    let events = try run.ask("events").output
    #expect(events.contains("El Mallol"), "\(events); \(run.command)")
    run.end(SIGTERM)
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    let captures = try store.page(after: 0, limit: 100)
    let marks = try captures.filter { $0.capture.trigger == .entered }.map(store.mark)
    let mark = try #require(marks.compactMap(\.self).last, "\(run.command)")
    #expect(mark.place == "El Mallol" && (240...320).contains(mark.doneMetres), "\(mark)")
  }

  @Test func `A place that was passed while it was killed is inferred after the restart`() throws {
    let run = try run(Self.course([("Sant Privat", 150), ("El Mallol", 400)]))
    try run.wait("Sant Privat", times: 2, seconds: 60)
    run.end(SIGKILL)
    #expect(!run.logText.contains("El Mallol"), "the machine is too slow; \(run.command)")
    // It walks on, 28 m a second, and nobody keeps what the receiver says.
    run.line.unplug()
    Thread.sleep(forTimeInterval: 13)
    try run.line.plug()
    try run.startAndWait()
    try run.wait("how=inferred", seconds: 60)
    let told = run.logText.split(separator: "\n").filter { $0.contains("place passed") }
    #expect(
      told.count == 1 && told[0].contains("El Mallol"),
      "\(told); \(run.command)\n\(run.logText)")
  }

  @Test func `A course that cannot be read costs no captures, and status says why`() throws {
    let run = try run("{ \"type\": \"Feature")
    try run.wait("captured sequence=1")
    #expect(run.logText.contains("no course is followed"), "\(run.logText); \(run.command)")
    let status = try run.status()
    #expect(
      status.contains("settings.json5") && status.contains("course.geojson"),
      "\(status); \(run.command)")
    // The other settings are read all the same.
    run.settings["team"] = "'Les Formigues'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("the course cannot be used")
    #expect(try run.status().contains("Les Formigues"), "\(run.command)")
    try Data(Self.course().utf8).write(to: URL(fileURLWithPath: run.path("course.geojson")))
    run.signal(SIGHUP)
    try run.wait("takes effect at the next start key=course")
    #expect(!(try run.status().contains("course.geojson")), "\(run.command)")
    run.end(SIGTERM)
    try run.startAndWait()
    try run.wait("captured sequence=")
    #expect(!run.logText.contains("no course is followed"), "\(run.logText); \(run.command)")
  }

  @Test func `A check describes the course, or says why it cannot be read`() throws {
    let run = try DaemonRun(["--check"])
    let file = URL(fileURLWithPath: run.path("course.geojson"))
    run.settings["course"] = "'\(file.path)'"
    try run.writeSettings()
    let words = ["--board", run.board, "--config", run.path("settings.json5"), "--check"]
    for (text, code, part) in [
      (Self.course(), Int32(0), "course: 2 points, "), ("{", 2, "course: \(file.path): "),
    ] {
      try Data(text.utf8).write(to: file)
      let result = try ProgramResult(
        executable: Built.program("trackerd"), words, folder: Built.repository)
      let said = result.output + result.errors
      #expect(result.code == code && said.contains(part), "\(said); \(run.command)")
    }
  }

  @Test func `Where the network was reached is told, and taken by a later race on that course`()
    throws
  {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    let run = try DaemonRun(["--speed", "20"])
    run.server = camp.layer
    run.settings["bearer"] = "'none'"
    run.settings["course"] = "'\(run.path("course.geojson"))'"
    try Data(Self.course().utf8).write(to: URL(fileURLWithPath: run.path("course.geojson")))
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", seconds: 90)
    let status = try JSONSerialization.jsonObject(
      with: Data(run.ask("status", "--json").output.utf8))
    let map = try #require(
      (status as? [String: Any])?["courseCoverage"] as? String, "\(status); \(run.command)")
    #expect(map.count == 137 && map.contains("+") && !map.contains("-"), "\(map)")
    run.end(SIGTERM)

    let words = ["--board", run.board, "--config", run.path("settings.json5"), "--check"]
    let other = (map.first == "0" ? "1" : "0") + map.dropFirst()
    for (text, warning) in [
      (map, nil), (other, "coverage is not used, it is of another course: remove it"),
      (String(map.dropLast()), "coverage is not used: copy courseCoverage from status --json"),
    ] as [(String, String?)] {
      run.settings["coverage"] = "'\(text)'"
      try run.writeSettings()
      let result = try ProgramResult(
        executable: Built.program("trackerd"), words, folder: Built.repository)
      let said = result.output + result.errors
      #expect(result.code == 0, "\(said); \(run.command)")
      #expect(said.contains(warning ?? "course: 2 points"), "\(said); \(run.command)")
      #expect(said.contains("coverage is not used") == (warning != nil), "\(said)")
    }
  }

  @Test func `A pipe in place of a course is one line, and nobody waits for it`() throws {
    let run = try run(Self.course())
    defer { run.end(SIGTERM) }
    try run.wait("captured sequence=1")
    let pipe = run.path("course.geojson")
    try FileManager.default.removeItem(atPath: pipe)
    #expect(mkfifo(pipe, 0o600) == 0)
    run.signal(SIGHUP)
    // Nobody ever writes to it.
    try run.wait("the course cannot be used")
    let lines = run.logText.split(separator: "\n").filter { $0.contains("course.geojson") }
    #expect(lines.count == 1, "\(run.logText); \(run.command)")
    #expect(!run.logText.contains("stalled"), "\(run.logText); \(run.command)")
    let result = try ProgramResult(
      executable: Built.program("trackerd"),
      ["--board", run.board, "--config", run.path("settings.json5"), "--check"],
      folder: Built.repository)
    let told = (result.output + result.errors).split(separator: "\n")
      .filter { $0.contains("course: ") && $0.contains(pipe) }
    #expect(result.code == 2 && told.count == 1, "\(result.output)\(result.errors)")
  }

  @Test func `A course that is gone costs no captures`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.settings["course"] = "'\(run.path("of-last-year.gpx"))'"
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=3")
    #expect(try run.status().contains("of-last-year.gpx"), "\(run.command)")
  }
}
