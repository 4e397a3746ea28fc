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
    /// It could not be run, for this `errno`.
    case notRun(program: String, code: Int32)
    /// It was not run: too many others have not ended.
    case othersRun(program: String)
    /// The helper that should have run it does not answer, or refuses: what, where and what to do.
    case noHelper(Texts)
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
    case .notRun(let program, let code):
      HostPhrase.cannotBeRun.texts(program, SystemReason.texts(of: code), role.rawValue)
    case .othersRun(let program): HostPhrase.othersRun.texts(program, role.rawValue)
    case .noHelper(let why): why
    }
  }
}
