import BoardSupport
import CommandLineSupport
import LinuxHost
import TrackerCore
import Wording

/// Asks for what is missing, one question after the other.
struct SetupInterview {
  var draft: SetupDraft
  /// Given as options.
  let answered: Set<SetupQuestion>
  private(set) var language = Language.chosen(nil)

  init(_ draft: SetupDraft, answered: Set<SetupQuestion>) {
    self.draft = draft
    self.answered = answered
  }

  /// - Throws: `SetupCancelled`.
  mutating func run() throws {
    try ask(.language)
    if case .text(let code) = draft.choices.language,
      let chosen = Language.all.first(where: { $0.code == code })
    {
      language = chosen
    }
    let model = BoardGuess(draft.root).model
    if !model.isEmpty { try say(SetupPhrase.model.texts(model)) }
    try ask(.board)
    try askReceiver()
    for question in [SetupQuestion.team, .number, .kind, .server, .user] { try ask(question) }
    try askSecret()
    for question in [SetupQuestion.timeZone, .finish, .bearer] { try ask(question) }
    if draft.bearer == "interface" { try ask(.interface) }
    if draft.bearer != "none" { try ask(.accessPoint) }
  }

  func say(_ text: some TextArgument) throws {
    try printOut(text.texts[language] + "\n")
  }

  private mutating func ask(_ question: SetupQuestion, default given: String? = nil) throws {
    guard !answered.contains(question) else { return }
    let standard = given ?? draft.suggestion(question)
    while true {
      let mark = standard.map { " [\($0)]" } ?? ""
      try printOut("\(question.text(in: language))\(mark): ")
      guard let line = try SetupTerminal.line() else { throw SetupCancelled() }
      if question == .board, line == "?" {
        try showBoards()
        continue
      }
      guard let answer = line.isEmpty ? standard : line else {
        try say(SetupPhrase.needed.texts)
        continue
      }
      do {
        try draft.accept(question, answer)
        return
      } catch let error as FileProblem {
        throw error
      } catch {
        try say("  ".texts + Texts(of: error).semicolon(SetupPhrase.again.texts))
      }
    }
  }

  private func showBoards() throws {
    let boards = BoardGuess(draft.root).boards
    let width = boards.map(\.identifier.count).max() ?? 0
    for part in boards {
      let name = part.identifier + (part.kind == .base ? "+…" : "")
      try printOut("  \(name.leftAligned(in: width + 2))  \(part.description)\n")
    }
    let example = "pi-4b+waveshare-sim7600+neo-6m+li-ion-3p"
    try printOut("  \(example)\n  trackerctl boards\n")
  }

  // MARK: The receiver

  private mutating func askReceiver() throws {
    guard !answered.contains(.receiver), let board = draft.board else { return }
    // Inside the modem, or none: there is no port to choose.
    switch board.board.receiver.dialect {
    case .modemGPS, .none: return
    case .ublox, .ubloxM10, .mediatek, .casic: break
    }
    let found = try findReceiver(board)
    try ask(.receiver, default: draft.configured(.receiver) ?? found)
  }

  /// Listens to gpsd and at the port that the receiver should have.
  ///
  /// - Returns: where it is, as written in settings; `nil`: nowhere, or where the board says.
  mutating func findReceiver(_ board: BoardDescription) throws -> String? {
    guard draft.root.isLive else { return nil }
    try say(SetupPhrase.listening.texts)
    let gpsd = "gpsd://127.0.0.1:2947"
    if try listen(gpsd, board.receiverPort.baud) != nil { return gpsd }
    let port = board.receiverPort
    guard let baud = try listen("\(port.device)@auto", port.baud) else { return nil }
    return baud == port.baud ? nil : "\(port.device)@\(baud)"
  }

  /// - Returns: the rate at which sentences come; `nil`: none come.
  private func listen(_ place: String, _ usual: Int32) throws -> Int? {
    guard let address = try? LineAddress(place) else { return nil }
    var probe = ReceiverProbe(address, baud: Int(usual))
    let finding = probe.listen()
    try SetupTerminal.checkSignals()
    let name = place.hasSuffix("@auto") ? String(place.dropLast(5)) : place
    switch finding {
    case .heard(let baud, let sentences, let time):
      let phrase = baud == 0 ? SetupPhrase.heardGpsd : SetupPhrase.heard
      try say("  ".texts + phrase.texts(name, "\(baud)", "\(sentences)", "\(time.count / 1000)"))
      return baud
    case .silent: try say("  ".texts + SetupPhrase.silent.texts(name))
    case .noise: try say("  ".texts + SetupPhrase.noise.texts(name))
    case .unavailable(let problem): try say("  ".texts + problem.texts)
    }
    return nil
  }

  // MARK: The secret

  private mutating func askSecret() throws {
    guard !answered.contains(.secret) else { return }
    while true {
      let prompt = SetupQuestion.secret.text(in: language) + ": "
      guard let secret = try SetupTerminal.secret(after: prompt) else { throw SetupCancelled() }
      if secret.isEmpty, !draft.lacksSecret { return }
      if secret.isEmpty {
        try say(SetupPhrase.needed.texts)
        continue
      }
      do {
        try draft.accept(.secret, secret)
        return
      } catch {
        try say("  ".texts + Texts(of: error).semicolon(SetupPhrase.again.texts))
      }
    }
  }
}
