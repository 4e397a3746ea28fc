import Foundation
import TestSupport

/// The images that `Tests/Firmware/build` makes.
enum Firmware {
  /// A processor, and an emulated board that runs its code and has the memories of `image.ld`.
  static let boards = [("armv6m", "lm3s6965evb"), ("armv7em", "mps2-an386")]

  static let command = "Tests/Firmware/build"
  static let again = "repeat with: \(command)"

  /// Where the programs of the Swift toolchain lie.
  static let toolchain = Tool.url("swiftc")?.resolvingSymlinksInPath().deletingLastPathComponent()

  /// Whether the toolchain knows every processor.
  static let isBuildable = boards.allSatisfy { processor, _ in
    let module = "../lib/swift/embedded/Swift.swiftmodule/\(processor)-none-none-eabi.swiftmodule"
    guard let path = toolchain?.appendingPathComponent(module).path else { return false }
    return FileManager.default.fileExists(atPath: path)
  }
  static let lacksTarget: String = "needs a toolchain with Embedded Swift for ARM, as of swift.org"

  static let emulator = Tool.url("qemu-system-arm")

  static func image(_ name: String, _ variant: String = "image") -> URL {
    Built.repository.appendingPathComponent(".build/firmware/\(name)/\(variant).elf")
  }

  /// Builds them once for all tests.
  static let built = Result {
    try ProgramResult(executable: Built.repository.appendingPathComponent(command), [])
  }

  /// What the build says of an image's stack, bytes.
  static func stackBound(_ name: String) throws -> Int? {
    let line = try built.get().output.split(separator: "\n").first {
      $0.hasPrefix("\(name): ")
    }
    return line?.firstMatch(of: /stack ([0-9]+) of/).flatMap { Int($0.1) }
  }
}
