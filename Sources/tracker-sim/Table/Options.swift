import CommandLineSupport
import Statistics
import Wording

// MARK: A run

extension Option {
  static let trace = Option("--trace", .file).says(
    ca: "NMEA 0183, com l'envia un receptor; o un enregistrament, del qual només es fa servir el "
      + "receptor; o una ruta GPX, que es fa caminar a un receptor; - és l'entrada estàndard",
    es: "NMEA 0183, como lo envía un receptor; o una grabación, de la que solo se usa el receptor; "
      + "o una ruta GPX, que un receptor recorre; - es la entrada estándar",
    en: "NMEA 0183, as a receiver sends it; or a recording, from which only the receiver is "
      + "played; or a GPX track, which a receiver is made to walk; - is standard input",
    fr: "NMEA 0183, comme l'envoie un récepteur ; ou un enregistrement, dont seul le récepteur "
      + "joue ; ou une trace GPX, qu'un récepteur parcourt ; - est l'entrée standard")
  static let config = Option("--config", .file).says(
    ca: "política de captura, intervals, equip (JSON5)",
    es: "política de captura, intervalos, equipo (JSON5)",
    en: "capture policy, intervals, team (JSON5)",
    fr: "politique de capture, intervalles, équipe (JSON5)")
  static let scenario = Option("--scenario", .file).says(
    ca: "forats de cobertura, fallades del servidor, fred ... (JSON5)",
    es: "huecos de cobertura, fallos del servidor, frío ... (JSON5)",
    en: "coverage holes, server faults, cold ... (JSON5)",
    fr: "trous de couverture, pannes du serveur, froid ... (JSON5)")
  static let seed = Option("--seed", .number(0...Int64.max), usual: "1").says(
    ca: "del que canvia d'un dia a l'altre: registre, latència, senyal, primera posició, el "
      + "rellotge del servidor",
    es: "de lo que cambia de un día a otro: registro, latencia, señal, primera posición, el reloj "
      + "del servidor",
    en: "of what differs from day to day: registration, latency, signal, first fix, the server's "
      + "clock",
    fr: "de ce qui change d'un jour à l'autre : enregistrement, latence, signal, première "
      + "position, l'horloge du serveur")
  static let series = Option("--series", needs: ["--json"]).says(
    ca: "en JSON, també el que --report dibuixa en el temps, per a compare",
    es: "en JSON, también lo que --report dibuja en el tiempo, para compare",
    en: "in JSON, too, what --report draws over time, for compare",
    fr: "en JSON, aussi ce que --report dessine dans le temps, pour compare")
  static let events = Option("--events", .file).says(
    ca: "escriu cada esdeveniment i efecte, un per línia; - és la sortida estàndard, en lloc del "
      + "resum",
    es: "escribe cada evento y efecto, uno por línea; - es la salida estándar, en vez del resumen",
    en: "write every event and effect, one per line; - is standard output, instead of the summary",
    fr: "écrit chaque événement et effet, un par ligne ; - est la sortie standard, au lieu du "
      + "résumé")
  static let store = Option("--store", .file).says(
    ca: "desa les captures en un fitxer nou, per a trackerctl captures",
    es: "guarda las capturas en un fichero nuevo, para trackerctl captures",
    en: "keep the captures in a new file, for trackerctl captures",
    fr: "garde les captures dans un nouveau fichier, pour trackerctl captures")
  static let record = Option("--record", .file).says(
    ca: "enregistra l'execució en un fitxer nou, com trackerd --record, per a replay o --trace",
    es: "graba la ejecución en un fichero nuevo, como trackerd --record, para replay o --trace",
    en: "record the run to a new file, as trackerd --record does, for replay or --trace",
    fr: "enregistre dans un nouveau fichier, comme trackerd --record, pour replay ou --trace")
  static let report = Option("--report", .file).says(
    ca: "dibuixa l'execució, una pàgina d'HTML; les hores són del timeZone de la configuració, si "
      + "no de TZ",
    es: "dibuja la ejecución, una página de HTML; las horas son del timeZone de la configuración, "
      + "si no de TZ",
    en: "write a picture of the run, one page of HTML; its times are those of the configuration's "
      + "timeZone, else of TZ",
    fr: "dessine l'exécution, une page HTML ; les heures sont du timeZone de la configuration, "
      + "sinon de TZ")
  static let tiles = Option("--tiles", .file, needs: ["--report"]).says(
    ca: "MBTiles (PNG o JPEG) sota el mapa", es: "MBTiles (PNG o JPEG) bajo el mapa",
    en: "MBTiles (PNG or JPEG) below the map", fr: "MBTiles (PNG ou JPEG) sous la carte")
  static let expect = Option("--expect", .text("'CLAIM'"), isRepeatable: true).says(
    ca: "falla si no es compleix; es pot repetir", es: "falla si no se cumple; se puede repetir",
    en: "fail unless it holds; may be given several times",
    fr: "échoue si elle n'est pas tenue ; peut être répétée")
  static let console = Option("--console", excludes: ["--report", "--expect"]).says(
    ca: "s'atura a l'inici i respon les ordres de la consola, de l'entrada estàndard (help)",
    es: "se para al inicio y responde a las órdenes de la consola, de la entrada estándar (help)",
    en: "stop at the start and answer the commands of the field console, read from standard input "
      + "(help)",
    fr: "s'arrête au début et répond aux commandes de la console, de l'entrée standard (help)")
  static let timing = Option("--timing").says(
    ca: "mostra el temps i la memòria a la sortida d'errors",
    es: "muestra el tiempo y la memoria en la salida de errores",
    en: "print time and peak memory to standard error",
    fr: "montre le temps et la mémoire sur la sortie d'erreur")
}

