import TrackerCore
import Wording

/// The settings of the machine and the server, which are not part of the core.
extension Settings {
  static let store = Setting(
    "store", .text("path"), "The queue of captures. Required by trackerd.")
  static let control = Setting(
    "control", .text("path"), "The socket for trackerctl. Without it there is none.")
  static let secrets = Setting(
    "secrets", .text("path"),
    "File of mode 0600 with password, token and the SIM's pin, each on a line: name = value.")
  static let course = Setting(
    "course", .text("path"),
    "The course to follow, with its checkpoints: GeoJSON or GPX; see \"The course\".")
  static let offCourse = Setting.quantity(
    "offCourse", .distance, 50...10_000, CourseLimits().offCourseMetres,
    because: "a path in a wood is drawn some 30 m beside where it runs",
    "A team farther from the course than this and three times a fix's accuracy is off it.")
  static let backwards = Setting.quantity(
    "backwards", .distance, 50...10_000, CourseLimits().backwardsMetres,
    because: "fixes of a team at rest go to and fro",
    "A team that has gone back this far along the course, measured the same way, moves backwards.")
  static let coverage = Setting(
    "coverage", .text("map"),
    "Where the network was reached in an earlier race: courseCoverage of its status --json.")
  static let receiverPort = Setting(
    "receiverPort", .text("line"), "The receiver's port, instead of the board's.")
  static let modemPort = Setting(
    "modemPort", .text("line"), "The modem's port, instead of the board's.")
  static let gathering = Setting.duration(
    "gathering", 0 ... .seconds(1), usualGathering,
    because: "a receiver reports once a second",
    "How long a burst of sentences may gather before it is read, to save wake-ups.")
  static let language = Setting(
    "language", .choice(Language.words.map(\.word)), "en", "Language of status and reasons.")

  static let clock = Setting(
    "clock", .choice(ClockUse.words.map(\.word)), "leave",
    "What is done with the machine's date when the receiver's is trusted; see \"The clock\".")

  static let console = Setting(
    "console", .choice(ConsoleUse.words.map(\.word)), "full",
    "What trackerctl console may do; with pin, orders need consolePin of the secrets file.")

  /// Seven sentences take 0.46 s at 9600 baud. Measured with `bench daemon`, beside gpsd with 7.8
  /// wake-ups/s: 8.9 without gathering, 5.7 with 250 ms, 3.7 with 500 ms, and less than half the
  /// processor time.
  static let usualGathering = Milliseconds(500)

  // MARK: server

  static let kind = Setting(
    "server.kind", .choice(ServerSettings.kinds.map(\.word)), "arcgis",
    "The server's protocol.")
  static let address = Setting(
    "server.address", .text("URL"), "The layer's or the service's address. Required by trackerd.")
  static let user = Setting(
    "server.user", .text("text"),
    "User name for tokens, basic authentication, OwnTracks or a broker.")
  static let clientID = Setting(
    "server.clientId", .text("text"), "Client id for tokens by OAuth 2 client credentials.")
  static let tokenAddress = Setting(
    "server.tokenAddress", .text("URL"),
    "Address of the token service. Required with clientId; otherwise the server's own.")
  static let serverDevice = Setting(
    "server.device", .text("text"),
    "The tracker's name on the server. Without it, its identifier.")
  static let acknowledgedBy = Setting(
    "server.acknowledgedBy", .choice(ServerSettings.acknowledgers.map(\.word)), "receiver",
    "Whose word counts with mqtt: basecamp's, which has stored a capture, or the broker's.")
  static let mayActFor = Setting.duration(
    "server.mayActFor", 0 ... .hours(24), .minutes(10),
    because: "longer would delay captures by more than a day",
    "How long a server may still apply a request that was given up; see \"Each capture once\".")
  static let messages = Setting(
    "server.messages", .text("layer number, URL, or false"),
    """
    Table of messages, by which the tracker learns that a human has read its emergency. Without it \
    the layer's next number, if there is such a table; false: it never asks.
    """)
  static let notes = Setting(
    "server.notes", .text("layer number, URL, or false"),
    """
    Table of notes that the team and the organisers write. Without it the number after that of the \
    messages, if there is such a table; false: notes stay on the tracker.
    """)
  static let history = Setting(
    "server.history", .text("layer number, URL, or false"),
    """
    Table of histories that the organisers ask for (remote: ["history"]). Without it the number \
    after that of the notes, if there is such a table; false: none are told.
    """)
  static let fields: [Setting] = ServerSettings.Field.allCases.map { field in
    let usual = field.usualName.map { " Without it \($0), if the layer has that." } ?? ""
    return Setting(
      "server.fields.\(field.rawValue)", .text("text, or false"),
      "Attribute of the layer for \(field.meaning); false: it is not sent." + usual)
  }

