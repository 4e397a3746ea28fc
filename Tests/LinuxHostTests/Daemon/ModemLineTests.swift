import CaptureStore
import Courier
import Foundation
import LinuxHost
import TestSupport
import Testing
import TrackerCore
import Uplink

/// What the core says to a modem while the host has a dialogue with it.
@Suite(.serialized) struct ModemLineTests {
  /// Takes what is sent, and says nothing.
  private final class SilentLine: ByteLine {
    var sent = ""
    let descriptor: Int32? = nil
    let wantsWrite = false
    let wakeAt: Instant? = nil
    let isConnected = true
    func tend(at now: Instant) {}
    func ready(_ revents: Int16, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int {
      0
    }
    func send(_ bytes: [UInt8], at now: Instant) -> Bool {
      sent += String(decoding: bytes, as: UTF8.self)
      return true
    }
    func takeEvents() -> [LineEvent] { [] }
  }

  @Test func `A command of the core ends a short message that is under way, and its failure comes`()
    throws
  {
    let modem = SilentLine()
    let server = try PostingConfiguration(
      format: .json, url: "http://127.0.0.1:9/", credentials: .none)
    let store = try CaptureStore.open(.memory, at: BootClock.date)
    var parts = LinuxParts(
      signals: try SignalWatch(), courier: Courier(store, AnyDialogue(PostingDialogue(server))),
      receiver: SilentLine(), reload: { throw Problem("not asked for") })
    parts.modem = modem
    parts.textTo = PhoneNumber(Array("+34600000000".utf8).span)
    let clock = BootClock()
    var world = try LinuxWorld(parts, clock: clock)
    var bytes = [UInt8](repeating: 0, count: 1024)
    func wait() -> Arrival {
      var buffer = bytes.mutableSpan
      return world.wait(until: clock.now + 50, filling: &buffer)
    }

    world.push(.store(Walk.capture(1)))
    guard case .event(.captureStored) = wait() else { return record("nothing was stored") }
    world.push(.sendText(RequestID(7)))
    #expect(modem.sent.hasPrefix("ATE0"), "\(modem.sent)")
    #expect(wait() == .event(.deadlineReached))
    world.push(.sendToModem(.radioOff))
    #expect(modem.sent.hasSuffix("AT+CFUN=4\r"), "\(modem.sent)")
    #expect(
      wait() == .event(.textFinished(RequestID(7), wasSent: false)),
      "repeat with: swift test --filter LinuxHostTests.ModemLineTests")
  }

  private func record(_ problem: Comment) { Issue.record(problem) }
}
