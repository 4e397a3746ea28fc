import Foundation
import TestSupport
import Testing

/// tracker-sim --record, replay, and --trace with what was recorded.
@Suite struct RecordProgramTests {
  static let tunnel = Repository.path("traces/tunnel.nmea")

  /// A recording of a trace, and what the run printed.
  private struct Recording {
    let folder = try? ScratchFolder()
    let path: String
    let run: ProgramRun

    init(_ trace: String = tunnel, _ more: [String] = []) throws {
      path = try #require(folder).path("run.nmea")
      run = try ProgramRun(["--trace", trace, "--record", path] + more)
      #expect(run.code == 0, "\(run.command): \(run.errors)")
    }

    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// Writes a changed copy beside it.
    func write(_ text: String, _ name: String) throws -> String {
      let path = try #require(folder).path(name)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
  }

  /// Made by the program before a finish could be an absolute time.
  @Test func `An old recording whose settings lack something is refused in one line, and plays`()
    throws
  {
    let path = Repository.path("Tests/ProgramTests/Recordings/before-finish.nmea")
    let replay = try ProgramRun(["replay", path])
    #expect(replay.code == 2 && replay.output.isEmpty, "\(replay.command): \(replay.output)")
    #expect(
      replay.errors == """
        tracker-sim: \(path) line 58 ends a header without configuration.finish; \
        replay it with the program that its header names

        """, "\(replay.command): \(replay.errors)")
    let run = try ProgramRun(["--trace", path, "--expect", "captures.pending == 0"])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    #expect(run.output.contains("22 sentences, 11 reports, 4 fixes"), "\(run.output)")
  }

  @Test(arguments: ["bad-server", "valleys"])
  func `A run that was recorded is repeated to the same digest and the same lines`(
    _ scenario: String
  ) throws {
    let file = Repository.path("traces/scenarios/\(scenario).json5")
    let recording = try Recording(
      Repository.path("traces/rest-40min.nmea"), ["--scenario", file])
    let replay = try ProgramRun(["replay", recording.path])
    #expect(replay.code == 0 && replay.errors.isEmpty, "\(replay.command): \(replay.errors)")
    #expect(replay.output.hasPrefix("replayed "), "\(replay.output)")
    #expect(replay.output.contains(" effects: identical\n"), "\(replay.output)")
    let digest = try #require(recording.run.output.firstMatch(of: /digest ([0-9a-f]{16})/))
    #expect(replay.output.contains("digest \(digest.1)"), "\(replay.output)")
    for line in replay.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }

