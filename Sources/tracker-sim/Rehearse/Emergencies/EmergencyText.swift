import Reports
import Simulation
import TrackerCore
import Wording

/// What rehearsed emergencies came to, for people. Of a single one it is what happened.
struct EmergencyText {
  let figures: EmergencyFigures
  let seed: UInt64
  let board: String
  let language: Language

  private static let nameWidth = 21
  private static let columnWidth = 7
  /// Of the commands that play the unheard ones again.
  private static let mostCommands = 10

  var text: String {
    let all = figures.all
    var text =
      line(.races, "\(all.outcomes.count)", "\(seed)")
      + line(.heard, "\(all.count(.data))", "\(all.count(.text))")
      + line(
        .read, "\(all.outcomes.count { $0.read != nil })", "\(all.readByText)")
      + line(.couldNot, "\(all.count(.couldNot))")
      + line(.unheard, "\(all.count(.unheard))", "\(all.late)")
      + times(.registration, all.registrationToRead) + times(.coverage, all.coverageToRead)
      + times(.server, all.callToServer)
      + line(
        .energy, number(all.power.percentile(50), 2), number(all.power.percentile(95), 2))
      + line(.doubts, "\(all.forgotten)", "\(all.toldTooEarly)", "\(all.readUnknown)")
    text += all.outcomes.count == 1 ? "\n" + story(all.outcomes[0]) : "\n" + table + commands
    return text
  }

  private func line(_ phrase: EmergencyPhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments) + "\n"
  }

  private func number(_ value: Double?, _ decimals: Int = 0) -> String {
    value.map { Quantity.decimal($0, decimals, in: language) } ?? "-"
  }

  private func times(_ phrase: EmergencyPhrase, _ spread: EmergencyFigures.Spread) -> String {
    line(
      phrase, number(spread.percentile(50), 1), number(spread.percentile(95), 1),
      number(spread.most, 1))
  }

  /// Races, heard by data and by text, not to be heard, unheard; seconds from the registration to
  /// *read*: half within, 95 % within, all within.
  private var table: String {
    let heads: [EmergencyPhrase] = [
      .racesColumn, .dataColumn, .textColumn, .couldNotColumn, .unheardColumn,
    ]
    var lines = [
      row("", heads.map { $0.text(in: language) } + ["50 % s", "95 % s", "max s"])
    ]
    for row in figures.rows where !row.outcomes.isEmpty {
      let name =
        row.trouble.map { EmergencyPhrase($0) } ?? (row.name == "nothing" ? .nothing : .several)
      let counts = EmergencyOutcome.Verdict.allCases.map { "\(row.count($0))" }
      let spread = row.registrationToRead
      lines.append(
        self.row(
          name.text(in: language),
          ["\(row.outcomes.count)"] + counts
            + [spread.percentile(50), spread.percentile(95), spread.most].map { number($0) }))
    }
    return lines.joined()
  }

  private func row(_ name: String, _ cells: [String]) -> String {
    name.leftAligned(in: Self.nameWidth)
      + cells.map { $0.rightAligned(in: Self.columnWidth) }.joined() + "\n"
  }

  private var commands: String {
    let unheard = figures.all.outcomes.filter(\.isFailure)
    guard !unheard.isEmpty else { return "" }
    return "\n"
      + unheard.prefix(Self.mostCommands).map {
        EmergencyFlaws.command(seed: $0.seed, board: board) + "\n"
      }.joined()
  }

  /// Times count from the team's last call.
  private func story(_ outcome: EmergencyOutcome) -> String {
    let troubles = EmergencyTrouble.allCases.filter { outcome.troubles.contains($0) }
    var text = troubles.map { EmergencyPhrase($0).text(in: language) + "\n" }.joined()
    text += outcome.barriers.map { EmergencyFlaws.text($0) + "\n" }.joined()
    for line in outcome.story {
      let sign = line.at < 0 ? "-" : ""
      let clock = TextReport.clock(abs(line.at.count))
      text += "\(sign)\(clock)".rightAligned(in: 10) + "  \(line.text)\n"
    }
    return text
  }
}

/// What is said of rehearsed emergencies. Names of columns have six characters at most.
enum EmergencyPhrase: String, Catalogue {
  case races, heard, read, couldNot, unheard, registration, coverage, server, energy, doubts
  case racesColumn, dataColumn, textColumn, couldNotColumn, unheardColumn
  case nothing, several
  case noFixEver, noFixNow, noCoverage, deadData, killed, powerCut, serverDown, lateServer
  case nobodyThere, diskFull, drained, cloned, raisedAgain

  init(_ trouble: EmergencyTrouble) {
    self = EmergencyPhrase(rawValue: trouble.rawValue) ?? .several
  }

  var texts: Texts {
    switch self {
    case .races, .heard, .read, .couldNot, .unheard, .registration, .coverage, .server, .energy,
      .doubts:
      sentence
    case .racesColumn: Texts(ca: "marxes", es: "marcha", en: "races", fr: "marche")
    case .dataColumn: Texts(ca: "dades", es: "datos", en: "data", fr: "données")
    case .textColumn: Texts(ca: "SMS", es: "SMS", en: "text", fr: "SMS")
    case .couldNotColumn: Texts(ca: "no pot", es: "no pudo", en: "cannot", fr: "ne peut")
    case .unheardColumn: Texts(ca: "ningú", es: "nadie", en: "no one", fr: "aucun")
    default: trouble
    }
  }

