import CommandLineSupport
import Reports
import Statistics
import Wording

// MARK: Which tracker, and how its answer is written

extension Option {
  static let ofTracker = [
    socket, store, configuration, .json, .language, .yes, .color, .noColor,
  ]

  static let socket = Option("--socket", .file, usual: ConsoleOptions.defaultSocket).says(
    ca: "el seu sòcol de control", es: "su socket de control", en: "its control socket",
    fr: "son socket de contrôle")
  static let store = Option("--store", .file, usual: ConsoleOptions.defaultStore).says(
    ca: "el seu magatzem; sense --socket només es mira el magatzem",
    es: "su almacén; sin --socket solo se mira el almacén",
    en: "its store; without --socket the store alone is looked at",
    fr: "son stockage ; sans --socket seul le stockage est consulté")
  static let configuration = Option(
    "--config", .file, usual: ConsoleOptions.defaultConfiguration
  ).says(
    ca: "la seva configuració, que els indica tots dos", es: "su configuración, que indica ambos",
    en: "its configuration, which names both", fr: "sa configuration, qui indique les deux")
  static let yes = Option("--yes").says(
    ca: "no pregunta res", es: "no pregunta nada", en: "do not ask", fr: "ne demande rien")
  static let color = Option("--color", excludes: ["--no-color"], aliases: ["--colour"]).says(
    ca: "en colors [en un terminal]", es: "en colores [en un terminal]",
    en: "in colours [on a terminal]", fr: "en couleurs [sur un terminal]")
  static let noColor = Option("--no-color", aliases: ["--no-colour"]).says(
    ca: "sense colors", es: "sin colores", en: "without colours", fr: "sans couleurs")

  // MARK: Of stats and compare

  static let ofStatistics = [every, course, session, sessions]

  static let every = Option(
    "--every", .number(StatisticsBounds.marksEvery, "M"), usual: "1000"
  ).says(
    ca: "metres de marca a marca", es: "metros de marca a marca", en: "metres from mark to mark",
    fr: "mètres de marque à marque")
  static let session = Option("--session", .number(1...1000)).says(
    ca: "una sessió [la darrera]", es: "una sesión [la última]", en: "one session [the last one]",
    fr: "une session [la dernière]")
  static let sessions = Option("--sessions", excludes: ["--every", "--session"]).says(
    ca: "les sessions del magatzem", es: "las sesiones del almacén",
    en: "the sessions of the store", fr: "les sessions du stockage")

  // MARK: Of console

  static let readOnly = Option("--read-only").says(
    ca: "no mana res a l'equip", es: "no ordena nada al equipo", en: "no orders to the tracker",
    fr: "n'ordonne rien à la balise")
  static let serial = Option("--serial").says(
    ca: "espera una tecla, com en una línia sèrie", es: "espera una tecla, como en una línea serie",
    en: "wait for a key, as on a serial line", fr: "attend une touche, comme sur une ligne série")
  static let idle = Option("--idle", .like("10min, 0", ValueName.time.texts), usual: "10min").says(
    ca: "s'acaba sense cap tecla en aquest temps; 0: mai",
    es: "termina sin ninguna tecla en ese tiempo; 0: nunca",
    en: "end without a key for so long; 0: never",
    fr: "se termine sans touche pendant ce temps ; 0 : jamais")
}

// MARK: A server

extension Option {
  static let ofServer = [server, secrets, user, clientID, tokenURL, authorities]

