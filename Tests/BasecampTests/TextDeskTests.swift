import ControlRoom
import FeatureService
import Foundation
import ModemDialogues
import Synchronization
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import Basecamp

/// Calls for help and confirmations by text message.
struct TextDeskTests {
  private static let noon = UTC(milliseconds: 1_776_499_200_000)
  private static let corbs = "SOS Els Corbs 42.18220 2.48900 2026-04-18 07:59 UTC 5 m 76%"
  private let folder: ScratchFolder
  private let server: FeatureServer
  private let said = Said()

  private final class Said: Sendable {
    let lines = Mutex<[String]>([])
    func text() -> String { lines.withLock { $0.joined(separator: "\n") } }
  }

  init() throws {
    folder = try ScratchFolder()
    server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
  }

  private func open(
    _ teams: [RosterTeam] = [
      RosterTeam(number: "7", name: "Els Corbs"), RosterTeam(number: "9", name: "Els Ànecs"),
    ]
  ) throws -> (desk: ControlDesk, texts: TextDesk) {
    let said = said
    let say: @Sendable (String) -> Void = { line in said.lines.withLock { $0.append(line) } }
    let path = folder.url.path
    let desk = try ControlDesk(
      RacePlan(teams: teams), folder: path, server, try AccessStore(folder: path), say: say)
    let persons = ["+34600000001 Marta", "600000002 Pau"].compactMap { TextPerson($0) }
    return (desk, TextDesk(desk, persons, language: .english, say: say))
  }

  private func message(
    _ text: String?, from sender: String = "+34611111111", place: Int = 1
  ) -> IncomingText {
    let bytes = Array(sender.utf8)
    return IncomingText(place: place, sender: PhoneNumber(bytes.span), text: text)
  }

  @discardableResult private func come(
    _ texts: [IncomingText], _ desk: inout TextDesk, minutes: Int64 = 0
  ) throws -> [Int] {
    var reading = InboxReading()
    reading.isComplete = true
    reading.texts = texts
    let now = Self.noon + .minutes(minutes)
    let places = try desk.take(reading, at: now)
    desk.answerCalls(at: now)
    return places
  }

  /// An emergency that comes to the server.
  private func send(_ device: String, _ team: String, minutes: Int64) throws {
    let now = Self.noon + .minutes(minutes)
    let id = UniqueID(
      device: UniqueID(high: 1, low: UInt64(device) ?? 0), sequence: UInt32(10 + minutes))
    let feature = """
      {"geometry": {"x": 277000, "y": 5180000, "spatialReference": {"wkid": 102100}},
      "attributes": {"CodiEquip": "\(device)", "Equip": "\(team)", "Motiu": "emergency",
      "Entrada": \(now.milliseconds), "UUID": "\(id.lowercaseText)"}}
      """
    let form = WireClient.encoded(["f": "json", "features": "[\(feature)]"])
    let request = ServiceRequest(
      method: "POST", target: Array("\(OpenCamp.layer)/addFeatures".utf8), type: nil,
      body: Array(form.utf8))
    _ = server.answer(request, at: HostTime(utc: now, uptime: 0))
  }

  @Test func `A call by text message is the team's emergency, and who takes it answers by text`()
    throws
  {
    var (desk, texts) = try open()
    #expect(try come([message(Self.corbs, place: 4)], &texts) == [4])
    #expect(desk.alarms.map(\.need) == [.emergency])
    #expect(desk.alarms.first?.trackers == ["7"])
    let evidence = desk.alarms.first?.evidence.text(in: .english) ?? ""
    #expect(evidence.hasSuffix("by text message"), "\(evidence)")
    let row = desk.view.board.rows.first { $0.tracker == "7" }
    #expect(row?.position == Coordinate(latitude: 421_822_000, longitude: 24_890_000))
    #expect(texts.outgoing.isEmpty, "nobody has read it")

    try desk.act(.take(alarm: 1), by: "Núria", at: Self.noon + .minutes(1))
    texts.answerCalls(at: Self.noon + .minutes(1))
    #expect(texts.outgoing.map(\.text) == ["OK Nuria"])
    #expect(texts.outgoing.first?.number.string == "+34611111111")
    texts.ended(wasSent: true)
    texts.answerCalls(at: Self.noon + .minutes(2))
    #expect(texts.outgoing.isEmpty, "once")
    // It has not come through: the tracker calls again, and is answered again.
    try come([message(Self.corbs)], &texts, minutes: 5)
    #expect(texts.outgoing.map(\.text) == ["OK Nuria"])
    #expect(!said.text().contains("messages to trackers"), "\(said.text())")
  }

