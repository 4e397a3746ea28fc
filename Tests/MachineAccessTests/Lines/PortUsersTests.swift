import Foundation
import TestSupport
import Testing

@testable import MachineAccess

/// A mount namespace whose programs may mount, and end with it.
private enum Container {
  static let words = ["unshare", "-rmpf", "--kill-child", "bash", "-ec"]
  static let mount = "mount -t devpts -o ptmxmode=666 devpts /dev/pts"

  static let isPossible: Bool = {
    guard Tool.url("unshare") != nil, Tool.url("script") != nil else { return false }
    return (try? ProgramResult(running: words + [mount]))?.code == 0
  }()
}

/// Programs that have a port open in a mount namespace of their own.
@Suite(
  .blocking,
  .enabled(if: Container.isPossible, "it takes mount namespaces: unshare, script, devpts"))
struct PortUsersTests {
  private static let again: Comment = "repeat with: swift test --filter PortUsersTests"

  private let rig: SerialRig
  private let device: String

  init() throws {
    rig = try SerialRig()
    device = try FileManager.default.destinationOfSymbolicLink(atPath: rig.address)
  }

  @Test func `A pseudo-terminal of the same name in another devpts is another device`() throws {
    let number = try #require(Int(device.dropFirst("/dev/pts/".count)))
    // Each takes the lowest free number, and has that terminal open until it is killed.
    let shell = "echo $(tty) >> '\(rig.folder.path)/open'; exec sleep 1000"
    let scripts = "for i in {0..\(number)}; do script -qc \"$shell\" /dev/null & done; wait"
    let other = try RunningProgram(
      Container.words + ["\(Container.mount); \(scripts)"], environment: ["shell": shell])
    defer { other.end() }
    try eventually("\(device) to be open in another devpts") {
      let open = try? String(contentsOf: rig.folder.appendingPathComponent("open"), encoding: .utf8)
      return open?.split(separator: "\n").contains { $0 == device } == true
    }
    #expect(PortUsers().users(of: device) == [], Self.again)
  }

  @Test func `A program that has the port open under another name is named`() throws {
    let commands = "mount --bind '\(device)' /dev/zero; exec sleep 1000 < /dev/zero"
    let other = try RunningProgram(Container.words + [commands])
    defer { other.end() }
    try eventually("sleep to be found") {
      PortUsers().users(of: device).map(\.name) == ["sleep"]
    }
  }
}
