import CardStore
import TrackerCore

/// A memory card whose blocks outlive a controller's power, and what can be wrong with it.
final class SimulatedCard {
  /// What is wrong with it for a time.
  enum Trouble: Sendable, CaseIterable {
    /// It answers nothing.
    case isDead
    /// It says that it has written, and has not.
    case losesWrites
    /// It has written, and its answer does not arrive.
    case hidesWrites
    /// It answers, and does not answer, for some blocks each.
    case losesContact
    /// The bus has no checksums: a bit changes on the way, now and then.
    case garblesReads, garblesWrites
    /// Now and then it does not answer.
    case missesReads, missesWrites
    /// It does not give some blocks, always the same.
    case hidesPlaces
    /// Of a block only the first part is written, now and then, and it does not answer.
    case tearsWrites
  }

  static let states: UInt32 = 256

  let blockCount: UInt32
  private(set) var bytes: [UInt8]
  /// `nil`: all is well.
  var trouble: Trouble?
  private var random: SeededGenerator
  private let hiddenPlaces: UInt32
  /// Whether its contacts are bad, and for how many more blocks.
  private var contact = (isBad: false, left: 0)

  init(captures: UInt32, seed: UInt64) {
    blockCount = Self.states + captures
    bytes = [UInt8](repeating: 0xFF, count: Int(blockCount) * Block.size)
    random = SeededGenerator(seed: seed, stream: 831)
    var places = SeededGenerator(seed: seed, stream: 832)
    hiddenPlaces = UInt32(places.whole(in: 0...Int(Int32.max)))
  }

  private func range(_ number: UInt32) -> Range<Int> {
    Int(number) * Block.size..<(Int(number) + 1) * Block.size
  }

  // MARK: As it is

  func get(_ number: UInt32, into block: inout Block) -> Bool {
    guard number < blockCount else { return false }
    let range = range(number)
    withUnsafeMutableBytes(of: &block.bytes) { place in
      bytes.withUnsafeBytes { place.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
    return true
  }

  private func put(_ block: inout Block, _ number: UInt32, upTo count: Int = Block.size) {
    let from = range(number).lowerBound
    bytes.withUnsafeMutableBytes { all in
      block.bytes.span.withUnsafeBytes { new in
        UnsafeMutableRawBufferPointer(rebasing: all[from..<from + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: new[..<count]))
      }
    }
  }

  // MARK: As a controller finds it

  func answers() -> Bool {
    guard trouble == .losesContact else { return trouble != .isDead }
    contact.left -= 1
    if contact.left < 0 {
      contact = (!contact.isBad, random.whole(in: 1...(random.once(in: 2) ? 10 : 400)))
    }
    return !contact.isBad
  }

  func read(_ number: UInt32, into block: inout Block) -> Bool {
    guard get(number, into: &block), answers() else { return false }
    switch trouble {
    case .missesReads: return !random.once(in: 4)
    // One block in eight, as a multiplication mixes their numbers (Knuth, TAOCP 6.4).
    case .hidesPlaces: return ((number ^ hiddenPlaces) &* 2_654_435_761) >> 29 != 0
    case .garblesReads:
      if random.once(in: 4) { block.bytes[random.whole(in: 0...511)] ^= 1 << 3 }
      return true
    default: return true
    }
  }

  func write(_ block: inout Block, to number: UInt32) -> Bool {
    guard number < blockCount, answers() else { return false }
    switch trouble {
    case .losesWrites: return true
    case .hidesWrites:
      put(&block, number)
      return false
    case .missesWrites:
      if random.once(in: 3) { return false }
    case .garblesWrites:
      if random.once(in: 3) {
        let place = random.whole(in: 0...511)
        block.bytes[place] ^= 1 << 5
        put(&block, number)
        block.bytes[place] ^= 1 << 5
        return true
      }
    case .tearsWrites:
      if random.once(in: 3) {
        put(&block, number, upTo: random.whole(in: 0...511))
        return false
      }
    case .garblesReads, .missesReads, .hidesPlaces, .isDead, .losesContact, nil: break
    }
    put(&block, number)
    return true
  }

  /// The power fails while it writes: it has the old block, the new one, or neither.
  func tear(_ block: inout Block, at number: UInt32) {
    guard number < blockCount else { return }
    switch random.whole(in: 0...4) {
    case 0: break
    case 1: put(&block, number)
    case 2: put(&block, number, upTo: random.whole(in: 0...511))
    default:
      var empty = Block()
      let filling: UInt8 = random.once(in: 2) ? 0 : 0xFF
      for index in 0..<Block.size { empty.bytes[index] = filling }
      put(&empty, number)
    }
  }
}

/// The card in a controller's slot.
struct CardSlot: BlockDevice {
  let controller: SimulatedController
  private(set) var blockCount: UInt32 = 0

  init(controller: SimulatedController) {
    self.controller = controller
    begin()
  }

  /// One that does not answer has no blocks.
  mutating func begin() {
    blockCount = controller.hasCard() ? controller.card.blockCount : 0
  }

  func read(_ number: UInt32, into block: inout Block) -> Bool {
    controller.readCard(number, into: &block)
  }

  func write(_ block: inout Block, to number: UInt32) -> Bool {
    controller.writeCard(&block, to: number)
  }
}

/// The same card, in a reader without troubles.
struct CardReader: BlockDevice {
  let card: SimulatedCard

  var blockCount: UInt32 { card.blockCount }
  func read(_ number: UInt32, into block: inout Block) -> Bool { card.get(number, into: &block) }
  func write(_ block: inout Block, to number: UInt32) -> Bool { false }
}
