import CardStore
public import TrackerCore

// What the core remembers, on the card as it lies in memory, for the same core alone.
extension FirmwareHost where Device: ~Copyable, Card: ~Copyable {
  @inline(never) mutating func keep(_ memory: Memory) {
    withUnsafeBytes(of: memory) {
      card.pointee.remember($0.bindMemory(to: UInt8.self).span, version: coreVersion)
    }
  }

  /// Who the tracker is, and where it goes on: as the card says if there is one, otherwise as the
  /// settings say.
  @inline(never) public mutating func identity(_ settings: UnsafePointer<FirmwareSettings>)
    -> Identity
  {
    var identity = settings.pointee.core.identity
    guard card.pointee.finding == .mounted else { return identity }
    identity.device = card.pointee.tracker
    identity.nextSequence = card.pointee.nextSequence
    identity.pending = card.pointee.counts.pending
    if card.pointee.isPINTried { identity.simPIN = .tried }
    guard card.pointee.memoryCount == MemoryLayout<Memory>.size,
      card.pointee.memoryVersion == coreVersion
    else {
      return identity
    }
    withUnsafeMutableBytes(of: &identity.memory) { bytes in
      for index in bytes.indices { bytes[index] = card.pointee.memory(at: index) }
    }
    return identity
  }
}
