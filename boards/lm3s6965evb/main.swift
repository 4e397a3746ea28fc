import FirmwareHost
import TrackerCore

/// The drivers, behind the protocol that the host asks for.
struct LM3S6965: Machine {
  var now: Instant { Instant(milliseconds: machine_now()) }

  func sleep(until deadline: Instant) { machine_sleep(deadline.milliseconds) }

  func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int {
    let room = Int32(truncatingIfNeeded: buffer.count)
    return buffer.withUnsafeMutableBufferPointer {
      Int(machine_receive(Int32(port.rawValue), $0.baseAddress, room))
    }
  }

  func send(_ bytes: Span<UInt8>, to port: MachinePort) {
    let count = Int32(truncatingIfNeeded: bytes.count)
    bytes.withUnsafeBufferPointer {
      uart_send(Int32(port.rawValue), $0.baseAddress, count)
    }
  }
}

@main struct Firmware {
  typealias OwnHost = FirmwareHost<LM3S6965>

  static func main() {
    guard let settings = FirmwareSettings.find(at: settings_place()) else {
      return no_settings()
    }
    let tracker = tracker_storage(Int32(MemoryLayout<Tracker>.size))!
      .assumingMemoryBound(to: Tracker.self)
    let host = host_storage(Int32(MemoryLayout<OwnHost>.size))!
      .assumingMemoryBound(to: OwnHost.self)
    begin(host, settings)
    begin(tracker, settings, at: host.pointee.now)
    run(&tracker.pointee, in: &host.pointee)
  }

  // Apart, so that what they take is gone from the stack when the loop begins.

  @inline(never)
  private static func begin(
    _ host: UnsafeMutablePointer<OwnHost>, _ settings: UnsafePointer<FirmwareSettings>
  ) {
    var bytes: Int32 = 0
    let place = captures_storage(&bytes)!
    let captures = UnsafeMutableBufferPointer(
      start: place.assumingMemoryBound(to: Capture.self),
      count: Int(bytes) / MemoryLayout<Capture>.stride)
    host.initialize(to: OwnHost(LM3S6965(), captures: CaptureRing(captures), settings))
  }

  @inline(never)
  private static func begin(
    _ tracker: UnsafeMutablePointer<Tracker>, _ settings: UnsafePointer<FirmwareSettings>,
    at now: Instant
  ) {
    Tracker.make(
      at: tracker, board: settings.pointee.board, configuration: settings.pointee.configuration,
      identity: settings.pointee.identity, now: now)
  }
}
