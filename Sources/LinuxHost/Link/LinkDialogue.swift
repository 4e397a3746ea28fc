/// The lines between the tracker and the helper that runs the link's commands for it.
///
/// The tracker says `up` or `down`, nothing else: the commands are the helper's own. The helper
/// answers each with a `state`, and says how each command ended.
enum LinkDialogue {
  enum Order: String {
    case up, down
  }

  enum Answer: Equatable {
    /// So many orders were obeyed; whether the link still waits to be opened, and whether any
    /// command is still running.
    case state(orders: Int, isWaiting: Bool, isBusy: Bool)
    case ended(LinkReport)
    /// The helper serves nobody: what, where and what to do.
    case refused(String)
  }

  /// The longest line of the tracker's, and of the helper's, bytes.
  static let orderBytes = 8
  static let answerBytes = 1024
}

extension LinkDialogue.Answer {
  /// Without its end.
  var line: String {
    switch self {
    case .state(let orders, let isWaiting, let isBusy):
      return "state \(orders) \(isWaiting ? "waiting" : "begun") \(isBusy ? "busy" : "idle")"
    case .ended(let report):
      let flags = (report.wasTold ? "told" : "-") + " " + (report.wasOverdue ? "overdue" : "-")
      return Self.oneLine("ended \(report.role.rawValue) \(flags) \(Self.words(report.end))")
    case .refused(let why): return Self.oneLine("refused \(why)")
    }
  }

  private static func words(_ end: LinkReport.End) -> String {
    switch end {
    case .code(let code): "code \(code)"
    case .signal(let signal): "signal \(signal)"
    case .notRun(let program, let code): "notRun \(code) \(program)"
    case .othersRun(let program): "othersRun \(program)"
    // A helper has none itself.
    case .noHelper(let why): "noHelper \(why.english)"
    }
  }

  private static func oneLine(_ text: String) -> String {
    let plain = text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }
    // Four bytes each at most.
    return String(String.UnicodeScalarView(plain.prefix(LinkDialogue.answerBytes / 4)))
  }

  /// `nil`: not a line of this version's helper.
  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "state":
      let words = words[1].split(separator: " ")
      guard words.count == 3, let orders = Int(words[0]), orders >= 0,
        ["waiting", "begun"].contains(words[1]), ["busy", "idle"].contains(words[2])
      else { return nil }
      self = .state(orders: orders, isWaiting: words[1] == "waiting", isBusy: words[2] == "busy")
    case "ended":
      guard let report = Self.report(words[1]) else { return nil }
      self = .ended(report)
    case "refused": self = .refused(words[1])
    default: return nil
    }
  }

  private static func report(_ text: String) -> LinkReport? {
    let words = text.split(separator: " ", maxSplits: 4).map(String.init)
    guard words.count == 5, let role = LinkReport.Role(rawValue: words[0]),
      ["told", "-"].contains(words[1]), ["overdue", "-"].contains(words[2])
    else { return nil }
    let end: LinkReport.End? =
      switch words[3] {
      case "code": Int32(words[4]).map { .code($0) }
      case "signal": Int32(words[4]).map { .signal($0) }
      case "notRun": notRun(words[4])
      case "othersRun": .othersRun(program: words[4])
      default: nil
      }
    return end.map {
      LinkReport(
        role: role, end: $0, wasTold: words[1] == "told", wasOverdue: words[2] == "overdue")
    }
  }

  /// `2 /usr/sbin/pppd`
  private static func notRun(_ text: String) -> LinkReport.End? {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let code = Int32(words[0]) else { return nil }
    return .notRun(program: String(words[1]), code: code)
  }
}