// MARK: Walks

extension Option {
  static let every = Option(
    "--every", .number(StatisticsBounds.marksEvery, "M"), usual: "1000"
  ).says(
    ca: "metres de marca a marca", es: "metros de marca a marca", en: "metres from mark to mark",
    fr: "mètres de marque à marque")
  static let comparisonPage = Option("--report", .file).says(
    ca: "escriu també una pàgina d'HTML amb tots dos", es: "escribe también una página con ambos",
    en: "write a page of HTML, too, with both", fr: "écrit aussi une page HTML avec les deux")
  static let timetable = Option("--plan", .file).says(
    ca: "horari (CSV): columnes place (o km), time, i team on els equips difereixen; una hora és "
      + "una data, o hores:minuts des de la sortida de l'equip: Amer,6:30",
    es: "horario (CSV): columnas place (o km), time, y team donde los equipos difieren; una hora "
      + "es una fecha, u horas:minutos desde la salida del equipo: Amer,6:30",
    en: "timetable (CSV): columns place (or km), time, and team where teams differ; a time is a "
      + "date, or hours:minutes since the team's start: Amer,6:30",
    fr: "horaire (CSV) : colonnes place (ou km), time, et team où les équipes diffèrent ; une "
      + "heure est une date, ou heures:minutes depuis le départ de l'équipe : Amer,6:30")
  static let tolerance = Option("--tolerance", .number(0...1440), usual: "30").says(
    ca: "minuts després de l'horari fins que un lloc fa tard",
    es: "minutos tras el horario hasta que un lugar va tarde",
    en: "minutes after the plan, until a place is past due",
    fr: "minutes après l'horaire avant qu'un lieu soit en retard")
  static let at = Option("--at", .like("2026-04-18T08:00:00Z", "DATE")).says(
    ca: "de quan parla la taula, a menys de 7 dies de les captures [la darrera]",
    es: "de cuándo habla la tabla, a menos de 7 días de las capturas [la última]",
    en: "what the table tells of, within 7 days of the captures [the latest of all]",
    fr: "de quand parle le tableau, à moins de 7 jours des captures [la dernière]")
  static let csv = Option("--csv", excludes: ["--json"]).says(
    ca: "en CSV en lloc de text", es: "en CSV en vez de texto", en: "as CSV instead of text",
    fr: "en CSV au lieu de texte")
}
