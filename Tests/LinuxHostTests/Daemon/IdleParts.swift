import CaptureStore
import Courier
import LinuxHost
import SystemCalls
import TestSupport
import TrackerCore
import Uplink

@testable import MachineAccess

extension LinuxParts {
  /// A daemon without a modem, whose server is not there.
  static func idle(receiver: any ByteLine = SilentLine()) throws -> LinuxParts {
    let server = try PostingConfiguration(
      format: .json, url: "http://127.0.0.1:9/", credentials: .none)
    return LinuxParts(
      signals: try SignalWatch(),
      courier: Courier(
        try CaptureStore.open(.memory, at: BootClock.date), AnyDialogue(PostingDialogue(server)),
        boot: "one"),
      receiver: receiver, reload: { throw Problem("not asked for") })
  }
}

/// A line at which nothing ever happens.
class SilentLine: ByteLine {
  var descriptor: Int32? { nil }
  let wantsWrite = false
  let wakeAt: Instant? = nil
  let isConnected = false
  func tend(at now: Instant) {}
  func ready(_ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int {
    0
  }
  func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }
  func takeEvents() -> [LineEvent] { [] }
}
