public import TrackerCore
public import Wording

/// Statistics for people, in lines of at most 79 columns.
public struct StatisticsText {
  let statistics: SessionStatistics
  let language: Language
  /// From UTC to the clocks that are shown.
  private let offsetSeconds: (UTC) -> Int64
  let clocks: String

  /// - Parameter clocks: the name of the clocks that are shown.
  public init(
    _ statistics: SessionStatistics, in language: Language, clocks: String = "UTC",
    offsetSeconds: @escaping (UTC) -> Int64 = { _ in 0 }
  ) {
    self.clocks = clocks
    self.statistics = statistics
    self.language = language
    self.offsetSeconds = offsetSeconds
  }

  private func say(_ phrase: StatisticsPhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  /// All of it, each line with its end.
  public var text: String {
    (lines.flatMap { Self.wrapped($0) } + (hasTable ? [""] + table() : []))
      .map { $0 + "\n" }.joined()
  }

  /// Whether a mark says more than its distance.
  public var hasTable: Bool {
    statistics.whole.metres > 0
      && (statistics.whole.time != nil || statistics.whole.lowest != nil
        || statistics.course?.marks.isEmpty == false)
  }

  // MARK: The whole

  /// Names and values, as for a list.
  public var entries: [(name: StatisticsPhrase, value: String)] {
    guard statistics.counts.all > 0 else { return [(.note, say(.noPoint))] }
    let whole = statistics.whole
    let length = kilometres(whole.metres, 2)
    var entries: [(StatisticsPhrase, String)] = [
      (.distance, statistics.isSparse ? say(.atLeast, length) : length + " km")
    ]
    if let course = statistics.course, let along = along(course) {
      entries.append((.onCourse, along))
    }
    if let time = whole.time {
      entries.append((.time, say(.timeParts, Quantity.hours(time), Quantity.hours(whole.moving))))
    } else {
      entries.append((.note, say(.noTimes)))
    }
    entries += speeds(of: whole)
    if let low = whole.lowest, let high = whole.highest {
      entries.append(
        (
          .altitude,
          say(.altitudeParts, metres(low), metres(high), metres(whole.gain), metres(whole.loss))
        ))
    } else {
      entries.append((.note, say(whole.time == nil ? .noPartials : .noAltitudes)))
    }
    if statistics.gaps > 0 {
      entries.append(
        (
          .gaps,
          StatisticsPhrase.gapParts.text(
            in: language, count: Int64(statistics.gaps), Quantity.hours(whole.gapTime),
            kilometres(whole.gapMetres, 2))
        ))
    }
    if !leftOut.isEmpty { entries.append((.leftOut, leftOut)) }
    if statistics.isSparse {
      entries.append((.note, say(.sparse, Quantity.span(statistics.usualStep, in: language))))
    }
    return entries
  }

  private func speeds(
    of whole: SessionStatistics.Piece
  ) -> [(name: StatisticsPhrase, value: String)] {
    var entries: [(StatisticsPhrase, String)] = []
    let top = whole.topSpeed.map { speed(Double($0) / 1000) }
    if let mean = whole.meanSpeed, let moving = whole.movingSpeed, let top {
      entries.append((.speed, say(.speedParts, speed(mean), speed(moving), top)))
    } else if let mean = whole.meanSpeed {
      entries.append((.speed, say(.speedOnly, speed(mean))))
    } else if let top {
      entries.append((.speed, say(.speedTop, top)))
    }
    if let pace = whole.pace, let moving = whole.movingPace {
      entries.append((.pace, say(.paceParts, Quantity.clock(pace), Quantity.clock(moving))))
    }
    return entries
  }

  private var leftOut: String {
    let counts = statistics.counts
    // Without a clock it is no news that a point has none.
    let undated = statistics.start == nil ? 0 : counts.undated
    let parts: [(StatisticsPhrase, Int)] = [
      (.outliers, counts.outliers), (.repeated, counts.repeated), (.backward, counts.backward),
      (.undated, undated),
    ]
    return parts.filter { $0.1 > 0 }
      .map { $0.0.text(in: language, count: Int64($0.1)) }.joined(separator: ", ")
  }

  /// The whole, a line each.
  public var lines: [String] {
    entries.map { entry in
      let name = entry.name.text(in: language) + language.labelColon
      return name.padded(to: 12) + entry.value
    }
  }

  /// In lines of at most 79 columns, the later ones below the value.
  private static func wrapped(_ line: String) -> [String] {
    var lines = [""]
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if (lines.last?.count ?? 0) + word.count > 78 {
        lines.append(String(repeating: " ", count: 12) + word)
      } else {
        lines[lines.count - 1] += (lines.count == 1 && lines[0].isEmpty ? "" : " ") + word
      }
    }
    return lines
  }

