import TrackerCore

/// A value that can be written to the fields of a record.
protocol FieldWritable {
  func write(to fields: inout FieldWriter)
}

/// What one of our sentences contains; the letter follows `$PTRK`.
enum RecordKind: UInt8 {
  /// Settings and dates.
  case header = 0x48  // H
  /// A tracker's input.
  case arrival = 0x49  // I
  /// A tracker's effect.
  case effect = 0x4F  // O
  /// Bytes of the receiver that are not a clean line.
  case receiver = 0x52  // R
  /// The beginning of a record that continues in the next sentence.
  case more = 0x4D  // M
}

// Writes the fields of the records of a tracker's input and effects.
extension FieldWriter {
  mutating func arrival(_ event: Event, at now: Instant) {
    add(now)
    add(event)
  }

  /// - Parameter bytes: with the secrets hidden.
  mutating func arrival(ofModem bytes: Span<UInt8>, at now: Instant) {
    add(now)
    word("m")
    text(bytes)
  }

  /// Notes the number of bytes from the receiver.
  ///
  /// - Parameter now: `nil` if they belong to the chunk of the record before.
  mutating func arrival(ofReceiver count: Int, at now: Instant?) {
    add(now)
    word("p")
    number(count)
  }

  mutating func end(at now: Instant) {
    add(now)
    word("end")
  }

  /// - Parameter arrival: the instant of the last arrival, which an effect does not repeat.
  mutating func effect(_ effect: Effect, at now: Instant, after arrival: Instant) {
    if now == arrival { blank() } else { add(now) }
    add(effect)
  }

  /// The same for what is to be saved.
  mutating func effect(remembering memory: Memory, at now: Instant, after arrival: Instant) {
    if now == arrival { blank() } else { add(now) }
    remember(memory)
  }

  mutating func remember(_ memory: Memory) {
    word("remember")
    add(memory)
  }
}
