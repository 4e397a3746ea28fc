/// What somebody wants of a setting.
public enum Choice: Sendable, Equatable {
  /// As the file has it.
  case kept
  /// Without a value, even if the file has one.
  case none
  case text(String)
}

/// What makes a tracker this one, beside its board and its secrets.
public struct TrackerChoices: Sendable, Equatable {
  public var team = Choice.kept
  /// The team's number or another short name by which the server knows the tracker.
  public var number = Choice.kept
  /// `arcgis`, `osmand`, `owntracks` or `json`.
  public var serverKind = Choice.kept
  public var serverAddress = Choice.kept
  public var user = Choice.kept
  /// The path of the secrets file.
  public var secrets = Choice.kept
  /// `2027-04-18T14:00`, with or without an offset, or a duration from the start: `32 h`.
  public var finish = Choice.kept
  /// Of the IANA database.
  public var timeZone = Choice.kept
  /// `ca`, `es`, `en` or `fr`.
  public var language = Choice.kept
  public var accessPoint = Choice.kept
  /// A device file, `usb:…` or `gpsd://…`; none: the board's own.
  public var receiverPort = Choice.kept
  /// `interface`, `modem` or `none`.
  public var bearer = Choice.kept
  /// The network interface of the data.
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
