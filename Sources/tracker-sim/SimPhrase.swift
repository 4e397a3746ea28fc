import Wording

/// What tracker-sim says about its command lines, beside what every program says.
enum SimPhrase: String, Catalogue {
  case notStandardOutput, sameOutput, bothOutput, bothInput, isInput, exists, triesIntervals
  case oneInterval, twoRuns, twoWalks, notAfter, stop, oneCard, noCard, noRecording, recordsCards

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
        es: "{1} {2} es una entrada; dele otro nombre",
        en: "{1} {2} is an input of the run; give it another name",
        fr: "{1} {2} est une entrée ; donnez-lui un autre nom")
    case .exists:
      Texts(
        ca: "{1} {2} ja existeix; doneu un nom nou", es: "{1} {2} ya existe; dé un nombre nuevo",
        en: "{1} {2} exists already; give a new name",
        fr: "{1} {2} existe déjà ; donnez un nouveau nom")
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
    case .oneCard:
      Texts(
        ca: "{1} és la targeta d'un controlador; doneu-la sola",
        es: "{1} es la tarjeta de un controlador; dela sola",
        en: "{1} is a controller's card; give it alone",
        fr: "{1} est la carte d'un contrôleur ; donnez-la seule")
    case .noCard:
      Texts(
        ca: "{1} no té les captures de cap controlador que es puguin llegir; doneu una altra "
          + "targeta, o un fitxer",
        es: "{1} no tiene capturas de un controlador que se puedan leer; dé otra tarjeta, o un "
          + "fichero",
        en: "{1} has no controller's captures that can be read; give another card, or a file",
        fr: "{1} n'a pas de captures d'un contrôleur qui puissent être lues ; donnez une autre "
          + "carte, ou un fichier")
    case .noRecording:
      Texts(
        ca: "la targeta {1} no té cap gravació; cal trackerctl firmware --record, i una targeta "
          + "formatada amb lloc per a gravacions",
        es: "la tarjeta {1} no tiene ninguna grabación; hace falta trackerctl firmware --record, y "
          + "una tarjeta formateada con sitio para grabaciones",
        en: "the card {1} has no recording; it takes trackerctl firmware --record, and a card that "
          + "was formatted with room for recordings",
        fr: "la carte {1} n'a pas d'enregistrement ; il faut trackerctl firmware --record, et une "
          + "carte formatée avec de la place pour les enregistrements")
    case .recordsCards:
      Texts(
        ca: "--record copia la gravació d'una targeta; un fitxer ja ho és",
        es: "--record copia la grabación de una tarjeta; un fichero ya lo es",
        en: "--record copies a card's recording; a file is one already",
        fr: "--record copie l'enregistrement d'une carte ; un fichier en est déjà un")
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
    }
  }
}
