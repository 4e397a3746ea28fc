import Foundation
import Testing

/// The core for bare metal: Embedded Swift, no allocator.
@Suite(.serialized) struct EmbeddedBuildTests {
  /// The flags of the rule; `-no-allocations` is what the firmware lives by.
  static let command = [
    "swift", "build", "-c", "release", "--target", "TrackerCore",
    "-Xswiftc", "-enable-experimental-feature", "-Xswiftc", "Embedded",
    "-Xswiftc", "-no-allocations",
  ]

  @Test func `NMEA and TrackerCore compile in Embedded Swift without an allocator`() throws {
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
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trailtracker-embedded-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.copyCore(to: folder)
    try breach.write(
      to: folder.appendingPathComponent("Sources/TrackerCore/Breach.swift"), atomically: true,
      encoding: .utf8)
    let words = Self.command + ["--package-path", folder.path]
    let result = try PackageFolder.run(words)
    #expect(result.code != 0, "was accepted: \(breach)")
    #expect(result.output.contains("error:"), "\(result.output)")
  }

  /// The two modules alone, with a manifest of their own.
  private static func copyCore(to folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Sources"), withIntermediateDirectories: true)
    for module in ["NMEA", "TrackerCore"] {
      try FileManager.default.copyItem(
        at: PackageFolder.url.appendingPathComponent("Sources/\(module)"),
        to: folder.appendingPathComponent("Sources/\(module)"))
    }
    try """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(
      name: "core",
      targets: [
        .target(name: "NMEA"),
        .target(name: "TrackerCore", dependencies: ["NMEA"]),
      ])
    """.write(
      to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
  }
}
