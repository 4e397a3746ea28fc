import CardStore
import Testing
import TrackerCore

@testable import FirmwareHost

/// A controller's console on this machine: what is typed, and what it says.
@Suite struct FirmwareConsoleTests {
  private final class Desk {
    var now = Instant.start
    var typed: [UInt8] = []
    var said = ""
    let card = LooseCard.Medium()
    var restarts = 0
  }

  private struct Board: Machine {
    let desk: Desk
    var now: Instant { desk.now }
    let cycles: UInt32 = 0
    func sleep(until deadline: Instant) { desk.now = deadline }
    func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int {
      guard port == .console, !desk.typed.isEmpty else { return 0 }
      buffer[0] = desk.typed.removeFirst()
      return 1
    }
    func send(_ bytes: Span<UInt8>, to port: MachinePort) {
      for index in bytes.indices { desk.said.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
    }
    func pressPowerKey(for length: Milliseconds) {}
    func readButton() -> Bool { false }
    func setLight(isLit: Bool) {}
    func readBattery() -> UInt16? { nil }
    func restart() { desk.restarts += 1 }
  }

  /// Types words at a tracker that has taken captures, and returns what it says.
  private func answer(
    to words: String, at desk: Desk, captures: UInt32, isFormatted: Bool = true,
    meanwhile: (inout FirmwareHost<Board, LooseCard>) -> Void = { _ in }
  ) -> String {
    let card = UnsafeMutablePointer<CardStore<LooseCard>>.allocate(capacity: 1)
    card.initialize(to: CardStore(LooseCard(medium: desk.card)))
    defer {
      card.deinitialize(count: 1)
      card.deallocate()
    }
    let id = UniqueID(high: 0x0123_4567_89AB_8DEF, low: 2)
    if isFormatted { _ = card.pointee.format(log: 1, of: id) }
    var settings = FirmwareSettings(
      board: .none, configuration: Configuration(),
      identity: Identity(device: id, team: InlineText(), seed: 1))
    settings.core.board.hasLight = true
    return withUnsafePointer(to: settings) { settings in
      var host = FirmwareHost(Board(desk: desk), card: card, settings, coreVersion: 1)
      for sequence in 0..<captures { host.push(.store(capture(sequence + 1))) }
      meanwhile(&host)
      (desk.typed, desk.said) = (Array(words.utf8), "")
      var bytes = [UInt8](repeating: 0, count: 16)
      for _ in 0..<40 {
        var buffer = bytes.mutableSpan
        if case .inspection = host.wait(until: desk.now + .seconds(1), filling: &buffer) {
          host.inspect(
            Tracker(
              board: settings.pointee.core.board,
              configuration: settings.pointee.core.configuration, identity: host.identity(settings),
              at: .start))
        }
      }
      return desk.said
    }
  }

  private func capture(_ sequence: UInt32) -> Capture {
    Capture(
      sequence: sequence, utc: nil, isTimeTrusted: false, position: nil, team: InlineText(),
      trigger: .interval)
  }

  private static let whole = """
    All captures of this tracker, by its store:\r
      0123: 1 to 3; captured 3: 3 waiting, 0 delivered, 0 set aside; gaps 0\r
    complete: none is missing\r

    """

  @Test(arguments: ["\r", "\n", "\r\n"])
  func `A terminal may end its lines as it likes`(_ end: String) {
    #expect(answer(to: "proof" + end, at: Desk(), captures: 3) == Self.whole)
  }

  @Test func `Without captures, or without a card, there is an answer, too`() {
    let none = "All captures of this tracker, by its store:\r\ncomplete: none is missing\r\n"
    #expect(answer(to: "proof\r", at: Desk(), captures: 0) == none)
    let answer = answer(to: "proof\r", at: Desk(), captures: 0, isFormatted: false)
    #expect(answer == "card: none that can be read\r\n")
  }

  /// A card with bad contacts looks like one that cannot be read.
  @Test func `What a card has is not formatted away if it can be read by then`() {
    let desk = Desk()
    _ = answer(to: "", at: desk, captures: 3)
    desk.card.isReadable = false
    let said = answer(to: "format\r", at: desk, captures: 0, isFormatted: false) { _ in
      desk.card.isReadable = true
    }
    #expect(said == "the card has captures\r\n" && desk.restarts == 1)
    #expect(answer(to: "proof\r", at: desk, captures: 0, isFormatted: false) == Self.whole)
  }

  @Test func `Captures that cannot be read are missing`() {
    let desk = Desk()
    let answer = answer(to: "proof\r", at: desk, captures: 3) { _ in desk.card.isReadable = false }
    #expect(
      answer == "All captures of this tracker, by its store:\r\nINCOMPLETE: 3 missing\r\n")
  }

  @Test func `A first capture that is lost is missing`() {
    let desk = Desk()
    let answer = answer(to: "proof\r", at: desk, captures: 3) { _ in desk.card.blocks[256] = nil }
    #expect(answer.contains("0123: 2 to 3; captured 2: "), "\(answer)")
    #expect(answer.contains("gaps 1\r\nINCOMPLETE: 1 missing\r\n"), "\(answer)")
  }

  @Test func `What is taken while the proof is made is not missing`() {
    let desk = Desk()
    let card = answer(to: "proof\r", at: desk, captures: 3) { host in
      host.beginProof()
      _ = host.goOnWithProof()
      host.push(.store(capture(4)))
      while host.goOnWithProof() {}
      desk.said = ""
      #expect(host.walk.missing == 0 && host.walk.found == 3)
    }
    #expect(card.contains("captured 4: "), "\(card)")
  }

  /// Each light, and the first line of the status.
  @Test(arguments: [
    (Light.working, "WAIT: waiting for the first contact"), (.noPosition, "WAIT"),
    (.storeTrouble, "NO-GO: cannot write to the disk"), (.emergencyRaised, "NO-GO: EMERGENCY"),
    (.stopped, "NO-GO"),
  ])
  func `The verdict is the light's`(_ light: Light, _ verdict: String) {
    let answer = answer(to: "status\r", at: Desk(), captures: 2) { host in
      host.push(.setLight(light))
    }
    #expect(answer.hasPrefix(verdict), "\(answer)")
  }

  @Test func `What lasts too long is no wait any more`() {
    for (light, verdict) in [
      (Light.working, "NO-GO: no server reached since the start"), (.noPosition, "NO-GO: "),
    ] {
      let desk = Desk()
      let answer = answer(to: "status\r", at: desk, captures: 2) { host in
        host.push(.setLight(light))
        desk.now = .start + .minutes(30)
      }
      #expect(answer.hasPrefix(verdict), "\(answer)")
    }
  }
}
