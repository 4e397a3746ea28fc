import TrackerCore

extension Loads {
  /// What the modem draws while it sends.
  ///
  /// A board file states the current at full power, which a modem needs where the signal is
  /// weakest. 30 dB more halve it: with GPRS, 30 dB less double a radio's current (Habiyaremye et
  /// al., Information 11/11, 524, 2020); for 3G and LTE that is unverified.
  ///
  /// - Parameter signal: as `+CSQ` reports it, 0...31, 2 dB for each; `nil`: unknown, as the
  ///   weakest.
  func transmittingMicroamps(signal: Int64?) -> Int32 {
    let full = modemTransmittingMicroamps
    guard let signal else { return full }
    // Halved at 15, again at 30; linear in between.
    let half = full / 2
    let step = min(30, max(0, Int32(clamping: signal)))
    if step <= 15 { return max(modemIdleMicroamps, full - half / 15 * step) }
    return max(modemIdleMicroamps, half - half / 30 * (step - 15))
  }
}