  // MARK: The marks

  private static let widths = [7, 13, 13, 8, 10, 14, 11]

  public var head: [String] {
    let names: [StatisticsPhrase] = [
      .headPiece, .headPace, .headTop, .headAltitude, .headGain,
    ]
    return ["km", clocks] + names.map { $0.text(in: language) }
  }

  /// The cells of a mark's row.
  public func row(_ mark: SessionStatistics.Mark) -> [String] {
    let piece = mark.piece
    let decimals = mark.isEnd || statistics.every % 1000 != 0 ? 2 : 0
    var altitudes = ""
    var climbs = ""
    if let low = piece.lowest, let high = piece.highest {
      altitudes = metres(low) + " - " + metres(high)
      climbs = "+" + metres(piece.gain) + " -" + metres(piece.loss)
    }
    return [
      kilometres(mark.metres, decimals), clock(mark),
      piece.time.map { Doubt.text(Quantity.hours($0), mark.partialDoubt) } ?? "",
      piece.pace.map { (Doubt.isSaid(mark.partialDoubt) ? "~" : "") + Quantity.clock($0) } ?? "",
      piece.topSpeed.map { speed(Double($0) / 1000) } ?? "", altitudes,
      climbs + (piece.gapTime > 0 ? " " + say(.inGap) : ""),
    ]
  }

  /// The marks, a line each, below their heads.
  ///
  /// - Parameter newest: so many of the last ones; `nil`: all.
  public func table(newest: Int? = nil) -> [String] {
    if let course = statistics.course, !course.marks.isEmpty {
      return table(of: course, newest: newest ?? course.marks.count)
    }
    let marks = statistics.marks.suffix(max(0, newest ?? statistics.marks.count))
    let hidden = statistics.marks.count - marks.count
    var lines = [Self.line(head)]
    if hidden > 0 {
      lines.append(StatisticsPhrase.earlier.text(in: language, count: Int64(hidden)))
    }
    return lines + marks.map { Self.line(row($0)) }
  }

  static func line(_ cells: [String]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += String(repeating: " ", count: max(1, width - cell.count)) + cell
    }
    return line
  }

  /// When a mark was passed, on the clocks that are shown.
  private func clock(_ mark: SessionStatistics.Mark) -> String {
    guard let start = statistics.start, let elapsed = mark.elapsed else { return "" }
    return Doubt.text(clock(start + elapsed), mark.doubt)
  }

  func clock(_ utc: UTC) -> String {
    let shown = UTC(milliseconds: utc.milliseconds &+ offsetSeconds(utc) &* 1000)
    return String(CalendarText.text(shown).dropFirst(11))
  }

  // MARK: Numbers

  func kilometres(_ metres: Double, _ decimals: Int) -> String {
    Quantity.decimal(metres / 1000, decimals, in: language)
  }

  private func speed(_ metresPerSecond: Double) -> String {
    Quantity.decimal(metresPerSecond * 3.6, 1, in: language)
  }

  private func metres(_ millimetres: some BinaryInteger) -> String {
    Quantity.integer(Int64((Double(millimetres) / 1000).rounded()), in: language)
  }
}

extension StatisticsText {
  /// Of several ways, each below its name if there is one.
  public static func text(
    of all: [(name: String, statistics: SessionStatistics)], in language: Language
  ) -> String {
    all.map { name, statistics in
      (name.isEmpty ? "" : name.cut(to: 2 * NameWidth.team) + "\n")
        + StatisticsText(statistics, in: language).text
    }.joined(separator: "\n")
  }

