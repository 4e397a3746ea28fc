import CaptureStore
import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

/// A stick handed over at a checkpoint: export in the tracker, import at basecamp.
@Suite(.blocking) struct ImportProgramTests {
  private func export(_ store: String, _ format: String, to file: String) throws {
    let run = try controlRun(
      ["export", "--store", store, "--format", format, "--output", file])
    #expect(run.code == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
  }

  private func expect(
    _ run: ProgramResult, says line: String, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(
      run.code == 0 && run.output == "\(line)\n" && run.errors.isEmpty,
      "\(run.output)\(run.errors)\(run.command)", sourceLocation: place)
  }

  @Test(arguments: ["geojson", "csv"], [true, false])
  func `A stick brings each capture once, with and without GlobalIDs`(
    _ format: String, _ hasGlobalIDs: Bool
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, hasGlobalIDs ? [] : ["--no-global-ids"])
    let store = try folder.store(250)
    let file = folder.path("race.\(format)")
    try export(store, format, to: file)
    let words = ["import", file, "--server", camp.layer]
    expect(try controlRun(words), says: "imported 250, 0 already there")
    expect(try controlRun(words), says: "imported 0, 250 already there")
    #expect(try Set(camp.identifiers()).count == 250 && camp.count() == 250, "\(camp.command)")
  }

  @Test(arguments: [true, false])
  func `What came over the air is not doubled, nor what comes over it later`(
    _ hasGlobalIDs: Bool
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, hasGlobalIDs ? [] : ["--no-global-ids"])
    let store = try folder.store(30)
    let push = ["push", "--store", store, "--server", camp.layer]
    expect(try controlRun(push), says: "pushed 30, 0 left, 0 set aside")
    do {
      let more = try CaptureStore.open(.file(store), at: Walk.start)
      for sequence in 31...43 as ClosedRange<UInt32> {
        try more.append(Walk.capture(sequence), at: Walk.start)
      }
    }
    let file = folder.path("race.csv")
    try export(store, "csv", to: file)
    let words = ["import", file, "--server", camp.layer]
    expect(try controlRun(words), says: "imported 13, 30 already there")
    expect(try controlRun(push), says: "pushed 13 (13 already there), 0 left, 0 set aside")
    #expect(try camp.count() == 43, "\(camp.command)")
  }

  @Test func `A capture that came by stick is the one that comes over the air`() throws {
    let folder = try ScratchFolder()
    let store = try folder.store(3)
    let file = folder.path("race.geojson")
    try export(store, "geojson", to: file)
    var seen: [[String]] = []
    for (name, words) in [
      ("air", ["push", "--store", store]), ("stick", ["import", file]),
    ] {
      let place = folder.path(name)
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let camp = try CampServer(folder, ["--database", place])
      let run = try controlRun(words + ["--server", camp.layer])
      #expect(run.code == 0, "\(run.errors)\(run.command)")
      seen.append(try camp.features())
    }
    #expect(seen[0].count == 3 && seen[0] == seen[1], "swift test --filter ImportProgramTests")
  }

  @Test func `Captures of several devices come from one file`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    // Two exports put together by hand, as somebody with two sticks may do.
    var lines: [String] = []
    for name in ["first", "second"] {
      let store = folder.path(name)
      try Walk.fill(CaptureStore.open(.file(store), at: Walk.start), 12)
      try export(store, "geojson", to: folder.path("part"))
      let text = try String(contentsOfFile: folder.path("part"), encoding: .utf8)
      lines += text.split(separator: "\n").dropFirst().dropLast().map {
        $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
      }
    }
    let file = try folder.write(
      "both.geojson",
      "{\"type\":\"FeatureCollection\",\"features\":[\n\(lines.joined(separator: ",\n"))\n]}\n")
    let words = ["import", file, "--server", camp.layer]
    expect(try controlRun(words), says: "imported 24, 0 already there")
    #expect(try camp.count() == 24, "\(camp.command)")
  }

  @Test func `Faults on the way cost no capture and make no second one`() throws {
    let folder = try ScratchFolder()
    // The second answer is lost, and so is the first question about it.
    let faults = ["cut-answer every 2nd", "reset every 3rd on queries"]
    let camp = try CampServer(folder, faults.flatMap { ["--fault", $0] })
    let file = folder.path("race.csv")
    try export(try folder.store(150), "csv", to: file)
    expect(
      try controlRun(["import", file, "--server", camp.layer]),
      says: "imported 150, 0 already there")
    #expect(try Set(camp.identifiers()).count == 150 && camp.count() == 150, "\(camp.command)")
  }

  @Test(arguments: ["geojson", "csv"])
  func `A file that is cut or none of ours is one line, and nothing is sent`(
    _ format: String
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let store = try folder.store(40)
    try export(store, format, to: folder.path("whole"))
    let whole = try String(contentsOfFile: folder.path("whole"), encoding: .utf8)
    var broken = stride(from: 0, to: whole.utf8.count, by: whole.utf8.count / 5).map {
      String(decoding: whole.utf8.prefix($0), as: UTF8.self)
    }
    broken += ["<gpx/>", "notes\n", "{\"type\":\"FeatureCollection\",\"features\":[]}"]
    for text in broken {
      let file = try folder.write("stick", text)
      let run = try controlRun(["import", file, "--server", camp.layer])
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      #expect(run.errors.contains("\(file): line "), "\(run.errors)\(run.command)")
    }
    for path in [folder.path("absent"), folder.url.path] {
      let run = try controlRun(["import", path, "--server", camp.layer])
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    }
    #expect(try camp.count() == 0, "\(camp.command)")
  }

  @Test func `An export is whole or not there, and never takes the store's place`() throws {
    let folder = try ScratchFolder()
    let store = try folder.store(5)
    let before = try CaptureStore.openForReading(store).page(limit: 9).map(\.capture)
    for output in [store, store + ".lock", folder.path("no/such/folder"), "/dev/full"] {
      let run = try controlRun(
        ["export", "--store", store, "--format", "csv", "--output", output])
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    }
    // That they were handed out is noted in it.
    let after = try CaptureStore.openForReading(store)
    #expect(try after.page(limit: 9).map(\.capture) == before && after.tally.pending == 5)
    try export(store, "csv", to: folder.path("race.csv"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasSuffix(".tmp") } && names.contains("race.csv"), "\(names)")
  }

  @Test func `A store that another program holds is exported, with a word about it`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(5)
    let holder = try SQLiteDatabase(path: path, access: .readWrite)
    try holder.execute("BEGIN IMMEDIATE")
    let run = try controlRun(["export", "--store", path, "--format", "csv"])
    #expect(run.code == 0 && run.output.split(separator: "\r\n").count == 6, "\(run.command)")
    #expect(run.errors.contains("another program is using it"), "\(run.errors)\(run.command)")
    #expect(run.errors.contains("only where the layer takes GlobalIDs"), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)\(run.command)")
    try holder.execute("ROLLBACK")
  }
}
