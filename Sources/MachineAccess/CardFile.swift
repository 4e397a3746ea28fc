public import CaptureStore
public import CardStore
import SystemCalls
import TrackerCore

/// A controller's memory card in a reader of this computer, or an image of it, to be read.
public struct CardFile: ~Copyable {
  private var store: CardStore<CardDevice>

  /// - Returns: `nil` unless the path is a card that a controller's firmware has formatted. A store
  ///   of this computer is none.
  public init?(_ path: String) {
    guard let device = CardDevice(path) else { return nil }
    let found = CardStore(device)
    guard found.finding == .mounted else { return nil }
    store = found
  }

  /// All that can be read, in their order.
  public mutating func captures() -> [CaptureStore.SuppliedCapture] {
    var captures: [CaptureStore.SuppliedCapture] = []
    for number in store.oldestKey.number..<store.lastKey.number + 1 {
      let key = CaptureKey(number)
      guard let capture = store.capture(key) else { continue }
      let state: CaptureState =
        switch store.standing(of: key) {
        case .pending: .pending
        case .setAside: .setAside
        case .delivered: .acknowledged
        }
      captures.append(
        .init(
          capture, device: store.tracker,
          id: UniqueID(device: store.tracker, sequence: capture.sequence), state: state))
    }
    return captures
  }
}

/// The blocks of a card in a reader, or of an image, which are never written.
public struct CardDevice: BlockDevice, ~Copyable {
  private let file: Descriptor
  public let blockCount: UInt32

  /// - Returns: `nil` if the path cannot be read.
  public init?(_ path: String) {
    guard let file = try? Descriptor(opening: path, [.read, .nonBlocking]),
      let size = try? file.seekEnd(), size > 0
    else { return nil }
    self.file = file
    blockCount = UInt32(clamping: size / Int64(Block.size))
  }

  public func read(_ number: UInt32, into block: inout Block) -> Bool {
    withUnsafeMutableBytes(of: &block.bytes) {
      Descriptor.read(file.number, at: Int(number) * Block.size, into: $0) == Block.size
    }
  }

  public func write(_ block: inout Block, to number: UInt32) -> Bool { false }
}

extension CaptureStore {
  /// The stores at a path to be read, as `openAllForReading` finds them; of a controller's card,
  /// one in memory with its captures.
  public static func openAnyForReading(_ path: String) throws(StoreError) -> [CaptureStore] {
    if var card = CardFile(path) { return [try holding(card.captures(), at: BootClock.date)] }
    return try openAllForReading(path)
  }
}
