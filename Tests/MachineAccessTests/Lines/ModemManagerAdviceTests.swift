import Foundation
import MachineAccess
import TestSupport
import Testing

/// What is said about a ModemManager, on a machine made of files.
@Suite struct ModemManagerAdviceTests {
  private static let again: Comment = "repeat with: swift test --filter ModemManagerAdviceTests"

  /// A machine with a modem on USB, a port of its own, and perhaps a ModemManager.
  private func machine(runs name: String?, property: String? = nil) throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    let manager = FileManager.default
    func make(_ path: String, _ text: String) throws {
      let url = URL(fileURLWithPath: scratch.path(path))
      try manager.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try make("proc/1/comm", "systemd\n")
    if let name { try make("proc/811/comm", "\(name)\n") }
    let device = "sys/devices/usb1/1-1"
    try make("\(device)/idVendor", "1e0e\n")
    try make("\(device)/idProduct", "9001\n")
    try make("\(device)/1-1:1.2/bInterfaceNumber", "02\n")
    try make("\(device)/1-1:1.2/ttyUSB2/name", "")
    try make("sys/class/tty/ttyUSB2/dev", "188:2\n")
    try manager.createSymbolicLink(
      atPath: scratch.path("sys/class/tty/ttyUSB2/device"),
      withDestinationPath: scratch.path("\(device)/1-1:1.2/ttyUSB2"))
    try make("sys/class/tty/ttyAMA0/dev", "204:64\n")
    try make("dev/ttyUSB2", "")
    try make("dev/ttyAMA0", "")
    if let property { try make("run/udev/data/c188:2", "I:1\nE:\(property)\n") }
    return scratch
  }

  static let usb = "ATTRS{idVendor}==\"1e0e\", ATTRS{idProduct}==\"9001\", "
  static let ignore = "ENV{ID_MM_DEVICE_IGNORE}=\"1\""

  @Test(arguments: [
    ("usb:1e0e:9001:2", usb + ignore), ("/dev/ttyUSB2", usb + ignore),
    ("/dev/ttyAMA0@115200", "KERNEL==\"ttyAMA0\", " + ignore),
  ])
  func `The line for udev is that of the port`(_ address: String, _ rule: String) throws {
    let scratch = try machine(runs: "ModemManager")
    let advice = ModemManagerAdvice(try LineAddress(address), below: scratch.path(""))
    #expect(advice?.rule == rule, Self.again)
    #expect(advice?.program == "ModemManager (process 811)", Self.again)
  }

  @Test func `A service that sees no other program finds it by its control group`() throws {
    let scratch = try machine(runs: nil)
    let group = URL(
      fileURLWithPath: scratch.path("sys/fs/cgroup/system.slice/ModemManager.service"))
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
    let processes = group.appendingPathComponent("cgroup.procs")
    // The folder of a service that has been stopped may stay for a while.
    for (lines, program) in [("", nil), ("812\n813\n", "ModemManager (process 812)")] {
      try Data(lines.utf8).write(to: processes)
      let advice = ModemManagerAdvice(
        try LineAddress("usb:1e0e:9001:2"), below: scratch.path(""))
      #expect(advice?.program == program, Self.again)
    }
  }

  @Test(
    arguments: [
      (nil, nil), ("NetworkManager", nil), ("ModemManager", "ID_MM_DEVICE_IGNORE=1"),
      ("ModemManager", "ID_MM_PORT_IGNORE=1"),
    ] as [(String?, String?)])
  func `Where it does not run, or leaves the port alone, nothing is said`(
    _ name: String?, _ property: String?
  ) throws {
    let scratch = try machine(runs: name, property: property)
    let address = try LineAddress("usb:1e0e:9001:2")
    #expect(ModemManagerAdvice(address, below: scratch.path("")) == nil, Self.again)
  }
}
