import CommandLineSupport
import ControlRoom
import Simulation
import Wording

/// What a rehearsal came to, for people.
struct RehearsalText {
  let figures: RehearsalFigures
  let options: RehearseOptions
  let language: Language

  var text: String {
    line(.races, "\(figures.races)", "\(options.teams)", "\(options.seed)")
      + line(
        .silences, "\(figures.silences.count)", percent(figures.right(\.last)),
        percent(figures.right(\.first)), percent(figures.rightMinutes))
      + line(
        .afterwards, percent(figures.rightAfterwards),
        percent(figures.rightAfterwardsByRace.percentile(5)),
        percent(figures.rightAfterwardsByRace.least))
      + "\n" + table(.inTheEnd, \.last) + "\n" + table(.atFirst, \.first) + "\n"
      + stops(.silentForGood, figures.silentStops)
      + line(.inTime, percent(figures.foundInTime))
      + line(.openInTime, "\(figures.openStops.count)", percent(figures.openFoundInTime))
      + stops(.hidden, figures.hiddenStops)
      + stops(.gaveUp, figures.teamStops)
      + line(
        .late, "\(figures.late.count)", "\(figures.lateLead.count)",
        number(figures.lateLead.percentile(50), 0), number(figures.lateLead.least, 0))
      + line(
        .passages, "\(figures.passageErrors.count)",
        number(figures.passageErrors.percentile(50), 0),
        number(figures.passageErrors.percentile(95), 0), "\(figures.missedPassages)",
        percent(figures.rightOrder))
      + line(
        .alarms, number(figures.alarms.mean, 1), number(figures.alarms.percentile(95), 0),
        number(figures.alarmRate.mean, 2))
      + line(
        .worst, number(figures.worstAlarms.percentile(50), 0),
        number(figures.worstAlarms.percentile(95), 0), number(figures.worstAlarms.most, 0))
      + line(
        .falseAlarms, number(figures.falseAlarms.mean, 2),
        number(figures.falseAlarms.percentile(50), 0),
        number(figures.falseAlarms.percentile(95), 0), number(figures.falseAlarms.most, 0))
      + needs
      + line(.first, percent(figures.first), percent(figures.firstByRace.least))
      + line(
        .knowableFirst, percent(figures.knowableFirst),
        percent(figures.knowableFirstByRace.percentile(5)),
        percent(figures.knowableFirstByRace.least))
  }

  private func line(_ phrase: RehearsePhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments) + "\n"
  }

  private func number(_ value: Double?, _ decimals: Int) -> String {
    value.map { Quantity.decimal($0, decimals, in: language) } ?? "-"
  }

  private func percent(_ value: Double?) -> String { number(value, 1) + " %" }

  private func stops(_ phrase: RehearsePhrase, _ stops: [RaceScore.Stop]) -> String {
    let delays = RehearsalFigures.delays(stops)
    return line(
      phrase, "\(stops.count)", "\(delays.count)", number(delays.percentile(50), 1),
      number(delays.percentile(95), 1), number(delays.most, 1))
  }

  /// Of which needs the false alarms are.
  private var needs: String {
    Need.allCases.filter { figures.falseAlarms($0) > 0 }.map {
      "  \($0.name) \(figures.falseAlarms($0))\n"
    }.joined()
  }

  private static let width = 10

  private func table(
    _ title: RehearsePhrase, _ when: KeyPath<RaceScore.Silence, RaceScore.Stated>
  ) -> String {
    var text = title.text(in: language).leftAligned(in: 20)
    for stated in RaceScore.Stated.allCases {
      text += RehearsePhrase(stated).text(in: language).rightAligned(in: Self.width)
    }
    for cause in RehearsalFigures.causes {
      let counts = RaceScore.Stated.allCases.map { figures.count(cause, $0, when) }
      guard counts.contains(where: { $0 > 0 }) else { continue }
      text += "\n" + RehearsePhrase(cause).text(in: language).leftAligned(in: 20)
      text += counts.map { "\($0)".rightAligned(in: Self.width) }.joined()
    }
    return text + "\n"
  }
}

/// What is said of a rehearsal. Names of columns have ten characters at most.
enum RehearsePhrase: String, Catalogue {
  case races, silences, inTheEnd, atFirst, silentForGood, inTime, gaveUp, alarms, worst
  case falseAlarms, first, afterwards, openInTime, hidden, knowableFirst, late, passages
  case smashed, emptyBattery, antenna, noFix, valley, serverDown, over, nothing
  case planned, deadZone, battery, server, network, unknown

