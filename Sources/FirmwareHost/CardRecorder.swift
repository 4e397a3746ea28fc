public import CardStore
public import TrackerCore

/// The flight recorder of a controller: it writes to the card what comes to the tracker, and a
/// digest of what the tracker does, so that `tracker-sim replay` can repeat it.
public struct CardRecorder<Card: BlockDevice & ~Copyable>: HostObserver {
  private let card: UnsafeMutablePointer<CardStore<Card>>

  public init(_ card: UnsafeMutablePointer<CardStore<Card>>) { self.card = card }

  /// Begins a recording, with what the tracker is made from as it lies in memory.
  ///
  /// - Parameters:
  ///   - identity: in place of that in the settings. Not changed: what is only borrowed is copied.
  ///   - coreVersion: for people: another core may do otherwise.
  @inline(never) public mutating func begin(
    _ settings: UnsafePointer<FirmwareSettings>, _ identity: inout Identity, coreVersion: UInt32,
    at now: Instant
  ) {
    guard settings.pointee.isRecording else { return }
    card.pointee.beginRecording(at: now)
    write(FirmwareSettings.layout)
    write(coreVersion)
    write(UInt32(truncatingIfNeeded: now.milliseconds))
    write(
      UnsafeRawBufferPointer(start: settings, count: MemoryLayout<FirmwareSettings.Core>.size))
    withUnsafeBytes(of: &identity) { write($0) }
    // Of a life that ends at once this tells.
    card.pointee.saveRecording()
  }

  private func write(_ number: UInt32) {
    for index in 0..<4 { card.pointee.record(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  @inline(never) private func write(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { card.pointee.record(byte) }
  }

  // MARK: What passes

  @inline(never) public mutating func received(
    _ bytes: Span<UInt8>, from role: SerialRole, at now: Instant
  ) {
    card.pointee.record(bytes, from: role, at: now)
  }

  @inline(never) public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    if case .event(let event) = arrival { card.pointee.record(event, at: now) }
  }

  @inline(never) public mutating func pushed(_ effect: Effect, at now: Instant) {
    card.pointee.record(effect)
  }

  public mutating func remembered(_ memory: Memory, at now: Instant) {
    card.pointee.record(memory)
  }
}
