import Wording

/// What tracker-sim says about its command lines, beside what every program says.
enum SimPhrase: String, Catalogue {
  case notStandardOutput, sameOutput, bothOutput, bothInput, isInput, exists, date, voltage
  case intervalForm, hours, triesIntervals, oneInterval, twoRuns, twoWalks, notAfter, stop
  case seed, line, decimal, start, length, multiple, span, minutes, night, sentences, talker

  var texts: Texts {
    switch self {
    case .notStandardOutput:
      Texts(
        ca: "{1} no pot escriure a la sortida estàndard; doneu un fitxer",
        es: "{1} no puede escribir en la salida estándar; dé un fichero",
        en: "{1} cannot write to standard output; give a file",
        fr: "{1} ne peut pas écrire sur la sortie standard ; donnez un fichier")
    case .sameOutput:
      Texts(
        ca: "dues sortides es diuen {1}; doneu un fitxer a cada una",
        es: "dos salidas se llaman {1}; dé un fichero a cada una",
        en: "two outputs both name {1}; give each its own file",
        fr: "deux sorties nomment {1} ; donnez un fichier à chacune")
    case .bothOutput:
      Texts(
        ca: "--events - i {1} fan servir la sortida estàndard; doneu un fitxer a --events",
        es: "--events - y {1} usan la salida estándar; dé un fichero a --events",
        en: "--events - and {1} both use standard output; give --events a file",
        fr: "--events - et {1} prennent la sortie standard ; donnez un fichier à --events")
    case .bothInput:
      Texts(
        ca: "--console llegeix de l'entrada estàndard, com --trace -; doneu un fitxer",
        es: "--console lee de la entrada estándar, como --trace -; dé un fichero",
        en: "--console reads from standard input, as --trace - does; give a file",
        fr: "--console lit sur l'entrée standard, comme --trace - ; donnez un fichier")
    case .isInput:
      Texts(
        ca: "{1} {2} és una entrada; doneu-li un altre nom",
        es: "{1} {2} es una entrada; déle otro nombre",
        en: "{1} {2} is an input of the run; give it another name",
        fr: "{1} {2} est une entrée ; donnez-lui un autre nom")
    case .exists:
      Texts(
        ca: "{1} {2} ja existeix; doneu un nom nou", es: "{1} {2} ya existe; dé un nombre nuevo",
        en: "{1} {2} exists already; give a new name",
        fr: "{1} {2} existe déjà ; donnez un nouveau nom")
    case .date:
      Texts(
        ca: "una data com 2026-04-18T08:00:00Z", es: "una fecha como 2026-04-18T08:00:00Z",
        en: "a date as 2026-04-18T08:00:00Z", fr: "une date comme 2026-04-18T08:00:00Z")
    case .voltage:
      Texts(
        ca: "una tensió del paquet, per exemple 4.02V", es: "una tensión del paquete, como 4.02V",
        en: "a voltage of the pack, for example 4.02V", fr: "une tension du pack, comme 4.02V")
    case .intervalForm:
      Texts(
        ca: "un temps de 10s a 24h, per exemple 10min", es: "un tiempo de 10s a 24h, como 10min",
        en: "a length of time from 10s to 24h, for example 10min",
        fr: "une durée de 10s à 24h, comme 10min")
    case .hours:
      Texts(
        ca: "un nombre d'1 a 168", es: "un número de 1 a 168", en: "a number from 1 to 168",
        fr: "un nombre de 1 à 168")
    case .triesIntervals:
      Texts(
        ca: "--search interval prova els intervals; traieu --interval",
        es: "--search interval prueba los intervalos; quite --interval",
        en: "--search interval tries the intervals itself; leave out --interval",
        fr: "--search interval essaie les intervalles ; retirez --interval")
    case .oneInterval:
      Texts(
        ca: "--search pack necessita un sol interval; doneu --interval una vegada",
        es: "--search pack necesita un solo intervalo; dé --interval una vez",
        en: "--search pack needs one interval; give --interval once",
        fr: "--search pack veut un seul intervalle ; donnez --interval une fois")
    case .twoRuns:
      Texts(
        ca: "doneu dos fitxers escrits per --json: tracker-sim compare a.json b.json",
        es: "dé dos ficheros escritos por --json: tracker-sim compare a.json b.json",
        en: "give two files that --json wrote: tracker-sim compare a.json b.json",
        fr: "donnez deux fichiers écrits par --json : tracker-sim compare a.json b.json")
    case .twoWalks:
      Texts(
        ca: "doneu dues caminades, o una i --plan: tracker-sim compare a.gpx b.nmea --course C",
        es: "dé dos caminatas, o una y --plan: tracker-sim compare a.gpx b.nmea --course C",
        en: "give two walks, or one and --plan: tracker-sim compare a.gpx b.nmea --course FILE",
        fr: "donnez deux marches, ou une et --plan : tracker-sim compare a.gpx b.nmea --course C")
    case .notAfter:
      Texts(
        ca: "--to-km no és després de --from-km; doneu una part del recorregut",
        es: "--to-km no está después de --from-km; dé una parte del recorrido",
        en: "--to-km is not after --from-km; give a part of the course to walk",
        fr: "--to-km n'est pas après --from-km ; donnez une partie du parcours")
    case .stop:
      Texts(
        ca: "{1}: una execució no acaba mai així; escriviu un de {2}",
        es: "{1}: una ejecución nunca acaba así; escriba uno de {2}",
        en: "{1}: a run never ends so; write one of {2}",
        fr: "{1} : une exécution ne finit jamais ainsi ; écrivez l'un de {2}")
    case .seed:
      Texts(
        ca: "un nombre enter de 0 a 2^64 - 1", es: "un número entero de 0 a 2^64 - 1",
        en: "a whole number from 0 to 2^64 - 1", fr: "un nombre entier de 0 à 2^64 - 1")
    case .line:
      Texts(
        ca: "una línia d'1 a 200 bytes sense caràcters de control",
        es: "una línea de 1 a 200 bytes sin caracteres de control",
        en: "a line of 1 to 200 bytes without control characters",
        fr: "une ligne de 1 à 200 octets sans caractères de contrôle")
    case .decimal:
      Texts(
        ca: "{1} de {2} a {3}", es: "{1} de {2} a {3}", en: "{1} from {2} to {3}",
        fr: "{1} de {2} à {3}")
    case .start:
      Texts(
        ca: "una data de 2000 a 2099 com 2026-04-18T08:00:00Z",
        es: "una fecha de 2000 a 2099 como 2026-04-18T08:00:00Z",
        en: "a date from 2000 to 2099 as 2026-04-18T08:00:00Z",
        fr: "une date de 2000 à 2099 comme 2026-04-18T08:00:00Z")
    case .length:
      Texts(
        ca: "un temps com 40min, 1h30min, 5s o 2:30:00, de {1}",
        es: "un tiempo como 40min, 1h30min, 5s o 2:30:00, de {1}",
        en: "a time as 40min, 1h30min, 5s or 2:30:00, {1}",
        fr: "une durée comme 40min, 1h30min, 5s ou 2:30:00, {1}")
    case .multiple:
      Texts(
        ca: "un temps de 50ms a 1h, múltiple de 10ms",
        es: "un tiempo de 50ms a 1h, múltiplo de 10ms",
        en: "a time from 50ms to 1h, a multiple of 10ms",
        fr: "une durée de 50ms à 1h, multiple de 10ms")
    case .span:
      Texts(
        ca: "DES-FINS o DES+DURADA com 2:00:00-2:04:00 o 3:00:00+40min",
        es: "DESDE-HASTA o DESDE+DURACIÓN como 2:00:00-2:04:00 o 3:00:00+40min",
        en: "FROM-TO or FROM+LENGTH as 2:00:00-2:04:00 or 3:00:00+40min",
        fr: "DE-À ou DE+DURÉE comme 2:00:00-2:04:00 ou 3:00:00+40min")
    case .minutes:
      Texts(
        ca: "minuts com 10-40, o 0 per a cap (600 com a màxim)",
        es: "minutos como 10-40, o 0 para ninguno (600 como máximo)",
        en: "minutes as 10-40, or 0 for none (600 at most)",
        fr: "des minutes comme 10-40, ou 0 pour aucune (600 au plus)")
    case .night:
      Texts(
        ca: "UTC com 19:00-05:00, o none", es: "UTC como 19:00-05:00, o none",
        en: "UTC as 19:00-05:00, or none", fr: "UTC comme 19:00-05:00, ou none")
    case .sentences:
      Texts(
        ca: "un o més de {1}, cada un una vegada", es: "uno o más de {1}, cada uno una vez",
        en: "one or more of {1}, each once", fr: "un ou plusieurs de {1}, chacun une fois")
    case .talker:
      Texts(
        ca: "gp (GPS) o gn (GPS i GLONASS)", es: "gp (GPS) o gn (GPS y GLONASS)",
        en: "gp (GPS) or gn (GPS and GLONASS)", fr: "gp (GPS) ou gn (GPS et GLONASS)")
    }
  }
}
