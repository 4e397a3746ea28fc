import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  /// `.ci/lab cuts 1000` for more of them.
  @Suite struct PowerCutTests {
    private static let cuts =
      ProcessInfo.processInfo.environment["LAB_CUTS"].flatMap { Int($0) } ?? 20
    private static let again = "repeat with: .ci/lab cuts \(cuts)"

    @Test func `Power cuts lose nothing that was announced, and nothing arrives twice`() throws {
      let folder = try ScratchFolder()
      try Laboratory.makeTools(in: folder.url.appendingPathComponent("tools"))
      // The tracker's disk and the server's.
      for disk in ["a", "b"] { try Laboratory.makeDisk(folder.path(disk), megabytes: 512) }
      var announced: [UInt32] = []
      var working = 0
      for number in 1...Self.cuts {
        let guest = try guest("work", limit: 60, folder)
        try guest.start()
        // At any moment: of the start, of the recovery, of the work.
        if number.isMultiple(of: 4) {
          Thread.sleep(forTimeInterval: .random(in: 0...2))
        } else {
          try guest.wait("captured sequence=")
          Thread.sleep(forTimeInterval: .random(in: 0...1.5))
        }
        #expect(guest.isRunning, "\(number): \(guest.text("console")); \(Self.again)")
        guest.kill()
        let numbers = try check(guest, after: announced.last ?? 0)
        working += numbers.isEmpty ? 0 : 1
        announced += numbers
      }
      let guest = try guest("finish", limit: 120, folder)
      try guest.run()
      announced += try check(guest, after: announced.last ?? 0)
      try guest.expectEachOnce(announced, Self.again)
      print("\(Self.cuts) power cuts, \(working) after captures, \(announced.count) captures")
      #expect(working > Self.cuts / 4, "\(working) of \(Self.cuts); \(Self.again)")
    }

    private func guest(_ task: String, limit: Int, _ folder: ScratchFolder) throws -> Guest {
      let guest = try Guest("cuts.sh", [task], limit: limit, folder: folder)
      guest.parameters = ["ubda=\(folder.path("a"))", "ubdb=\(folder.path("b"))"]
      try guest.configure([
        "store": "'/run/a/captures.db'", "capture": "{ policy: 'standard', interval: '1 s' }",
        "transmit": "{ interval: '5 s' }", "reconnectFloor": "'0 s'", "bearer": "'none'",
      ])
      return guest
    }

    /// Nothing of a life may be damaged, and its numbers continue those before.
    private func check(_ guest: Guest, after last: UInt32) throws -> [UInt32] {
      let log = guest.text("console")
      for word in ["damaged", "EXT4-fs error", "FAILED", "Fatal error"] {
        #expect(!log.contains(word), "\(log); \(Self.again)")
      }
      let numbers = Guest.announced(in: log)
      // A capture that was stored but not announced has its number, too.
      if let first = numbers.first {
        #expect(first > last, "\(first) after \(last); \(Self.again)")
      }
      return numbers
    }
  }
}
