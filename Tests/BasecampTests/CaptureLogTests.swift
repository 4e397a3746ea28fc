import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp
@testable import FeatureService

/// The line that each capture has in the log.
@Suite(.blocking) struct CaptureLogTests {
  private let pipe = Pipe()

  private func captures(_ numbers: Range<Int>, team: String = "Els Senglars") -> [TakenCapture] {
    numbers.map {
      TakenCapture(objectID: Int64($0), device: "d1", team: team, moment: 1_349_517_600_123)
    }
  }

  private func lines() throws -> [String] {
    try pipe.fileHandleForWriting.close()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test func `Each capture has one line, whatever its team is called`() throws {
    do {
      let log = CaptureLog(descriptor: pipe.fileHandleForWriting.fileDescriptor, at: 0)
      log.write(captures(1..<2), at: 0)
      log.write(captures(2..<3, team: "a\nb=\"c\"\u{7F}"), at: 0)
    }
    #expect(
      try lines() == [
        "capture stored object=1 device=d1 team=\"Els Senglars\" taken=2012-10-06T10:00:00.123Z",
        "capture stored object=2 device=d1 team=\"a b=\\\"c\\\" \" taken=2012-10-06T10:00:00.123Z",
      ])
  }

  @Test func `A refused capture has one, with the reason`() throws {
    do {
      let log = CaptureLog(descriptor: pipe.fileHandleForWriting.fileDescriptor, at: 0)
      let refused = captures(0..<1).map {
        RefusedCapture(number: 1, reason: "It is too long.", capture: $0)
      }
      log.write(refused: refused, at: 0)
    }
    #expect(
      try lines() == [
        "capture refused device=d1 team=\"Els Senglars\" taken=2012-10-06T10:00:00.123Z "
          + "reason=\"It is too long.\""
      ])
  }

  @Test func `More than some a second are only counted`() throws {
    do {
      let log = CaptureLog(descriptor: pipe.fileHandleForWriting.fileDescriptor, at: 0)
      log.write(captures(0..<200), at: 0)
      log.flush(at: 999)
      log.flush(at: 1000)
      log.flush(at: 1000)
      log.write(captures(200..<201), at: 1000)
    }
    let lines = try lines()
    #expect(lines.count == Bounds.logLinesAtOnce + 2)
    #expect(lines.suffix(2).first == "more captures stored count=150")
    #expect(lines.last?.hasPrefix("capture stored object=200 ") == true)
  }

  @Test func `A log that nobody reads holds nothing up`() throws {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    // F_SETPIPE_SZ
    #expect(fcntl(descriptor, 1031, 4096) >= 0)
    do {
      let log = CaptureLog(descriptor: descriptor, at: 0)
      for second in 0..<20 { log.write(captures(0..<50), at: .seconds(Int64(second))) }
    }
    #expect(try lines().count < 100)
  }

  @Test func `basecamp writes it to standard error`() throws {
    let folder = try ScratchFolder()
    let log = try folder.write("log", "")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    let camp = try CampServer(folder, errors: .file(file))
    let answer = try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures",
      form: ["f": "json", "features": Captures.text(0..<3)])
    #expect(answer.status == 200)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasSuffix(": has no captures yet; a new database begins"))
    #expect(
      lines[1].hasPrefix("capture stored object=1 device=d0 team=\"Els Senglars 0\" taken="))
  }
}
