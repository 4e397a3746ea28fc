import BoardSupport
import FeatureService
import Simulation
import TrackerCore

extension FileNode {
  /// The most windows that a track may have; more are probably a mistake.
  static let mostWindows = 10_000

  /// The windows of one track, sorted; empty if the file does not have the track.
  ///
  /// - Parameters:
  ///   - keys: the keys of a window besides `from` and `to`.
  ///   - content: reads those keys.
  /// - Throws: what `content` throws, or if a window ends before it begins or overlaps another.
  func track<Content>(
    _ key: String, keys: [String], _ content: (FileNode) throws(FileError) -> Content
  ) throws(FileError) -> [Window<Content>] {
    guard let node = optional(key) else { return [] }
    var windows: [(window: Window<Content>, node: FileNode)] = []
    for element in try node.elements(atMost: Self.mostWindows) {
      try element.checkKeys(["from", "to"] + keys)
      let from = try element.required("from", like: "\"4:30:00\"").elapsed()
      let end = element.optional("to")
      let to = try end?.elapsed()
      if let end, let to, to <= from {
        throw end.error("is not after \"from\"; swap the two, or leave \"to\" out for the end")
      }
      windows.append((Window(from: from, to: to, content: try content(element)), element))
    }
    windows.sort { $0.window.from < $1.window.from }
    for (earlier, later) in zip(windows, windows.dropFirst()) {
      guard earlier.window.contains(later.window.from) else { continue }
      throw later.node.error(
        "overlaps \(earlier.node.keyPath) on line \(earlier.node.line ?? 0); "
          + "end the one before the other begins")
    }
    return windows.map(\.window)
  }
}

extension Fault {
  static let keys = [
    "fault", "status", "retryAfter", "code", "delay", "every", "probability", "on",
    "above",
  ]

  /// Reads a window of the track `server`, without its times.
  init(window node: FileNode) throws(FileError) {
    let word = try node.required("fault", like: "\"timeout\"").choice(
      Word.allCases.map { ($0.rawValue, $0) })
    let owners: [(key: String, owners: [Word])] = [
      ("status", [.http, .httpAfter]), ("retryAfter", [.http]), ("code", [.rejectRequest]),
      ("delay", [.late]),
    ]
    for (key, owners) in owners where !owners.contains(word) {
      guard let foreign = node.optional(key) else { continue }
      throw foreign.error(
        "does not belong to the fault \"\(word.rawValue)\"; "
          + "remove it, or choose \"\(owners[0].rawValue)\"")
    }
    let target = try node.optional("on")?.choice(
      [Target.edits, .queries, .both, .all].map { ($0.rawValue, $0) })
    self.init(try Self.kind(word, node), try Self.occasion(node), on: target ?? .all)
    if let above = node.optional("above") {
      self.above = Int(try above.integer(in: 0...1_000_000) as Int32)
    }
  }

  private static func kind(_ word: Word, _ node: FileNode) throws(FileError) -> Kind {
    switch word {
    case .http:
      return .http(
        status: try status(node),
        retryAfter: try node.optional("retryAfter")?.duration(in: 0 ... .hours(24)))
    case .httpAfter: return .httpAfter(status: try status(node))
    case .late:
      return .late(try node.required("delay", like: "\"2 min\"").duration(in: 0 ... .hours(24)))
    case .rejectRequest:
      return .rejectRequest(
        code: try node.required("code", like: "400").integer(in: Int32.min...Int32.max))
    case .refuse: return .refuse
    case .dead: return .dead
    case .reset: return .reset
    case .timeout: return .timeout
    case .loseAcknowledgement: return .loseAcknowledgement
    case .cutAnswer: return .cutAnswer
    case .unauthorised: return .unauthorised
    case .portal: return .portal
    case .partial: return .partial
    }
  }

  private static func status(_ node: FileNode) throws(FileError) -> Int32 {
    try node.required("status", like: "503").integer(in: 300...599, "a lower status is not a fault")
  }

  private static func occasion(_ node: FileNode) throws(FileError) -> Occasion {
    let every = node.optional("every")
    let probability = node.optional("probability")
    if every != nil, let probability {
      throw probability.error("cannot be combined with \"every\"; remove one of the two")
    }
    if let every { return .every(try every.integer(in: 1...1_000_000)) }
    if let probability {
      let percent: Int32 = try probability.quantity(.percentage, in: 1...100)
      return .probability(percent: Double(percent))
    }
    return .always
  }
}
