import TrackerCore

/// What a daemon alone reads.
extension Settings {
  static let store = Setting(
    "store", .text("path"), "The queue of captures. Required by trackerd.")
  static let control = Setting(
    "control", .text("path"), "The socket that trackerctl talks to. Without it there is none.")
  static let secrets = Setting(
    "secrets", .text("path"),
    "File of mode 0600 with password, token and the SIM's pin, each on its line: name = value.")
  static let receiverPort = Setting(
    "receiverPort", .text("line"), "Where the receiver is, instead of the board's port.")
  static let modemPort = Setting(
    "modemPort", .text("line"), "Where the modem is, instead of the board's port.")
  static let gathering = Setting.duration(
    "gathering", 0 ... .seconds(1), usualGathering,
    because: "a receiver says where it is once a second",
    "How long a burst of sentences may gather before it is read: fewer wake-ups.")
  static let language = Setting(
    "language", .choice(Language.words.map(\.word)), "en", "Language of status and reasons.")

  /// Seven sentences take 0.46 s at 9600 baud. Measured with `daemon-bench`, beside gpsd with 7.8
  /// wake-ups/s: 8.9 without gathering, 5.7 with 250 ms, 3.7 with 500 ms, and less than half the
  /// processor time.
  static let usualGathering = Milliseconds(500)

  // MARK: server

  static let kind = Setting(
    "server.kind", .choice(ServerSettings.kinds.map(\.word)), "arcgis",
    "What the server speaks.")
  static let address = Setting(
    "server.address", .text("URL"), "The layer's or the service's address. Required by trackerd.")
  static let user = Setting(
    "server.user", .text("text"), "Whom a token is asked for, or whom OwnTracks files by.")
  static let clientID = Setting(
    "server.clientId", .text("text"), "For a token by OAuth 2 client credentials.")
  static let tokenAddress = Setting(
    "server.tokenAddress", .text("URL"), "Where tokens are had, if not where the server says.")
  static let serverDevice = Setting(
    "server.device", .text("text"),
    "What the server is to know the tracker as. Without it, its identifier.")
  static let mayActFor = Setting.duration(
    "server.mayActFor", 0 ... .hours(24), .minutes(10),
    because: "what is longer keeps captures from the server for a day",
    "How long a server may still act on a request that was given up; see \"Each capture once\".")
  static let fields: [Setting] = ServerSettings.Field.allCases.map { field in
    Setting(
      "server.fields.\(field.rawValue)", .text("text, or false"),
      "Attribute of the layer for \(field.meaning); false: it is not sent.")
  }

  // MARK: network

  static let interface = Setting(
    "network.interface", .text("text"), "The interface that carries the data, as wwan0.")
  static let authorities = Setting(
    "network.authorities", .text("path"),
    "File of certificates (PEM) to trust instead of the system's.")
  static let proxy = Setting("network.proxy", .text("URL"), "HTTP proxy.")
  static let up = Setting(
    "network.up", .text("list of words"), "Command that brings the interface up.")
  static let down = Setting(
    "network.down", .text("list of words"), "Command that takes it down.")
  static let modemAuthority = Setting(
    "network.modemAuthority", .text("text"),
    "With bearer modem: certificate in the modem's own files that it is to trust.")
}

extension Settings {
  /// All of them, in the order in which people read them.
  public static let all: [Setting] =
    [
      team, policy, captureInterval, minimumDistance, heartbeat, every, accuracy, maximumSpeed,
      receiver, notBefore, startsBySelf, finish, finishAfter, endAfterFinish, timeZone, reserve,
      device, transmitInterval, betweenUploads, reconnectFloor, bearer, apn, textAfter, textTo,
      store, control, secrets, receiverPort, modemPort, gathering, language, kind, address, user,
      clientID, tokenAddress, serverDevice, mayActFor,
    ] + fields + [interface, authorities, proxy, up, down, modemAuthority]

  /// The keys of a section; empty: of the first level, the sections among them.
  static func keys(of section: String) -> [String] {
    let prefix = section.isEmpty ? "" : section + "."
    var keys: [String] = []
    for setting in all where setting.path.hasPrefix(prefix) {
      let key = String(setting.path.dropFirst(prefix.count).prefix { $0 != "." })
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// The reference for people: within 76 columns, so that it can stand indented.
  public static var reference: String { all.map(\.text).joined(separator: "\n") + "\n" }
}

extension Setting {
  /// Its key, what may be written, the default in brackets; below that what it means.
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
