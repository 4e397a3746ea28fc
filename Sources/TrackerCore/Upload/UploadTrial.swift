/// Decides whether a refusal is due to a bad capture or a bad server.
///
/// One bad capture must not block the rest, and a server that refuses everything must not empty the
/// queue. So a capture is set aside only when the server accepts others: after an acceptance in the
/// same contact, it was either refused individually, or refused alone `Bounds.refusalsToSetAside`
/// times in a row. Each such decision uses up the acceptance. If there has been none, a capture
/// from the other end of the queue is sent first as a witness.
struct UploadTrial: Sendable, Equatable {
  private enum Evidence: Sendable, Equatable {
    case none
    /// The witness to send.
    case wanted(Selection)
    case sent
    /// The server has accepted a capture, and no decision has used that up.
    case accepted
  }

  private var evidence = Evidence.none
  /// The capture that was refused alone, and how often in a row.
  private var suspect = CaptureKey.none
  private var refusals: Int32 = 0

  var hasAccepted: Bool { evidence == .accepted }

  mutating func accepted() { evidence = .accepted }

  /// A decision has used up the acceptance.
  mutating func useUp() { evidence = .none }

  /// The witness to send now, if one is wanted.
  mutating func takeWitness() -> Selection? {
    guard case .wanted(let witness) = evidence else { return nil }
    evidence = .sent
    return witness
  }

  /// Nothing has been accepted yet: another capture is to show whether the server accepts any.
  /// Returns `false` if the witness itself has been refused.
  mutating func callWitness(against refused: Selection) -> Bool {
    guard evidence != .sent else { return false }
    switch refused {
    case .freshest: evidence = .wanted(.oldest(limit: 1))
    case .oldest: evidence = .wanted(.freshest(limit: 1))
    }
    return true
  }

  /// A server that accepts others has refused this one alone. Returns whether to set it aside.
  mutating func refusedAlone(_ key: CaptureKey) -> Bool {
    refusals = key == suspect ? refusals + 1 : 1
    suspect = key
    guard refusals >= Bounds.refusalsToSetAside else { return false }
    self = UploadTrial()
    return true
  }
}
