import CardStore
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import FirmwareHost

/// A controller's settings: what `trackerctl firmware` writes, and what the firmware makes of it.
@Suite struct FirmwareSettingsTests {
  private static func settings() -> FirmwareSettings {
    var settings = FirmwareSettings(
      board: .none, configuration: Configuration(),
      identity: Identity(
        device: UniqueID(high: 1, low: 2), team: InlineText("Senglars"), seed: 3))
    settings.server.address = InlineText("http://t.example.org/")
    return settings
  }

  private static func bytes(of settings: FirmwareSettings = settings()) -> [UInt8] {
    var bytes: [UInt8] = []
    settings.write { bytes.append($0) }
    return bytes
  }

  /// What is found, in words.
  private static func finding(_ bytes: [UInt8]) -> String {
    // As flash is where nothing was written.
    let flash = bytes + [UInt8](repeating: 0xFF, count: 4096 - bytes.count)
    return flash.withUnsafeBytes { flash in
      switch FirmwareSettings.find(at: flash.baseAddress!) {
      case .settings(let found): "of \(found.pointee.core.identity.team.text)"
      case .none: "none"
      case .ofOtherFirmware: "of other firmware"
      case .damaged: "damaged"
      }
    }
  }

  @Test func `What was written is found; in an empty flash nothing is`() {
    #expect(Self.finding(Self.bytes()) == "of Senglars")
    #expect(Self.finding([]) == "none")
    #expect(Self.finding([UInt8](repeating: 0, count: 4096)) == "none")
  }

  @Test func `They fit into the place that the flash has for them`() {
    #expect(Self.bytes().count <= 4096)
  }

  @Test func `A part of them, or any wrong bit, is not taken for settings`() {
    let bytes = Self.bytes()
    for count in stride(from: 0, to: bytes.count, by: 16) {
      #expect(!Self.finding(Array(bytes[..<count])).hasPrefix("of Senglars"), "\(count) bytes")
    }
    for place in 0..<bytes.count {
      var wrong = bytes
      wrong[place] ^= 1 << (place % 8)
      let finding = Self.finding(wrong)
      let expected = place < 4 ? "none" : place < 8 ? "of other firmware" : "damaged"
      #expect(finding == expected, "a bit of byte \(place)")
    }
  }

  // MARK: Their layout

  /// Names, types and sizes of all values, in their order.
  private static func outline(of value: Any, _ name: String, _ lines: inout [String]) {
    func size<Value>(_: Value) -> Int { MemoryLayout<Value>.size }
    lines.append("\(name): \(type(of: value)), \(size(value))")
    for child in Mirror(reflecting: value).children {
      outline(of: child.value, "\(name).\(child.label ?? "")", &lines)
    }
  }

  /// The numbers of the cases of what has no other value.
  private static let numbers: [UInt8] = [
    Bearer.interface.rawValue, Bearer.modem.rawValue, Bearer.none.rawValue,
    BetweenUploads.off.rawValue, BetweenUploads.attached.rawValue,
    ReceiverUse.always.rawValue, ReceiverUse.dutyCycle.rawValue,
    Sleep.never.rawValue, Sleep.halt.rawValue,
    ReceiverDialect.none.rawValue, ReceiverDialect.ublox.rawValue,
    ReceiverDialect.ubloxM10.rawValue, ReceiverDialect.mediatek.rawValue,
    ReceiverDialect.casic.rawValue, ReceiverDialect.modemGPS.rawValue,
    ModemFamily.generic.rawValue, ModemFamily.sim5320.rawValue, ModemFamily.sim7600.rawValue,
    ModemFamily.a7670.rawValue,
  ]

