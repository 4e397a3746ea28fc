import CardStore
import FirmwareHost
import TrackerCore

/// The drivers, behind the protocol that the host asks for.
struct Controller: Machine {
  var now: Instant { Instant(milliseconds: machine_now()) }

  func sleep(until deadline: Instant) { machine_sleep(deadline.milliseconds) }

  func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int {
    let room = Int32(truncatingIfNeeded: buffer.count)
    return buffer.withUnsafeMutableBufferPointer {
      Int(machine_receive(Int32(port.rawValue), $0.baseAddress, room))
    }
  }

  func send(_ bytes: Span<UInt8>, to port: MachinePort) {
    let count = Int32(truncatingIfNeeded: bytes.count)
    bytes.withUnsafeBufferPointer {
      machine_send(Int32(port.rawValue), $0.baseAddress, count)
    }
  }
}

extension Controller {
  func pressPowerKey(for length: Milliseconds) {
    machine_press_key(Int32(truncatingIfNeeded: length.count))
  }
  func readButton() -> Bool { machine_button() != 0 }
  func setLight(isLit: Bool) { machine_light(isLit ? 1 : 0) }
  func readBattery() -> UInt16? { UInt16(exactly: machine_battery()) }
  var cycles: UInt32 { machine_cycles() }
  func restart() { machine_restart() }
}

/// The card in the board's slot, and how large it is.
struct CardSlot: BlockDevice {
  private(set) var blockCount = card_begin()

  mutating func begin() {
    card_forget()
    blockCount = card_begin()
  }

  func read(_ number: UInt32, into block: inout Block) -> Bool {
    withUnsafeMutableBytes(of: &block.bytes) { card_read(number, $0.baseAddress) != 0 }
  }

  func write(_ block: inout Block, to number: UInt32) -> Bool {
    block.bytes.span.withUnsafeBytes { card_write(number, $0.baseAddress) != 0 }
  }
}

@main struct Firmware {
  typealias OwnHost = Observed<FirmwareHost<Controller, CardSlot>, CardRecorder<CardSlot>>

  static func main() {
    switch FirmwareSettings.find(at: settings_place()) {
    case .settings(let settings): live(by: settings)
    case .none: settings_missing(SETTINGS_NONE)
    case .ofOtherFirmware: settings_missing(SETTINGS_OTHER)
    case .damaged: settings_missing(SETTINGS_DAMAGED)
    }
  }

  private static func live(by settings: UnsafePointer<FirmwareSettings>) {
    let tracker = tracker_storage(Int32(MemoryLayout<Tracker>.size))!
      .assumingMemoryBound(to: Tracker.self)
    let host = host_storage(Int32(MemoryLayout<OwnHost>.size))!
      .assumingMemoryBound(to: OwnHost.self)
    let card = card_storage(Int32(MemoryLayout<CardStore<CardSlot>>.size))!
      .assumingMemoryBound(to: CardStore<CardSlot>.self)
    begin(card)
    begin(host, settings, card)
    begin(tracker, settings, host)
    loop(tracker, host)
  }

  // Apart, so that what each takes is gone from the stack when the next begins.

  @inline(never)
  private static func loop(
    _ tracker: UnsafeMutablePointer<Tracker>, _ host: UnsafeMutablePointer<OwnHost>
  ) {
    run(&tracker.pointee, in: &host.pointee)
  }

  @inline(never)
  private static func begin(_ card: UnsafeMutablePointer<CardStore<CardSlot>>) {
    card.initialize(to: CardStore(CardSlot()))
  }

  @inline(never)
  private static func begin(
    _ host: UnsafeMutablePointer<OwnHost>, _ settings: UnsafePointer<FirmwareSettings>,
    _ card: UnsafeMutablePointer<CardStore<CardSlot>>
  ) {
    host.initialize(
      to: OwnHost(
        FirmwareHost(Controller(), card: card, settings, coreVersion: core_version()),
        by: CardRecorder(card)))
  }

  @inline(never)
  private static func begin(
    _ tracker: UnsafeMutablePointer<Tracker>, _ settings: UnsafePointer<FirmwareSettings>,
    _ host: UnsafeMutablePointer<OwnHost>
  ) {
    var identity = host.pointee.base.identity(settings)
    host.pointee.observer.begin(
      settings, &identity, coreVersion: core_version(), at: host.pointee.now)
    Tracker.make(
      at: tracker, board: settings.pointee.core.board,
      configuration: settings.pointee.core.configuration,
      identity: identity, now: host.pointee.now)
  }
}
