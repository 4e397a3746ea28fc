public import BoardSupport

/// What to do with a setting.
public enum Choice: Sendable, Equatable {
  /// Keep what the file has.
  case kept
  /// Remove it from the file.
  case none
  case text(String)
}

/// The choices that make up a tracker, apart from its board and its secrets.
public struct TrackerChoices: Sendable, Equatable {
  public var team = Choice.kept
  /// The team's number or another short name by which the server knows the tracker.
  public var number = Choice.kept
  /// `arcgis`, `osmand`, `owntracks`, `json` or `mqtt`.
  public var serverKind = Choice.kept
  public var serverAddress = Choice.kept
  public var user = Choice.kept
  /// The path of the secrets file.
  public var secrets = Choice.kept
  /// `2027-04-18T14:00`, with or without an offset, or a duration from the start: `32 h`.
  public var finish = Choice.kept
  /// A name from the IANA database.
  public var timeZone = Choice.kept
  /// `ca`, `es`, `en` or `fr`.
  public var language = Choice.kept
  public var accessPoint = Choice.kept
  /// A device file, `usb:…` or `gpsd://…`; none: the board's own.
  public var receiverPort = Choice.kept
  /// `interface`, `modem` or `none`.
  public var bearer = Choice.kept
  /// The network interface for the data.
  public var interface = Choice.kept

  public init() {}

  /// Each with the place in the configuration file that it stands for. A finish is at one of two.
  var places: [(key: String, choice: Choice)] {
    var finishAt = finish
    var finishAfter = finish
    if case .text(let text) = finish {
      if Self.isDate(text) { finishAfter = .none } else { finishAt = .none }
    }
    return [
      ("team", team), ("server.device", number), ("server.kind", serverKind),
      ("server.address", serverAddress), ("server.user", user), ("secrets", secrets),
      ("finish", finishAt), ("finishAfter", finishAfter), ("timeZone", timeZone),
      ("language", language), ("apn", accessPoint), ("receiverPort", receiverPort),
      ("bearer", bearer), ("network.interface", interface),
    ]
  }

  /// `2027-…`; a duration has no hyphen.
  private static func isDate(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "-")) }
}

/// The text of `/etc/trailtracker/trackerd.json5`.
public enum ConfigurationText {
  /// The settings of a tracker that has none yet. `server.address` is missing.
  static let template = """
    // This tracker's configuration. "trackerd --settings" lists every key. After a change:
    //   sudo trackerctl setup   checks it, or: sudo systemctl reload trackerd
    {
      store: "/var/lib/trailtracker/captures.db",
      control: "/run/trailtracker/control",
      server: {
        kind: "arcgis",
      },
      capture: { policy: "standard", interval: "10 min" },
      transmit: { interval: "10 min" },
    }

    """

  /// A configuration file with these choices. Everything else of it stays as it is.
  ///
  /// - Parameters:
  ///   - old: the file's content, or another tracker's; `nil`: there is none.
  ///   - path: for errors.
  /// - Throws: if the old or the new text is not a valid configuration of a tracker.
  public static func applying(
    _ choices: TrackerChoices, to old: [UInt8]?, path: String
  ) throws(FileError) -> [UInt8] {
    var text = try JSON5Text(old ?? Array(template.utf8), path: path)
    for (key, choice) in choices.places {
      switch choice {
      case .kept: break
      case .none: try text.remove(key)
      case .text(let value): try text.set(key, to: value)
      }
    }
    let root = try text.root()
    _ = try ConfigurationFile(root)
    _ = try DaemonSettings(root)
    return text.bytes
  }
}

/// The text of the secrets file: lines `name = value`.
public enum SecretsText {
  /// The text with a secret's value; everything else stays.
  ///
  /// - Returns: `nil` if such a file cannot hold the value: it is empty, has several lines or
  ///   blanks around it.
  public static func setting(_ name: String, to value: String, in text: String) -> String? {
    let isOneLine = value.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.value != 0x2028 && $0.value != 0x2029
    }
    guard isOneLine, let first = value.first, let last = value.last, !first.isWhitespace,
      !last.isWhitespace
    else { return nil }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    let line = "\(name) = \(value)"
    if let place = lines.firstIndex(where: { self.name(in: $0) == name }) {
      lines[place] = line
    } else {
      lines.append(line)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func name(in line: String) -> String? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    return String(line[..<sign].filter { !$0.isWhitespace })
  }
}
