import TrackerCore

// The names that files and reports use for the core's own values.

extension ModemCommand {
  var name: StaticString {
    switch self {
    case .attention: "attention"
    case .reportErrors: "reportErrors"
    case .simStatus: "simStatus"
    case .enterPIN: "enterPIN"
    case .pinTries: "pinTries"
    case .subscriber: "subscriber"
    case .equipment: "equipment"
    case .definePDP: "definePDP"
    case .registration: "registration"
    case .signal: "signal"
    case .supply: "supply"
    case .radioOn: "radioOn"
    case .radioOff: "radioOff"
    case .reset: "reset"
    case .powerOff: "powerOff"
    case .receiverOn: "receiverOn"
    case .receiverOff: "receiverOff"
    }
  }
}

extension ReceiverCommand {
  var name: StaticString {
    switch self {
    case .sleep: "sleep"
    case .wake: "wake"
    case .setRate: "setRate"
    case .setSentences: "setSentences"
    }
  }
}

extension ModemRecovery {
  var name: StaticString {
    switch self {
    case .askAgain: "askAgain"
    case .radioCycle: "radioCycle"
    case .powerCycle: "powerCycle"
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
    case .stillOn: "stillOn"
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

extension Origin {
  public var name: StaticString {
    switch self {
    case .socket: "socket"
    case .console: "console"
    case .button: "button"
    case .script: "script"
    }
  }
}

extension OrderKey {
  public var name: StaticString {
    switch self {
    case .team: "team"
    case .session: "session"
    }
  }
}

extension SessionRecord.Ending {
  public var name: StaticString {
    switch self {
    case .stopped: "stopped"
    case .finished: "finished"
    }
  }
}
