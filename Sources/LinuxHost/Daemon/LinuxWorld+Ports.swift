import FieldConsole
import TrackerCore
import Wording

// Other programs on the modem's port. Locks keep most of them away, but not all of root's.
extension LinuxWorld {
  /// The time between two searches.
  private static let pause = Milliseconds.seconds(10)

  /// The core has noted something that another program may have caused, or may cause now.
  mutating func considerOthers(_ note: Note) {
    switch note {
    case .modem(.starting), .modemRecovery: lookForOthers()
    default: return
    }
  }

  /// Bytes have come from the modem.
  mutating func considerOthers(_ bytes: some Sequence<UInt8>) {
    if foreignTalk.hears(bytes, at: now) { lookForOthers() }
  }

  /// A person asks: another program may have opened or closed the port meanwhile.
  mutating func followOthers() {
    if lines.contains(where: { $0.role == .modem && $0.sharing != nil }) { lookForOthers() }
  }

  /// Names the programs that have the modem's port open.
  private mutating func lookForOthers() {
    if let lookedAt, now - lookedAt < Self.pause { return }
    guard let index = lines.firstIndex(where: { $0.role == .modem }),
      let device = lines[index].line.device
    else { return }
    lookedAt = now
    let known = PortUsers().users(of: device).map { "\($0)" }.joined(separator: ", ")
    var others = known.isEmpty ? nil : known.texts
    if known.isEmpty && foreignTalk.isCertain(at: now) {
      others = LinePhrase.anotherUsers.texts(device)
    }
    let problem = others.map { LinePhrase.shared.texts(device, $0) }
    guard problem != lines[index].sharing else { return }
    lines[index].sharing = problem
    guard let problem else {
      return log.write(.notice, "no other program uses the modem's port now", ["port": device])
    }
    log.write(.error, "another program uses the modem's port", ["why": problem.english])
    status.learned(StatusBoard.Trouble(text: problem, cause: nil, at: now))
  }
}
