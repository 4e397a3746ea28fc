import LeanUplink
import TrackerCore

/// A line of text for a port; what does not fit is left out.
struct TextLine: ByteSink {
  /// The longest is the command with a capture's address.
  private var storage = InlineArray<600, UInt8>(repeating: 0)
  private(set) var count = 0

  mutating func clear() { count = 0 }

  /// Sends what was written, and begins anew.
  mutating func send(to port: MachinePort, of machine: inout some Machine & ~Copyable) {
    machine.send(storage.span.extracting(first: count), to: port)
    count = 0
  }

  @inline(never) mutating func append(_ byte: UInt8) {
    guard count < storage.count else { return }
    storage[count] = byte
    count += 1
  }

  mutating func byte(_ byte: UInt8) { append(byte) }

  mutating func text(_ text: StaticString) { append(text) }

  @inline(never) mutating func text<let capacity: Int>(_ text: InlineText<capacity>) {
    for index in 0..<text.count { byte(text[index]) }
  }

  @inline(never) mutating func number(_ value: some FixedWidthInteger) {
    decimal(Int64(value), places: 0)
  }

  /// `value` / 10^places: `decimal(-50, places: 3)` is `-0.050`.
  @inline(never) mutating func decimal(_ value: Int64, places: Int) {
    append(decimal: value, places: places, keepsZeros: true)
  }

  @inline(never) mutating func uuid(_ id: UniqueID) {
    let characters = id.text()
    for index in characters.indices { byte(characters[index]) }
  }
}
