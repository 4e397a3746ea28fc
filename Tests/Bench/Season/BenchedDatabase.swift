import BoardSupport
import Foundation

/// A PostgreSQL server of Debian's package that is measured, in a folder of its own. It waits for
/// the disk, as one at work does.
final class BenchedDatabase {
  let folder = "/tmp/bench-\(UUID().uuidString.prefix(8))"
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// As README advises for a season: the usual ones are for a machine with 128 MB to spare, and log
  /// each page of an index whole after each gigabyte.
  private static let settings = [
    "shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=30min", "wal_compression=on",
  ]

  /// - Parameter more: settings that come after the usual ones.
  init(_ more: [String] = []) throws {
    guard let script = PackageFolder.path(of: ".ci/postgresql") else {
      throw BenchError(description: "a season needs .ci/postgresql; run it in a clone")
    }
    process.executableURL = URL(fileURLWithPath: script)
    process.arguments = [folder] + Self.settings + more
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try hear("made")
    try tell("start")
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func hear(_ word: String) throws {
    let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard said == word else { throw BenchError(description: "PostgreSQL: \(said)") }
  }

  /// - Parameter word: one that the script knows.
  func tell(_ word: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Array("\(word)\n".utf8))
    try hear(word)
  }

  /// Bytes that its disk has left.
  var room: Int64 {
    var disk = statvfs()
    guard statvfs(folder, &disk) == 0 else { return 0 }
    return Int64(disk.f_bavail) * Int64(disk.f_frsize)
  }

  var address: String { "postgresql://postgres@/postgres?host=\(folder)" }

  /// Of all its processes since its start, seconds.
  var processorTime: Double {
    let file = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    return file.flatMap { Int32($0.prefix { $0.isNumber }) }.map { ProcessorTime.ofFamily($0) } ?? 0
  }

  /// Runs a client of PostgreSQL's own.
  ///
  /// - Returns: what it prints, and the seconds that it took.
  @discardableResult func run(
    _ program: String, _ arguments: [String], schema: String = "public"
  ) throws -> (text: String, time: Double) {
    let client = Process()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    client.arguments = [program] + arguments
    client.environment = ProcessInfo.processInfo.environment.merging([
      "PGHOST": folder, "PGUSER": "postgres", "PGDATABASE": "postgres",
      "PGOPTIONS": "-c search_path=\(schema)",
    ]) { $1 }
    let output = Pipe()
    (client.standardOutput, client.standardError) = (output, output)
    let start = Date()
    try client.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    client.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    guard client.terminationStatus == 0 else {
      throw BenchError(description: "\(program): \(text.prefix(500))")
    }
    return (text, Date().timeIntervalSince(start))
  }

  func ask(_ sql: String, schema: String = "public") throws -> (text: String, time: Double) {
    try run("psql", ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql], schema: schema)
  }
}
