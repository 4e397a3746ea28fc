import Foundation
import NMEA
import Simulation
import Testing

/// A trace plays on its own time.
@Suite struct TracePlayerTests {
  private struct Played: Equatable {
    var instants: [Int64] = []
    var bursts: [String] = []
    var text: String { bursts.joined() }
  }

  private func play(_ text: String) throws -> Played { try play(Data(text.utf8)) }

  private func play(_ data: Data) throws -> Played {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try data.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    var player = try TracePlayer(path: url.path)
    var played = Played()
    var storage = [UInt8](repeating: 0, count: 100)
    while let instant = try player.nextBurst() {
      played.instants.append(instant.milliseconds)
      var bytes: [UInt8] = []
      while true {
        var span = storage.mutableSpan
        let count = player.read(into: &span)
        if count == 0 { break }
        bytes += storage[..<count]
      }
      played.bursts.append(String(decoding: bytes, as: UTF8.self))
    }
    #expect(player.bytesRead == Int64(data.count))
    #expect(player.totalBytes == Int64(data.count))
    return played
  }

  private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
  }

  private func rmc(_ time: String, _ date: String = "230394") -> String {
    sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,022.4,084.4,\(date),,")
  }

  private func gga(_ time: String) -> String {
    sentence("GPGGA,\(time),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
  }

  private let gsa = "$GPGSA,A,3,20,17,23,14,,,,,,,,,1.62,1.31,0.95*08\r\n"

  @Test("Each instant is a burst, the first at zero")
  func bursts() throws {
    let played = try play(
      gsa + rmc("120000") + gga("120000") + gsa + rmc("120001") + gga("120001") + rmc("120005.5"))
    #expect(played.instants == [0, 1000, 5500])
    #expect(played.bursts[1] == gsa + rmc("120001") + gga("120001"))
  }

  @Test("A backward step and a step of more than a day take a second, a gap of hours its length")
  func steps() throws {
    let played = try play(
      rmc("120000") + rmc("110000") + rmc("170000") + rmc("170001", "250394")
        + rmc("170002", "250394"))
    #expect(played.instants == [0, 1000, 21_601_000, 21_602_000, 21_603_000])
  }

  @Test("Midnight is crossed with a date and without")
  func midnight() throws {
    #expect(try play(rmc("235959") + rmc("000001", "240394")).instants == [0, 2000])
    #expect(try play(gga("235959") + gga("000001")).instants == [0, 2000])
    #expect(try play(gga("235959") + rmc("000001")).instants == [0, 2000])
    #expect(try play(rmc("235959") + gga("000001")).instants == [0, 2000])
  }

  @Test("Cycles without a time take a second each")
  func cold() throws {
    let cycle = sentence("GPGGA,,,,,,0,,,,M,,M,,") + sentence("GPRMC,,V,,,,,,,,,,N")
    let played = try play(cycle + cycle + cycle + rmc("120000") + rmc("120001"))
    #expect(played.instants == [0, 1000, 2000, 3000, 4000])
  }

  @Test("TAG times rule where they are")
  func tags() throws {
    func tagged(_ time: Int64, _ line: String) -> String {
      "\\" + sentence("c:\(time)").dropFirst().dropLast() + "\\" + line
    }
    let played = try play(
      tagged(1_349_517_600_000, rmc("120000")) + tagged(1_349_517_600_000, gga("120000"))
        + tagged(1_349_517_600_250, gsa) + tagged(1_349_517_601_000, rmc("130000")))
    #expect(played.instants == [0, 250, 1000])
  }

  @Test("Comments, noise and halves are delivered with the burst they stand in")
  func noise() throws {
    let text =
      "# a header\n" + rmc("120000") + "noise\n\u{1}\u{2}$GPGG" + gga("120000") + rmc("120001")
      + "half of a li"
    let played = try play(text)
    #expect(played.text == text)
    #expect(played.instants == [0, 1000])
  }

  @Test("A long run of noise is cut into several bursts at the same instant")
  func longNoise() throws {
    let line = String(repeating: "0123456789abcde ", count: 128) + "\n"
    let noise = String(repeating: line, count: 16)
    let endless = String(repeating: "x", count: 300_000)
    let text = noise + rmc("120000") + noise + rmc("120001") + endless + rmc("120002")
    let played = try play(text)
    #expect(played.text == text)
    #expect(Set(played.instants) == [0, 1000, 2000])
    #expect(played.instants == played.instants.sorted())
    #expect(played.bursts.allSatisfy { $0.utf8.count < 140_000 })
  }

  @Test("A long trace goes through the buffer whole")
  func long() throws {
    var text = ""
    for second in 0..<3000 {
      let minutes = 10 + second / 60 % 50
      let time = "12\(minutes)\(second % 60 < 10 ? "0" : "")\(second % 60)"
      text += rmc(time) + gga(time) + gsa
    }
    let played = try play(text)
    #expect(played.text == text)
    #expect(played.instants.count == 3000)
    #expect(played.instants.last == 2_999_000)
  }

  private static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("../shared/corpus").standardizedFileURL

  @Test(
    "A burst of a real log is what the decoder makes one epoch of",
    .enabled(
      if: FileManager.default.fileExists(atPath: corpus.path),
      "../shared/corpus is not beside the package: no real logs"))
  func epochs() throws {
    let logs = try FileManager.default
      .contentsOfDirectory(at: Self.corpus, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "log" }
    #expect(!logs.isEmpty, "no .log in \(Self.corpus.path)")
    for log in logs {
      let data = try Data(contentsOf: log)
      let played = try play(data)
      var decoder = Decoder()
      var epochs = 0
      var position = 0
      let bytes = [UInt8](data)
      while decoder.next(in: bytes.span, from: &position) != nil { epochs += 1 }
      while decoder.finish() != nil { epochs += 1 }
      #expect(played.instants.count == epochs, "\(log.lastPathComponent)")
      #expect(played.instants == played.instants.sorted())
    }
  }

  @Test("What is no trace is told in one line")
  func errors() throws {
    func reason(_ path: String) -> TraceError.Reason? {
      do throws(TraceError) {
        var player = try TracePlayer(path: path)
        while try player.nextBurst() != nil {}
        return nil
      } catch {
        #expect(!error.message.contains("\n"))
        #expect(error.message.contains(path))
        return error.reason
      }
    }
    #expect(reason("/nowhere/at/all") == .missing)
    #expect(reason("/tmp") == .isDirectory)
    #expect(reason("/dev/null") == .empty)
    #expect(throws: TraceError.self) { _ = try self.play("no sentence\nhere\n") }
  }
}
