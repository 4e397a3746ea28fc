import Foundation
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// What the service manager is told, and when.
@Suite(.serialized) struct ServiceNoticeTests {
  private let again: Comment = "repeat with: swift test --filter ServiceNoticeTests"

  @Test func `It is ready after the first pass, and alive after each that is due`() {
    var notice = ServiceNotice(watchdog: 180_000)
    #expect(notice.timeout(at: 0) == 1000, again)
    #expect(notice.passed(at: 0) == "READY=1\nWATCHDOG=1", again)
    // One that wakes all the time notifies it no more often than necessary.
    #expect(notice.passed(at: 44_999) == nil, again)
    #expect(notice.passed(at: 45_000) == "WATCHDOG=1", again)
    // One that sleeps wakes after half of the time.
    #expect(notice.timeout(at: 45_000) == 90_000, again)
    #expect(notice.timeout(at: 80_000) == 55_000, again)
    #expect(notice.passed(at: 135_000) == "WATCHDOG=1", again)
    // A sign that systemd did not take is not given again without a pause.
    #expect(notice.timeout(at: 400_000) == HostBounds.serviceRetry.count, again)
  }

  @Test func `However it wakes, two signs are never further apart than half the time and a pass`() {
    for pause in [Int64(1), 999, 44_999, 45_001, 89_999, 10_000_000] {
      var notice = ServiceNotice(watchdog: 180_000)
      var (now, last) = (Int64(0), Int64(0))
      for _ in 0..<500 {
        if notice.passed(at: now) != nil {
          #expect(now - last <= 90_000, "\(pause); \(again)")
          last = now
        }
        now += min(pause, notice.timeout(at: now) ?? pause)
      }
    }
  }

  @Test func `Without a watchdog it sleeps as long as it likes`() {
    var notice = ServiceNotice(watchdog: nil)
    #expect(notice.passed(at: 0) == "READY=1", again)
    #expect(notice.passed(at: 1_000_000) == nil && notice.timeout(at: 1_000_000) == nil, again)
    #expect(notice.mends() == "STATUS=", again)
  }

  @Test func `Mending a store takes longer than the watchdog's time, and is allowed to`() {
    var notice = ServiceNotice(watchdog: 180_000)
    _ = notice.passed(at: 0)
    #expect(notice.mends() == "STATUS=\nWATCHDOG_USEC=1800000000", again)
    #expect(!notice.isStatusDue(at: 900_000), again)
    #expect(
      notice.passed(at: 900_000) == "READY=1\nWATCHDOG_USEC=180000000\nWATCHDOG=1", again)
    #expect(notice.passed(at: 945_000) == "WATCHDOG=1", again)
  }

  @Test func `The status is told when it has changed, looked at twice a minute at most`() {
    var notice = ServiceNotice(watchdog: nil)
    #expect(!notice.isStatusDue(at: 0), again)
    _ = notice.passed(at: 0)
    #expect(notice.isStatusDue(at: 0), again)
    #expect(notice.looked("GO", at: 0) == "STATUS=GO", again)
    #expect(!notice.isStatusDue(at: 29_999) && notice.isStatusDue(at: 30_000), again)
    #expect(notice.looked("GO", at: 30_000) == nil, again)
    #expect(
      notice.looked("NO-GO: a\nREADY=0\u{7F}", at: 60_000) == "STATUS=NO-GO: a READY=0 ", again)
    notice.statusWasLost()
    #expect(notice.looked("NO-GO: a\nREADY=0\u{7F}", at: 90_000) != nil, again)
    let long = notice.looked(String(repeating: "é", count: 9999), at: 120_000)
    #expect(long?.utf8.count == "STATUS=".utf8.count + 1000, again)
  }

  private func heard(_ socket: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test(arguments: ["path", "abstract"])
  func `It is heard at a path and at an abstract name`(_ kind: String) throws {
    let scratch = try ScratchFolder()
    let name = kind == "path" ? scratch.path("notify") : "@trailtracker/\(UUID().uuidString)"
    let manager = try notifySocket(name)
    defer { close(manager) }
    let service = try #require(ServiceManager(name, watchdogMicroseconds: "180000000"))
    service.passed()
    #expect(heard(manager) == "READY=1\nWATCHDOG=1", again)
    service.tell(status: "GO")
    #expect(heard(manager) == "STATUS=GO", again)
    service.stops()
    #expect(heard(manager) == "STOPPING=1\nSTATUS=", again)
  }

  @Test func `A manager that does not read holds nothing up, and learns it later`() throws {
    let scratch = try ScratchFolder()
    let manager = try notifySocket(scratch.path("notify"))
    defer { close(manager) }
    let filler = try Descriptor.datagramSocket()
    let address = try #require(UnixAddress(service: scratch.path("notify")))
    while address.send([0x58], from: filler) {}
    let service = try #require(ServiceManager(scratch.path("notify"), watchdogMicroseconds: nil))
    service.passed()
    #expect(service.timeoutMilliseconds == 1000, again)
    while heard(manager) == "X" {}
    service.passed()
    #expect(heard(manager) == "READY=1" && service.timeoutMilliseconds == nil, again)
  }

  @Test(arguments: ["", "@", "notify", "@\(String(repeating: "x", count: 200))", "vsock:2:1234"])
  func `An address that is none is no service manager`(_ name: String) {
    #expect(ServiceManager(name, watchdogMicroseconds: nil) == nil, again)
  }

  @Test(arguments: ["", "0", "-5", "soon", "99999999999999999999"])
  func `A time that is none is no watchdog`(_ text: String) throws {
    let service = try #require(ServiceManager("@nobody", watchdogMicroseconds: text))
    // Nobody is there, so it is never ready.
    service.passed()
    #expect(service.timeoutMilliseconds == 1000, again)
  }
}
