import Foundation
import TestSupport
import Testing

/// A process that stores as fast as it can dies at any moment, and within any write.
///
/// `.ci/kills 20000` does it longer.
@Suite struct KillTests {
  private static let compiler = Tool.url("cc") ?? Tool.url("clang")

  @Test(.enabled(if: compiler != nil, "it takes a C compiler to tear a write"))
  func `Killed within its writes, no announced capture is lost, left out or said to be damaged`()
    throws
  {
    let scratch = try Scratch()
    let shim = scratch.folder + "/torn.so"
    let source = Built.repository.appendingPathComponent("Tests/StoreHammer/torn.c").path
    let made = try ProgramResult(
      executable: try #require(Self.compiler), ["-shared", "-fPIC", "-o", shim, source, "-ldl"])
    try #require(made.code == 0, "\(made.errors)")
    let result = try ProgramResult(
      executable: Built.program("store-hammer"), ["kills", shim, scratch.folder, "180", "1"])
    #expect(result.code == 0, "\(result.output)")
    print("kill test: \(result.output)")
  }
}
