import CaptureStore
import TrackerCore
import Wording

// That no capture is missing.
extension Console {
  /// A request's worth of captures (ArcGIS servers return 1000 records, and an address of 100
  /// identifiers fits every proxy).
  private static var asked: UInt32 { 100 }
  /// Names of captures that a line has room for.
  private static var named: Int { 8 }

  mutating func proof(asksServer: Bool) throws(ConsoleProblem) -> Answer {
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
      do throws(ConsoleProblem) {
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

  /// What the server says about the captures that it has acknowledged.
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

  private mutating func ask(about stores: [CaptureStore]) throws(ConsoleProblem) -> ServerProof {
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
