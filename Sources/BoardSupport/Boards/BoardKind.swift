/// What a board file describes: a whole board, or one part of a combination.
public enum BoardKind: String, Sendable, Equatable, CaseIterable {
  /// Everything that a tracker needs.
  case board
  /// A computer, without modem, receiver and battery.
  case base
  case modem
  case receiver
  /// A pack with its converter: bare, or on a UPS board.
  case battery
  /// What measures another part's battery.
  case sensor
  /// A place for the technician's cable.
  case console
  /// A button, a light.
  case panel

  /// The keys that a file of this kind may have, beside those of every file. A `*` stands for the
  /// rest of a name.
  var ownedKeys: [String] {
    switch self {
    case .board: ["*"]
    case .base: ["supply", "loads.board", "pins.*", "ports.console", "interfaces"]
    case .modem: ["modem", "loads.modem*", "loads.part", "ports.modem", "builtInReceiver"] + lines
    case .receiver: ["receiver", "loads.receiver*", "loads.part", "ports.receiver"] + lines
    case .battery: ["battery.*", "supply", "replaces", "loads.part"] + lines
    case .sensor: ["battery.sensor", "loads.part"]
    case .console: ["ports.console", "loads.part"] + lines
    case .panel: ["loads.part"] + lines
    }
  }

  private var lines: [String] {
    ["modemPowerKey", "modemStatus", "powerGood", "button", "statusLight", "flightMode"].map {
      "pins.\($0)"
    }
  }

  /// The keys that a file of this kind must have. A whole board's are checked when it is read.
  var requiredKeys: [String] {
    switch self {
    case .board: []
    case .base: ["supply", "loads.board", "pins.chip", "interfaces"]
    case .modem:
      ["modem", "ports.modem"]
        + ["Off", "Starting", "Searching", "Idle", "Transmitting"].map { "loads.modem\($0)" }
    case .receiver:
      ["receiver", "ports.receiver"]
        + ["Standby", "Acquiring", "Tracking"].map { "loads.receiver\($0)" }
    case .battery: ["battery"]
    case .sensor: ["battery.sensor"]
    case .console: ["ports.console"]
    case .panel: ["pins"]
    }
  }
}
