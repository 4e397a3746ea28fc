public import CaptureStore
import Statistics
public import TrackerCore
import Wording

// The proof that no capture is missing.
extension Console {
  /// Captures in one request (ArcGIS servers return 1000 records, and an address of 100
  /// identifiers fits every proxy).
  private static var asked: UInt32 { 100 }
  /// How many captures' names fit on a line.
  private static var named: Int { 8 }

  mutating func proof(asksServer: Bool) throws(ConsoleError) -> Answer {
    learnLanguage()
    let language = languageInUse
    var page = Page()
    page.line(ConsolePhrase.proofHead.text(in: language))
    var figures: [Figure] = []
    var missing = 0
    let stores = try backend.stores()
    for store in stores {
      let devices = try reading { () throws(StoreError) in try store.devices() }
      for device in devices {
        missing += device.missing
        page.line("  " + Self.line(device, isPresent: device.device == store.device, in: language))
        figures.append(.object(Self.members(device)))
      }
    }
    page.line(
      missing == 0
        ? ConsolePhrase.proofComplete.text(in: language)
        : ConsolePhrase.proofMissing.text(in: language, "\(missing)"), missing == 0 ? .good : .bad)
    var members = [
      Figure.Member("missing", .integer(missing)), Figure.Member("devices", .list(figures)),
    ]
    var isWhole = missing == 0
    if asksServer {
      do throws(ConsoleError) {
        let server = try ask(about: stores)
        server.write(to: &page, &members, in: language)
        isWhole = isWhole && server.lacking.isEmpty
      } catch {
        page.line(ConsolePhrase.proofNotAsked.text(in: language, "\(error)"), .bad)
        members.append(Figure.Member("server", .none))
        isWhole = false
      }
    }
    return Answer(page, members, exitCode: isWhole ? 0 : 1)
  }

  /// Whether the server has the captures that it has acknowledged.
  private struct ServerProof {
    var asked = 0
    var lacking: [String] = []

    func write(to page: inout Page, _ members: inout [Figure.Member], in language: Language) {
      page.line(
        ConsolePhrase.proofServer.text(
          in: language, "\(asked - lacking.count)", "\(asked)"), lacking.isEmpty ? .good : .bad)
      if !lacking.isEmpty {
        let names = lacking.prefix(Console.named).joined(separator: ", ")
        page.line(
          ConsolePhrase.proofServerLacks.text(
            in: language, "\(lacking.count)", names + (lacking.count > Console.named ? " …" : "")),
          .bad)
      }
      members.append(
        Figure.Member(
          "server",
          .object([
            Figure.Member("asked", .integer(asked)),
            Figure.Member("lacking", .list(lacking.map { .text($0) })),
          ])))
    }
  }

  private mutating func ask(about stores: [CaptureStore]) throws(ConsoleError) -> ServerProof {
    var proof = ServerProof()
    for store in stores {
      var last = CaptureKey.none
      while true {
        let after = last
        let page = try reading { () throws(StoreError) in
          try store.page(after: after, limit: Self.asked, state: .acknowledged)
        }
        guard let end = page.last else { break }
        last = end.key
        let known = try backend.known(page)
        proof.asked += page.count
        proof.lacking += page.filter { !known.contains($0.key) }.map { "\(store.name(of: $0))" }
      }
    }
    return proof
  }
}

// The figures of a session, from the store.
extension Console {
  /// - Parameter number: from 1, the oldest one; `nil`: the last session.
  mutating func stats(
    newest: Int, every: Int64, session number: Int?
  ) throws(ConsoleError) -> Answer {
    learnLanguage()
    let language = languageInUse
    let sessions = try storedSessions()
    if let number, !sessions.indices.contains(number - 1) {
      throw ConsoleError(ConsolePhrase.noSuchSession.texts("\(number)", "\(sessions.count)"))
    }
    let wanted = number ?? sessions.count
    let captures = sessions.isEmpty ? [] : sessions[wanted - 1]
    let statistics = SessionStatistics(
      captures.compactMap(TrackPoint.init), every: every, on: course)
    var page = Page()
    if let start = statistics.start {
      page.line(ConsolePhrase.sessionOf.text(in: language, CalendarText.text(start)), .strong)
    }
    let text = StatisticsText(statistics, in: language)
    for line in text.lines { page.line(line) }
    if text.hasTable {
      page.line("")
      for line in text.table(newest: newest) { page.line(line) }
    }
    let earlier = max(0, wanted - 1)
    if earlier > 0 {
      page.line(ConsolePhrase.earlierSessions.text(in: language, count: Int64(earlier)))
    }
    return Answer(
      page,
      [
        Figure.Member("statistics", statistics.figures),
        Figure.Member("session", .integer(wanted)),
        Figure.Member("earlierSessions", .integer(earlier)),
      ])
  }

  /// All sessions, the oldest first.
  mutating func sessions() throws(ConsoleError) -> Answer {
    learnLanguage()
    let language = languageInUse
    let sessions = try storedSessions()
    var page = Page()
    if sessions.isEmpty { page.line(StatisticsPhrase.noPoint.text(in: language)) }
    var figures: [Figure] = []
    for (index, session) in sessions.enumerated() {
      let start = session.lazy.filter(\.isTimeTrusted).compactMap(\.utc).first
      let team = session.last.map { String($0.team).cut(to: NameWidth.team) } ?? ""
      let count = StatusValue.captures.text(in: language, count: Int64(session.count))
      let date = start.map { CalendarText.text($0) } ?? ConsolePhrase.noDate.text(in: language)
      page.line(
        ["\(index + 1)", date, count, team].filter { !$0.isEmpty }.joined(separator: "  "))
      figures.append(
        .object([
          Figure.Member("number", .integer(index + 1)),
          Figure.Member("start", start.map { .text(SessionStatistics.date($0)) } ?? .none),
          Figure.Member("team", team.isEmpty ? .none : .text(team)),
          Figure.Member("captures", .integer(session.count)),
        ]))
    }
    return Answer(page, [Figure.Member("sessions", .list(figures))])
  }

  private mutating func storedSessions() throws(ConsoleError) -> [ArraySlice<Capture>] {
    let stores = try backend.stores()
    return try reading { () throws(StoreError) in try StoredSessions.all(in: stores) }
  }
}

/// The sessions in a tracker's stores.
public enum StoredSessions {
  /// - Parameter stores: the tracker's store and, if there is one, its second store.
  /// - Returns: those of the device that took the last capture, in their order; what another device
  ///   has taken is another one's walk.
  public static func all(in stores: [CaptureStore]) throws(StoreError) -> [ArraySlice<Capture>] {
    var captures: [Capture] = []
    var device: UniqueID?
    for store in stores {
      for stored in try store.captures() {
        if stored.device != device { captures = [] }
        device = stored.device
        captures.append(stored.capture)
      }
    }
    return Sessions.split(captures)
  }
}
