// What the modem says, line by line; and the supply's voltage, which it measures.
extension Tracker {
  mutating func receiveFromModem(
    _ bytes: Span<UInt8>, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let words = board.modem.family.words
    for index in 0..<bytes.count where modemLine.append(bytes[index]) {
      link.modem?.hear(ModemLine(modemLine, words), at: now, into: &sink)
      modemLine.clear()
    }
    guard let millivolts = link.modem?.takeSupply(), board.battery.isMeasuredByModem,
      board.battery.isPlausible(millivolts: millivolts)
    else { return }
    measured(BatteryReading(millivolts: millivolts), at: now, into: &sink)
  }
}