  static let stoppedStore = Option("--store", .file).says(
    ca: "el magatzem d'un equip aturat", es: "el almacén de un equipo parado",
    en: "the store of a tracker that is stopped", fr: "le stockage d'une balise arrêtée")
  static let serverConfiguration = Option("--config", .file, excludes: ofServer.map(\.name)).says(
    ca: "la configuració de l'equip: el servidor, sigui del tipus que sigui, camps, secrets i "
      + "magatzem",
    es: "la configuración del equipo: su servidor, sea del tipo que sea, campos, secretos y "
      + "almacén",
    en: "the tracker's configuration: its server, whatever its kind, attributes, secrets and store",
    fr: "la configuration de la balise : serveur, de tout genre, champs, secrets et stockage")
  static let server = Option("--server", .text("URL")).says(
    ca: "una capa d'un FeatureServer d'ArcGIS, com https://host/…/FeatureServer/0",
    es: "una capa de un FeatureServer de ArcGIS, como https://host/…/FeatureServer/0",
    en: "a layer of an ArcGIS FeatureServer, as in https://host/…/FeatureServer/0",
    fr: "une couche d'un FeatureServer d'ArcGIS, comme https://host/…/FeatureServer/0")
  static let secrets = Option("--secrets", .file).says(
    ca: "credencials, mode 0600: una línia \"token = ...\", o \"password = ...\" amb --user, o "
      + "\"clientSecret = ...\" amb --client-id i --token-url",
    es: "credenciales, modo 0600: una línea \"token = ...\", o \"password = ...\" con --user, o "
      + "\"clientSecret = ...\" con --client-id y --token-url",
    en: "credentials, mode 0600: a line \"token = ...\", or \"password = ...\" with --user, or "
      + "\"clientSecret = ...\" with --client-id and --token-url",
    fr: "identifiants, mode 0600 : une ligne \"token = ...\", ou \"password = ...\" avec --user, "
      + "ou \"clientSecret = ...\" avec --client-id et --token-url")
  static let user = Option("--user", .name, excludes: ["--client-id"], needs: ["--secrets"]).says(
    ca: "l'usuari de la contrasenya", es: "el usuario de la contraseña", en: "the password's user",
    fr: "l'utilisateur du mot de passe")
  static let clientID = Option("--client-id", .text("ID"), needs: ["--secrets"]).says(
    ca: "l'identificador d'una aplicació", es: "el identificador de una aplicación",
    en: "an application's identifier", fr: "l'identifiant d'une application")
  static let tokenURL = Option("--token-url", .text("URL"), needs: ["--user", "--client-id"]).says(
    ca: "on es demanen els tokens [el mateix servidor]",
    es: "donde se piden los tokens [el mismo servidor]",
    en: "where to get tokens [the server's own site]",
    fr: "où demander les jetons [le même serveur]")
  static let authorities = Option("--ca", .file).says(
    ca: "certificats de confiança en lloc dels del sistema (PEM)",
    es: "certificados de confianza en vez de los del sistema (PEM)",
    en: "certificates to trust instead of the system's (PEM)",
    fr: "certificats fiables au lieu de ceux du système (PEM)")
  static let captures = Option(
    "--captures", .number(1...1_000_000), usual: "\(Bench.standardCaptures)"
  ).says(
    ca: "quantes captures; 17280 són 48 h cada 10 s",
    es: "cuántas capturas; 17280 son 48 h cada 10 s",
    en: "how many captures; 17280 are 48 h at 10 s",
    fr: "combien de captures ; 17280 font 48 h toutes les 10 s")
}

// MARK: Files

extension Option {
  static let format = Option(
    "--format", .oneOf(ExportFormat.allCases.map(\.rawValue)), excludes: ["--stick"],
    needs: ["--store"]
  ).says(
    ca: "com s'escriuen", es: "cómo se escriben", en: "how to write them", fr: "comment les écrire")
  static let output = Option("--output", .file).says(
    ca: "el fitxer, que apareix quan és complet [sortida estàndard]",
    es: "el fichero, que aparece cuando está completo [salida estándar]",
    en: "the file, which appears when it is complete [standard output]",
    fr: "le fichier, qui apparaît une fois complet [sortie standard]")
  static let stick = Option("--stick").says(
    ca: "en tots els formats, amb un informe, en un llapis USB, que només es munta per a això (cal "
      + "ser root)",
    es: "en todos los formatos, con un informe, en una memoria USB, que solo se monta para eso "
      + "(hay que ser root)",
    en: "in all formats, with a report, to a USB stick; it is mounted for that only (needs root)",
    fr: "dans tous les formats, avec un rapport, sur une clé USB, montée pour cela seulement (il "
      + "faut être root)")
  static let device = Option("--device", .text("/dev/sda1"), needs: ["--stick"]).says(
    ca: "la partició del llapis [la que es troba]",
    es: "la partición de la memoria [la que se halla]",
    en: "the stick's partition [the one that is found]",
    fr: "la partition de la clé [celle qui est trouvée]")
  static let newFolder = Option("--output", .folder).says(
    ca: "una carpeta nova", es: "una carpeta nueva", en: "a new folder", fr: "un nouveau dossier")
  static let fleetConfiguration = Option("--config", .file).says(
    ca: "el que tenen en comú", es: "lo que comparten", en: "what they have in common",
    fr: "ce qu'elles ont en commun")
  static let replace = Option("--replace").says(
    ca: "substitueix la carpeta", es: "sustituye la carpeta", en: "replace the folder",
    fr: "remplace le dossier")
  static let root = Option("--root", .folder, usual: "/").says(
    ca: "el sistema d'aquesta carpeta, com una imatge",
    es: "el sistema de esta carpeta, como una imagen",
    en: "the system in this folder, such as an image's",
    fr: "le système de ce dossier, comme une image")
}
