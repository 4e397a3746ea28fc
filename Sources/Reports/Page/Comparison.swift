import JSONReading
public import MapTiles
import TrackerCore
public import Wording

/// Which figures of two runs differ, as text and as a page.
public struct Comparison {
  public struct Run {
    var name: String
    var figures: Figure

    public init(name: String, figures: Figure) {
      self.name = name
      self.figures = figures
    }
  }

  /// A figure that differs.
  struct Move: Equatable {
    var path: String
    var before: String
    var after: String
    /// For numbers: `+12 (+3.5 %)`; else empty.
    var change: String
  }

  let runs: [Run]
  let moves: [Move]
  /// The number of figures compared.
  let count: Int
  private let language: Language

  public init(_ before: Run, _ after: Run, in language: Language) {
    runs = [before, after]
    self.language = language
    let lines = runs.map { ReportLines($0.figures, in: language) }
    let own = before.figures.paths
    let paths = own + after.figures.paths.filter { !own.contains($0) }
    var moves: [Move] = []
    for path in paths where lines[0].word(path) != lines[1].word(path) {
      moves.append(
        Move(
          path: path, before: lines[0].word(path), after: lines[1].word(path),
          change: Self.change(lines[0], lines[1], path, in: language)))
    }
    let silences = runs.map { Self.silences(in: $0.figures) }
    if before.figures[path: "silence"] != after.figures[path: "silence"] {
      let isCount = silences[0] != silences[1]
      moves.append(
        Move(
          path: "silence", before: "\(silences[0])", after: "\(silences[1])",
          change: isCount
            ? Self.signed(Double(silences[1] - silences[0]), 0, in: language) : "≠"))
    }
    self.moves = moves
    count = paths.count + 1
  }

  private static func silences(in figures: Figure) -> Int {
    if case .list(let silences) = figures[path: "silence"] { silences.count } else { 0 }
  }

  private static func change(
    _ before: ReportLines, _ after: ReportLines, _ path: String, in language: Language
  ) -> String {
    guard let one = before.value(path), let other = after.value(path) else { return "" }
    let decimals = before.word(path).split(separator: ".").dropFirst().first?.count ?? 0
    let difference = signed(other - one, decimals, in: language)
    guard one != 0 else { return difference }
    return difference + " (" + signed((other - one) / abs(one) * 100, 1, in: language) + " %)"
  }

  private static func signed(_ value: Double, _ decimals: Int, in language: Language) -> String {
    (value > 0 ? "+" : "") + Quantity.decimal(value, decimals, in: language)
  }

  private func say(_ phrase: ComparePhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  private var lead: String {
    moves.isEmpty
      ? say(.nothing, "\(count)")
      : ComparePhrase.moved.text(in: language, count: Int64(moves.count), "\(count)")
  }

  // MARK: Text

  /// A line for each figure that differs, in columns.
  public var text: String {
    var text = "\(runs[0].name) → \(runs[1].name)\(language.colon)\(lead)\n"
    let rows = moves.map { [$0.path, $0.before, $0.after, $0.change] }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      var line = "  " + row[0] + Self.space(widths[0] - row[0].count)
      for column in 1...2 {
        line += "  " + Self.space(widths[column] - row[column].count) + row[column]
      }
      text += line + (row[3].isEmpty ? "" : "  " + row[3]) + "\n"
    }
    return text
  }

  private static func space(_ width: Int) -> String { String(repeating: " ", count: max(0, width)) }

  // MARK: Page

  /// The page of both.
  ///
  /// - Parameters:
  ///   - program: what made it.
  ///   - tiles: what is below a map; `nil`: nothing.
  public func page(by program: String, tiles: ((MapView) -> TileMosaic)? = nil) -> String {
    let lines = runs.map { ReportLines($0.figures, in: language) }
    let title = say(.title)
    let end =
      lines.map { line in
        (line.instant("duration_s") ?? .start) + ((line.instant("drain_s") ?? .start) - .start)
      }.max() ?? .start
    let scale = TimeScale(end: end, startDate: nil, zone: PageZone())
    let pages = runs.map { run in
      PageFacts(seriesOf: run.figures, in: language).map { facts in
        var facts = facts
        facts.tiles = tiles
        return RunPage(facts, scale: scale)
      }
    }
    var body = "<header>" + Markup.element("h1", title)
    for (letter, run) in zip(Self.letters, runs.indices) {
      body += Markup.element("p", "\(letter): \(runs[run].name) · \(lines[run].course)")
    }
    body += "</header>\n<section class=\"verdict good\">"
    body += Markup.element("p", RunPage.capitalised(lead), "class=\"lead\"") + movesTable
    body += "</section>\n" + maps(pages) + "<section id=\"time\">"
    body += Markup.element("h2", RunPagePhrase.overTime.text(in: language))
    body +=
      "<div class=\"lanes\"><div class=\"grid\" aria-hidden=\"true\">\(Lane.grid(scale))</div>"
    let silences = runs.map { SilenceLanes($0.figures, scale, in: language) }
    body += silences[0].lanes("A · ") + silences[1].lanes("B · ")
    let lanes: [(RunPage, String) -> String] = [
      { $0.coverageLane($1) }, { $0.modemLane($1) }, { $0.queueLane($1) }, { $0.chargeLane($1) },
    ]
    // Beside each other what is to be compared.
    for lane in lanes {
      for (page, letter) in zip(pages, Self.letters) {
        body += page.map { lane($0, letter + " · ") } ?? ""
      }
    }
    body += Lane.axis(scale) + "</div>"
    body += silences[0].table("A · ") + silences[1].table("B · ") + "</section>\n"
    body += deliveries(lines)
    body += EnergyBars.html(
      [("A ·", runs[0].figures), ("B ·", runs[1].figures)], in: language)
    body += Markup.element("footer", program)
    return PageShell.html(title: title, language: language, body: body, script: false)
  }

