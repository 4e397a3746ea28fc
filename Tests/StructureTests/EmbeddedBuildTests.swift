import TestSupport
import Testing

/// The core for bare metal, and a card's store: Embedded Swift, no allocator.
@Suite(.serialized, .blocking) struct EmbeddedBuildTests {
  /// What the rule asks of the compiler; `-no-allocations` is what the firmware lives by.
  static let flags = ["-enable-experimental-feature", "Embedded", "-no-allocations"]
  static let command =
    ["swift", "build", "-c", "release", "--target", "CardStore"]
    + flags.flatMap { ["-Xswiftc", $0] }

  @Test func `Core and card store compile in Embedded Swift without an allocator`() throws {
    let words = Self.command + ["--scratch-path", ".build/embedded"]
    let result = try PackageFolder.run(words)
    #expect(
      result.code == 0, "\(result.output)\nrepeat with: \(words.joined(separator: " "))")
  }

  static let breaches = [
    "public func allocate(_ count: Int) -> [Int] { Array(repeating: 1, count: count) }",
    "public final class Boxed { public init() {} }\npublic func make() -> Boxed { .init() }",
    "public func text(_ number: Int) -> String { \"number \\(number)\" }",
  ]

  @Test(arguments: breaches)
  func `A breach of the rule stops the compiler`(_ breach: String) throws {
    let result = try build(breach)
    #expect(result.code != 0, "was accepted: \(breach)")
    #expect(result.output.contains("error:"), "\(result.output)")
  }

  @Test func `It is the breach that stops it`() throws {
    let result = try build("public func half(_ number: Int) -> Int { number / 2 }")
    #expect(result.code == 0, "\(result.output)")
  }

  /// The compiler alone: a package for each takes ten seconds.
  private func build(_ text: String) throws -> (code: Int32, output: String) {
    let folder = try ScratchFolder()
    let file = try folder.write("Module.swift", text)
    return try PackageFolder.run(
      ["swiftc", "-O", "-wmo", "-parse-as-library"] + Self.flags
        + ["-c", file, "-o", folder.path("Module.o")])
  }
}
