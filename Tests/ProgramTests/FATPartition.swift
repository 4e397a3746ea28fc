import Foundation
import TestSupport

/// A mounted FAT file system in a file, like a card's boot partition. Only root can have one, and
/// only where the kernel knows FAT.
final class FATPartition {
  static let canMount = (try? FATPartition()) != nil
  var folder: String { scratch.path("mounted") }

  private let scratch: ScratchFolder
  private var image: String { scratch.path("image") }

  init() throws {
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: image, contents: nil),
      truncate(image, 8 << 20) == 0
    else { throw Problem("\(image): cannot be made") }
    try Self.run("/usr/sbin/mkfs.vfat", image)
    try Self.run("/usr/bin/mount", "-o", "loop", image, folder)
  }

  deinit { try? Self.run("/usr/bin/umount", folder) }

  /// All of it, whether a file has it or not.
  func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: image)) }

  private static func run(_ program: String, _ arguments: String...) throws {
    let run = try ProgramResult(executable: URL(fileURLWithPath: program), arguments)
    guard run.code == 0 else { throw Problem(run.errors) }
  }
}
