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
    /// It could not be run: the program and the reason.
    case notRun(String)
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

extension LinkReport: CustomStringConvertible {
  /// Whether the command has done what it was there for, or was told to end.
  var isGood: Bool { !wasOverdue && (wasTold || end == .code(0)) }

  /// `network.up ended with code 3`
  public var description: String {
    if wasOverdue {
      return "\(role.rawValue) did not end within \(DaemonBounds.linkCommandEnd / 1000) s; "
        + "check what it waits for"
    }
    switch end {
    case .code(let code): return "\(role.rawValue) ended with code \(code)"
    case .signal(let signal): return "\(role.rawValue) was ended by signal \(signal)"
    case .notRun(let why): return "\(why); check \(role.rawValue)"
    case .noHelper(let why): return why
    }
  }
}
