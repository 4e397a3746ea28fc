import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)")) struct BuildTests {
  @Test func `The core links for microcontrollers without an allocator, within its stack`() throws {
    let result = try Firmware.built.get()
    try #require(result.code == 0, "\(result.errors)\n\(Firmware.again)")
    for (processor, _) in Firmware.boards {
      let stack = try #require(
        try Firmware.stackBound(processor), "\(result.output)\n\(Firmware.again)")
      // The loop's buffer alone has 1024 bytes: less would be no stack of a whole tracker.
      #expect((2048...12_288).contains(stack), "\(result.output)\n\(Firmware.again)")
    }
  }
}

/// The bound on the stack is computed by a program of ours: `Tests/Firmware/stack_depth`.
@Suite(.enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)")) struct StackDepthTests {
  /// Its answer for an image made of some C.
  private func depth(_ source: String, _ processor: String) throws -> ProgramResult {
    let toolchain = try #require(Firmware.toolchain)
    let folder = try ScratchFolder()
    let file = try folder.write("image.c", source)
    let compiled = try ProgramResult(
      executable: toolchain.appendingPathComponent("clang"),
      [
        "-target", "\(processor)-none-eabi", "-mfloat-abi=soft", "-Os", "-ffreestanding", "-c",
        file, "-o", folder.path("image.o"),
      ])
    try #require(compiled.code == 0, "\(compiled.errors)")
    let linked = try ProgramResult(
      executable: toolchain.appendingPathComponent("ld.lld"),
      ["-e", "reset", folder.path("image.o"), "-o", folder.path("image.elf")])
    try #require(linked.code == 0, "\(linked.errors)")
    return try ProgramResult(
      executable: Built.repository.appendingPathComponent("Tests/Firmware/stack_depth"),
      [toolchain.appendingPathComponent("llvm-objdump").path, folder.path("image.elf")])
  }

  static let leaf = """
    __attribute__((noinline)) static int leaf(int n) {
      volatile char room[SIZE];
      room[n] = 1;
      return room[0];
    }
    __attribute__((noinline)) static int branch(int n) { return leaf(n) + 1; }
    """

  @Test(arguments: [100, 500, 20_000], Firmware.boards.map(\.0))
  func `A chain of calls needs what its functions reserve`(_ size: Int, _ processor: String) throws
  {
    let source =
      "#define SIZE \(size)\n\(Self.leaf)\nint reset(int n) { return branch(n) + branch(2); }"
    let result = try depth(source, processor)
    let bytes = try #require(Int(result.output.dropLast()), "\(result.errors)")
    // Registers of three functions.
    #expect((size...size + 80).contains(bytes), "\(processor), \(source)")
  }

  static let endless = [
    (
      "recursive",
      "int reset(int n) { return n < 2 ? n : reset(n - 1) + reset(n - 2); }"
    ),
    ("pointer", "int reset(int (*call)(void)) { return call() + 1; }"),
    (
      "computed amount",
      "void use(char *); int reset(int n) { char room[n]; use(room); return room[1]; }\n"
        + "__attribute__((noinline)) void use(char *room) { *(volatile char *)room = 1; }"
    ),
  ]

  @Test(arguments: endless, Firmware.boards.map(\.0))
  func `A stack without a bound is refused`(
    _ sample: (problem: String, source: String), _ processor: String
  ) throws {
    let result = try depth(sample.source, processor)
    #expect(
      result.code != 0 && result.errors.contains("no bound: ")
        && result.errors.contains(sample.problem),
      "\(processor), \(sample.source): \(result.output)\(result.errors)")
  }
}
