import TrackerCore

/// A line of text for a port; what does not fit is left out.
struct TextLine {
  /// The longest is a row of `captures`, whose team's name may be escaped byte by byte.
  private var storage = InlineArray<480, UInt8>(repeating: 0)
  private var count = 0

  /// Sends what was written, and begins anew.
  mutating func send(to port: MachinePort, of machine: inout some Machine & ~Copyable) {
    machine.send(storage.span.extracting(first: count), to: port)
    count = 0
  }

  @inline(never) mutating func byte(_ byte: UInt8) {
    guard count < storage.count else { return }
    storage[count] = byte
    count += 1
  }

  @inline(never) mutating func text(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { byte(text.utf8Start[index]) }
  }

  @inline(never) mutating func text<let capacity: Int>(_ text: InlineText<capacity>) {
    for index in 0..<text.count { byte(text[index]) }
  }

  @inline(never) mutating func number(_ value: some FixedWidthInteger) {
    decimal(Int64(value), places: 0)
  }

  /// `value` / 10^places: `decimal(-5, places: 3)` is `-0.005`.
  @inline(never) mutating func decimal(_ value: Int64, places: Int) {
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var length = 0
    var rest = value.magnitude
    while rest > 0 || length <= places {
      digits[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      length += 1
    }
    if value < 0 { byte(UInt8(ascii: "-")) }
    while length > 0 {
      length -= 1
      byte(digits[length])
      if length == places, places > 0 { byte(UInt8(ascii: ".")) }
    }
  }

  /// Nothing for a date outside the years 0 to 9999.
  @inline(never) mutating func date(_ utc: UTC) {
    guard let time = CivilTime(utc) else { return }
    // `forEachByte` takes a closure, which cannot change this line and be written in place.
    var characters = InlineText<24>()
    time.forEachByte { characters.append($0) }
    text(characters)
  }

  @inline(never) mutating func uuid(_ id: UniqueID) {
    let characters = id.text()
    for index in characters.indices { byte(characters[index]) }
  }
}
