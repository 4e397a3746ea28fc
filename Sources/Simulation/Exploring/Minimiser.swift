import TrackerCore

/// Makes a race smaller that breaks an invariant: fewer troubles, settings and reports, as long as
/// it still breaks it.
public struct Minimiser {
  /// Whether a race still breaks the same invariant.
  private let fails: (ExploredCase) -> Bool
  public private(set) var smallest: ExploredCase
  /// How many more races may be played.
  private var triesLeft: Int
  private let isOver: () -> Bool

  /// - Parameters:
  ///   - tries: races that are played for it at most.
  ///   - isOver: whether there is no more time for it.
  public init(
    _ race: ExploredCase, tries: Int = 2000, until isOver: @escaping () -> Bool = { false },
    fails: @escaping (ExploredCase) -> Bool
  ) {
    (smallest, self.fails, triesLeft, self.isOver) = (race, fails, tries, isOver)
  }

  /// Goes on until nothing makes it smaller.
  public mutating func run() {
    var before: ExploredCase
    repeat {
      before = smallest
      endEarlier()
      dropTroubles()
      dropElements()
      drop(of: \.settings)
      shorten()
      shortenReloads()
      shortenScript()
      thinOut()
    } while smallest != before && triesLeft > 0
  }

  /// - Returns: whether the change was taken.
  @discardableResult
  private mutating func attempt(_ change: (inout ExploredCase) -> Void) -> Bool {
    var smaller = smallest
    change(&smaller)
    guard smaller != smallest, triesLeft > 0 else { return false }
    triesLeft = isOver() ? 0 : triesLeft - 1
    guard fails(smaller) else { return false }
    smallest = smaller
    return true
  }

  /// Leaves out pieces of a list, half of it first, single elements last.
  private mutating func drop<Element>(of list: WritableKeyPath<ExploredCase, [Element]>) {
    var size = smallest[keyPath: list].count
    while size >= 1 {
      var from = 0
      while from < smallest[keyPath: list].count {
        let to = min(from + size, smallest[keyPath: list].count)
        if !attempt({ $0[keyPath: list].removeSubrange(from..<to) }) { from = to }
      }
      size /= 2
    }
  }

  private mutating func dropTroubles() {
    attempt { $0.scenario = Scenario() }
    attempt { $0.scenario.service = ServiceModel() }
    attempt { $0.scenario.network = NetworkModel() }
    attempt { $0.scenario.sim = SIMCard() }
    attempt { $0.scenario.modemScript = nil }
    attempt { $0.scenario.batteryStartPercent = 100 }
    attempt { $0.scenario.weakCellPercent = 100 }
    attempt { $0.scenario.service.kind = .featureServer }
    attempt { $0.scenario.service.takesGlobalIDs = true }
    attempt { $0.scenario.service.keepsPartOfRequest = true }
    attempt { $0.scenario.service.tokenLife = nil }
    attempt { $0.board = Swarm.boards[0] }
  }

  private mutating func dropElements() {
    drop(of: \.scenario.coverage)
    drop(of: \.scenario.server)
    drop(of: \.scenario.badCaptures)
    drop(of: \.scenario.receiver)
    drop(of: \.scenario.modem)
    drop(of: \.scenario.store)
    drop(of: \.scenario.batteryCelsius)
    drop(of: \.scenario.commands)
    drop(of: \.scenario.restarts)
    drop(of: \.scenario.reloads)
    drop(of: \.scenario.clock)
    drop(of: \.scenario.people)
  }

  /// Windows become shorter, restarts simpler.
  private mutating func shorten() {
    shorten(\.scenario.coverage)
    shorten(\.scenario.server)
    shorten(\.scenario.receiver)
    shorten(\.scenario.modem)
    shorten(\.scenario.store)
    for index in smallest.scenario.server.indices {
      attempt { $0.scenario.server[index].content.occasion = .always }
    }
    for index in smallest.scenario.restarts.indices {
      attempt { $0.scenario.restarts[index].afterEffects = 0 }
      attempt { $0.scenario.restarts[index].afterWrites = 0 }
      attempt { $0.scenario.restarts[index].settings = nil }
      attempt { $0.scenario.restarts[index].board = nil }
      attempt { $0.scenario.restarts[index].card = nil }
      attempt {
        let restart = $0.scenario.restarts[index]
        let isOfPower = restart.board != nil || restart.card != nil || restart.loses > 0
        if !isOfPower { $0.scenario.restarts[index].outage = .kill }
      }
      attempt { $0.scenario.restarts[index].time = .seconds(1) }
      attempt { $0.scenario.restarts[index].loses = 0 }
    }
  }

  private mutating func shortenReloads() {
    for index in smallest.scenario.reloads.indices {
      for line in smallest.scenario.reloads[index].settings {
        attempt { $0.scenario.reloads[index].settings.removeAll { $0 == line } }
      }
    }
  }

  private mutating func shorten<Content>(
    _ track: WritableKeyPath<ExploredCase, [Window<Content>]>
  ) {
    for index in smallest[keyPath: track].indices {
      while true {
        let window = smallest[keyPath: track][index]
        guard let to = window.to, (to - window.from).count > 2000 else { break }
        // In whole seconds, which read better.
        let middle = Milliseconds((window.from.count + to.count) / 2000 * 1000)
        let isShorter =
          attempt { $0[keyPath: track][index].to = middle }
          || attempt { $0[keyPath: track][index].from = middle }
        if !isShorter { break }
      }
    }
  }

  /// Lines of the modem's script, as long as it can be read.
  private mutating func shortenScript() {
    var lines = (smallest.scenario.modemScript?.text ?? "").split(separator: "\n")
    var index = 0
    while index < lines.count {
      var fewer = lines
      fewer.remove(at: index)
      let text = fewer.map { $0 + "\n" }.joined()
      let script = try? ModemScript(text, name: Scenario.scriptName)
      let isShorter = script.map { script in attempt { $0.scenario.modemScript = script } }
      if isShorter ?? false { lines = fewer } else { index += 1 }
    }
  }

  // MARK: The trace

  /// Of its lines, with their ends.
  private static func lines(of trace: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (index, byte) in trace.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(trace[start...index])
      start = index + 1
    }
    if start < trace.count { lines.append(trace[start...]) }
    return lines
  }

  /// The end comes as early as it can, by halves.
  private mutating func endEarlier() {
    let lines = Self.lines(of: smallest.trace)
    var (low, high) = (1, lines.count)
    while low < high, triesLeft > 0 {
      let middle = (low + high) / 2
      if attempt({ $0.trace = Array(lines[..<middle].joined()) }) {
        high = middle
      } else {
        low = middle + 1
      }
    }
  }

  private mutating func thinOut() {
    var lines = Self.lines(of: smallest.trace)
    var size = max(1, lines.count / 2)
    while size >= 1, triesLeft > 0 {
      var from = 0
      while from < lines.count {
        let to = min(from + size, lines.count)
        var fewer = lines
        fewer.removeSubrange(from..<to)
        if attempt({ $0.trace = Array(fewer.joined()) }) { lines = fewer } else { from = to }
      }
      size /= 2
    }
  }
}