  /// All that a tracker can remember: recordings begin with it.
  private static let memory: Memory = {
    let moment = Moment(at: .start, utc: UTC(milliseconds: 1))
    var course = CourseRecord(done: 1, next: 2, inside: 3, isFinished: true)
    course.course = 1
    course.position = Coordinate(latitude: 1, longitude: 2)
    return Memory(
      session: SessionRecord(
        number: 1, begun: moment, isOrdered: true, ending: .finished, ended: moment),
      sessionOrder: Order(true, from: .console, given: moment, session: 1, configured: false),
      teamOrder: Order(
        InlineText<64>("A"), from: .console, given: moment, session: 1,
        configured: InlineText<64>("B")),
      charge: ChargeRecord(
        charge: 1, deviation: 2, drain: 3, drainDeviation: 4, at: moment, finalContact: 5),
      course: course,
      sleep: SleepRecord(
        at: moment, alarm: 1, capture: 2, contact: 3, captured: 4,
        position: Coordinate(latitude: 1, longitude: 2)),
      emergency: EmergencyRecord(raised: moment, origin: .console, firstSequence: 1))
  }()

  @Test func `Settings that lie otherwise have another layout number`() {
    var lines: [String] = []
    var settings = Self.settings()
    settings.core.board.halting = Halting(
      microamps: 1, wakeTime: 2, wakeMicroamps: 3, stopTime: 4, keepsReceiver: true,
      keepsModem: true)
    settings.core.identity.memory = Self.memory
    Self.outline(of: settings, "settings", &lines)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in lines.joined(separator: "\n").utf8 + Self.numbers {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    // A changed hash is a changed layout: write it here, with the next number, which is that of
    // `FirmwareSettings.layout`.
    #expect(
      (hash, FirmwareSettings.layout) == (0xA777_2AD4_8A78_83A7, 2),
      "\(String(hash, radix: 16)):\n\(lines.joined(separator: "\n"))")
  }

  // MARK: A card and its settings

  /// A card in memory.
  private final class Blocks {
    var blocks: [UInt32: InlineArray<512, UInt8>] = [:]
  }

  private struct MemoryCard: BlockDevice {
    let memory: Blocks
    let blockCount: UInt32 = 2048
    func read(_ number: UInt32, into block: inout Block) -> Bool {
      block.bytes = memory.blocks[number] ?? InlineArray(repeating: 0)
      return true
    }
    func write(_ block: inout Block, to number: UInt32) -> Bool {
      memory.blocks[number] = block.bytes
      return true
    }
  }

  private struct Desk: Machine {
    let now = Instant.start
    let cycles: UInt32 = 0
    func sleep(until deadline: Instant) {}
    func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int { 0 }
    func send(_ bytes: Span<UInt8>, to port: MachinePort) {}
    func pressPowerKey(for length: Milliseconds) {}
    func readButton() -> Bool { false }
    func setLight(isLit: Bool) {}
    func readBattery() -> UInt16? { nil }
    func restart() {}
  }

  /// Who a controller is with these settings and this card.
  private func identity(_ card: Blocks) -> Identity {
    let store = UnsafeMutablePointer<CardStore<MemoryCard>>.allocate(capacity: 1)
    store.initialize(to: CardStore(MemoryCard(memory: card)))
    defer {
      store.deinitialize(count: 1)
      store.deallocate()
    }
    var settings = Self.settings()
    var host = FirmwareHost(Desk(), card: store, &settings, coreVersion: 1)
    return withUnsafePointer(to: settings) { host.identity($0) }
  }

  @Test func `With another unit's card it goes on as that unit, where that one stopped`() {
    let card = Blocks()
    let other = UniqueID(high: 7, low: 8)
    var store = CardStore(MemoryCard(memory: card))
    let isFormatted = store.format(log: 1, of: other)
    #expect(isFormatted)
    for sequence in UInt32(1)...3 {
      let capture = Capture(
        sequence: sequence, utc: nil, isTimeTrusted: false, position: nil,
        team: InlineText("Others"), trigger: .interval)
      let isStored = store.store(capture)
      #expect(isStored)
    }
    let identity = identity(card)
    #expect(identity.device == other && identity.nextSequence == 4 && identity.pending == 3)
    #expect(identity.team == InlineText("Senglars"), "the name is the settings'")
  }

  @Test func `Without a card of its own it is who its settings say`() {
    #expect(identity(Blocks()).device == UniqueID(high: 1, low: 2))
  }
}