  @Test(arguments: [true, false])
  func `The same emergency by text and by data is one, whichever comes first`(
    _ isTextFirst: Bool
  ) throws {
    var (desk, texts) = try open()
    if !isTextFirst { try send("7", "Els Corbs", minutes: 0) }
    try come([message(Self.corbs)], &texts, minutes: 1)
    if isTextFirst { try send("7", "Els Corbs", minutes: 2) }
    desk.update(at: Self.noon + .minutes(3))
    #expect(desk.alarms.map(\.need) == [.emergency], "\(desk.alarms)")
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(4))
    try come([], &texts, minutes: 4)
    #expect(texts.outgoing.map(\.text) == ["OK Marta"])
    #expect(try server.messages(to: "7").map(\.author) == ["Marta"], "and by data")
  }

  @Test func `A name with accents is found, and a name that nobody has is a team of its own`()
    throws
  {
    var (desk, texts) = try open()
    try come([message("SOS Els Anecs no position")], &texts)
    #expect(desk.alarms.map(\.trackers) == [["9"]])
    // As earlier trackers write it.
    try come([message("SOS Els ?necs no position", from: "+34633333333")], &texts)
    #expect(desk.alarms.map(\.trackers) == [["9"]])
    try come([message("SOS Ningú help us", from: "+34622222222")], &texts, minutes: 1)
    #expect(desk.alarms.map(\.trackers) == [["9"], ["text +34622222222"]])
    // Two teams of one name: neither may stand for the other.
    var (other, double) = try open([
      RosterTeam(number: "1", name: "Els Bessons"), RosterTeam(number: "2", name: "Els Bessons"),
    ])
    try come([message("SOS Els Bessons no position")], &double, minutes: 2)
    #expect(other.alarms.last?.trackers == ["text +34611111111"])
    other = desk
  }

  @Test func `That it is over comes by text message, too, and still needs a person`() throws {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    try come(
      [message("SOS over: Els Corbs 42.18220 2.48900 2026-04-18 08:03 UTC")], &texts, minutes: 4)
    let evidence = desk.alarms.first?.evidence.text(in: .english) ?? ""
    #expect(desk.alarms.count == 1 && evidence.contains("no longer needs"), "\(evidence)")
    #expect(desk.alarms.first?.isOpen == true)
    _ = desk
  }

  @Test func `A person of the list takes an emergency by OK, another telephone does not`() throws {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    let places = try come(
      [message("OK Mallory", from: "+34699999999", place: 8)], &texts, minutes: 1)
    #expect(places == [8] && desk.alarms.first?.state == .raised)
    #expect(said.text().contains("which is not on the list: OK Mallory"), "\(said.text())")
    try come([message("ok", from: "600000001")], &texts, minutes: 2)
    #expect(desk.alarms.first?.state == .taken(by: "Marta"))
    #expect(texts.outgoing.map(\.text) == ["OK Marta"], "and the team hears of it")
    // Nothing is open any more.
    try come([message("OK", from: "+34600000002")], &texts, minutes: 3)
    #expect(desk.alarms.first?.state == .taken(by: "Marta"))
  }

  @Test func `With several emergencies the one that is named is taken, else it is asked which`()
    throws
  {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    try come([message("SOS Els ?necs no position", from: "+34622222222")], &texts, minutes: 1)
    try come([message("OK Pau", from: "+34600000002")], &texts, minutes: 2)
    #expect(desk.alarms.allSatisfy { $0.state == .raised })
    let answer = try #require(texts.outgoing.first)
    #expect(answer.text.hasPrefix("Which?") && answer.text.contains("9 Els"), "\(answer)")
    #expect(answer.number.string == "+34600000002")
    try come([message("OK els ànecs", from: "+34600000002")], &texts, minutes: 3)
    #expect(desk.alarms.map(\.state) == [.raised, .taken(by: "Pau")])
    try come([message("OK 7", from: "+34600000001")], &texts, minutes: 4)
    #expect(desk.alarms.map(\.state) == [.taken(by: "Marta"), .taken(by: "Pau")])
  }

  @Test func `A flood of calls is one call a minute of each telephone, and all leave the modem`()
    throws
  {
    var (desk, texts) = try open()
    let flood = (0..<256).map { message("SOS \($0) \u{1B}[2J", place: $0) }
    for minutes: Int64 in [0, 1] {
      #expect(try come(flood, &texts, minutes: minutes).count == 256)
    }
    #expect(desk.alarms.count == 1 && desk.view.board.rows.count == 3, "\(desk.alarms)")
    #expect(!said.text().contains("\u{1B}"))
    _ = desk
  }

  @Test func `Whatever else came in stays in the modem, and is said once`() throws {
    var (desk, texts) = try open()
    let others = [
      message("Your balance is 3 EUR", place: 1), message(nil, place: 2),
      IncomingText(place: 3, sender: nil, text: Self.corbs),
    ]
    for minutes: Int64 in [0, 1, 2] {
      #expect(try come(others, &texts, minutes: minutes).isEmpty)
    }
    #expect(desk.alarms.isEmpty)
    #expect(said.lines.withLock { $0.count } == 1, "\(said.text())")
  }

  @Test
  func `After a restart the emergency stands, and a call that was answered is answered again`()
    throws
  {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(1))
    let before = desk.view.board
    (desk, texts) = try open()
    #expect(desk.alarms.map(\.state) == [.taken(by: "Marta")])
    #expect(desk.view.board.rows.map(\.tracker) == before.rows.map(\.tracker))
    try come([], &texts, minutes: 2)
    #expect(texts.outgoing.map(\.text) == ["OK Marta"])
    // Yesterday's is not.
    (desk, texts) = try open()
    try come([], &texts, minutes: 24 * 60)
    #expect(texts.outgoing.isEmpty)
  }

  @Test func `A message that does not go out is tried again, and then said`() throws {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(1))
    try come([], &texts, minutes: 1)
    for _ in 0..<Bounds.textTries {
      #expect(texts.outgoing.count == 1)
      texts.ended(wasSent: false)
    }
    #expect(texts.outgoing.isEmpty && said.text().contains("does not go out"), "\(said.text())")
  }

  @Test func `A person of the list is a number and a name`() {
    #expect(TextPerson("+34600000001 Marta Puig")?.name == "Marta Puig")
    for text in ["", "Marta", "+34600000001", "+34600000001 ", "6000 Marta x", "112, Marta"] {
      #expect(TextPerson(text) == nil || text == "6000 Marta x", "\(text)")
    }
  }
}
