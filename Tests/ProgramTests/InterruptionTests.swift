import Foundation
import Glibc
import TestSupport
import Testing

/// Ctrl-C in a run.
@Suite struct InterruptionTests {
  @Test(arguments: [
    ("en", "interrupted at 0:00:00 of the run; no result"),
    ("ca", "interromput a 0:00:00 de la marxa; cap resultat"),
  ])
  func `It says what was interrupted and how far it got, and ends with 130`(
    _ language: String, _ words: String
  ) throws {
    let folder = try ScratchFolder()
    let pipe = folder.path("walk.nmea")
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = Process()
    process.executableURL = Built.program("tracker-sim")
    process.arguments = [
      "--trace", pipe, "--language", language, "--events", folder.path("events.txt"),
    ]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // It opens its trace after all else; the other end keeps it waiting.
    let end = open(pipe, O_WRONLY)
    #expect(end >= 0)
    process.interrupt()
    process.waitUntilExit()
    close(end)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationReason == .exit && process.terminationStatus == 130, "\(text)")
    #expect(text.contains(words) && text.split(separator: "\n").count == 1, "\(text)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(left == ["walk.nmea"], "\(left)")
  }

  @Test func `At a console it says how far the run has got`() throws {
    let process = Process()
    process.executableURL = Built.program("tracker-sim")
    process.arguments = [
      "--trace", Repository.path("traces/race.nmea"), "--console", "--language", "en",
    ]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("until 0:05:00\nsilent\n".utf8))
    // It has answered both, and waits for another line.
    var said = ""
    while !said.contains("silent") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { break }
      said += String(decoding: bytes, as: UTF8.self)
    }
    process.interrupt()
    process.waitUntilExit()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationReason == .exit && process.terminationStatus == 130, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1 && text.contains("interrupted at 0:0"), "\(text)")
  }
}