  private var trouble: Texts {
    switch self {
    case .noFixEver:
      Texts(
        ca: "mai cap posició", es: "nunca posición", en: "no fix ever", fr: "jamais de position")
    case .noFixNow:
      Texts(
        ca: "ara sense posició", es: "ahora sin posición", en: "no fix now",
        fr: "pas de position")
    case .noCoverage:
      Texts(ca: "sense cobertura", es: "sin cobertura", en: "no coverage", fr: "sans couverture")
    case .deadData:
      Texts(ca: "només SMS", es: "solo SMS", en: "text messages only", fr: "SMS seulement")
    case .killed:
      Texts(ca: "programa matat", es: "programa matado", en: "killed", fr: "programme tué")
    case .powerCut:
      Texts(ca: "sense corrent", es: "corte de corriente", en: "power cut", fr: "courant coupé")
    case .serverDown:
      Texts(
        ca: "servidor caigut", es: "servidor caído", en: "server down", fr: "serveur en panne")
    case .lateServer:
      Texts(ca: "servidor lent", es: "servidor lento", en: "late server", fr: "serveur lent")
    case .nobodyThere:
      Texts(
        ca: "ningú a la sala", es: "nadie en la sala", en: "nobody there",
        fr: "personne en salle")
    case .diskFull:
      Texts(ca: "disc ple", es: "disco lleno", en: "disk full", fr: "disque plein")
    case .drained:
      Texts(
        ca: "bateria a la reserva", es: "batería en reserva", en: "battery in reserve",
        fr: "batterie en réserve")
    case .cloned:
      Texts(ca: "targeta copiada", es: "tarjeta copiada", en: "copied card", fr: "carte copiée")
    case .raisedAgain:
      Texts(ca: "torna a cridar", es: "llama otra vez", en: "raised again", fr: "rappelée")
    case .several:
      Texts(ca: "diverses coses", es: "varias cosas", en: "several at once", fr: "plusieurs")
    default: Texts(ca: "res en contra", es: "nada en contra", en: "nothing", fr: "rien")
    }
  }

  private var sentence: Texts {
    switch self {
    case .heard:
      Texts(
        ca: "escoltades   {1} al servidor, {2} només per SMS",
        es: "oídas        {1} en el servidor, {2} solo por SMS",
        en: "heard        {1} by a server, {2} by text message alone",
        fr: "entendues    {1} par un serveur, {2} par SMS seulement")
    case .read:
      Texts(
        ca: "contestades  {1}, {2} per SMS abans que des de la sala",
        es: "contestadas  {1}, {2} por SMS antes que desde la sala",
        en: "answered     {1}, {2} of them by text message before the room",
        fr: "répondues    {1}, dont {2} par SMS avant la salle")
    case .couldNot:
      Texts(
        ca: "no podien    {1}, sense bateria o xarxa per a un contacte",
        es: "no podían    {1}, sin batería o red para un contacto",
        en: "could not    {1}, without charge and coverage for one contact",
        fr: "impossibles  {1}, sans batterie ni réseau pour un contact")
    case .unheard:
      Texts(
        ca: "no sentides  {1} de les que podien, i {2} tard",
        es: "no oídas     {1} de las que podían, y {2} tarde",
        en: "unheard      {1} of those that could be heard, and {2} late",
        fr: "non entendues {1} de celles qui pouvaient l'être, et {2} en retard")
    case .registration:
      Texts(
        ca: "llegida      {1} s després del registre a la xarxa (95 % {2}, màx {3})",
        es: "leída        {1} s tras el registro en la red (95 % {2}, máx {3})",
        en: "read         {1} s after the modem's registration (95 % {2}, max {3})",
        fr: "lue          {1} s après l'inscription au réseau (95 % {2}, max {3})")
    case .coverage:
      Texts(
        ca: "             {1} s després de tornar la cobertura (95 % {2}, màx {3})",
        es: "             {1} s tras volver la cobertura (95 % {2}, máx {3})",
        en: "             {1} s after the coverage's return (95 % {2}, max {3})",
        fr: "             {1} s après le retour du réseau (95 % {2}, max {3})")
    case .server:
      Texts(
        ca: "al servidor  {1} s després de la crida (95 % {2}, màx {3})",
        es: "al servidor  {1} s tras la llamada (95 % {2}, máx {3})",
        en: "server       {1} s after the call (95 % {2}, max {3})",
        fr: "au serveur   {1} s après l'appel (95 % {2}, max {3})")
    case .energy:
      Texts(
        ca: "energia      {1} kJ per hora d'emergència (95 % {2})",
        es: "energía      {1} kJ por hora de emergencia (95 % {2})",
        en: "energy       {1} kJ an hour of emergency (95 % {2})",
        fr: "énergie      {1} kJ par heure d'urgence (95 % {2})")
    case .doubts:
      Texts(
        ca: "dubtes       {1} oblidades, {2} dites massa aviat, {3} llegides sense saber-ho",
        es: "dudas        {1} olvidadas, {2} dichas antes de tiempo, {3} leídas sin saberlo",
        en: "doubts       {1} forgotten, {2} told too early, {3} read and not told",
        fr: "doutes       {1} oubliées, {2} dites trop tôt, {3} lues sans être dites")
    default:
      Texts(
        ca: "emergències  {1}, una per marxa, des de la llavor {2}",
        es: "emergencias  {1}, una por marcha, desde la semilla {2}",
        en: "emergencies  {1}, one in each race, from seed {2}",
        fr: "urgences     {1}, une par marche, depuis la graine {2}")
    }
  }
}