    let lines = try ProgramRun(["replay", recording.path, "--events", "-"])
    let live = try ProgramRun([
      "--trace", Repository.path("traces/rest-40min.nmea"), "--scenario", file, "--events", "-",
    ])
    #expect(lines.output == live.output, "\(lines.command)")
  }

  @Test(arguments: [
    "finish: '2026-04-18T10:30', timeZone: 'Europe/Madrid'", "finishAfter: '30 min'",
  ])
  func `A finish and orders are in a recording, and repeat from it`(_ finish: String) throws {
    let folder = try ScratchFolder()
    let config = folder.path("config.json5")
    try "{ \(finish), endAfterFinish: '10 min' }".write(
      toFile: config, atomically: true, encoding: .utf8)
    let scenario = folder.path("scenario.json5")
    try """
    { commands: [ { at: "0:15:00", command: { setTeam: "Els Tardans" } },
                  { at: "1:05:00", command: "start" } ] }
    """.write(toFile: scenario, atomically: true, encoding: .utf8)
    let recording = try Recording(
      Repository.path("traces/rest-40min.nmea"),
      [
        "--config", config, "--scenario", scenario, "--expect", "captures.pending == 0",
        "--expect", "captures.taken == 7",
      ])
    let lines = try ProgramRun(["replay", recording.path, "--events", "-"])
    #expect(lines.code == 0, "\(lines.command): \(lines.errors)")
    let records = lines.output.split(whereSeparator: \.isNewline)
    let finished = try #require(
      records.firstIndex { $0.contains(",note,sessionFinished*") }, "\(lines.command)")
    // Effects stand below the input that they follow from.
    let end = try #require(records[..<finished].last { $0.hasPrefix("$PTRKI,") })
    let milliseconds = try #require(Int(end.dropFirst(7).prefix { $0.isNumber }))
    #expect(abs(milliseconds - 2_400_000) < 2000, "\(end)")
    #expect(lines.output.contains(",note,capturing,finished*"), "\(lines.command)")
    #expect(lines.output.contains(",note,orderEnded,team*"), "\(lines.command)")
  }

  @Test func `Played as a trace, a recording is the same race`() throws {
    let recording = try Recording()
    func figures(_ trace: String) throws -> [String: Any] {
      let run = try ProgramRun(["--trace", trace, "--json"])
      #expect(run.code == 0, "\(run.command): \(run.errors)")
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      var figures = try #require(object as? [String: Any])
      // The name differs, and the wire is let go once more behind the last line.
      figures["trace"] = nil
      figures["digest"] = nil
      return figures
    }
    let (played, original) = (try figures(recording.path), try figures(Self.tunnel))
    #expect(NSDictionary(dictionary: played) == NSDictionary(dictionary: original))
    let claims = try ProgramRun([
      "--trace", recording.path, "--expect", "captures.taken == 3", "--expect", "epochs == 1020",
    ])
    #expect(claims.code == 0, "\(claims.command): \(claims.errors)")
  }

  @Test func `The first effect that differs is named with its place`() throws {
    let recording = try Recording()
    let lines = try recording.text().components(separatedBy: "\r\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix("$PTRKO,,note,captured,1") })
    var without = lines
    without.remove(at: place)
    var run = try ProgramRun([
      "replay", try recording.write(without.joined(separator: "\r\n"), "a.nmea"),
    ])
    #expect(run.code == 1 && run.output.isEmpty, "\(run.output)")
    #expect(
      run.errors.contains("a.nmea line \(place + 1): at ")
        && run.errors.contains("after 'stored,1,1,0', the recorded effect is 'modem,attention'")
        && run.errors.contains("this program wants 'note,captured,1'"), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1)

    // An effect too many, and one behind everything else that its event brought about.
    var more = lines
    more.insert("$PTRKO,,link,1*4F", at: place)
    run = try ProgramRun(["replay", try recording.write(more.joined(separator: "\r\n"), "b.nmea")])
    #expect(
      run.code == 1 && run.errors.contains("the recorded effect is 'link,1'"), "\(run.errors)")
    let last = try #require(lines[place...].firstIndex { $0.hasPrefix("$PTRKI") })
    more = lines
    more.insert("$PTRKO,,link,1*4F", at: last)
    run = try ProgramRun(["replay", try recording.write(more.joined(separator: "\r\n"), "c.nmea")])
    #expect(run.code == 1 && run.errors.contains("this program wants none"), "\(run.errors)")
    #expect(run.errors.contains("c.nmea line \(last + 1): "), "\(run.errors)")
  }

  @Test func `A recording that breaks off is replayed to its last whole line`() throws {
    let recording = try Recording()
    let text = try recording.text()
    let cut = try recording.write(String(text.utf8.prefix(text.utf8.count * 2 / 3))!, "cut.nmea")
    let run = try ProgramRun(["replay", cut])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
    #expect(
      run.output.contains("identical, up to cut.nmea line")
        && run.output.contains("where the recording breaks off"), "\(run.output)")
  }

  /// The first sentence of a header, as that of another part.
  private func relabelled(_ sentence: String, part: Int) -> String {
    let body = sentence.dropFirst().dropLast(3)
      .replacing("recording,1,1,", with: "recording,1,\(part),")
    let sum = body.utf8.reduce(0, ^)
    return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
  }

  @Test func `The files of a rotation are put into their order`() throws {
    let recording = try Recording()
    let lines = try recording.text().components(separatedBy: "\r\n")
    let begin = try #require(lines.firstIndex { $0.hasPrefix("$PTRKH,begin") })
    let seam = try #require(
      lines[(lines.count / 2)...].firstIndex { $0.hasPrefix("$PTRKI") && $0.contains("due") })
    let date = try #require(lines[..<seam].last { $0.hasPrefix("$PTRKH,date") })
    var header = Array(lines[...begin])
    let label = try #require(header.firstIndex { $0.hasPrefix("$PTRKH,recording,1,1,") })
    let original = header[label]
    header[label] = relabelled(original, part: 2)
    header[begin - 1] = date
    let first = try recording.write(lines[..<seam].map { $0 + "\r\n" }.joined(), "race.nmea.1")
    let second = try recording.write(
      (header + lines[seam...]).joined(separator: "\r\n"), "race.nmea")

    let whole = try ProgramRun(["replay", recording.path])
    for files in [[first, second], [second, first]] {
      let run = try ProgramRun(["replay"] + files)
      #expect(run.code == 0, "\(run.command): \(run.errors)")
      #expect(
        run.output.split(separator: "\n").first == whole.output.split(separator: "\n").first)
    }
    let alone = try ProgramRun(["replay", second])
    #expect(
      alone.isRefusal && alone.errors.contains("race.nmea line ")
        && alone.errors.contains("is part 2 of a recording without its first part"),
      "\(alone.errors)")
    #expect(try ProgramRun(["--trace", second, "--expect", "captures.taken >= 1"]).code == 0)
    let third = try String(contentsOfFile: second, encoding: .utf8)
      .replacing(header[label], with: relabelled(original, part: 3))
    let gap = try ProgramRun(["replay", first, try recording.write(third, "three.nmea")])
    #expect(
      gap.isRefusal && gap.errors.contains("three.nmea line 5 is part 3 instead of part 2"),
      "\(gap.errors)")
    let twice = try ProgramRun(["replay", first, second, recording.path])
    #expect(
      twice.isRefusal && twice.errors.contains("are both part 1 of the same"), "\(twice.errors)")
    // Two recordings are two replays.
    let other = try Recording(Repository.path("traces/cold-start.nmea"))
    let both = try ProgramRun(["replay", second, other.path, first])
    #expect(
      both.code == 0 && both.output.split(separator: "identical").count == 3, "\(both.output)")
  }

  @Test func `What cannot be replayed is reported in one line`() throws {
    let recording = try Recording()
    let lines = try recording.text().components(separatedBy: "\r\n")
    var damaged = lines
    damaged[300] = String(damaged[300].reversed())
    let cases: [(words: [String], complaint: String)] = [
      ([Self.tunnel], "is not a recording; play a plain log with tracker-sim --trace"),
      (["/dev/null"], "is not a recording"), (["/nowhere"], "no such file"),
      ([], "no FILE...; write: tracker-sim replay [options] FILE..."),
      (["--colour", "x"], "unknown option '--colour'"),
      (
        [try recording.write(damaged.joined(separator: "\r\n"), "damaged.nmea")],
        "damaged.nmea line 301 is damaged"
      ),
      (
        [try recording.write(lines[..<20].joined(separator: "\r\n"), "short.nmea")],
        "short.nmea is not a recording"
      ),
    ]
    for (words, complaint) in cases {
      let run = try ProgramRun(["replay"] + words)
      #expect(run.isRefusal, "\(run.command): \(run.code) \(run.output) \(run.errors)")
      #expect(run.errors.contains(complaint), "\(run.command): \(run.errors)")
    }
  }

  @Test func `A recording replaces neither what the run reads nor its events`() throws {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(atPath: Self.tunnel, toPath: folder.path("t.nmea"))
    let t = folder.path("t.nmea")
    for (words, complaint) in [
      (["--record", t], "is an input of the run"),
      (["--record", "-"], "--record cannot write to standard output"),
      (["--record", folder.path("x"), "--events", folder.path("x")], "give each its own file"),
      (["--record", "/nowhere/x"], "cannot write /nowhere/x"),
    ] {
      let run = try ProgramRun(["--trace", t] + words)
      #expect(run.isRefusal && run.errors.contains(complaint), "\(run.command): \(run.errors)")
    }
    #expect(try folder.names() == ["t.nmea"])
  }

  @Test func `A recording that is there already stays, as a store does`() throws {
    let recording = try Recording()
    let before = try recording.text()
    let run = try ProgramRun(["--trace", Self.tunnel, "--record", recording.path, "--seed", "2"])
    #expect(
      run.isRefusal && run.errors.contains("exists already; give a new name"),
      "\(run.command): \(run.errors)")
    #expect(try recording.text() == before)
  }
}