  private static let letters = ["A", "B"]

  /// The map of each run that has one.
  private func maps(_ pages: [RunPage?]) -> String {
    // The same colours mean the same on both.
    let colours = WayColours(pages.compactMap { $0?.way })
    let maps = zip(pages, Self.letters).compactMap { page, letter in
      page?.map("class=\"run\"", colours, share: Self.letters.count).map {
        Markup.element("h3", letter) + $0
      }
    }
    guard !maps.isEmpty, let page = pages.compactMap({ $0 }).first else { return "" }
    return "<section>" + page.heading(.course) + maps.joined() + page.colourChoice(colours)
      + page.legend() + "</section>\n"
  }

  private var movesTable: String {
    guard !moves.isEmpty else { return "" }
    let head = [RunPagePhrase.figure.text(in: language), "A", "B", say(.change)]
    let rows = moves.map { move in
      "<tr><td><code>\(Self.breakable(move.path))</code></td>"
        + [move.before, move.after].map(Self.cell).joined() + Markup.element("td", move.change)
        + "</tr>\n"
    }
    return "<div class=\"wide\"><table class=\"moved\"><thead><tr>"
      + head.map { Markup.element("th", $0, "scope=\"col\"") }.joined()
      + "</tr></thead><tbody>\n\(rows.joined())</tbody></table></div>"
  }

  /// A path that a narrow window breaks between words.
  private static func breakable(_ path: String) -> String {
    Markup.escaped(path).map { $0 == "." || $0 == "_" ? "\($0)<wbr>" : "\($0)" }.joined()
  }

  /// A narrow window may break texts anywhere, numbers nowhere.
  private static func cell(_ value: String) -> String {
    let isText = value.contains(where: \.isLetter)
    return "<td>" + (isText ? Markup.element("code", value) : Markup.escaped(value)) + "</td>"
  }

  /// The latencies that the figures have: half of the captures, 95 % and all.
  private func deliveries(_ lines: [ReportLines]) -> String {
    let paths = [("50 %", "p50"), ("95 %", "p95"), ("100 %", "max")].map {
      ($0.0, "delivery.latency_s.\($0.1)")
    }
    let most = lines.flatMap { line in paths.compactMap { line.value($0.1) } }.max() ?? 0
    var rows: [String] = []
    for (name, path) in paths {
      for (run, letter) in ["A", "B"].enumerated() {
        guard let seconds = lines[run].value(path) else { continue }
        rows.append(
          Bars.row(
            "\(letter) · \(name)",
            [(run == 0 ? "s" : "q", most > 0 ? max(0, min(1, seconds / most)) * 100 : 0)],
            [lines[run].span(path)]))
      }
    }
    guard !rows.isEmpty else { return "" }
    return "<section>" + Markup.element("h2", RunPagePhrase.delivery.text(in: language))
      + Bars.table(["", "", RunPagePhrase.deliveredAfter.text(in: language)], rows) + "</section>\n"
  }
}

/// What a comparison says.
public enum ComparePhrase: Catalogue {
  case title, moved, nothing, change

  public var texts: Texts {
    switch self {
    case .title:
      Texts(ca: "Dues execucions", es: "Dos ejecuciones", en: "Two runs", fr: "Deux exécutions")
    case .moved:
      Texts(
        ca: "ha canviat {1} xifra de {2} | han canviat {1} xifres de {2}",
        es: "ha cambiado {1} cifra de {2} | han cambiado {1} cifras de {2}",
        en: "{1} figure of {2} differs | {1} figures of {2} differ",
        fr: "{1} chiffre sur {2} diffère | {1} chiffres sur {2} diffèrent")
    case .nothing:
      Texts(
        ca: "les {1} xifres són iguals", es: "las {1} cifras son iguales",
        en: "all {1} figures are the same", fr: "les {1} chiffres sont les mêmes")
    case .change: Texts(ca: "canvi", es: "cambio", en: "change", fr: "écart")
    }
  }
}

/// Why a text is not a set of figures.
public struct FigureError: Error, Equatable {
  /// How many bytes of it are JSON.
  public var offset: Int
}

extension Figure {
  /// Reads figures from JSON.
  ///
  /// - Parameter template: gives the order of the members and the decimals of the numbers, which
  ///   JSON does not keep. Members that it lacks come last, by name.
  public init(parsing bytes: [UInt8], like template: Figure) throws(FigureError) {
    do throws(JSONError) {
      self.init(try JSONValue(parsing: bytes), like: template)
    } catch {
      throw FigureError(offset: error.offset)
    }
  }

  private init(_ json: JSONValue, like template: Figure) {
    switch json {
    case .text(let text): self = .text(text)
    case .boolean(let value): self = .boolean(value)
    case .null: self = .none
    case .list(let values): self = .list(values.map { Figure($0, like: .none) })
    case .whole(let value):
      if case .real(_, let decimals) = template {
        self = .real(Double(value), decimals: decimals)
      } else {
        self = .whole(value)
      }
    case .real(let value):
      if case .real(_, let decimals) = template {
        self = .real(value, decimals: decimals)
      } else {
        self = .real(value, decimals: 3)
      }
    case .object(let values):
      var known: [Member] = []
      if case .object(let members) = template { known = members }
      let names = known.map(\.name)
      let others = values.keys.filter { !names.contains($0) }.sorted()
      self = .object(
        (names + others).compactMap { name in
          guard let value = values[name] else { return nil }
          let like = known.first { $0.name == name }?.figure ?? .none
          return Member(name, Figure(value, like: like))
        })
    }
  }
}
