/// How often the server is asked for messages while no emergency stands: as often as costs at most
/// `Bounds.questionPercent` of what the modem takes.
struct MailAccount: Sendable, Equatable {
  /// Since the last question, with the present one.
  private var contacts: Int64 = 0
  /// When the server was last asked; `nil`: never, and then the first contact asks.
  private var askedAt: Instant?
  /// What a question takes, by the last ones.
  private var length = Bounds.usualQuestion

  mutating func contactBegins() { contacts = min(contacts + 1, 10_000) }

  mutating func asked(at now: Instant) {
    askedAt = now
    contacts = 0
  }

  mutating func answered(at now: Instant) {
    guard let askedAt else { return }
    let taken = min(max(0, now - askedAt), Bounds.uploadLimit)
    length = Milliseconds((length.count + taken.count) / 2)
  }

  /// - Parameter isAttached: the modem stays in the network between contacts.
  func mayAsk(_ board: Board, isAttached: Bool, _ bearer: Bearer, at now: Instant) -> Bool {
    guard let askedAt, bearer != .none else { return true }
    let loads = board.loads
    func charge(_ microamps: Int32, _ time: Milliseconds) -> Int64 {
      Int64(max(0, microamps)) * time.count
    }
    let contact =
      isAttached
      ? charge(loads.modemTransmittingMicroamps, Bounds.attachedContact)
      : charge(loads.modemSearchingMicroamps, Bounds.usualContact)
    let rest = isAttached ? loads.modemIdleMicroamps : board.restingModemMicroamps(bearer)
    let between = charge(rest, min(max(0, now - askedAt), .hours(48)))
    return (contact * contacts + between) / 100 * Bounds.questionPercent
      >= charge(loads.modemTransmittingMicroamps, length)
  }
}
