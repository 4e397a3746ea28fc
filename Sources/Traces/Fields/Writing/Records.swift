import TrackerCore

/// What can stand in the fields of a record.
protocol FieldWritable {
  func write(to fields: inout FieldWriter)
}

/// What a sentence of ours holds; the letter stands behind `$PTRK`.
enum RecordKind: UInt8 {
  /// Settings and dates.
  case header = 0x48  // H
  /// What came to the tracker.
  case arrival = 0x49  // I
  /// What the tracker wanted.
  case effect = 0x4F  // O
  /// Bytes of the receiver that are no clean line.
  case receiver = 0x52  // R
  /// The beginning of a record that goes on in the next sentence.
  case more = 0x4D  // M
}

// The fields of the records that stand for what passes between a tracker and its world.
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

  /// Bytes of the receiver, by their number.
  ///
  /// - Parameter now: `nil` where they belong to the chunk of the record before.
  mutating func arrival(ofReceiver count: Int, at now: Instant?) {
    add(now)
    word("p")
    number(count)
  }

  mutating func end(at now: Instant) {
    add(now)
    word("end")
  }

  /// - Parameter arrival: the instant of the last arrival; an effect need not repeat it.
  mutating func effect(_ effect: Effect, at now: Instant, after arrival: Instant) {
    if now == arrival { blank() } else { add(now) }
    add(effect)
  }
}
