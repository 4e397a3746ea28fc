import Foundation
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore

/// What a serial line does beside what every line does; a pseudo-terminal stands for the port.
@Suite(.serialized, .blocking) struct SerialLineTests {
  static func report(_ second: Int) -> String {
    ReceiverLine.report(Date(timeIntervalSince1970: 9e8), second)
  }

  /// A receiver with that rate: at another one the line brings rubbish.
  static func talk(_ receiver: ReceiverLine, at speed: speed_t, _ second: Int) {
    if receiver.speed == speed { return receiver.say(report(second)) }
    receiver.say((0..<90).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ second &* 31) | 0x80 })
  }

  @Test func `The rate is found by trying, kept, and looked for again when it is wrong`() throws {
    let rig = try SerialRig()
    let line = try LineAddress("\(rig.address)@auto").line(baud: 9600, gathering: 0)
    let pump = LinePump(line, speed: 20)
    var second = 0
    func talk(at speed: speed_t, until isSo: @escaping (LinePump) -> Bool) throws {
      var due = Date()
      try pump.run("the rate is found") { pump in
        if Date() >= due {
          Self.talk(rig.receiver, at: speed, second)
          second += 1
          // Once a second of its own time.
          due = Date(timeIntervalSinceNow: 0.05)
        }
        return isSo(pump)
      }
    }
    try talk(at: speed_t(B38400)) { $0.events.contains(.baudFound(38_400)) && $0.bytes.count > 500 }
    // What came at a wrong rate was not passed on, but for what was on its way at the change.
    #expect(pump.bytes.count { $0 >= 0x80 } <= 90, "\(pump.events); \(pump.command)")

    // Another receiver in its place: the plug says nothing about its rate.
    rig.receiver.unplug()
    try pump.run("the loss") { $0.losses == 1 }
    try rig.receiver.plug()
    try pump.run("the return") { $0.openings == 2 }
    #expect(pump.events.last == .opened(name: rig.address, baud: 38_400), "\(pump.events)")
    try talk(at: speed_t(B4800)) { $0.events.last == .baudFound(4800) }
    #expect(rig.receiver.speed == speed_t(B4800), "\(pump.command)")
  }

  @Test func `Silence before a rate was found is no reason to stay`() throws {
    let rig = try SerialRig()
    let line = try LineAddress("\(rig.address)@auto").line(baud: 9600, gathering: 0)
    var now = Instant.start
    line.tend(at: now)
    var seen: Set<speed_t> = [rig.receiver.speed]
    for _ in 0..<7 {
      now = try #require(line.wakeAt)
      line.tend(at: now)
      seen.insert(rig.receiver.speed)
    }
    #expect(seen.count == 7 && now == .start + .seconds(70), "\(seen) \(now)")
  }

  @Test func `A modem is found by its numbers when it comes back under another name`() throws {
    let rig = try SerialRig()
    let tree = try DeviceTree(in: rig.folder)
    try tree.plug("ttyUSB0", vendor: "1e0e", product: "9001", interface: "00", to: nil)
    try tree.plug("ttyUSB2", vendor: "1e0e", product: "9001", interface: "02", to: rig.address)
    try tree.plug("ttyACM0", vendor: "1546", product: "01a8", interface: "02", to: nil)
    var configuration = SerialLineConfiguration(
      .usb(vendor: 0x1E0E, product: 0x9001, interface: 2), .fixed(115_200))
    configuration.systemFolder = tree.system
    configuration.deviceFolder = tree.devices
    let pump = LinePump(SerialLine(configuration), speed: 10)
    rig.receiver.say(Self.report(1))
    try pump.run("its bytes") { $0.text == Self.report(1) }
    #expect(pump.events == [.opened(name: "\(tree.devices)/ttyUSB2", baud: 115_200)])

    rig.receiver.unplug()
    try tree.unplug("ttyUSB2")
    try pump.run("the loss") { $0.losses == 1 }
    try rig.receiver.plug()
    try tree.plug("ttyUSB7", vendor: "1e0e", product: "9001", interface: "02", to: rig.address)
    rig.receiver.say(Self.report(2))
    try pump.run("its bytes") { $0.text.hasSuffix(Self.report(2)) }
    #expect(
      pump.events.last == .opened(name: "\(tree.devices)/ttyUSB7", baud: 115_200)
        && pump.complaints.isEmpty, "\(pump.events)")
  }

  @Test(arguments: [false, true])
  func `A port that has another name after a reset is found, and not another port of the device`(
    _ isByLink: Bool
  ) throws {
    let rig = try SerialRig()
    let tree = try DeviceTree(in: rig.folder)
    func plug(_ name: String, _ interface: String, to device: String?) throws {
      try tree.plug(name, vendor: "1e0e", product: "9001", interface: interface, to: device)
    }
    try plug("ttyUSB1", "01", to: nil)
    try plug("ttyUSB2", "02", to: rig.address)
    var path = "\(tree.devices)/ttyUSB2"
    if isByLink {
      // A link that nobody moves, as where udev does not run.
      let link = "\(tree.devices)/modem"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "ttyUSB2")
      path = link
    }
    var configuration = SerialLineConfiguration(.path(path), .fixed(115_200))
    configuration.systemFolder = tree.system
    configuration.deviceFolder = tree.devices
    let pump = LinePump(SerialLine(configuration), speed: 10)
    try pump.run("it opens") { $0.openings == 1 }

    rig.receiver.unplug()
    for name in ["ttyUSB1", "ttyUSB2"] { try? tree.unplug(name) }
    try pump.run("the loss") { $0.losses == 1 }
    try rig.receiver.plug()
    // Everything one further: its old name is the NMEA port's now.
    try plug("ttyUSB2", "01", to: "/dev/null")
    try plug("ttyUSB3", "02", to: rig.address)
    rig.receiver.say(Self.report(1))
    try pump.run("its bytes") { $0.text == Self.report(1) }
    #expect(
      pump.events.last == .opened(name: "\(tree.devices)/ttyUSB3", baud: 115_200)
        && pump.complaints.isEmpty, "\(pump.events)")
  }

  @Test func `A rate that is ordered holds when the port comes back, until the usual one is`()
    throws
  {
    let rig = try SerialRig()
    let line = try LineAddress(rig.address).modemLine(baud: 115_200, outgoingBytes: 1024)
    let pump = LinePump(line, speed: 10)
    try pump.run("it opens") { $0.openings == 1 }
    line.setBaud(9600)
    #expect(rig.receiver.speed == speed_t(B9600))
    rig.receiver.unplug()
    try pump.run("the loss") { $0.losses == 1 }
    try rig.receiver.plug()
    try pump.run("the return") { $0.openings == 2 }
    #expect(pump.events.last == .opened(name: rig.address, baud: 9600), "\(pump.events)")
    line.setBaud(nil)
    #expect(rig.receiver.speed == speed_t(B115200))
  }

  @Test func `A device that is not plugged in is named by its numbers`() throws {
    let rig = try SerialRig()
    let tree = try DeviceTree(in: rig.folder)
    try tree.plug("ttyUSB0", vendor: "1e0e", product: "9001", interface: "00", to: nil)
    var configuration = SerialLineConfiguration(
      .usb(vendor: 0x1E0E, product: 0x9001, interface: 2), .fixed(115_200))
    configuration.systemFolder = tree.system
    let pump = LinePump(SerialLine(configuration), speed: 100)
    try pump.run("a word") { !$0.complaints.isEmpty }
    let said = pump.complaints[0].description
    #expect(said.contains("1e0e:9001, interface 2") && said.contains("lsusb"), "\(said)")
  }

  /// What is not a serial port of this machine, and a word that the refusal must have.
  static let foreign = [
    ("/dev/null", "not a serial port"), ("/dev/zero", "not a serial port"),
    ("/etc/hostname", "not a device"), ("/etc", "not a device"),
    ("/dev/there-is-no-such-port", "does not exist"), ("/etc/hostname/x", "cannot be opened"),
  ]

  @Test(arguments: foreign)
  func `What is no serial port is refused in one line, once`(
    _ path: String, _ word: String
  ) throws {
    let line = try LineAddress(path).line(baud: 9600, gathering: 0)
    let pump = LinePump(line, speed: 1000)
    let limit = pump.now + .seconds(20)
    try pump.run("many tries") { $0.now > limit }
    #expect(pump.events.count == 1 && !line.isConnected, "\(pump.events)")
    let said = try #require(pump.complaints.first).description
    #expect(
      said.hasPrefix(path) && said.contains(word) && !said.contains("\n")
        && said.contains("; "), "\(said)")
  }

  /// libserialport knows a virtual console by name, and then finds no control lines.
  @Test(.enabled(if: access("/sys/class/tty/tty0", F_OK) == 0, "there is no virtual console"))
  func `A console is refused as well`() throws {
    let pump = LinePump(try LineAddress("/dev/tty0").line(baud: 9600, gathering: 0))
    try pump.run("a word") { !$0.complaints.isEmpty }
    let said = pump.complaints[0].description
    #expect(
      said.contains("not a serial port") || said.contains("is not accessible")
        || said.contains("does not exist"), "\(said)")
  }

  @Test func `A line that another one holds is refused, and had when it is free`() throws {
    let rig = try SerialRig()
    var first: LinePump? = LinePump(try LineAddress(rig.address).line(baud: 9600, gathering: 0))
    try first?.run("it opens") { $0.openings == 1 }
    let second = LinePump(
      try LineAddress(rig.address).line(baud: 9600, gathering: 0), speed: 100)
    try second.run("a refusal") { !$0.complaints.isEmpty }
    #expect(second.complaints[0].description.contains("in use"), "\(second.complaints)")
    first = nil
    try second.run("it opens") { $0.openings == 1 }
  }

  @Test func `Commands are sent whole and in order, and refused when there is no room`() throws {
    let rig = try SerialRig()
    let line = try LineAddress(rig.address).line(baud: 9600, gathering: 500)
    let pump = LinePump(line)
    #expect(!line.send([1, 2, 3], at: pump.now), "there is no line yet")
    try pump.run("it opens") { $0.openings == 1 }
    var sent: [UInt8] = []
    // Until the terminal takes no more, and then the line's own room is full.
    while sent.count < 1_000_000 {
      let command = (0..<100).map { UInt8(truncatingIfNeeded: sent.count &+ $0 &* 7) }
      guard line.send(command, at: pump.now) else { break }
      sent += command
    }
    #expect(sent.count < 1_000_000 && line.wantsWrite, "\(sent.count)")
    var heard: [UInt8] = []
    try pump.run("all is sent") { _ in
      heard += rig.receiver.heard()
      return heard.count >= sent.count
    }
    #expect(heard == sent, "\(pump.command)")
    pump.step()
    #expect(!line.wantsWrite, "\(pump.command)")
    let tooLong = [UInt8](repeating: 0, count: 2000)
    #expect(!line.send(tooLong, at: pump.now), "too long for it")
  }

  @Test func `What was not sent yet is not sent at another rate`() throws {
    let rig = try SerialRig()
    let line = try LineAddress(rig.address).line(baud: 9600, gathering: 0)
    let pump = LinePump(line)
    try pump.run("it opens") { $0.openings == 1 }
    // Until the terminal takes no more: the rest waits in the line.
    while !line.wantsWrite {
      #expect(line.send(Array("AT+CSQ\r".utf8), at: pump.now), "\(pump.command)")
    }
    line.setBaud(115_200)
    #expect(!line.wantsWrite, "\(pump.command)")
  }

  @Test func `A burst that gathers is read in few calls, one that does not in many`() throws {
    var polls: [Int] = []
    for gathering in [Milliseconds(0), Milliseconds(400)] {
      let rig = try SerialRig()
      let pump = LinePump(try LineAddress(rig.address).line(baud: 9600, gathering: gathering))
      try pump.run("it opens") { $0.openings == 1 }
      let bytes = Array(Self.report(1).utf8)
      var next = 0
      try pump.run("all of it") { pump in
        // In pieces, as a slow line brings them.
        if next < bytes.count {
          rig.receiver.say(Array(bytes[next..<min(next + 10, bytes.count)]))
          next += 10
          Thread.sleep(forTimeInterval: 0.01)
        }
        return pump.bytes == bytes
      }
      polls.append(pump.polls)
    }
    #expect(polls[1] < polls[0] / 2, "\(polls); repeat with: swift test --filter SerialLineTests")
  }

  @Test func `A fast line is read before the terminal's 4096 bytes are full`() throws {
    let rig = try SerialRig()
    let line = try LineAddress("\(rig.address)@115200").line(baud: 9600, gathering: 1000)
    line.tend(at: .start)
    rig.receiver.say("$")
    var buffer = [UInt8](repeating: 0, count: 16)
    var free = buffer.mutableSpan
    #expect(line.ready(.readable, at: .start, into: &free) == 0)
    let due = try #require(line.wakeAt)
    #expect(due <= .start + Milliseconds(4096 * 1000 / 11_520) && line.descriptor == nil)
  }
}
