import Foundation
import TestSupport
import Testing

/// The core for bare metal, and a card's store: Embedded Swift, no allocator.
@Suite(.serialized, .blocking) struct EmbeddedBuildTests {
  /// The flags of the rule; `-no-allocations` is what the firmware lives by.
  static let command = [
    "swift", "build", "-c", "release", "--target", "CardStore",
    "-Xswiftc", "-enable-experimental-feature", "-Xswiftc", "Embedded",
    "-Xswiftc", "-no-allocations",
  ]

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
  func `A breach of the rule stops that build`(_ breach: String) throws {
    let result = try build(breach)
    #expect(result.code != 0, "was accepted: \(breach)")
    #expect(result.output.contains("error:"), "\(result.output)")
  }

  @Test func `It is the breach that stops it`() throws {
    let result = try build("public func half(_ number: Int) -> Int { number / 2 }")
    #expect(result.code == 0, "\(result.output)")
  }

  /// That command for a module of that name that has nothing else: the core itself would take half
  /// a minute each time.
  private func build(_ text: String) throws -> (code: Int32, output: String) {
    let folder = try ScratchFolder()
    let module = folder.url.appendingPathComponent("Sources/CardStore")
    try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: module.appendingPathComponent("Module.swift"))
    _ = try folder.write(
      "Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "core", targets: [.target(name: "CardStore")])
      """)
    return try PackageFolder.run(Self.command + ["--package-path", folder.url.path])
  }
}
