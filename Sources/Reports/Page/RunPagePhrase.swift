public import Wording

/// What a picture of a run says beside what the summary says, too.
public enum RunPagePhrase: Catalogue {
  case title, zone, noDate, started
  case claims, claimsHold, claimsFail, holds, fails, deadClaim
  case course, mapLabel, mapHint, noCourse, moment, reduced, thinned, haveAll, tiles, colour
  case courseLine, place, places, shareOfTime, highest, lowest
  case sent, pending, setAside, hole, checkpoint, start, finish, north
  case overTime, overTimeLabel, coverage, noService, noBearer, denied, modem, queue, charge, band
  case noSilence, silence, from, until, lasted, reason, more
  case delivery, atMost, longer, captures, share
  case energy, joules, part
  case capture, time, elapsed, position, battery, deliveredAfter
  case phaseTimes, state, figures, figure, value, asText, keyFigures

  public var texts: Texts {
    switch self {
    case .title:
      Texts(ca: "Execució de {1}", es: "Ejecución de {1}", en: "Run of {1}", fr: "Exécution de {1}")
    case .zone:
      Texts(
        ca: "hores de {1}", es: "horas de {1}", en: "times are those of {1}", fr: "heures de {1}")
    case .noDate:
      Texts(
        ca: "Cap data fiable: el temps es compta des de l'inici",
        es: "Ninguna fecha fiable: el tiempo se cuenta desde el inicio",
        en: "No trusted date: time counts from the start",
        fr: "Aucune date fiable : le temps est compté depuis le début")
    case .started: Texts(ca: "inici {1}", es: "inicio {1}", en: "began {1}", fr: "début {1}")
    case .claims: Texts(ca: "Expectatives", es: "Expectativas", en: "Expectations", fr: "Attentes")
    case .claimsHold:
      Texts(
        ca: "es compleix {1} expectativa | es compleixen les {1} expectatives",
        es: "se cumple {1} expectativa | se cumplen las {1} expectativas",
        en: "{1} expectation holds | all {1} expectations hold",
        fr: "{1} attente est satisfaite | les {1} attentes sont satisfaites")
    case .claimsFail:
      Texts(
        ca: "no es compleix {1} expectativa de {2} | no es compleixen {1} expectatives de {2}",
        es: "no se cumple {1} expectativa de {2} | no se cumplen {1} expectativas de {2}",
        en: "{1} expectation of {2} does not hold | {1} expectations of {2} do not hold",
        fr:
          "{1} attente sur {2} n'est pas satisfaite | {1} attentes sur {2} ne sont pas satisfaites")
    case .holds: Texts(ca: "es compleix", es: "se cumple", en: "holds", fr: "satisfaite")
    case .fails:
      Texts(
        ca: "no es compleix: {1}", es: "no se cumple: {1}", en: "does not hold: found {1}",
        fr: "non satisfaite : {1}")
    case .deadClaim:
      Texts(
        ca: "{1}, però la bateria s'ha esgotat abans del final",
        es: "{1}, pero la batería se agotó antes del final",
        en: "{1}, but the battery was empty before the end",
        fr: "{1}, mais la batterie était vide avant la fin")
    case .course: Texts(ca: "Recorregut", es: "Recorrido", en: "Course", fr: "Parcours")
    case .mapLabel:
      Texts(
        ca: "Mapa amb {1} captures: {2} enviades, {3} pendents, {4} apartades. El nord és a dalt.",
        es: "Mapa con {1} capturas: {2} enviadas, {3} pendientes, {4} apartadas. El norte está "
          + "arriba.",
        en: "Map with {1} captures: {2} sent, {3} pending, {4} set aside. North is up.",
        fr:
          "Carte avec {1} captures : {2} envoyées, {3} en attente, {4} mises de côté. Le nord est "
          + "en haut.")
    case .mapHint:
      Texts(
        ca: "Passeu per damunt d'una captura o toqueu-la; les fletxes van d'una a l'altra.",
        es: "Pase por encima de una captura o tóquela; las flechas van de una a otra.",
        en: "Hover over a capture or tap it; the arrow keys go from one to the next.",
        fr: "Survolez une capture ou touchez-la ; les flèches passent de l'une à l'autre.")
    case .noCourse:
      Texts(
        ca: "Cap posició: no hi ha mapa.", es: "Ninguna posición: no hay mapa.",
        en: "No position, so no map.", fr: "Aucune position, donc pas de carte.")
    case .moment:
      Texts(ca: "Estat a les", es: "Estado a las", en: "As it was at", fr: "État à")
    case .reduced:
      Texts(
        ca: "Es dibuixa una de cada {1} captures.", es: "Se dibuja una de cada {1} capturas.",
        en: "One capture of {1} is drawn.", fr: "Une capture sur {1} est dessinée.")
    case .thinned:
      Texts(
        ca: "{1} de {2} captures es dibuixen com a punt, perquè no es tapin.",
        es: "{1} de {2} capturas se dibujan como punto, para que no se tapen.",
        en: "{1} of {2} captures are drawn as dots, so that they do not cover each other.",
        fr: "{1} captures sur {2} sont dessinées en points, pour ne pas se recouvrir.")
    case .haveAll:
      Texts(
        ca: "Les fletxes i la taula les tenen totes.",
        es: "Las flechas y la tabla las tienen todas.",
        en: "The arrow keys and the table have all.",
        fr: "Les flèches et le tableau les ont toutes.")
    case .tiles: Texts(ca: "Mapa: {1}", es: "Mapa: {1}", en: "Map: {1}", fr: "Carte : {1}")
    case .colour:
      Texts(
        ca: "Color del camí", es: "Color del camino", en: "Colour of the way",
        fr: "Couleur du chemin")
    case .courseLine: Texts(ca: "recorregut", es: "recorrido", en: "course", fr: "parcours")
    case .place: Texts(ca: "lloc", es: "lugar", en: "place", fr: "lieu")
    case .places:
      Texts(
        ca: "Llocs del recorregut", es: "Lugares del recorrido", en: "Places of the course",
        fr: "Lieux du parcours")
    case .shareOfTime:
      Texts(
        ca: "part del temps, %", es: "parte del tiempo, %", en: "share of the time, %",
        fr: "part du temps, %")
    case .highest:
      Texts(
        ca: "màxim en {1}", es: "máximo en {1}", en: "most in {1}", fr: "maximum sur {1}")
    case .lowest:
      Texts(
        ca: "mínim en {1}", es: "mínimo en {1}", en: "fewest in {1}", fr: "minimum sur {1}")
    case .sent: Texts(ca: "enviada", es: "enviada", en: "sent", fr: "envoyée")
    case .pending: Texts(ca: "pendent", es: "pendiente", en: "pending", fr: "en attente")
    case .setAside: Texts(ca: "apartada", es: "apartada", en: "set aside", fr: "mise de côté")
    case .hole:
      Texts(ca: "sense cobertura", es: "sin cobertura", en: "no coverage", fr: "sans couverture")
    case .checkpoint:
      Texts(
        ca: "punt de control", es: "punto de control", en: "checkpoint", fr: "point de contrôle")
    case .start: Texts(ca: "inici", es: "inicio", en: "start", fr: "début")
    case .finish: Texts(ca: "final", es: "final", en: "end", fr: "fin")
    case .north: Texts(ca: "N", es: "N", en: "N", fr: "N")
    case .overTime:
      Texts(ca: "En el temps", es: "En el tiempo", en: "Over time", fr: "Au fil du temps")
    case .overTimeLabel:
      Texts(
        ca: "{1}: {2}; taula més avall", es: "{1}: {2}; tabla más abajo",
        en: "{1}: {2}; table below", fr: "{1} : {2} ; tableau plus bas")
    case .coverage: Texts(ca: "cobertura", es: "cobertura", en: "coverage", fr: "couverture")
    case .noService: Texts(ca: "cap xarxa", es: "ninguna red", en: "no network", fr: "aucun réseau")
    case .noBearer: Texts(ca: "sense dades", es: "sin datos", en: "no data", fr: "sans données")
    case .denied: Texts(ca: "denegada", es: "denegada", en: "denied", fr: "refusée")
    case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
    case .queue:
      Texts(
        ca: "captures pendents", es: "capturas pendientes", en: "captures waiting",
        fr: "captures en attente")
    case .charge: Texts(ca: "bateria, %", es: "batería, %", en: "battery, %", fr: "batterie, %")
    case .band:
      Texts(
        ca: "La franja: quant poden errar les xifres de la placa (90 %).",
        es: "La franja: cuánto pueden errar las cifras de la placa (90 %).",
        en: "The band: how far the board's figures may be off (90 %).",
        fr: "La bande : l'erreur possible des chiffres de la carte (90 %).")
    case .noSilence:
      Texts(ca: "cap silenci", es: "ningún silencio", en: "no silence", fr: "aucun silence")
    case .silence: Texts(ca: "silenci", es: "silencio", en: "silence", fr: "silence")
    case .from: Texts(ca: "des de", es: "desde", en: "from", fr: "de")
    case .until: Texts(ca: "fins a", es: "hasta", en: "until", fr: "à")
    case .lasted: Texts(ca: "durada", es: "duración", en: "lasted", fr: "durée")
    case .reason: Texts(ca: "motiu", es: "motivo", en: "reason", fr: "motif")
    case .more:
      Texts(
        ca: "Els {1} més llargs de {2}.", es: "Los {1} más largos de {2}.",
        en: "The longest {1} of {2}.", fr: "Les {1} plus longs sur {2}.")
    case .delivery: Texts(ca: "Lliurament", es: "Entrega", en: "Delivery", fr: "Livraison")
    case .atMost: Texts(ca: "fins a {1}", es: "hasta {1}", en: "up to {1}", fr: "jusqu'à {1}")
    case .longer: Texts(ca: "més", es: "más", en: "longer", fr: "plus")
    case .captures: Texts(ca: "captures", es: "capturas", en: "captures", fr: "captures")
    case .share: Texts(ca: "part", es: "parte", en: "share", fr: "part")
    case .energy: Texts(ca: "Energia", es: "Energía", en: "Energy", fr: "Énergie")
    case .joules: Texts(ca: "joules", es: "julios", en: "joules", fr: "joules")
    case .part: Texts(ca: "qui", es: "quién", en: "by", fr: "par")
    case .capture: Texts(ca: "Captura", es: "Captura", en: "Capture", fr: "Capture")
    case .time: Texts(ca: "hora", es: "hora", en: "time", fr: "heure")
    case .elapsed:
      Texts(
        ca: "des de l'inici", es: "desde el inicio", en: "since the start", fr: "depuis le début")
    case .position: Texts(ca: "posició", es: "posición", en: "position", fr: "position")
    case .battery: Texts(ca: "bateria", es: "batería", en: "battery", fr: "batterie")
    case .deliveredAfter:
      Texts(ca: "enviada al cap de", es: "enviada tras", en: "sent after", fr: "envoyée après")
    case .phaseTimes:
      Texts(
        ca: "Estats del mòdem", es: "Estados del módem", en: "States of the modem",
        fr: "États du modem")
    case .state: Texts(ca: "estat", es: "estado", en: "state", fr: "état")
    case .figures:
      Texts(
        ca: "Totes les xifres", es: "Todas las cifras", en: "All figures", fr: "Tous les chiffres")
    case .figure: Texts(ca: "xifra", es: "cifra", en: "figure", fr: "chiffre")
    case .value: Texts(ca: "valor", es: "valor", en: "value", fr: "valeur")
    case .asText:
      Texts(
        ca: "El resum com a text", es: "El resumen como texto", en: "The summary as text",
        fr: "Le résumé en texte")
    case .keyFigures:
      Texts(
        ca: "Xifres principals", es: "Cifras principales", en: "Key figures",
        fr: "Chiffres principaux")
    }
  }
}