  // MARK: network

  static let interface = Setting(
    "network.interface", .text("text"), "Network interface for the data, for example wwan0.")
  static let authorities = Setting(
    "network.authorities", .text("path"),
    "File of CA certificates (PEM) to trust instead of the system's.")
  static let proxy = Setting("network.proxy", .text("URL"), "HTTP proxy.")
  static let up = Setting(
    "network.up", .text("list of words"), "Command that brings the interface up; see \"The link\".")
  static let down = Setting(
    "network.down", .text("list of words"), "Command that takes it down; see \"The link\".")
  static let modemAuthority = Setting(
    "network.modemAuthority", .text("text"),
    "With bearer modem: CA certificate in the modem's files to trust.")
}

extension Settings {
  /// All settings, in the order of the reference.
  public static let all: [Setting] =
    [
      team, policy, captureInterval, minimumDistance, heartbeat, every, accuracy, maximumSpeed,
      receiver, sleep, notBefore, startsBySelf, finish, finishAfter, endAfterFinish, timeZone,
      reserve,
      confidence, device, transmitInterval, betweenUploads, reconnectFloor, bearer, apn, textAfter,
      textTo, emergency, emergencyInterval, remote, remoteLimit, store, control, secrets, course,
      offCourse, backwards,
      coverage, receiverPort, modemPort,
      gathering, language, clock, console,
      kind, address, user, clientID, tokenAddress, serverDevice, acknowledgedBy, mayActFor,
      messages, notes, history,
    ] + fields + [interface, authorities, proxy, up, down, modemAuthority]

  /// The keys of a section; empty: those of the first level, including sections.
  static func keys(of section: String) -> [String] {
    let prefix = section.isEmpty ? "" : section + "."
    var keys: [String] = []
    for setting in all where setting.path.hasPrefix(prefix) {
      let key = String(setting.path.dropFirst(prefix.count).prefix { $0 != "." })
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// The reference for people, within 76 columns so that it can be indented.
  public static var reference: String { all.map(\.text).joined(separator: "\n") + "\n" }
}

extension Setting {
  /// Its key, its values, and the default in brackets; below that its meaning.
  fileprivate var text: String {
    let standard = standard.isEmpty ? "" : "[\(standard)]"
    var head = path + spaces(26 - path.count) + formText
    var words = meaning.split(separator: " ")[...]
    if head.count + standard.count >= 76 {
      words.append(Substring(standard))
    } else if !standard.isEmpty {
      head += spaces(76 - head.count - standard.count) + standard
    }
    var lines = [head]
    var line = "   "
    for word in words {
      if line.count + 1 + word.count > 76 {
        lines.append(line)
        line = "   "
      }
      line += " " + word
    }
    return (lines + [line]).joined(separator: "\n")
  }

  private var formText: String {
    switch form {
    case .quantity(let dimension, let range, _):
      (range.lowerBound == 0 ? "up to " : "\(dimension.text(range.lowerBound)) to ")
        + dimension.text(range.upperBound)
    case .choice(let words): words.joined(separator: ", ")
    case .boolean: "true, false"
    case .text(let what): what
    }
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}
