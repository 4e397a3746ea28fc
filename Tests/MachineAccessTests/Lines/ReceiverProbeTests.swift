import Foundation
import MachineAccess
import TestSupport
import Testing
import TrackerCore

/// Looking for a receiver before there is a tracker.
@Suite(.blocking) struct ReceiverProbeTests {
  private func finding(
    _ address: String, atMost limit: Milliseconds = .seconds(20)
  ) throws -> ReceiverProbe.Finding {
    var probe = ReceiverProbe(try LineAddress(address), baud: 9600)
    return probe.listen(atMost: limit)
  }

  @Test(arguments: LineKind.allCases.filter { $0 == .serial || GpsdRig.isInstalled })
  func `A receiver is found on a port and behind gpsd`(_ kind: LineKind) throws {
    let rig = try kind.rig()
    rig.receiver.walk()
    defer { rig.receiver.stop() }
    let address = kind == .serial ? "\(rig.address)@auto" : rig.address
    var found = try finding(address)
    // A gpsd that has just been started does not listen yet.
    try eventually("gpsd to listen: \(found)") {
      guard case .unavailable = found else { return true }
      found = try finding(address)
      return false
    }
    guard case .heard(let baud, let sentences, let time) = found else {
      Issue.record("it was not heard: \(found)")
      return
    }
    #expect(baud == (kind == .serial ? 9600 : 0))
    #expect(sentences > 1)
    #expect(time >= .seconds(2))
  }

  @Test func `A port where nothing speaks is silent`() throws {
    let rig = try SerialRig()
    #expect(try finding("\(rig.address)@auto") == .silent)
  }

  @Test func `Bytes that are no sentence at any rate are noise`() throws {
    let rig = try SerialRig()
    rig.receiver.flood()
    defer { rig.receiver.stop() }
    #expect(try finding("\(rig.address)@auto", atMost: .seconds(4)) == .noise)
  }

  @Test func `A port that is not there is said to be so`() throws {
    guard case .unavailable(let problem) = try finding("/dev/nothing@auto") else {
      Issue.record("it was there")
      return
    }
    #expect(problem.description.contains("/dev/nothing"))
  }
}