  init(_ cause: TeamTruth.Cause?) {
    self =
      switch cause {
      case .smashed: .smashed
      case .battery: .emptyBattery
      case .antenna: .antenna
      case .noFix: .noFix
      case .deadZone: .valley
      case .server: .serverDown
      case .over: .over
      case nil: .nothing
      }
  }

  init(_ stated: RaceScore.Stated) {
    self =
      switch stated {
      case .planned: .planned
      case .deadZone: .deadZone
      case .battery: .battery
      case .server: .server
      case .network: .network
      case .unknown: .unknown
      }
  }

  var texts: Texts {
    switch self {
    case .races, .silences, .silentForGood, .inTime, .gaveUp, .alarms, .worst, .falseAlarms,
      .first, .afterwards, .openInTime, .hidden, .knowableFirst, .late, .passages:
      sentence
    case .inTheEnd:
      Texts(ca: "al final", es: "al final", en: "in the end", fr: "à la fin")
    case .atFirst: Texts(ca: "al principi", es: "al principio", en: "at first", fr: "au début")
    case .smashed:
      Texts(
        ca: "equip trencat", es: "equipo roto", en: "smashed tracker", fr: "balise cassée")
    case .emptyBattery:
      Texts(ca: "bateria buida", es: "batería vacía", en: "empty battery", fr: "batterie vide")
    case .antenna:
      Texts(ca: "sense antena", es: "sin antena", en: "no antenna", fr: "sans antenne")
    case .noFix:
      Texts(ca: "sense posició", es: "sin posición", en: "no position", fr: "sans position")
    case .valley:
      Texts(
        ca: "vall sense xarxa", es: "valle sin red", en: "valley, no network",
        fr: "vallée sans réseau")
    case .serverDown:
      Texts(
        ca: "servidor caigut", es: "servidor caído", en: "server down", fr: "serveur en panne")
    case .over: Texts(ca: "aturat", es: "parado", en: "stopped", fr: "arrêtée")
    case .nothing: Texts(ca: "res", es: "nada", en: "nothing", fr: "rien")
    case .planned: Texts(ca: "previst", es: "previsto", en: "planned", fr: "prévu")
    case .deadZone: Texts(ca: "zona", es: "zona", en: "dead zone", fr: "zone")
    case .battery: Texts(ca: "bateria", es: "batería", en: "battery", fr: "batterie")
    case .server: Texts(ca: "servidor", es: "servidor", en: "server", fr: "serveur")
    case .network: Texts(ca: "xarxa", es: "red", en: "network", fr: "réseau")
    case .unknown: Texts(ca: "ningú", es: "nadie", en: "unknown", fr: "inconnu")
    }
  }

