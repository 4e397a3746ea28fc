import Foundation
import TestSupport
import Testing

typealias Problem = TestSupport.Problem
typealias Built = TestSupport.Built

/// The kernel that `.ci/lab` builds: User-Mode Linux, whose root is this machine's file system.
enum Laboratory {
  /// The folder with the kernel and its modules; `nil` if it has not been built.
  static let folder: String? = {
    let script = Built.repository.appendingPathComponent(".ci/lab")
    guard let result = try? ProgramResult(executable: script, ["path"]), result.code == 0 else {
      return nil
    }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }()

  /// Its tests take ten minutes of two processors, so that they have a command of their own.
  static var isWanted: Bool { ProcessInfo.processInfo.environment["LAB"] != nil && folder != nil }
  static let reason: Comment = "the laboratory has its own command: .ci/lab test"

  /// The guest's root, and where our programs are in it: another system's, as `.ci/trixie` sets
  /// them, or this machine's.
  static let root = ProcessInfo.processInfo.environment["LAB_ROOT"] ?? "/"
  static let programs =
    ProcessInfo.processInfo.environment["LAB_PROGRAMS"]
    ?? Built.program("trackerd").deletingLastPathComponent().path

  /// Scripts and sources for the guest.
  static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Guest")

  /// Compiles what the scripts need into a folder.
  static func makeTools(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let jobs = [
      ["lab.c", "-o", folder.appendingPathComponent("lab").path],
      ["fixed-random.c", "-shared", "-fPIC", "-o"]
        + [folder.appendingPathComponent("fixed-random.so").path],
    ]
    for job in jobs {
      let result = try ProgramResult(
        executable: URL(fileURLWithPath: "/usr/bin/env"),
        ["cc", "-O2", "-Wall", "-Wextra", "-Werror"] + job, folder: scripts)
      guard result.code == 0 else { throw Problem("\(job[0]): \(result.errors)") }
    }
  }

  /// Makes a disk with an ext4 file system, as a sparse file.
  static func makeDisk(_ path: String, megabytes: Int) throws {
    let result = try ProgramResult(
      executable: URL(fileURLWithPath: "/sbin/mkfs.ext4"), ["-q", path, "\(megabytes)M"])
    guard result.code == 0 else { throw Problem(result.errors) }
  }
}

/// All tests of the laboratory, one after the other: each has machines of its own to run.
///
///     .ci/lab test
@Suite(.serialized, .blocking, .enabled(if: Laboratory.isWanted, Laboratory.reason))
struct LaboratoryTests {}
