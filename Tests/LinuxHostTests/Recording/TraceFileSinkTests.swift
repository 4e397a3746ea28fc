import Foundation
import LinuxHost
import Testing
import Traces
import TrackerCore

/// The files of a recording: rotation, bounds, restarts, full disks.
@Suite(.serialized) struct TraceFileSinkTests {
  private let note: Comment = "repeat with: swift test --filter TraceFileSinkTests"

  /// A folder that goes away with its last user; a small disk of its own where that is asked for.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("trailtracker-\(UUID().uuidString)")
    private let isMounted: Bool

    /// - Parameter kilobytes: the size of the disk; only root can have one.
    init(kilobytes: Int? = nil) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      if let kilobytes {
        isMounted = mount("tmpfs", url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0
        #expect(isMounted)
      } else {
        isMounted = false
      }
    }

    deinit {
      if isMounted { umount2(url.path, Int32(MNT_DETACH)) }
      try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String = "race.nmea") -> String { url.appendingPathComponent(name).path }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
    func size(_ name: String) throws -> Int { try bytes(name).count }
  }

  private final class News {
    var all: [TraceFileSink.Event] = []
    func tell(_ event: TraceFileSink.Event) { all.append(event) }
  }

  /// Seconds of a receiver and a deadline each.
  private func play(_ seconds: Range<Int>, into recorder: inout Recorder<TraceFileSink>) {
    let lines = Array(
      String(repeating: "$GPGSV,2,1,08,05,47,291,38,07,62,053,41,13,61,313,42,15*7F\r\n", count: 7)
        .utf8)
    for second in seconds {
      let now = Instant(milliseconds: Int64(second) * 1000)
      recorder.received(lines.span, from: .receiver, at: now)
      recorder.arrived(.bytes(count: lines.count, from: .receiver), at: now)
      recorder.arrived(.event(.deadlineReached), at: now + 200)
      recorder.pushed(.note(.receiverHeard), at: now + 200)
    }
  }

  private func end(_ recorder: inout Recorder<TraceFileSink>, at second: Int) {
    recorder.arrived(.end, at: Instant(milliseconds: Int64(second) * 1000))
  }

  private func recorded(_ folder: Folder, _ names: [String]) throws -> [Recorded] {
    var reader = RecordingReader(.strict)
    var all: [Recorded] = []
    for name in names {
      let bytes = try folder.bytes(name)
      var position = 0
      while let one = try reader.next(in: bytes, from: &position) { all.append(one) }
      try reader.endPart()
    }
    return all
  }

  private func beginning(sequence: UInt32 = 1) -> RecordingHeader {
    RecordingHeader(
      board: Board(
        supplyMillivolts: 5000,
        loads: Loads(
          boardMicroamps: 0, receiverStandbyMicroamps: 0, receiverAcquiringMicroamps: 0,
          receiverTrackingMicroamps: 0, modemOffMicroamps: 0, modemStartingMicroamps: 0,
          modemSearchingMicroamps: 0, modemIdleMicroamps: 0, modemTransmittingMicroamps: 0),
        battery: Battery(
          cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 1,
          cellMillivolts: InlineArray(repeating: 1), cutOffMillivolts: 1,
          capacityAtFreezingPercent: 1, regulator: .linear),
        modem: ModemBoard(
          powerOnPulse: 1, powerOffPulse: 1, bootLimit: 1, powerOffTime: 1, offOnGap: 1),
        receiver: ReceiverBoard(canSleep: false, coldStart: 1, hotStart: 1)),
      configuration: Configuration(),
      identity: Identity(
        device: UniqueID(high: 1, low: 2), team: InlineText("A"), nextSequence: sequence, seed: 1),
      at: .start, program: "tests")
  }

  @Test func `A recording goes on in the next file, and the files are one recording`() throws {
    let folder = try Folder()
    let sink = TraceFileSink(
      path: folder.path(), bounds: RecordingBounds(partBytes: 20_000))
    var recorder = Recorder(beginning(), into: sink)
    play(0..<150, into: &recorder)
    end(&recorder, at: 151)
    let count = try folder.names().count
    #expect(count > 3, note)
    let names = (1..<count).reversed().map { "race.nmea.\($0)" } + ["race.nmea"]
    for name in names { #expect(try folder.size(name) < 20_000 + 2 * 16_384, "\(name)") }
    let all = try recorded(folder, names)
    #expect(all.count == 150 * 3 + 1 && all.last?.content == .end, note)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path())[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o640, note)
  }

  @Test func `Beyond its bound the oldest files go, and the newest still play as a trace`() throws {
    let folder = try Folder()
    let sink = TraceFileSink(
      path: folder.path(), bounds: RecordingBounds(partBytes: 10_000, totalBytes: 60_000))
    var recorder = Recorder(beginning(), into: sink)
    play(0..<430, into: &recorder)
    end(&recorder, at: 430)
    let names = try folder.names()
    let total = try names.reduce(0) { try $0 + folder.size($1) }
    #expect(total <= 60_000 + 16_384 && names.count > 3, "\(names), \(total); \(note)")
    let error = #expect(throws: RecordingError.self) { try recorded(folder, ["race.nmea"]) }
    guard case .wrongPart(_, 1) = error?.problem else {
      Issue.record("\(String(describing: error)); \(note)")
      return
    }
    var reader = RecordingReader(.lenient)
    var position = 0
    #expect(try reader.next(in: folder.bytes("race.nmea"), from: &position) != nil, note)
  }

  @Test func `A restart keeps what the run before has recorded, up to so many files`() throws {
    let folder = try Folder()
    for run in 0..<6 {
      let sink = TraceFileSink(
        path: folder.path(), bounds: RecordingBounds(olderFiles: 3))
      var recorder = Recorder(beginning(sequence: UInt32(run + 1)), into: sink)
      play(0..<5, into: &recorder)
      // The last one was killed: what was handed over until then is there.
      if run < 5 { end(&recorder, at: 5) }
    }
    #expect(
      try folder.names() == ["race.nmea", "race.nmea.1", "race.nmea.2", "race.nmea.3"], note)
    #expect(try recorded(folder, ["race.nmea.3"]).count == 16, note)
    let killed = try recorded(folder, ["race.nmea"])
    #expect(killed.count >= 4 * 3 - 2 && killed.last?.content != .end, "\(killed.count); \(note)")
  }

  /// A disk of half a megabyte on which the recording leaves 100 kB alone.
  @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func `A full disk stops the recording, is said once, and leaves a gap that is told`() throws {
    let folder = try Folder(kilobytes: 512)
    let news = News()
    let sink = TraceFileSink(
      path: folder.path(), bounds: RecordingBounds(freeBytes: 100_000), tell: news.tell)
    var recorder = Recorder(beginning(), into: sink)
    play(0..<20, into: &recorder)
    let filler = folder.path("filler")
    #expect(
      FileManager.default.createFile(
        atPath: filler, contents: Data(repeating: 1, count: 350 << 10)))
    play(20..<300, into: &recorder)
    #expect(recorder.lost > 100, note)
    guard case .stopped(let trouble) = news.all.first, news.all.count == 1 else {
      Issue.record("\(news.all); \(note)")
      return
    }
    #expect(trouble.code == ENOSPC && trouble.description.contains("free some space"))
    #expect(trouble.description.contains(folder.path()))
    // Captures still have room, and everything that stands in the file is whole.
    #expect(
      FileManager.default.createFile(
        atPath: folder.path("capture"), contents: Data(repeating: 1, count: 60_000)))
    let before = try recorded(folder, ["race.nmea"])
    let last = try folder.bytes("race.nmea").last
    #expect(before.count > 50 && last == 10, note)
    try FileManager.default.removeItem(atPath: filler)
    play(300..<360, into: &recorder)
    end(&recorder, at: 360)
    #expect(news.all.count == 2 && news.all.last == .goesOn, "\(news.all); \(note)")
    let all = try recorded(folder, ["race.nmea"])
    let gap = all.firstIndex { if case .gap = $0.content { true } else { false } }
    #expect(gap != nil && all.last?.content == .end && all.count > before.count + 60, note)
  }

  /// As when something else fills the disk in one go, within ten seconds.
  @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func `What was not written whole is cut off again`() throws {
    let folder = try Folder(kilobytes: 64)
    let sink = TraceFileSink(
      path: folder.path(), bounds: RecordingBounds(freeBytes: 0, retryInterval: .seconds(1)))
    var written = 0
    let line = Array((String(repeating: "x", count: 998) + "\r\n").utf8)
    for second in 0..<200 {
      let lines = Array(repeating: line, count: second % 7 + 1).flatMap { $0 }
      if sink.write(lines, at: Instant(milliseconds: Int64(second) * 2000)) {
        written += lines.count
      }
      #expect(try folder.size("race.nmea") == written, "second \(second); \(note)")
    }
    #expect(written > 50_000 && written <= 65_536, "\(written); \(note)")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func `Files that were taken away make room for the recording to go on`() throws {
    let folder = try Folder(kilobytes: 160)
    let news = News()
    let sink = TraceFileSink(
      path: folder.path(), bounds: RecordingBounds(partBytes: 16_000, freeBytes: 40_000),
      tell: news.tell)
    var recorder = Recorder(beginning(), into: sink)
    play(0..<400, into: &recorder)
    #expect(recorder.lost > 0 && news.all.count == 1, "\(news.all); \(note)")
    for name in try folder.names() where name != "race.nmea" {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    play(400..<450, into: &recorder)
    end(&recorder, at: 450)
    #expect(recorder.lost == 0 && news.all.last == .goesOn, "\(news.all); \(note)")
  }

  @Test func `A place where nothing can be recorded is told, and tried again`() throws {
    let folder = try Folder()
    for (path, cure) in [
      (folder.url.path, "give the path of a file"),
      (folder.path("no/file"), "create the directory"),
      ("/dev/null", "give the path of a file"),
    ] {
      let news = News()
      let sink = TraceFileSink(path: path, tell: news.tell)
      #expect(sink.problem?.description.contains(cure) == true, note)
      #expect(sink.problem?.description.contains("\n") == false, note)
      var recorder = Recorder(beginning(), into: sink)
      play(0..<100, into: &recorder)
      #expect(news.all.count == 1 && recorder.lost > 0, "\(news.all); \(note)")
    }
    #expect(try folder.names() == [], note)
    let news = News()
    let sink = TraceFileSink(path: folder.path("stick/race.nmea"), tell: news.tell)
    var recorder = Recorder(beginning(), into: sink)
    play(0..<50, into: &recorder)
    try FileManager.default.createDirectory(
      atPath: folder.path("stick"), withIntermediateDirectories: false)
    play(50..<100, into: &recorder)
    end(&recorder, at: 100)
    #expect(news.all.last == .goesOn && sink.problem == nil, "\(news.all); \(note)")
    #expect(try recorded(folder, ["stick/race.nmea"]).count > 60, note)
  }

  @Test(arguments: ["race.nmea", "race.nmea.1", "race.nmea.2"])
  func `What is no recording is neither moved nor removed`(_ name: String) throws {
    let folder = try Folder()
    for _ in 0..<3 { TraceFileSink(path: folder.path()).finish() }
    try Data("SQLite format 3\0to be kept".utf8).write(to: folder.url.appendingPathComponent(name))
    let before = try folder.names()
    let sink = TraceFileSink(path: folder.path())
    #expect(sink.problem?.description.contains("it is not a recording") == true, note)
    #expect(sink.problem?.path == folder.path(name), note)
    #expect(try folder.names() == before && folder.size(name) == 26, note)
  }

  @Test func `Parts that a power cut left empty or full of zeros make way`() throws {
    let folder = try Folder()
    try Data().write(to: folder.url.appendingPathComponent("race.nmea.1"))
    try Data(count: 5000).write(to: folder.url.appendingPathComponent("race.nmea"))
    let sink = TraceFileSink(path: folder.path())
    #expect(sink.problem == nil, note)
    #expect(try folder.size("race.nmea.1") == 5000 && folder.size("race.nmea.2") == 0, note)
  }
}