  private var sentence: Texts {
    switch self {
    case .silences:
      Texts(
        ca: "silencis     {1}; encerts: {2} al final, {3} al principi, {4} dels minuts",
        es: "silencios    {1}; aciertos: {2} al final, {3} al inicio, {4} en minutos",
        en: "silences     {1}; right: {2} in the end, {3} at first, {4} of the minutes",
        fr: "silences     {1} ; justes : {2} à la fin, {3} au début, {4} des minutes")
    case .silentForGood:
      Texts(
        ca: "muts         {2} de {1} trobats, {3} min després de la promesa (95 % {4}, màx {5})",
        es: "mudos        {2} de {1} hallados, {3} min tras la promesa (95 % {4}, máx {5})",
        en: "mute         {2} of {1} found, {3} min after the promise (95 % {4}, max {5})",
        fr: "muettes      {2} sur {1} trouvées, {3} min après la promesse (95 % {4}, max {5})")
    case .inTime:
      Texts(
        ca: "             dins de 5 minuts de la promesa {1}",
        es: "             dentro de 5 minutos de la promesa {1}",
        en: "             within 5 minutes of the promise {1}",
        fr: "             dans les 5 minutes de la promesse {1}")
    case .gaveUp:
      Texts(
        ca: "abandons     {2} de {1} trobats, {3} min després d'aturar-se (95 % {4}, màx {5})",
        es: "abandonos    {2} de {1} hallados, {3} min tras pararse (95 % {4}, máx {5})",
        en: "gave up      {2} of {1} found, {3} min after they stopped (95 % {4}, max {5})",
        fr: "abandons     {2} sur {1} trouvés, {3} min après l'arrêt (95 % {4}, max {5})")
    case .late:
      Texts(
        ca: "tard         {2} de {1} trobats, {3} min abans que tanquin (mín {4})",
        es: "tarde        {2} de {1} hallados, {3} min antes del cierre (mín {4})",
        en: "late         {2} of {1} found, {3} min before the closing (min {4})",
        fr: "en retard    {2} sur {1} trouvées, {3} min avant la fermeture (min {4})")
    case .passages:
      Texts(
        ca: "passos       {1}, a {2} s (95 % {3}), en falten {4}; ordre: {5}",
        es: "pasos        {1}, a {2} s (95 % {3}), faltan {4}; orden: {5}",
        en: "passages     {1}, off by {2} s (95 % {3}), {4} missed; order right: {5}",
        fr: "passages     {1}, à {2} s (95 % {3}), {4} manquent ; ordre : {5}")
    case .alarms:
      Texts(
        ca: "alarmes      {1} per marxa (95 % {2}), {3} cada 10 minuts",
        es: "alarmas      {1} por marcha (95 % {2}), {3} cada 10 minutos",
        en: "alarms       {1} a race (95 % {2}), {3} in 10 minutes",
        fr: "alarmes      {1} par marche (95 % {2}), {3} en 10 minutes")
    case .worst:
      Texts(
        ca: "             als pitjors 10 minuts {1}, 95 % {2}, màx {3}",
        es: "             en los peores 10 minutos {1}, 95 % {2}, máx {3}",
        en: "             in the worst 10 minutes {1}, 95 % {2}, max {3}",
        fr: "             dans les pires 10 minutes {1}, 95 % {2}, max {3}")
    case .falseAlarms:
      Texts(
        ca: "falses       {1} per marxa; {2}, 95 % {3}, màx {4}",
        es: "falsas       {1} por marcha; {2}, 95 % {3}, máx {4}",
        en: "false        {1} a race; {2}, 95 % {3}, max {4}",
        fr: "fausses      {1} par marche ; {2}, 95 % {3}, max {4}")
    case .afterwards:
      Texts(
        ca: "             sabut després: {1} (5 % de les marxes: {2}, mín {3})",
        es: "             sabido después: {1} (5 % de marchas: {2}, mín {3})",
        en: "             known afterwards: {1} (5 % of the races: {2}, min {3})",
        fr: "             su après coup : {1} (5 % : {2}, min {3})")
    case .openInTime:
      Texts(
        ca: "             {2} de les {1} que cap vall ni cap servidor no amagava",
        es: "             {2} de las {1} que ningún valle ni servidor ocultaba",
        en: "             {2} of the {1} that no valley and no outage hid",
        fr: "             {2} des {1} que ni vallée ni panne ne cachaient")
    case .hidden:
      Texts(
        ca: "             amagades: {2} de {1}, {3} min tard (95 % {4}, màx {5})",
        es: "             ocultas: {2} de {1}, {3} min tarde (95 % {4}, máx {5})",
        en: "             hidden: {2} of {1}, {3} min after they were to be heard (95 % {4})",
        fr: "             cachées : {2} sur {1}, {3} min de retard (95 % {4}, max {5})")
    case .knowableFirst:
      Texts(
        ca: "             quan es pot saber: {1} (5 % de les marxes: {2}, mín {3})",
        es: "             cuando se puede saber: {1} (5 % de marchas: {2}, mín {3})",
        en: "             when it can be known: {1} (5 % of the races: {2}, min {3})",
        fr: "             quand on peut le savoir : {1} (5 % : {2}, min {3})")
    case .first:
      Texts(
        ca: "primer       qui més ho necessita, {1} del temps (pitjor marxa: {2})",
        es: "primero      quien más lo necesita, {1} del tiempo (peor marcha: {2})",
        en: "first        whoever needs it most, {1} of the time (worst race: {2})",
        fr: "premier      l'équipe la plus urgente, {1} du temps (au pire : {2})")
    default:
      Texts(
        ca: "marxes       {1} de {2} equips, des de la llavor {3}",
        es: "marchas      {1} de {2} equipos, desde la semilla {3}",
        en: "races        {1} of {2} teams, from seed {3}",
        fr: "marches      {1} de {2} équipes, depuis la graine {3}")
    }
  }
}
