import FieldConsole
import Foundation
import LinuxHost
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore

/// What the core says to a modem while the host has a dialogue with it.
@Suite(.serialized) struct ModemLineSharingTests {
  /// Takes what is sent, or refuses it, and says what it is told to.
  private final class ScriptedLine: ByteLine {
    var sent = ""
    var isRefusing = false
    /// What it says while `descriptor` is readable.
    var said: [UInt8] = []
    var descriptor: Int32?
    let wantsWrite = false
    let wakeAt: Instant? = nil
    let isConnected = true
    var device: String?
    func tend(at now: Instant) {}
    func ready(_ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int {
      for (place, byte) in said.enumerated() { buffer[place] = byte }
      return said.count
    }
    func send(_ bytes: [UInt8], at now: Instant) -> Bool {
      if isRefusing { return false }
      sent += String(decoding: bytes, as: UTF8.self)
      return true
    }
    func takeEvents() -> [LineEvent] { [] }
  }

  @Test func `A command of the core ends a short message that is under way, and its failure comes`()
    throws
  {
    let modem = ScriptedLine()
    var parts = try Self.parts(modem)
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
      "repeat with: swift test --filter LinuxHostTests.ModemLineSharingTests")
  }

  @Test func `Commands that the line refuses are logged once until it takes one again`() throws {
    let scratch = try ScratchFolder()
    let log = FileHandle(forUpdatingAtPath: try scratch.write("log", ""))
    let modem = ScriptedLine()
    var parts = try Self.parts(modem)
    parts.log = Log(descriptor: try #require(log).fileDescriptor)
    var world = try LinuxWorld(parts, clock: BootClock())
    for isRefusing in [true, true, false, true] {
      modem.isRefusing = isRefusing
      world.push(.sendToModem(.attention))
    }
    let said = try String(contentsOfFile: scratch.path("log"), encoding: .utf8)
    #expect(
      said.components(separatedBy: "<4>modem not told command=attention\n").count == 3,
      "repeat with: swift test --filter LinuxHostTests.ModemLineSharingTests")
  }

  @Test func `A command that the line refuses is logged, and hides no digits of what follows`()
    throws
  {
    let again: Comment = "repeat with: swift test --filter LinuxHostTests.ModemLineSharingTests"
    let scratch = try ScratchFolder()
    let log = FileHandle(forUpdatingAtPath: try scratch.write("log", ""))
    let modem = ScriptedLine()
    var parts = try Self.parts(modem)
    parts.log = Log(descriptor: try #require(log).fileDescriptor)
    parts.pin = try SecretsFile.load(scratch.write("secrets", "pin = 8642\n"))["pin"]
    parts.pinMemory = PINMemory(
      path: scratch.path("queue.db.pin"), secrets: scratch.path("secrets"))
    let clock = BootClock()
    var world = try LinuxWorld(parts, clock: clock)
    modem.isRefusing = true
    world.push(.rememberPIN(isTried: true))
    world.push(.sendToModem(.enterPIN))
    world.push(.sendToModem(.signal))
    let said = try String(contentsOfFile: scratch.path("log"), encoding: .utf8)
    #expect(said.contains("<4>modem not told command=enterPIN\n"), again)
    #expect(said.contains("<4>modem not told command=signal\n"), again)
    #expect(!said.contains("8642"), again)

    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: [0])
    modem.descriptor = pipe.fileHandleForReading.fileDescriptor
    modem.said = Array("862636051234567\r\n".utf8)
    var bytes = [UInt8](repeating: 0, count: 1024)
    var buffer = bytes.mutableSpan
    let arrival = world.wait(until: nil, filling: &buffer)
    #expect(arrival == .bytes(count: modem.said.count, from: .modem), again)
    #expect((0..<modem.said.count).map { buffer[$0] } == modem.said, again)
  }

  @Test(.blocking) func `Whoever asks hears that another program has left the modem's port`()
    throws
  {
    let again: Comment = "repeat with: swift test --filter LinuxHostTests.ModemLineSharingTests"
    let (scratch, port) = (try ScratchFolder(), try SerialRig())
    let log = FileHandle(forUpdatingAtPath: try scratch.write("log", ""))
    func said(_ words: String) throws -> Bool {
      try String(contentsOfFile: scratch.path("log"), encoding: .utf8).contains(words)
    }
    let modem = ScriptedLine()
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: port.address)
    modem.device = device
    var parts = try Self.parts(modem)
    parts.log = Log(descriptor: try #require(log).fileDescriptor)
    parts.control = try ControlSocket(path: scratch.path("control"))
    let clock = BootClock(speed: 100)
    var world = try LinuxWorld(parts, clock: clock)
    var bytes = [UInt8](repeating: 0, count: 1024)
    func wait() -> Arrival {
      var buffer = bytes.mutableSpan
      return world.wait(until: clock.now + .seconds(1), filling: &buffer)
    }

    let other = try RunningProgram("sh", "-c", "exec 3<>'\(device)'; exec sleep 1000")
    defer { other.end() }
    try eventually("the other program is named") {
      _ = wait()
      world.push(.note(.modem(.starting)))
      return try said("another program uses the modem's port")
    }
    other.end()
    // Nothing but the question has it look again.
    let address = try #require(UnixAddress(scratch.path("control")))
    let tracker = Tracker(
      board: .none, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText("A"), seed: 1),
      at: .start)
    try eventually("it is known to be gone") {
      let client = try address.connected(within: 1000)
      _ = try client.send(Array("facts \(TrackerFacts.format)\n".utf8))
      for _ in 0..<3 where wait() == .inspection { world.inspect(tracker) }
      return try said("no other program uses the modem's port now")
    }
    #expect(try said("(process \(other.id))"), again)
  }

  private static func parts(_ modem: ScriptedLine) throws -> LinuxParts {
    var parts = try LinuxParts.idle(receiver: ScriptedLine())
    parts.modem = modem
    return parts
  }

  private func record(_ problem: Comment) { Issue.record(problem) }
}
