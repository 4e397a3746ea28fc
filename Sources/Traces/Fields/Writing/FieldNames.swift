import TrackerCore

// Enumerations without payload are recorded by the names of their cases. The names are spelled out
// here, because a microcontroller has no reflection.

/// A value that is recorded by its name.
protocol NamedValue: FieldWritable, RawRepresentable where RawValue == UInt8 {
  var name: StaticString { get }
}

extension NamedValue {
  func write(to fields: inout FieldWriter) { fields.word(name) }
}

extension Trigger: NamedValue {}

extension ModemCommand: NamedValue {
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
    case .circuitRegistration: "circuitRegistration"
    case .packetRegistration: "packetRegistration"
    case .epsRegistration: "epsRegistration"
    case .signal: "signal"
    case .supply: "supply"
    case .networkOperator: "networkOperator"
    case .radioOn: "radioOn"
    case .radioOff: "radioOff"
    case .reset: "reset"
    case .powerOff: "powerOff"
    case .receiverOn: "receiverOn"
    case .receiverOff: "receiverOff"
    case .wordAnswers: "wordAnswers"
    case .storeTexts: "storeTexts"
    case .minimumFunction: "minimumFunction"
    }
  }
}

extension ReceiverCommand: NamedValue {
  var name: StaticString {
    switch self {
    case .sleep: "sleep"
    case .wake: "wake"
    case .setRate: "setRate"
    case .setSentences: "setSentences"
    }
  }
}

extension ModemRecovery: NamedValue {
  var name: StaticString {
    switch self {
    case .askAgain: "askAgain"
    case .radioCycle: "radioCycle"
    case .powerCycle: "powerCycle"
    }
  }
}

extension ModemPhase: NamedValue {
  var name: StaticString {
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

extension FixRejection: NamedValue {
  var name: StaticString {
    switch self {
    case .noFix: "noFix"
    case .poorAccuracy: "poorAccuracy"
    case .impossibleSpeed: "impossibleSpeed"
    }
  }
}

extension Origin: NamedValue {
  var name: StaticString {
    switch self {
    case .socket: "socket"
    case .console: "console"
    case .button: "button"
    case .script: "script"
    case .room: "room"
    }
  }
}

extension OrderKey: NamedValue {
  var name: StaticString {
    switch self {
    case .team: "team"
    case .session: "session"
    }
  }
}

extension SessionRecord.Ending: NamedValue {
  var name: StaticString {
    switch self {
    case .stopped: "stopped"
    case .finished: "finished"
    }
  }
}

extension SerialRole: NamedValue {
  var name: StaticString {
    switch self {
    case .receiver: "receiver"
    case .modem: "modem"
    }
  }
}

extension InputPin: NamedValue {
  var name: StaticString {
    switch self {
    case .modemStatus: "modemStatus"
    case .powerGood: "powerGood"
    case .button: "button"
    case .emergency: "emergency"
    }
  }
}

extension OutputPin: NamedValue {
  var name: StaticString {
    switch self {
    case .modemPowerKey: "modemPowerKey"
    case .flightMode: "flightMode"
    }
  }
}

extension Light: NamedValue {
  var name: StaticString {
    switch self {
    case .working: "working"
    case .waiting: "waiting"
    case .noPosition: "noPosition"
    case .modemTrouble: "modemTrouble"
    case .serverTrouble: "serverTrouble"
    case .storeTrouble: "storeTrouble"
    case .stopped: "stopped"
    case .emergencyAhead: "emergencyAhead"
    case .emergencyRaised: "emergencyRaised"
    case .emergencyDelivered: "emergencyDelivered"
    case .emergencyRead: "emergencyRead"
    case .callAsked: "callAsked"
    }
  }
}

extension EmergencyRecord.Stage: NamedValue {}

extension EmergencyAnswer.Kind: NamedValue {
  var name: StaticString {
    switch self {
    case .read: "read"
    case .ended: "ended"
    }
  }
}

extension BetweenUploads: NamedValue {
  var name: StaticString {
    switch self {
    case .off: "off"
    case .attached: "attached"
    }
  }
}

extension Bearer: NamedValue {
  var name: StaticString {
    switch self {
    case .interface: "interface"
    case .modem: "modem"
    case .none: "none"
    }
  }
}

extension ReceiverUse: NamedValue {
  var name: StaticString {
    switch self {
    case .always: "always"
    case .dutyCycle: "dutyCycle"
    }
  }
}

extension Sleep: NamedValue {
  var name: StaticString {
    switch self {
    case .never: "never"
    case .halt: "halt"
    }
  }
}

extension PINState: NamedValue {
  var name: StaticString {
    switch self {
    case .absent: "absent"
    case .untried: "untried"
    case .tried: "tried"
    }
  }
}

extension ModemRest: NamedValue {
  var name: StaticString {
    switch self {
    case .off: "off"
    case .radioOff: "radioOff"
    }
  }
}

extension Chemistry: NamedValue {
  var name: StaticString {
    switch self {
    case .other: "other"
    case .alkaline: "alkaline"
    case .lithium: "lithium"
    case .nickelMetalHydride: "nickelMetalHydride"
    case .lithiumIon: "lithiumIon"
    case .lithiumIronPhosphate: "lithiumIronPhosphate"
    }
  }
}

extension ModemFamily: NamedValue {
  var name: StaticString {
    switch self {
    case .generic: "generic"
    case .sim5320: "sim5320"
    case .sim7600: "sim7600"
    case .a7670: "a7670"
    }
  }
}

extension ReceiverDialect: NamedValue {
  var name: StaticString {
    switch self {
    case .none: "none"
    case .ublox: "ublox"
    case .ubloxM10: "ubloxM10"
    case .mediatek: "mediatek"
    case .casic: "casic"
    case .modemGPS: "modemGPS"
    }
  }
}
