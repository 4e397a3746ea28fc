import Foundation
import TestSupport
import Testing

/// The images in an emulator: they decide as tracker-sim does, and their stack is measured.
@Suite(
  .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"),
  .enabled(if: Firmware.emulator != nil, "needs qemu-system-arm"))
struct EmulatorTests {
  static let traces =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Built.repository.appendingPathComponent("traces").path)).map {
      $0.filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()
    } ?? []

  @Test func `There are traces to run`() { #expect(Self.traces.count >= 7) }

  @Test(arguments: traces)
  func `A microcontroller decides as tracker-sim does`(_ trace: String) throws {
    let again = "repeat with: swift test --filter FirmwareTests.EmulatorTests"
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    let folder = try ScratchFolder()
    let path = Built.repository.appendingPathComponent("traces/\(trace).nmea").path
    let recorded = try ProgramResult(
      "tracker-sim", ["--trace", path, "--json", "--record", folder.path("recording")])
    try #require(recorded.code == 0, "\(recorded.errors)")
    let digest = try #require(recorded.output.firstMatch(of: /"digest": "([0-9a-f]{16})"/)?.1)
    let recording = try Data(contentsOf: folder.url.appendingPathComponent("recording"))
    try Data(TapeWriter.tape(of: [UInt8](recording)))
      .write(to: folder.url.appendingPathComponent("tape"))

    for (processor, board) in Firmware.boards {
      let run = try ProgramResult(
        executable: #require(Firmware.emulator),
        [
          "-M", board, "-display", "none", "-monitor", "none", "-serial", "none",
          "-semihosting-config", "enable=on,target=native",
          "-kernel", Firmware.image(processor).path,
        ], folder: folder.url)
      let lines = run.output + run.errors
      #expect(lines.contains("digest \(digest)\n"), "\(trace) on \(processor): \(lines)\(again)")
      let stack = try #require(
        lines.firstMatch(of: /stack ([0-9a-f]{8})/).flatMap { Int($0.1, radix: 16) }, "\(lines)")
      // What the build states is a bound only if no run needs more.
      let bound = try #require(try Firmware.stackBound(processor))
      #expect(stack <= bound, "\(trace) on \(processor): \(stack) bytes; \(again)")
    }
  }
}
