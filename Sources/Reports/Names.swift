import TrackerCore

// The names that files and reports use for the core's own values.

extension ModemCommand {
  var name: StaticString {
    switch self {
    case .attention: "attention"
    case .simStatus: "simStatus"
    case .registration: "registration"
    case .powerOff: "powerOff"
    }
  }
}

extension Trigger {
  public var name: StaticString {
    switch self {
    case .start: "start"
    case .interval: "interval"
    case .distance: "distance"
    case .heartbeat: "heartbeat"
    case .command: "command"
    }
  }
}

extension ModemPhase {
  public var name: StaticString {
    switch self {
    case .off: "off"
    case .starting: "starting"
    case .checkingSIM: "checkingSIM"
    case .searching: "searching"
    case .registered: "registered"
    case .attached: "attached"
    case .inUse: "inUse"
    case .stopping: "stopping"
    case .faulted: "faulted"
    }
  }
}

extension FixRejection {
  public var name: StaticString {
    switch self {
    case .noFix: "noFix"
    case .poorAccuracy: "poorAccuracy"
    case .impossibleSpeed: "impossibleSpeed"
    }
  }
}
