import BoardSupport
import CommandLineSupport
import FirstSetup
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

/// `trackerctl fleet FILE.csv`: the files of many trackers, from an organiser's table.
struct Fleet {
  private let table: String
  private let output: String
  private let config: String?
  private let board: String?
  private let replaces: Bool
  private let language: Language?
  /// For errors, which are then reported as those of the table.
  private static let secretsPath = "(the secrets)"

  init(_ arguments: Arguments) {
    table = arguments.operands[0]
    output = arguments.text(.newFolder) ?? ""
    config = arguments.text(.fleetConfiguration)
    board = arguments.text(.board)
    replaces = arguments.has(.replace)
    language = arguments.language
  }

  /// - Returns: the exit code.
  func write() throws -> Int32 {
    let fleet = try FleetTable(
      InputFile.bytes(of: table, atMost: largestFileBytes), path: table)
    var base = FleetBase(board: board)
    if let config {
      base = FleetBase(
        configuration: try InputFile.bytes(of: config, atMost: largestFileBytes), path: config,
        board: board)
    }
    var folders: [FleetFolder.Card] = []
    for row in fleet.rows {
      let files = try fleet.files(for: row, base)
      try check(files, of: row, in: fleet, base)
      folders.append(FleetFolder.Card(name: row.folder, files: files))
    }
    let language = Language.chosen(language)
    let count = Int64(folders.count)
    let readme = FleetText.readme.text(in: language, count: count) + "\n"
    let folder = FleetFolder(output)
    try folder.write(folders, readme: readme, replacing: replaces)
    return try say(FleetText.written.text(in: language, count: count, folder.path) + "\n")
  }

  /// - Throws: what a tracker would refuse the files for.
  private func check(
    _ files: CardFiles, of row: FleetTable.Row, in fleet: FleetTable, _ base: FleetBase
  ) throws {
    var description: BoardDescription?
    if let name = files.board {
      do throws(FileError) { description = try CardCheck.board(named: name) } catch {
        throw fleet.placed(boardError: error, row)
      }
    }
    do {
      try CardCheck.check(files, on: description, paths: (base.path, Self.secretsPath))
      // A race that is over is prepared by mistake: last year's file.
      let root = try FileNode.parse(files.configuration, path: base.path)
      try ConfigurationFile(root).checkFinish(at: BootClock.date, path: base.path)
    } catch let error as FileError where error.path == Self.secretsPath {
      throw fleet.secretError(row, error)
    } catch let error as FileError {
      throw fleet.placed(error, row, base)
    } catch is SecretsError {
      throw fleet.secretError(row, nil)
    }
  }
}
