internal import TrackerCore

// The names in the file for the core's cases. Never change them: existing files contain them.

extension OrderKey {
  var word: String {
    switch self {
    case .team: "team"
    case .session: "session"
    }
  }

  init?(word: String) {
    switch word {
    case "team": self = .team
    case "session": self = .session
    default: return nil
    }
  }
}

extension Origin {
  var word: String {
    switch self {
    case .socket: "socket"
    case .console: "console"
    case .button: "button"
    case .script: "script"
    }
  }

  init?(word: String) {
    switch word {
    case "socket": self = .socket
    case "console": self = .console
    case "button": self = .button
    case "script": self = .script
    default: return nil
    }
  }
}

extension SessionRecord.Ending {
  var word: String {
    switch self {
    case .stopped: "stopped"
    case .finished: "finished"
    }
  }

  init?(word: String) {
    switch word {
    case "stopped": self = .stopped
    case "finished": self = .finished
    default: return nil
    }
  }
}
