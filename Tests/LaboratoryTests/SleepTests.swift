import CaptureStore
import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  /// trackerd runs as an ordinary user, and its helper as root.
  @Suite struct SleepTests {
    /// `LAB_HOURS=1` for a look.
    private static let hours =
      ProcessInfo.processInfo.environment["LAB_HOURS"].flatMap { Int($0) } ?? 12
    private static let again = "repeat with: .ci/lab test SleepTests"
    /// The first of the kernel's test clocks has no alarm.
    private static let clock = "rtc1"
    /// From the alarm until the computer has started, seconds, as its board says.
    private static let wake = 18

    @Test
    func `A computer that is off between captures walks a race, each life started by its alarm`()
      throws
    {
      let scratch = try ScratchFolder()
      try Laboratory.makeTools(in: scratch.url.appendingPathComponent("tools"))
      let trace = scratch.path("race.nmea")
      let made = try ProgramResult(
        "tracker-sim", ["synth", "--duration", "\(Self.hours)h", "--out", trace])
      #expect(made.code == 0, "\(made.errors)")
      let begun = ContinuousClock.now

      var start = 1_776_499_140  // 2026-04-18T07:59:00Z, a minute before the trace begins.
      var lives = 0
      var last: Guest
      repeat {
        last = try guest(trace, scratch, startedAt: start)
        try last.run()
        lives += 1
        guard let alarm = Int(last.text("alarm").dropLast()) else { break }
        // It is not halted for less, nor beyond the next capture.
        #expect(alarm > start && alarm < start + 700, "\(alarm - start) s; \(Self.again)")
        start = alarm + Self.wake
        try FileManager.default.removeItem(atPath: scratch.path("alarm"))
      } while lives <= Self.hours * 6 + 2

      let seconds = begun.duration(to: .now).components.seconds
      print("\(lives) lives in a race of \(Self.hours) hours, in \(seconds) s")
      let log = last.text("log")
      let store = try CaptureStore.openForReading(scratch.path("disk/captures.db"))
      let captures = try store.page(after: 0, limit: 1000)
      let times = captures.compactMap { $0.capture.utc?.milliseconds }
      // Every ten minutes, each in a life of its own. The last slot is at the end of the trace.
      let whole = Self.hours * 6...Self.hours * 6 + 1
      #expect(whole.contains(captures.count), "\(captures.count); \(log); \(Self.again)")
      // That of the last capture also sends it, or one more does.
      let each = captures.count...captures.count + 1
      #expect(each.contains(lives), "\(lives) lives; \(log); \(Self.again)")
      for (earlier, later) in zip(times, times.dropFirst()) {
        #expect((570_000...630_000).contains(later - earlier), "\(later - earlier); \(Self.again)")
      }
      #expect(captures.allSatisfy { $0.state == .acknowledged }, "\(log); \(Self.again)")
      try last.expectEachOnce(Guest.announced(in: log), Self.again)
      // To the tracker all of it was one session, and no start was a surprise.
      let session = Guest.line("session", of: last.text("status"))
      #expect(session.contains("running, number 1,"), "\(session); \(Self.again)")
      for word in ["cannot be used", "still runs", "Fatal error"] {
        #expect(!log.contains(word), "\(word): \(log); \(Self.again)")
      }
      #expect(last.text("why").contains("computer asleep, as planned"), "\(last.text("why"))")
    }

    private func guest(
      _ trace: String, _ folder: ScratchFolder, startedAt seconds: Int
    ) throws -> Guest {
      let guest = try Guest("halt.sh", [trace, Self.clock], limit: 120, folder: folder)
      guest.useVirtualTime(fromSeconds: seconds)
      try guest.configure([
        "store": "'/run/disk/captures.db'", "bearer": "'none'", "sleep": "'halt'",
        "receiver": "'dutyCycle'", "capture": "{ policy: 'standard', interval: '10 min' }",
      ])
      let halt = [
        "clock: { value: '\(Self.clock)'", "current: { value: '0.1 mA'",
        "wake: { value: '\(Self.wake) s'", "wakeCurrent: { value: '158 mA'",
        "stop: { value: '6 s'", "keeps: { value: ['receiver']",
      ].map { "\($0), source: 'the laboratory' }" }
      try guest.writeBoard(
        ["pi-zero-2w", "waveshare-sim7600", "neo-6m", "li-ion-3p", "usb-console"],
        "halt: { \(halt.joined(separator: ", ")) }")
      return guest
    }
  }
}
