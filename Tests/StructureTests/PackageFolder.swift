import Foundation
import TestSupport

/// The package as it lies on disk.
enum PackageFolder {
  static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files below a folder, with their paths from the package's root, sorted.
  static func swiftFiles(below folder: String) throws -> [String] {
    let root = url.appendingPathComponent(folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return names.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted()
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
  }

  static func entries(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: url.appendingPathComponent(folder).path
    ).sorted()
  }

  /// Runs a program in the package's root and gathers what it prints.
  static func run(_ words: [String]) throws -> (code: Int32, output: String) {
    let run = try ProgramResult(running: words, folder: url, errors: .asOutput)
    return (run.code, run.output)
  }
}
