/// How a board is put together: for people, not for the core.
public struct BoardAssembly: Sendable, Equatable {
  /// A board file.
  public struct Part: Sendable, Equatable {
    /// The name of its folder.
    public var identifier: String
    public var kind: BoardKind
    public var name: String
    public var description: String
    public var support: SupportLevel
    /// See `BoardAssembly.energyModelOnly`.
    public var energyModelOnly: String?
    /// The board file.
    public var path: String
    /// The part whose battery is used instead of this one's.
    public var replacedBy: String?
  }

  /// A line of the GPIO chip in use.
  public struct Line: Sendable, Equatable {
    /// The offset on the chip, or a name.
    public var line: String
    /// `pins.modemPowerKey`, or the name of an interface or a part.
    public var use: String
  }

  public var parts: [Part]
  /// Sorted by offset.
  public var lines: [Line]
  /// For `config.txt`, without duplicates.
  public var bootLines: [String]
  /// What is unusual but possible, each with what to do.
  public var warnings: [String]
  /// Why trackerd cannot run on this board: it is a model of energy for the simulator.
  public var energyModelOnly: String?

  init(_ combination: Combination) {
    let replacer = combination.parts.first { $0.replaces.contains("battery") }
    let used = Set(combination.used.map(\.identifier))
    parts = combination.parts.map { part in
      var shown = Part(part)
      shown.replacedBy = used.contains(part.identifier) ? nil : replacer?.identifier
      return shown
    }
    lines = combination.lines.map { Line(line: $0.line, use: $0.use) }
      .sorted { (Int($0.line) ?? .max, $0.line) < (Int($1.line) ?? .max, $1.line) }
    var seen: Set<String> = []
    bootLines = combination.bootLines.filter { seen.insert($0).inserted }
    warnings = combination.warnings
    energyModelOnly = combination.parts.lazy.compactMap(\.energyModelOnly).first
  }
}

extension BoardAssembly.Part {
  init(_ part: BoardPart) {
    self.init(
      identifier: part.identifier, kind: part.kind, name: part.name,
      description: part.description, support: part.support,
      energyModelOnly: part.energyModelOnly, path: part.root.origin.path)
  }
}

extension Combination {
  /// The whole board among the parts: alone, or a saved combination.
  private var whole: BoardPart? {
    parts.count == 1 ? parts[0] : parts.last { $0.isCombination && $0.identifier == identifier }
  }

  var name: String { whole?.name ?? parts.map(\.name).joined(separator: ", ") }

  var description: String {
    whole?.description ?? parts.map(\.description).joined(separator: "; ")
  }

  /// That of the least reliable part. Nobody has run a combination that is put together now.
  var support: SupportLevel {
    if let whole { return whole.support }
    let levels = SupportLevel.allCases
    let lowest = parts.compactMap { levels.firstIndex(of: $0.support) }.max() ?? 0
    return levels[max(lowest, 1)]
  }
}
