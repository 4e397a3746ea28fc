import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// A store in a directory of mode 0750, read by a member of its group.
@Suite struct GroupReaderTests {
  private static let owner: uid_t = 64_101
  private static let group: gid_t = 64_102
  private static let reader: uid_t = 64_103

  /// Whether this process can run programs of ours as somebody else.
  private static let canChangeUser =
    geteuid() == 0 && Tool.url("setpriv") != nil
    && (try? run(as: owner, ["--version"]))?.code == 0
  private static let reason = "only root can run a program as somebody else, who must reach it"

  private static func run(as user: uid_t, _ words: [String]) throws -> ProgramResult {
    try ProgramResult(
      executable: #require(Tool.url("setpriv")),
      [
        "--reuid=\(user)", "--regid=\(group)", "--clear-groups",
        Built.program("trackerctl").path,
      ] + words)
  }

  /// What the tracker has left: everything belongs to it, and its group may look.
  private func hand(_ folder: ScratchFolder, to mode: Int = 0o750) throws {
    for name in try folder.names() { chown(folder.path(name), Self.owner, Self.group) }
    chown(folder.url.path, Self.owner, Self.group)
    chmod(folder.url.path, mode_t(mode))
  }

  private func expectReading(_ folder: ScratchFolder, _ count: Int, _ what: String) throws {
    try hand(folder)
    let before = try contents(of: folder)
    let out = try ScratchFolder()
    chmod(out.url.path, 0o777)
    let list = try Self.run(as: Self.reader, ["captures", "--store", folder.path("race.store")])
    #expect(list.code == 0 && list.errors.isEmpty, "\(what): \(list.errors)\(list.command)")
    #expect(list.output.contains("\(count) captures: "), "\(what): \(list.output)\(list.command)")
    for format in ["gpx", "csv"] {
      let export = try Self.run(
        as: Self.reader,
        [
          "export", "--store", folder.path("race.store"), "--format", format, "--output",
          out.path(format),
        ])
      #expect(export.code == 0, "\(what): \(export.errors)\(export.command)")
      // Without permission to write, an export cannot be noted in the store.
      let isNoted = format == "gpx"
      #expect(export.errors.isEmpty == isNoted, "\(what): \(export.errors)\(export.command)")
      #expect(isNoted || export.errors.contains("without a note"), "\(export.errors)")
    }
    let after = try contents(of: folder)
    #expect(after == before, "\(what): \(after.keys.sorted())\(list.command)")
  }

  private func contents(of folder: ScratchFolder) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try folder.names() {
      files[name] = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
    }
    return files
  }

  @Test(.enabled(if: canChangeUser, "\(reason)"))
  func `A store in use, killed or cleanly stopped is read by its group without a trace`() throws {
    let folder = try ScratchFolder()
    let store = try CaptureStore.open(.file(folder.path("race.store")), at: Walk.start)
    try Walk.fill(store, 7)
    try expectReading(folder, 7, "in use")
    let killed = try ScratchFolder()
    for name in try folder.names() {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: killed.path(name))
    }
    try expectReading(killed, 7, "killed")
    try FileManager.default.removeItem(atPath: killed.path("race.store-shm"))
    try expectReading(killed, 7, "copied without its index")
    // The tracker goes on with what readers have looked at.
    try store.append(Walk.capture(8), at: Walk.start)
    _ = consume store
    #expect(try folder.names() == ["race.store", "race.store.lock"])
    try expectReading(folder, 8, "cleanly stopped")
  }

  @Test(.enabled(if: canChangeUser, "\(reason)"))
  func `Whoever may write leaves nothing that locks the tracker out`() throws {
    let folder = try ScratchFolder()
    _ = try folder.store(5)
    // A directory and a file that the group may write, against the advice.
    try hand(folder, to: 0o770)
    chmod(folder.path("race.store"), 0o660)
    let before = try contents(of: folder)
    for words in [["captures"], ["export", "--format", "csv"]] {
      let run = try Self.run(as: Self.reader, words + ["--store", folder.path("race.store")])
      #expect(run.code == 0, "\(run.errors)\(run.command)")
    }
    let after = try contents(of: folder)
    #expect(after == before, "\(after.keys.sorted())")
    // Root may note what it took: what it makes belongs to the tracker, and goes when it is done.
    let run = try controlRun(["export", "--format", "csv", "--store", folder.path("race.store")])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)\(run.command)")
    #expect(try folder.names() == ["race.store", "race.store.lock"], "\(run.command)")
  }
}
