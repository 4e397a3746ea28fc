import Foundation
import TestSupport
import Testing

@testable import MachineAccess

/// The lock files that serial programs share.
@Suite(.serialized, .blocking) struct PortLockTests {
  private static let again: Comment = "repeat with: swift test --filter PortLockTests"

  private let scratch: ScratchFolder
  private var folder: String { scratch.path("") }
  private var file: String { scratch.path("LCK..ttyUSB2") }

  init() throws { scratch = try ScratchFolder() }

  private func content() -> String? { try? String(contentsOfFile: file, encoding: .utf8) }

  @Test func `A lock has the number of this process in ten columns, and goes with its owner`()
    throws
  {
    do {
      let lock = try PortLock("/dev/ttyUSB2", in: folder)
      let digits = "\(getpid())"
      let padding = String(repeating: " ", count: 10 - digits.count)
      #expect(content() == "\(padding)\(digits)\n", Self.again)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1, Self.again)
      // The same program again does not take it away from itself.
      do { _ = try PortLock("/dev/ttyUSB2", in: folder) }
      #expect(content() != nil, Self.again)
      withExtendedLifetime(lock) {}
    }
    #expect(content() == nil, Self.again)
  }

  @Test(arguments: ["%10d\n", "%d", "%d minicom root\n"])
  func `The lock of a running program is honoured, and the program named`(
    _ format: String
  ) throws {
    let other = try RunningProgram("sleep", "1000")
    defer { other.end() }
    let text = format.replacingOccurrences(of: "%10d", with: "%d")
      .replacingOccurrences(of: "%d", with: "\(other.id)")
    _ = try scratch.write("LCK..ttyUSB2", text)
    var problem: LineError?
    do { _ = try PortLock("/dev/ttyUSB2", in: folder) } catch { problem = error }
    let said = try #require(problem).description
    #expect(
      said.hasPrefix("/dev/ttyUSB2 is in use by ") && said.contains("\(other.id)")
        && said.contains("LCK..ttyUSB2"), "\(said); \(Self.again)")
    #expect(content() == text, Self.again)
  }

  @Test func `The lock of a program that has ended is replaced`() throws {
    let other = try RunningProgram("true")
    other.wait()
    _ = try scratch.write("LCK..ttyUSB2", "\(other.id)\n")
    let lock = try PortLock("/dev/ttyUSB2", in: folder)
    #expect(content()?.contains("\(getpid())") == true, Self.again)
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: ["", "nobody\n", "-1\n", "0\n", "99999999999\n"])
  func `What is no lock does not keep the port closed`(_ text: String) throws {
    _ = try scratch.write("LCK..ttyUSB2", text)
    let lock = try PortLock("/dev/ttyUSB2", in: folder)
    #expect(content()?.contains("\(getpid())") == true, Self.again)
    withExtendedLifetime(lock) {}
  }

  @Test func `Without the folder the port is used nevertheless`() throws {
    _ = try PortLock("/dev/ttyUSB2", in: scratch.path("nowhere"))
  }

  @Test func `An open line has its lock in the system's folder, a closed one has not`() throws {
    try #require(access(PortLock.folder, W_OK) == 0)
    let rig = try SerialRig()
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: rig.address)
    let name = device.dropFirst("/dev/".count).replacingOccurrences(of: "/", with: "_")
    let path = "\(PortLock.folder)/LCK..\(name)"
    do {
      let pump = LinePump(try LineAddress(rig.address).line(baud: 9600, gathering: 0))
      try pump.run("it opens") { $0.openings == 1 }
      #expect(access(path, F_OK) == 0, "\(path); \(Self.again)")
    }
    #expect(access(path, F_OK) != 0, "\(path); \(Self.again)")
  }

  @Test(.enabled(if: Tool.url("flock") != nil, "it takes util-linux"))
  func `A program that holds the port without a lock file is named, too`() throws {
    let rig = try SerialRig()
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: rig.address)
    let other = try RunningProgram("flock", "-F", device, "sleep", "1000")
    defer { other.end() }
    try eventually("flock to open it") { !PortUsers().users(of: device).isEmpty }
    let pump = LinePump(
      try LineAddress(rig.address).line(baud: 9600, gathering: 0), speed: 100)
    try pump.run("a refusal") { !$0.complaints.isEmpty }
    let said = pump.complaints[0].description
    #expect(said.contains("is in use by") && said.contains("(process "), "\(said); \(Self.again)")
  }
}
