/// Which states of a machine can follow which: its documentation, which a test compares with the
/// machine.
struct TransitionTable: Sendable {
  /// A line of headings, then one line for each state, in order: its name, and four columns for
  /// each possible next state, with an `x` in the fourth if the transition is allowed.
  let text: StaticString
  let states: Int

  init(_ text: StaticString, states: Int) {
    self.text = text
    self.states = states
  }

  private var width: Int { (text.utf8CodeUnitCount + 1) / (states + 1) }

  func allows(from state: UInt8, to next: UInt8) -> Bool {
    let place = (Int(state) + 2) * width - 2 - 4 * (states - 1 - Int(next))
    return text.utf8Start[place] == 0x78
  }
}

#if DEBUG
  /// The transitions that a machine has taken, for those who compare them with its table.
  struct Transitions: Sendable, Equatable {
    private var rows = InlineArray<16, UInt16>(repeating: 0)

    /// A transition that the table does not allow is a bug, whichever test takes it.
    mutating func insert(from state: UInt8, to next: UInt8, by table: TransitionTable) {
      guard state != next else { return }
      precondition(table.allows(from: state, to: next))
      rows[Int(state)] |= 1 << UInt16(next)
    }

    func contains(from state: UInt8, to next: UInt8) -> Bool {
      rows[Int(state)] & 1 << UInt16(next) != 0
    }

    static func == (a: Self, b: Self) -> Bool {
      for index in 0..<16 where a.rows[index] != b.rows[index] { return false }
      return true
    }
  }

  extension Tracker {
    /// Shows each transition that the tables of modem and uploader allow: the table, the numbers of
    /// the two states, and whether it was taken.
    public func showTransitions(_ show: (StaticString, Int, Int, Bool) -> Void) {
      if let modem = link.modem { Self.show(modem.power.taken, of: ModemStep.table, show) }
      Self.show(uploader.taken, of: UploadStep.table, show)
    }

    private static func show(
      _ taken: Transitions, of table: TransitionTable,
      _ show: (StaticString, Int, Int, Bool) -> Void
    ) {
      for from in 0..<UInt8(table.states) {
        for to in 0..<UInt8(table.states) where table.allows(from: from, to: to) {
          show(table.text, Int(from), Int(to), taken.contains(from: from, to: to))
        }
      }
    }
  }
#endif
