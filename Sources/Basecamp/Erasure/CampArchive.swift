import ControlRoom
import FeatureService
import History
import Notes
import SystemCalls
import TrackerCore
import Wording

/// What the folder of a server has about teams, for those who ask for it or want it gone.
public struct CampArchive: ~Copyable {
  /// What was erased.
  public struct Erased: Sendable, Equatable {
    public var captures = 0
    public var entries = 0
    public var links = 0
    /// Entries of the diary that an earlier version has written into its chain: they are still
    /// there, and go with the whole file only.
    public var entriesLeft = 0
    /// Diaries that were put aside. They are as they were.
    public var otherDiaries: [String] = []
  }

  /// A tracker, and the names by which people write of its team.
  public struct Subject: Sendable, Equatable {
    public var tracker: String
    public var names: [String]
  }

  private let place: CampPlace
  private let features: FeatureServer

  /// - Parameter place: of a server, which may be at work if nothing is erased.
  /// - Throws: an error of one line.
  public init(at place: CampPlace) throws {
    guard place.has(.captures) else {
      throw ServiceError(
        "\(place.folder ?? ""): is no basecamp's directory; give the one of --database")
    }
    var settings = FeatureServerSettings()
    settings.maximumRecords = Bounds.capturesOfTeam
    self.init(
      at: place,
      try FeatureServer(
        settings, database: place.source(.captures), random: SystemRandomNumberGenerator(),
        chance: SplitMix64(seed: 0)))
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(at place: CampPlace, _ features: FeatureServer) {
    self.place = place
    self.features = features
  }

  /// The tracker of a team, by its code or its name, in any case of letters.
  ///
  /// - Throws: an error of one line if there is none, or more than one.
  ///
  /// - Parameter table: the organisers' teams, by whose names it may be called, too.
  public func sender(_ team: String, in table: [RosterTeam] = []) throws -> Subject {
    let senders = try features.senders()
    let roster = try AccessStore(at: place).roster(of: table)
    let others = roster.filter { row in !senders.contains { $0.tracker == row.number } }
      .map { Sender(tracker: $0.number, names: []) }
    /// Anybody can send a capture under any name: what people wrote of "the" is not of that team.
    func subject(_ sender: Sender) -> Subject {
      let written = roster.filter { $0.number == sender.tracker }.map(\.name)
      let usual = sender.names.first.map { [$0] } ?? []
      let asked = sender.names.filter { $0.lowercased() == team.lowercased() }
      var names: [String] = []
      for name in written + usual + asked where !names.contains(name) { names.append(name) }
      return Subject(tracker: sender.tracker, names: names)
    }
    let all = senders + others
    if let exact = all.first(where: { $0.tracker.utf8.elementsEqual(team.utf8) }) {
      return subject(exact)
    }
    let wanted = team.lowercased()
    let found = all.filter { sender in
      (sender.names + subject(sender).names).contains { $0.lowercased() == wanted }
    }
    if found.count == 1, let only = found.first { return subject(only) }
    guard found.isEmpty else {
      let codes = found.map(\.tracker).joined(separator: ", ")
      throw ServiceError("'\(team)' is the name of several trackers: give one of \(codes)")
    }
    throw ServiceError(
      "nothing of '\(team)' is here; give the name or the number of one of "
        + "\(all.count) trackers")
  }

  // MARK: Giving

  /// All that is known of a tracker, as JSON: `captures` as the layer has them, `refused`,
  /// `messages` to it, `notes`, parts of a `history`, its telephones (`phones`), the lines of the
  /// diary and the labels of links that are about it.
  public func export(_ sender: Subject) throws -> [UInt8] {
    let refused = try features.refusals(after: 0, atMost: .max)
      .filter { $0.capture.sender.text == sender.tracker }
    let row = try AccessStore(at: place).writtenTeams().first { $0.number == sender.tracker }
    let head = Figure.object([
      .init("tracker", .text(sender.tracker)),
      .init("phone", row?.phone.map { .text($0) } ?? .none),
      .init("names", .list(sender.names.map { .text($0) })),
    ])
    var text = String(head.line.dropLast())
    text += ",\n\"captures\": \(String(decoding: try captures(sender), as: UTF8.self))"
    text += ",\n\"refused\": \(Figure.list(refused.map(Self.figure)).line)"
    var messages: [TrackerMessage] = []
    var notes: [TeamNote] = []
    var history: [HistoryPart] = []
    if case .device(let code) = CaptureSender(sender.tracker) {
      messages = try features.messages(to: code)
      notes = try features.notebook(of: code).notes
      history = try features.history(of: code)
    }
    text += ",\n\"messages\": \(Figure.list(messages.map(\.figure)).line)"
    text += ",\n\"notes\": \(Figure.list(notes.map(\.figure)).line)"
    text += ",\n\"history\": \(Figure.list(history.map(\.figure)).line)"
    let phones = try AccessStore(at: place).phones().filter { $0.tracker == sender.tracker }
    text += ",\n\"phones\": \(Figure.list(phones.map(\.figure)).line)"
    text += ",\n\"links\": \(Figure.list(try links(sender)).line)"
    text += ",\n\"diary\": [\(try diary(sender).joined(separator: ",\n"))]}\n"
    return Array(text.utf8)
  }

  private func captures(_ sender: Subject) throws -> [UInt8] {
    func quoted(_ text: some StringProtocol) -> String {
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        + "'"
    }
    let clause =
      switch CaptureSender(sender.tracker) {
      case .device(let code): "CodiEquip = " + quoted(code)
      case .team(""): "(CodiEquip IS NULL OR CodiEquip = '') AND (Equip IS NULL OR Equip = '')"
      case .team(let name): "(CodiEquip IS NULL OR CodiEquip = '') AND Equip = " + quoted(name)
      }
    let form = "f=json&outFields=*&outSR=4326&where=" + Self.encoded(clause)
    let request = ServiceRequest(
      method: "POST", target: Array(Self.layer.utf8), type: nil, body: Array(form.utf8))
    let reply = features.answer(request, at: .now)
    guard case .answer(200, _, let body, _, _) = reply else {
      throw ServiceError("the captures of \(sender.tracker) cannot be read")
    }
    return body
  }

  private static let layer = "/arcgis/rest/services/TrailWalker/FeatureServer/0/query"

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let hex = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(hex)" : "%\(hex)"
    }.joined()
  }

  private static func figure(_ refused: RefusedCapture) -> Figure {
    let capture = refused.capture
    func degrees(_ value: Int32?) -> Figure {
      value.map { .real(Double($0) / 1e7, decimals: 7) } ?? .none
    }
    return .object([
      .init("arrived", capture.arrived.map { .whole($0.milliseconds) } ?? .none),
      .init("reason", .text(refused.reason)),
      .init("team", capture.team.map { .text($0) } ?? .none),
      .init("taken", capture.moment.map { .whole($0) } ?? .none),
      .init("latitude", degrees(capture.position?.latitude)),
      .init("longitude", degrees(capture.position?.longitude)),
      .init("trigger", capture.trigger.map { .text($0) } ?? .none),
    ])
  }

  private func links(_ sender: Subject) throws -> [Figure] {
    try AccessStore(at: place).links().map(\.label).filter { label in
      sender.names.contains { DiaryErasure.mentions($0, label) }
    }.map { .text($0) }
  }

  private func diary(_ sender: Subject) throws -> [String] {
    guard place.has(.diary) else { return [] }
    return try DiaryFile.lines(about: Self.erasure(of: sender), at: place)
  }

  // MARK: Erasing

  private static func erasure(of sender: Subject) -> DiaryErasure {
    .tracker(sender.tracker, names: sender.names)
  }

  /// Erases all that is known of a tracker and its team. If that is cut short, the next time does
  /// the rest.
  ///
  /// - Throws: an error of one line if a server is at work in the folder.
  public func erase(_ sender: Subject, at now: UTC) throws -> Erased {
    let seat = try CampSeat.alone(at: place)
    var erased = try erase(Self.erasure(of: sender), at: now)
    let access = try AccessStore(at: place)
    erased.links = try access.eraseLabels(mentioning: sender.names)
    try access.forgetTeam(sender.tracker)
    try access.forgetPhones(of: sender.tracker)
    try access.withDatabase { try $0.compact(["link", "team", "phone"]) }
    // Last: the captures say whose the rest is.
    erased.captures = try features.erase(tracker: sender.tracker)
    try features.compact()
    return withExtendedLifetime(seat) { erased }
  }

  /// Erases all that came before a time, of everybody.
  func erase(before utc: UTC, at now: UTC) throws -> Erased {
    var erased = try erase(.before(utc), at: now)
    erased.captures = try features.erase(before: utc)
    if erased.captures > 0 { try features.compact() }
    return erased
  }

  private func erase(_ erasure: DiaryErasure, at now: UTC) throws -> Erased {
    var erased = Erased()
    if place.has(.diary) {
      (erased.entries, erased.entriesLeft) = try DiaryFile.erase(erasure, at: place, at: now)
    }
    erased.otherDiaries = DiaryFile.othersAside(at: place)
    return erased
  }
}

/// Keeps a second server, or an erasure, off a folder in which one works: an flock on a file, which
/// ends with the process, however that ends. The file stays.
struct FolderLock: ~Copyable {
  private let file: Descriptor

  init(folder: String) throws(ServiceError) {
    let file: Descriptor
    let isOurs: Bool
    do throws(SystemError) {
      file = try Descriptor(
        opening: folder + "/basecamp.lock", [.readWrite, .create, .noFollow], mode: 0o600)
    } catch {
      throw Self.problem(error)
    }
    do throws(SystemError) { isOurs = try file.lock() } catch { throw Self.problem(error) }
    guard isOurs else {
      throw ServiceError("\(folder): a basecamp is at work in it; stop that one first")
    }
    self.file = file
  }

  private static func problem(_ error: SystemError) -> ServiceError {
    ServiceError("cannot lock \(error.path): \(error.reason); check the directory")
  }
}
