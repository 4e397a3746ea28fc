import Foundation
import Glibc
import ModemTerminal
import Simulation
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// The modem on its pseudo-terminal, with the real thing on either side.
@Suite(.blocking) struct PortTests {
  /// A program's end of the port: raw, never blocking.
  private struct Port: ~Copyable {
    let descriptor: Int32

    init(_ path: String) { descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
    deinit { close(descriptor) }

    func say(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else {
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          guard errno == EAGAIN, poll(&entry, 1, 5000) > 0 else { return }
        }
      }
    }

    /// What comes within a while; `nil` when the port has hung up.
    func hear(for milliseconds: Int32) -> [UInt8]? {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, milliseconds) > 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Hears until a text has come, or the port hangs up.
    func hear(until text: String) -> String {
      var heard: [UInt8] = []
      for _ in 0..<200 where !String(decoding: heard, as: UTF8.self).contains(text) {
        guard let bytes = hear(for: 100) else { break }
        heard += bytes
      }
      return String(decoding: heard, as: UTF8.self)
    }
  }

  @Test func `A program opens the port and is answered, echo and all`() throws {
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 20)
    defer { modem.stop() }
    let port = Port(modem.path)
    port.say(Array("ATE0\r".utf8))
    #expect(port.hear(until: "OK\r\n") == "ATE0\r\r\nOK\r\n", emulatorAgain)
    port.say(Array("AT+CSQ\r".utf8))
    #expect(port.hear(until: "OK\r\n") == "\r\n+CSQ: 15,99\r\n\r\nOK\r\n", emulatorAgain)
    modem.say("RING")
    #expect(port.hear(until: "RING\r\n") == "\r\nRING\r\n", emulatorAgain)
    #expect(modem.heard == ["ATE0", "AT+CSQ"] && modem.isOn, emulatorAgain)
    modem.reboot()
    #expect(port.hear(until: "RDY\r\n").hasSuffix("RDY\r\n"), emulatorAgain)
    #expect(modem.boots == 2, emulatorAgain)
  }

  @Test func `A program that closes the port and opens it again is no hang-up`() throws {
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 20)
    defer { modem.stop() }
    for _ in 0..<3 {
      let port = Port(modem.path)
      port.say(Array("AT\r".utf8))
      #expect(port.hear(until: "OK").contains("OK"), emulatorAgain)
    }
  }

  @Test func `Unplugged it hangs up, and comes back as another device under the same link`() throws
  {
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 20)
    defer { modem.stop() }
    var devices: Set<String> = []
    for _ in 0..<5 {
      let port = Port(modem.path)
      devices.insert(try FileManager.default.destinationOfSymbolicLink(atPath: modem.path))
      port.say(Array("AT\r".utf8))
      #expect(port.hear(until: "OK").contains("OK"), emulatorAgain)
      modem.unplug()
      var hasHungUp = false
      for _ in 0..<100 where !hasHungUp { hasHungUp = port.hear(for: 100) == nil }
      #expect(hasHungUp && access(modem.path, F_OK) != 0, emulatorAgain)
      try modem.plug()
    }
    #expect(!devices.isEmpty, emulatorAgain)
  }

  @Test func `The power key switches it on and off`() throws {
    let modem = try ModemTerminal(try ModemScript(named: "a7670"), isOn: false, speed: 50)
    defer { modem.stop() }
    let port = Port(modem.path)
    #expect(!modem.isOn, emulatorAgain)
    modem.setKey(isPressed: true)
    // 50 ms of the modem's time at the least.
    usleep(20_000)
    modem.setKey(isPressed: false)
    #expect(port.hear(until: "PB DONE").contains("*ATREADY: 1"), emulatorAgain)
    #expect(modem.isOn, emulatorAgain)
  }

  /// A request of an uplink, over the port, through the modem's commands, by curl, to a server.
  @Test func `What a tracker sends by the modem's own HTTP reaches a real server`() throws {
    let server = try ScriptedServer(answering: answer("200 OK", "{\"addResults\":[]}"))
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 20)
    defer { modem.stop() }
    let port = Port(modem.path)
    var http = try #require(ModemHTTP(family: .sim7600, trust: .nobody))
    let start = ContinuousClock.now
    func now() -> Instant {
      // Seconds will do.
      Instant(milliseconds: start.duration(to: .now).components.seconds * 1000)
    }
    let body = Array("f=json&features=".utf8) + [UInt8](repeating: 0x41, count: 20_000)
    port.say(
      http.begin(
        HTTPRequest(
          method: .post, url: "http://127.0.0.1:\(server.port)/rest/0/addFeatures",
          headers: [
            HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
            HTTPHeader("X-Test", "yes"),
          ], body: body), until: now() + .minutes(2), at: now()))
    while http.isActive {
      guard let bytes = port.hear(for: 50) else { break }
      port.say(http.receive(bytes, at: now()))
      port.say(http.deadlineReached(at: now()))
    }
    guard case .response(200, _, let answer) = http.takeResult()?.reply else {
      Issue.record("no answer; \(emulatorAgain)")
      return
    }
    #expect(String(decoding: answer, as: UTF8.self) == "{\"addResults\":[]}", emulatorAgain)
    let request = server.requests.first ?? ""
    #expect(request.contains("POST /rest/0/addFeatures"), emulatorAgain)
    #expect(request.contains("X-Test: yes"), emulatorAgain)
    #expect(request.contains("Content-Type: application/x-www-form-urlencoded"), emulatorAgain)
    #expect(request.utf8.suffix(body.count).elementsEqual(body), emulatorAgain)
    #expect(modem.heard.last == "AT+HTTPTERM", emulatorAgain)
  }

  @Test func `A server that is not there is unreachable`() {
    let request = HTTPRequest(method: .get, url: "http://127.0.0.1:9/", headers: [])
    #expect(request.performWithCurl() == .unreachable, emulatorAgain)
  }
}
