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
  private static let corbs =
    "SOS Els Corbs 42.18220 2.48900 2026-04-18 07:59 UTC 5 m 76% \(code(of: 7))"
  private static let anecs = "SOS Els Anecs no position \(code(of: 9))"

  /// What the tracker of a team writes at the end.
  private static func code(of device: UInt64, from sequence: UInt32 = 10) -> String {
    let code = CallCode(device: UniqueID(high: 1, low: device), firstSequence: sequence)
    return "#\(code.device)\(code.emergency)"
  }

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
    for (code, team) in [("7", "Els Corbs"), ("9", "Els Ànecs")] {
      try send(code, team, minutes: -60, trigger: "interval")
    }
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
      RacePlan(teams: teams), at: .folder(path), server, try AccessStore(folder: path), say: say)
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

  /// A capture that comes to the server.
  private func send(
    _ code: String, _ team: String, minutes: Int64, trigger: String = "emergency",
    device: UInt64? = nil
  ) throws {
    let now = Self.noon + .minutes(minutes)
    let id = UniqueID(
      device: UniqueID(high: 1, low: device ?? UInt64(code) ?? 0), sequence: UInt32(100 + minutes))
    let feature = """
      {"geometry": {"x": 277000, "y": 5180000, "spatialReference": {"wkid": 102100}},
      "attributes": {"CodiEquip": "\(code)", "Equip": "\(team)", "Motiu": "\(trigger)",
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
    #expect(texts.outgoing.map(\.text) == ["OK Nuria #0A"])
    #expect(texts.outgoing.first?.number.string == "+34611111111")
    texts.ended(wasSent: true)
    texts.answerCalls(at: Self.noon + .minutes(2))
    #expect(texts.outgoing.isEmpty, "once")
    // It has not come through: the tracker calls again, and is answered again.
    try come([message(Self.corbs)], &texts, minutes: 5)
    #expect(texts.outgoing.map(\.text) == ["OK Nuria #0A"])
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
    #expect(texts.outgoing.map(\.text) == ["OK Marta #0A"])
    #expect(try server.messages(to: "7").map(\.author) == ["Marta"], "and by data")
  }

  @Test func `Two teams of one name are told apart by their devices`() throws {
    let (desk, open) = try open([
      RosterTeam(number: "7", name: "Els Bessons"), RosterTeam(number: "9", name: "Els Bessons"),
    ])
    var texts = open
    try come(
      [
        message("SOS Els Bessons no position \(Self.code(of: 9))"),
        message("SOS Els Bessons no position \(Self.code(of: 7))", from: "+34622222222"),
      ], &texts)
    #expect(desk.alarms.map(\.trackers) == [["9"], ["7"]])
  }

  private static let evidence = "a telephone that is not known to be this team's"

  @Test func `A call of any other telephone is on the board as that, and gets no team's answer`()
    throws
  {
    var (desk, texts) = try open([
      RosterTeam(number: "7", name: "Els Corbs", phone: "600 00 00 07"),
      RosterTeam(number: "9", name: "Els Ànecs", phone: "600000009"),
    ])
    try come([message(Self.corbs)], &texts)
    // It knows the code, another one the name, and one is of a team that nobody has.
    let forged = [
      message(Self.corbs, from: "+34666666666"),
      message("SOS Els Corbs no position", from: "+34655555555"),
      message("SOS Ningú help us", from: "+34644444444"),
      message("SOS Els Corbs no position \(Self.code(of: 8))", from: "+34633333333"),
      // A team's own telephone in another team's name.
      message("SOS Els Corbs", from: "+34600000009"),
    ]
    try come(forged, &texts, minutes: 1)
    #expect(desk.alarms.first?.trackers == ["7"])
    let others = forged.map { ["text \($0.sender?.string ?? "")"] }
    #expect(desk.alarms.dropFirst().map(\.trackers) == others)
    for alarm in desk.alarms {
      let isUnknown = alarm.evidence.text(in: .english).contains(Self.evidence)
      #expect(isUnknown == (alarm.number > 1), "\(alarm)")
    }
    #expect(desk.view.board.rows.first?.tracker == "7", "teams come first")
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(2))
    texts.answerCalls(at: Self.noon + .minutes(2))
    #expect(texts.outgoing.map(\.number.string) == ["+34611111111"])
    try desk.act(.take(alarm: 4), by: "Pau", at: Self.noon + .minutes(2))
    texts.answerCalls(at: Self.noon + .minutes(2))
    #expect(texts.outgoing.last?.number.string == "+34644444444" && texts.outgoing.count == 2)
    #expect(texts.outgoing.last?.text == "OK Pau")
    desk = try open().desk
    #expect(desk.alarms.map(\.trackers) == [["7"]] + others, "after a restart")
  }

  @Test func `A device has the telephone from which it called first, also after a restart`() throws
  {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    (desk, texts) = try open()
    try come([message(Self.corbs, from: "+34666666666")], &texts, minutes: 2)
    try come([message(Self.corbs, from: "611111111")], &texts, minutes: 4)
    #expect(desk.alarms.map(\.trackers) == [["7"], ["text +34666666666"]])
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(5))
    texts.answerCalls(at: Self.noon + .minutes(5))
    #expect(texts.outgoing.map(\.number.string) == ["611111111"])
  }

  @Test func `A team's telephone in the organisers' table calls for it, as earlier trackers do`()
    throws
  {
    var (desk, texts) = try open([
      RosterTeam(number: "7", name: "Els Corbs", phone: "600 00 00 07"),
      RosterTeam(number: "9", name: "Els Ànecs", phone: "+34600000009"),
    ])
    // As earlier trackers write it, without accents and without a code.
    try come([message("SOS Els ?necs no position", from: "+34600000009")], &texts)
    try come([message("sos we are lost", from: "600000007")], &texts)
    #expect(desk.alarms.map(\.trackers) == [["9"], ["7"]])
    (desk, texts) = try open()
  }

  @Test func `A forged call in the same minute takes no place of the tracker's`() throws {
    var (desk, texts) = try open()
    try come(
      [message("SOS Els Corbs", place: 1), message(Self.corbs, place: 2)], &texts)
    #expect(Set(desk.alarms.map(\.trackers)) == [["7"], ["text +34611111111"]])
    desk.update(at: Self.noon)
    texts.answerCalls(at: Self.noon)
  }

  @Test
  func `Beyond fifty unknown telephones one row counts the further ones, and all are written`()
    throws
  {
    var (desk, texts) = try open()
    let flood = (0..<60).map { number in
      message(
        "SOS help \(number)", from: "+346000001\(number < 10 ? "0" : "")\(number)", place: number)
    }
    #expect(try come(flood, &texts).count == 60)
    try come([message(Self.corbs)], &texts, minutes: 1)
    // One that has a row keeps it.
    try come([message("SOS again", from: "+34600000100")], &texts, minutes: 2)
    let rows = desk.view.board.rows
    #expect(rows.count == 2 + 51, "\(rows.map(\.tracker))")
    #expect(rows.first?.tracker == "7")
    #expect(rows.first { $0.tracker == "text …" }?.name.hasPrefix("☎ × ") == true)
    try come([message("SOS more", from: "+34600000999")], &texts, minutes: 2)
    #expect(desk.view.board.rows.first { $0.tracker == "text …" }?.name == "☎ × 11")
    let written = try desk.diary(from: 1, atMost: 1000).map { "\($0)" }.joined()
    for number in 0..<60 { #expect(written.contains("✉ SOS help \(number)\\"), "\(number)") }
    #expect(desk.alarms.count == 52 && desk.alarms.allSatisfy(\.isOpen))
    desk.update(at: Self.noon)
  }

  @Test func `A call without a number is on the board, and one in several parts is whole`() throws {
    var (desk, texts) = try open()
    let parts = [(1, "SOS we are at the "), (2, "old mill")].map { number, text in
      IncomingText(
        place: number, sender: message("").sender, text: nil,
        part: TextPart(of: 5, number: number, count: 2, text: text))
    }
    let places = try come(parts + [IncomingText(place: 3, sender: nil, text: Self.corbs)], &texts)
    #expect(places == [1, 2, 3])
    #expect(desk.alarms.map(\.trackers) == [["text +34611111111"], ["text ?"]])
    #expect(said.text().contains("SOS we are at the old mill"), "\(said.text())")
    for alarm in 1...2 { try desk.act(.take(alarm: alarm), by: "Pau", at: Self.noon) }
    try come([IncomingText(place: 4, sender: nil, text: "OK Mallory")], &texts)
    #expect(texts.outgoing.count == 1, "the other one cannot be answered")
    desk.update(at: Self.noon)
  }

  @Test func `Who ends it is named to the tracker with the reason, and to a person as before`()
    throws
  {
    var (desk, texts) = try open()
    try come([message(Self.corbs), message("SOS lost", from: "+34622222222")], &texts)
    let later = Self.noon + .minutes(90)
    for alarm in 1...2 {
      try desk.act(.take(alarm: alarm), by: "Marta", at: Self.noon + .minutes(1))
    }
    texts.answerCalls(at: Self.noon + .minutes(1))
    #expect(texts.outgoing.map(\.text) == ["OK Marta", "OK Marta #0A"])
    for _ in 0..<2 { texts.ended(wasSent: true) }
    for alarm in 1...2 {
      try desk.act(.resolve(alarm: alarm, reason: "són al CP4"), by: "Pau", at: later)
    }
    texts.answerCalls(at: later)
    texts.answerCalls(at: later + .minutes(1))
    #expect(texts.outgoing.map(\.text) == ["OVER Pau: son al CP4 #0A"], "once; a person was told")
    let said = said
    texts = TextDesk(desk, [], language: .english) { line in
      said.lines.withLock { $0.append(line) }
    }
    try come([], &texts, minutes: 90 + 61)
    #expect(texts.outgoing.isEmpty, "after a restart, an hour later")
    // The tracker has not heard it.
    try come([message(Self.corbs)], &texts, minutes: 90 + 62)
    #expect(texts.outgoing.map(\.text) == ["OVER Pau: son al CP4 #0A"])
  }

  /// A message with the service centre's stamp.
  private func stamped(
    _ text: String, from sender: String = "+34611111111", minutes: Int64
  ) -> IncomingText {
    var one = message(text, from: sender)
    one.sent = Self.noon + .minutes(minutes)
    return one
  }

  @Test func `What the modem does not delete counts once, also after a restart, and is said`()
    throws
  {
    var (desk, texts) = try open()
    let call = stamped(Self.corbs, minutes: 0)
    for minutes: Int64 in 0...5 {
      #expect(try come([call], &texts, minutes: minutes) == [1], "it is to be deleted")
      #expect(texts.tookNew == (minutes == 0))
    }
    #expect(said.text().components(separatedBy: "1 cannot be deleted").count == 2)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(6))
    try come([call], &texts, minutes: 6)
    #expect(texts.outgoing.count == 1)
    let count = desk.room.entryCount
    (desk, texts) = try open()
    try come([call], &texts, minutes: 7)
    #expect(desk.alarms.count == 1 && texts.outgoing.map(\.text) == ["OK Marta #0A"])
    #expect(desk.room.entryCount == count, "the diary has it once")
    // The same words again, later, are another call.
    try come([call, stamped(Self.corbs, minutes: 8)], &texts, minutes: 9)
    #expect(texts.outgoing.count == 2)
  }

  @Test func `An OK from before an emergency takes none, and who wrote it hears that`() throws {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts, minutes: 60)
    let raised = try #require(desk.alarms.first).raisedAt
    var answer = message("OK", from: "+34600000001")
    answer.sent = raised + (0 - Bounds.stampSlack)
    try come([answer], &texts, minutes: 61)
    #expect(desk.alarms.first?.state == .raised)
    #expect(texts.outgoing.map(\.text).first?.hasPrefix("That OK is older") == true)
    answer.sent = raised + (0 - Bounds.stampSlack) + 1
    try come([answer], &texts, minutes: 62)
    #expect(desk.alarms.first?.state == .taken(by: "Marta"), "the centre's clock may be late")
    // It stays in the modem, and another team calls.
    let other = message(Self.anecs, from: "+34622222222", place: 2)
    try come([other, answer], &texts, minutes: 63)
    #expect(desk.alarms.map(\.state) == [.taken(by: "Marta"), .raised])
  }

  @Test func `A device that sends under two codes is neither team's by its code`() throws {
    try send("9", "Els Ànecs", minutes: -50, trigger: "interval", device: 7)
    let (desk, open) = try open()
    var texts = open
    try come([message(Self.corbs)], &texts)
    #expect(desk.alarms.map(\.trackers) == [["text +34611111111"]])
  }

  @Test func `An answer that has no room among those that wait goes out later`() throws {
    var (desk, texts) = try open()
    let flood = (0..<45).map { message("SOS", from: "+346000001\($0 + 10)", place: $0) }
    try come(flood, &texts)
    try come(flood, &texts, minutes: 2)
    for alarm in 1...45 {
      try desk.act(.take(alarm: alarm), by: "Pau", at: Self.noon + .minutes(2))
    }
    texts.answerCalls(at: Self.noon + .minutes(2))
    try come(flood, &texts, minutes: 4)
    #expect(texts.outgoing.count == Bounds.textsOut)
    while !texts.outgoing.isEmpty { texts.ended(wasSent: true) }
    texts.answerCalls(at: Self.noon + .minutes(5))
    #expect(texts.outgoing.count == 2 * 45 - Bounds.textsOut)
  }

  @Test func `That it is over comes by text message, too, and still needs a person`() throws {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    let over = "SOS over: Els Corbs 42.18220 2.48900 2026-04-18 08:03 UTC "
    // Nobody else withdraws it.
    try come([message(over, from: "+34622222222")], &texts, minutes: 4)
    #expect(desk.alarms.first?.evidence.text(in: .english).contains("no longer") == false)
    try come(
      [message(over + Self.code(of: 7))], &texts, minutes: 4)
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
    #expect(texts.outgoing.map(\.text) == ["OK Marta #0A"], "and the team hears of it")
    // Nothing is open any more.
    try come([message("OK", from: "+34600000002")], &texts, minutes: 3)
    #expect(desk.alarms.first?.state == .taken(by: "Marta"))
  }

  @Test func `With several emergencies the one that is named is taken, else it is asked which`()
    throws
  {
    var (desk, texts) = try open()
    try come([message(Self.corbs)], &texts)
    try come([message(Self.anecs, from: "+34622222222")], &texts, minutes: 1)
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
      IncomingText(place: 3, sender: nil, text: "OK"),
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
    #expect(texts.outgoing.map(\.text) == ["OK Marta #0A"])
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
