import Wording

/// How a command of the link ended.
public struct LinkReport: Sendable, Equatable {
  /// What a command is for; as the settings call it.
  enum Role: String, Sendable {
    case up = "network.up"
    case down = "network.down"
  }

  enum End: Sendable, Equatable {
    case code(Int32)
    case signal(Int32)
    /// It could not be run: the program, the reason and what to do.
    case notRun(Texts)
    /// The helper that should have run it does not answer, or refuses: what, where and what to do.
    case noHelper(String)
  }

  var role: Role
  var end: End
  /// It was told to end.
  var wasTold = false
  /// It was told because its time was over.
  var wasOverdue = false
}

extension LinkReport: Worded {
  /// Whether the command has done what it was there for, or was told to end.
  var isGood: Bool { !wasOverdue && (wasTold || end == .code(0)) }

  /// `network.up ended with code 3`
  public var texts: Texts {
    if wasOverdue {
      return HostPhrase.overdue.texts(role.rawValue, "\(DaemonBounds.linkCommandEnd / 1000)")
    }
    return switch end {
    case .code(let code): HostPhrase.endedWithCode.texts(role.rawValue, "\(code)")
    case .signal(let signal): HostPhrase.endedBySignal.texts(role.rawValue, "\(signal)")
    case .notRun(let why): why
    case .noHelper(let why): why.texts
    }
  }
}