  /// Of one without a name its figures, else a list with names.
  public static func json(of all: [(name: String, statistics: SessionStatistics)]) -> String {
    if all.count == 1, let only = all.first, only.name.isEmpty {
      return only.statistics.figures.json
    }
    return Figure.object([
      Figure.Member(
        "tracks",
        .list(
          all.map { name, statistics in
            .object([
              Figure.Member("name", .text(name)),
              Figure.Member("statistics", statistics.figures),
            ])
          }))
    ]).json
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}

/// What statistics say.
public enum StatisticsPhrase: Catalogue {
  case distance, time, speed, pace, altitude, gaps, leftOut, note, noPoint
  case timeParts, speedParts, speedOnly, speedTop, paceParts, altitudeParts, gapParts
  case outliers, repeated, backward, undated
  case sparse, noTimes, noAltitudes
  case headPiece, headPace, headTop, headAltitude, headGain, inGap, title
  case earlier, profile
  case atLeast, onCourse, alongParts, noPartials

  public var texts: Texts {
    switch self {
    case .distance: Texts(ca: "distància", es: "distancia", en: "distance", fr: "distance")
    case .time: Texts(ca: "temps", es: "tiempo", en: "time", fr: "temps")
    case .speed: Texts(ca: "velocitat", es: "velocidad", en: "speed", fr: "vitesse")
    case .pace: Texts(ca: "ritme", es: "ritmo", en: "pace", fr: "allure")
    case .altitude: Texts(ca: "altitud", es: "altitud", en: "altitude", fr: "altitude")
    case .gaps: Texts(ca: "buits", es: "huecos", en: "gaps", fr: "trous")
    case .leftOut:
      Texts(ca: "exclosos", es: "excluidos", en: "left out", fr: "écartés")
    case .note: Texts(ca: "nota", es: "nota", en: "note", fr: "note")
    case .noPoint:
      Texts(
        ca: "no hi ha cap posició", es: "no hay ninguna posición", en: "there is no position",
        fr: "il n'y a aucune position")
    case .timeParts:
      Texts(
        ca: "{1}, en moviment {2}", es: "{1}, en movimiento {2}", en: "{1}, moving {2}",
        fr: "{1}, en mouvement {2}")
    case .speedParts:
      Texts(
        ca: "mitjana {1} km/h, en moviment {2}, màxima {3}",
        es: "media {1} km/h, en movimiento {2}, máxima {3}",
        en: "mean {1} km/h, moving {2}, maximum {3}",
        fr: "moyenne {1} km/h, en mouvement {2}, maximale {3}")
    case .speedOnly:
      Texts(
        ca: "mitjana {1} km/h", es: "media {1} km/h", en: "mean {1} km/h",
        fr: "moyenne {1} km/h")
    case .speedTop:
      Texts(
        ca: "màxima {1} km/h", es: "máxima {1} km/h", en: "maximum {1} km/h",
        fr: "maximale {1} km/h")
    case .paceParts:
      Texts(
        ca: "{1} per km, en moviment {2}", es: "{1} por km, en movimiento {2}",
        en: "{1} a km, moving {2}", fr: "{1} par km, en mouvement {2}")
    case .altitudeParts:
      Texts(
        ca: "de {1} a {2} m, desnivell +{3} m, -{4} m",
        es: "de {1} a {2} m, desnivel +{3} m, -{4} m",
        en: "{1} to {2} m, gain {3} m, loss {4} m",
        fr: "de {1} à {2} m, dénivelé +{3} m, -{4} m")
    case .gapParts:
      Texts(
        ca: "{1} de {2}, {3} km en línia recta | {1} de {2} en total, {3} km en línia recta",
        es: "{1} de {2}, {3} km en línea recta | {1} de {2} en total, {3} km en línea recta",
        en: "{1} of {2}, {3} km in a straight line | {1} of {2} in all, {3} km in straight lines",
        fr: "{1} de {2}, {3} km en ligne droite | {1} de {2} en tout, {3} km en ligne droite")
    case .outliers:
      Texts(
        ca: "{1} imprecís o impossible | {1} imprecisos o impossibles",
        es: "{1} impreciso o imposible | {1} imprecisos o imposibles",
        en: "{1} inaccurate or impossible | {1} inaccurate or impossible",
        fr: "{1} imprécis ou impossible | {1} imprécis ou impossibles")
    case .repeated:
      Texts(
        ca: "{1} amb l'hora repetida | {1} amb l'hora repetida",
        es: "{1} con la hora repetida | {1} con la hora repetida",
        en: "{1} with a repeated time | {1} with a repeated time",
        fr: "{1} à l'heure répétée | {1} à l'heure répétée")
    case .backward:
      Texts(
        ca: "l'hora d'{1} que va enrere | l'hora de {1} que va enrere",
        es: "la hora de {1} que va hacia atrás | la hora de {1} que va hacia atrás",
        en: "the time of {1} that goes backward | the times of {1} that go backward",
        fr: "l'heure d'{1} qui recule | l'heure de {1} qui recule")
    case .undated:
      Texts(
        ca: "{1} sense hora: compta la posició | {1} sense hora: compta la posició",
        es: "{1} sin hora: cuenta la posición | {1} sin hora: cuenta la posición",
        en: "{1} without a time: its position counts | {1} without a time: their positions count",
        fr: "{1} sans heure : sa position compte | {1} sans heure : leur position compte")
    case .sparse:
      Texts(
        ca: "punts cada {1}, units en línia recta: no s'hi veuen els revolts ni els descansos "
          + "més curts",
        es: "puntos cada {1}, unidos en línea recta: no se ven las curvas ni los descansos "
          + "más cortos",
        en: "points {1} apart, joined by straight lines: bends and shorter rests are not seen",
        fr: "points toutes les {1}, joints en ligne droite : virages et pauses courtes non vus")
    case .atLeast:
      Texts(
        ca: "almenys {1} km", es: "al menos {1} km", en: "at least {1} km", fr: "au moins {1} km")
    case .onCourse: Texts(ca: "recorregut", es: "recorrido", en: "course", fr: "parcours")
    case .alongParts:
      Texts(
        ca: "{1} km de recorregut, del km {2} al km {3}",
        es: "{1} km de recorrido, del km {2} al km {3}",
        en: "{1} km along it, from km {2} to km {3}",
        fr: "{1} km de parcours, du km {2} au km {3}")
    case .noPartials:
      Texts(
        ca: "tampoc altitud: no hi ha parcials per mostrar",
        es: "tampoco altitud: no hay parciales que mostrar",
        en: "nor altitudes: there are no partials to show",
        fr: "ni d'altitude : il n'y a pas de partiels à montrer")
    case .noTimes:
      Texts(
        ca: "els punts no tenen hora", es: "los puntos no tienen hora",
        en: "the points have no times", fr: "les points n'ont pas d'heure")
    case .noAltitudes:
      Texts(
        ca: "els punts no tenen altitud", es: "los puntos no tienen altitud",
        en: "the points have no altitudes", fr: "les points n'ont pas d'altitude")
    case .headPiece: Texts(ca: "parcial", es: "parcial", en: "partial", fr: "partiel")
    case .headPace: Texts(ca: "min/km", es: "min/km", en: "min/km", fr: "min/km")
    case .headTop: Texts(ca: "km/h màx", es: "km/h máx", en: "km/h max", fr: "km/h max")
    case .headAltitude: Texts(ca: "altitud m", es: "altitud m", en: "altitude m", fr: "altitude m")
    case .headGain: Texts(ca: "desnivell", es: "desnivel", en: "gain", fr: "dénivelé")
    case .inGap: Texts(ca: "buit", es: "hueco", en: "gap", fr: "trou")
    case .title:
      Texts(ca: "Estadístiques", es: "Estadísticas", en: "Statistics", fr: "Statistiques")
    case .earlier:
      Texts(
        ca: "{1} marca abans: stats all | {1} marques abans: stats all",
        es: "{1} marca antes: stats all | {1} marcas antes: stats all",
        en: "{1} mark before: stats all | {1} marks before: stats all",
        fr: "{1} marque avant : stats all | {1} marques avant : stats all")
    case .profile:
      Texts(
        ca: "Altitud al llarg del camí", es: "Altitud a lo largo del camino",
        en: "Altitude along the way", fr: "Altitude le long du chemin")
    }
  }
}