/// Programs that nobody here wrote read in a recording what they read in the receiver's own log.
@Suite struct RecordingReaderTests {
  static func tool(_ name: String) -> String? {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private func recording(_ trace: String, in folder: ScratchFolder) throws -> String {
    let path = folder.path("recording.nmea")
    let run = try ProgramRun(["--trace", trace, "--record", path])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    return path
  }

  private func output(
    _ tool: String, _ arguments: [String], input: String? = nil
  ) throws -> [Substring] {
    let file = input.flatMap { FileHandle(forReadingAtPath: $0) }
    return try ProgramResult(
      running: [try #require(Self.tool(tool))] + arguments, input: file.map { .file($0) } ?? .none,
      errors: .none
    ).output.split(whereSeparator: \.isNewline)
  }

  /// A child of this process may start with its signals blocked; gpsfake ends gpsd by one. And if
  /// gpsd should not answer, that is an end too.
  private static let unblocked = """
    import os, signal, sys
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execvp('timeout', ['timeout', '-k', '5', '120'] + sys.argv[1:])
    """

  static let traces = ["tunnel", "urban-canyon", "week-rollover"]

  @Test(.enabled(if: tool("gpsbabel") != nil, "needs gpsbabel"), arguments: traces)
  func `gpsbabel reads the same points`(_ name: String) throws {
    let folder = try ScratchFolder()
    let trace = Repository.path("traces/\(name).nmea")
    func points(_ path: String) throws -> [Substring] {
      try output(
        "gpsbabel", ["-t", "-i", "nmea", "-f", path, "-o", "unicsv,utc=0", "-F", "-"])
    }
    let original = try points(trace)
    #expect(original.count > 500)
    #expect(try points(recording(trace, in: folder)) == original, "\(name)")
  }

  @Test(
    .enabled(if: tool("gpsdecode") != nil, "needs gpsdecode of gpsd-clients"), arguments: traces)
  func `gpsd's decoder reports the same positions`(_ name: String) throws {
    let folder = try ScratchFolder()
    let trace = Repository.path("traces/\(name).nmea")
    let original = try output("gpsdecode", ["-j"], input: trace)
    #expect(original.filter { $0.contains("\"lat\"") }.count > 500)
    #expect(
      try output("gpsdecode", ["-j"], input: recording(trace, in: folder)) == original, "\(name)")
  }

  @Test(.enabled(if: tool("gpsfake") != nil && tool("gpsd") != nil, "needs gpsd and gpsd-clients"))
  func `gpsd itself reports the same positions`() throws {
    let folder = try ScratchFolder()
    let trace = Repository.path("traces/cold-start.nmea")
    func reports(_ path: String) throws -> [Substring] {
      // The terminal that gpsfake made for itself, and the time of day, are another each time.
      try output("python3", ["-c", Self.unblocked, "gpsfake", "-1", "-q", "-p", "-c", "0", path])
        .filter { $0.contains("\"class\":\"TPV\"") }
        .map { $0.replacing(/"(device|rtime)":[^,]*,/, with: "")[...] }
    }
    let original = try reports(trace)
    #expect(original.count > 300, "gpsfake -1 -q -p -c 0 \(trace)")
    #expect(try reports(recording(trace, in: folder)) == original)
  }
}
