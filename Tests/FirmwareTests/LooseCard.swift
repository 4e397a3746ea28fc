import CardStore

/// A card whose blocks outlive the store that uses it, and that gives them only while its contacts
/// are good.
struct LooseCard: BlockDevice {
  final class Medium {
    var blocks: [UInt32: InlineArray<512, UInt8>] = [:]
    var isReadable = true
  }

  let medium: Medium
  let blockCount: UInt32 = 2048

  func read(_ number: UInt32, into block: inout Block) -> Bool {
    block.bytes = medium.blocks[number] ?? InlineArray(repeating: 0)
    return medium.isReadable
  }

  func write(_ block: inout Block, to number: UInt32) -> Bool {
    medium.blocks[number] = block.bytes
    return true
  }
}
