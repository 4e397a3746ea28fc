import Basecamp
import CommandLineSupport
import ControlRoom
import FeatureService
import FirstSetup
import PostgreSQL
import Uplink
import Wording

extension CampPlace {
  /// As the command line says.
  init(_ arguments: Arguments) throws {
    let database = arguments.text(.database) ?? ""
    guard PostgreSQLAddress.isOne(database) else {
      guard !arguments.has(.race) else { throw UsageError(CampPhrase.raceOfFolder.texts) }
      self = .folder(database)
      return
    }
    let race = arguments.text(.race) ?? "race"
    let isName = race.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95
    }
    guard isName, (1...40).contains(race.utf8.count) else {
      throw UsageError(CampPhrase.raceName.texts(race))
    }
    self = .server(try PostgreSQLAddress(database, schema: race))
  }
}

extension CampSettings {
  /// As the command line says.
  init(_ arguments: Arguments) throws {
    self.init(at: try CampPlace(arguments))
    address = try arguments.value(.listen) { ListenAddress($0) } ?? address
    course = arguments.text(.course)
    timetable = arguments.text(.timetable)
    if let path = arguments.text(.teams) { teams = try Self.teams(path) }
    coverage = arguments.text(.coverage)
    tiles = arguments.text(.tiles)
    alerts = arguments.texts(.alerts)
    if let minutes = arguments.number(.emergencyPatience) { emergencyPatience = .minutes(minutes) }
    followed = try Self.followed(arguments)
    broker = try Self.broker(arguments)
    modem = arguments.text(.modem)
    textPersons = try arguments.values(.textPerson) { TextPerson($0) }
    for (place, person) in textPersons.enumerated() {
      let same = textPersons[..<place].first { $0.number.isSame(as: person.number) }
      if let same { throw UsageError(CampPhrase.samePhone.texts(same.name, person.name)) }
    }
    keptDays = arguments.number(.keepDays)
    if let minutes = arguments.number(.followerDelay) { followersDelay = .minutes(minutes) }
    service.hasGlobalIDs = !arguments.has(.noGlobalIDs)
    service.hasCourseFields = arguments.has(.courseFields)
    service.credentials = try Self.credentials(arguments, .user, .passwordFile)
    service.owner = try Self.credentials(arguments, .owner, .ownerPasswordFile)
    service.faults = try arguments.texts(.fault).map { text throws in try Fault(text) }
    faultSeed = UInt64(arguments.number(.faultSeed) ?? Int64(faultSeed))
    service.maximumRecords = arguments.number(.maxRecords).map { Int($0) } ?? service.maximumRecords
    service.tokenLife = arguments.number(.tokenSeconds).map { .seconds($0) } ?? service.tokenLife
    let origins = try arguments.values(.origin) { CrossOrigin.origin($0) }
    if !origins.isEmpty { pages.origins = origins }
    proxies = Set(try arguments.values(.trustedProxy) { ListenAddress.isAddress($0) ? $0 : nil })
    language.always = arguments.language
    language.otherwise = .ofEnvironment
    if let owner = arguments.text(.owner), owner == arguments.text(.user) {
      throw UsageError(CampPhrase.sameUser.texts)
    }
    if let file = arguments.text(.certificate), let key = arguments.text(.key) {
      certificate = try ServerCertificate(file: file, keyFile: key)
    }
  }

  static func teams(_ path: String) throws -> [RosterTeam] {
    try FleetTable(readInputFile(path), path: path).rows.map {
      RosterTeam(number: $0.number, name: $0.team, phone: $0.phone, isPublic: $0.isPublic)
    }
  }

  private static func followed(_ arguments: Arguments) throws -> ArcGISConfiguration? {
    guard let address = arguments.text(.follow) else { return nil }
    var layer = ArcGISConfiguration(address: try LayerAddress(address))
    if let name = arguments.text(.followUser), let file = arguments.text(.followPasswordFile) {
      layer.credentials = .user(
        name: name, password: Secret(try password(inFile: file)),
        tokenURL: arguments.text(.followTokenURL))
    }
    try layer.validate()
    return layer
  }

  private static func broker(_ arguments: Arguments) throws -> BrokerSettings? {
    guard let text = arguments.text(.mqtt) else { return nil }
    let file = arguments.text(.mqttPasswordFile)
    var broker = BrokerSettings(try BrokerAddress(text, hasPassword: file != nil))
    broker.user = arguments.text(.mqttUser)
    broker.password = try file.map { Secret(try password(inFile: $0)) }
    broker.authoritiesFile = arguments.text(.mqttAuthorities)
    return broker
  }

  /// The table has checked that both are there, or none.
  private static func credentials(
    _ arguments: Arguments, _ user: Option, _ file: Option
  ) throws -> Credentials? {
    guard let user = arguments.text(user), let file = arguments.text(file) else { return nil }
    return Credentials(user: user, password: try password(inFile: file))
  }
}

extension Option {
  static let database = Option("--database", .folder).says(
    ca: "on es desen les captures; es crea si falta; o postgresql://AMFITRIÓ/BASE",
    es: "donde se guardan las capturas; se crea si falta; o postgresql://ANFITRIÓN/BASE",
    en: "where captures are kept; created if missing; or postgresql://HOST/DATABASE",
    fr: "où sont gardées les captures ; créé s'il manque ; ou postgresql://HÔTE/BASE")
  static let race = Option("--race", .like("girona-2027", "NAME"), usual: "race").says(
    ca: "la cursa, per a PostgreSQL: l'esquema de les seves taules",
    es: "la carrera, para PostgreSQL: el esquema de sus tablas",
    en: "the race, for PostgreSQL: the schema of its tables",
    fr: "la course, pour PostgreSQL : le schéma de ses tables")
  fileprivate static let listen = Option(
    "--listen", .like("127.0.0.1:8080", "ADDRESS"), usual: "127.0.0.1:8080"
  ).says(
    ca: "adreça IPv4 i port; el port 0 en tria un de lliure",
    es: "dirección IPv4 y puerto; el puerto 0 elige uno libre",
    en: "IPv4 address and port; port 0 chooses a free one",
    fr: "adresse IPv4 et port ; le port 0 en choisit un libre")
  fileprivate static let course = Option("--course", .file).says(
    ca: "controls i etapes en GeoJSON [d'Olot al mar]",
    es: "controles y etapas en GeoJSON [de Olot al mar]",
    en: "checkpoints and stages as GeoJSON [Olot to the sea]",
    fr: "contrôles et étapes en GeoJSON [d'Olot à la mer]")
  static let teams = Option("--teams", .file).says(
    ca: "els equips de la sala de control: la taula de trackerctl fleet, amb les columnes phone i "
      + "public",
    es: "los equipos de la sala de control: la tabla de trackerctl fleet, con las columnas phone y "
      + "public",
    en: "the teams of the control room: the table of trackerctl fleet, with columns phone and "
      + "public",
    fr: "les équipes de la salle de contrôle : la table de trackerctl fleet, avec les colonnes "
      + "phone et public")
  fileprivate static let tiles = Option("--tiles", .file).says(
    ca: "el fons del mapa: un fitxer MBTiles amb PNG o JPEG",
    es: "el fondo del mapa: un fichero MBTiles con PNG o JPEG",
    en: "the map's background: an MBTiles file with PNG or JPEG",
    fr: "le fond de la carte : un fichier MBTiles avec PNG ou JPEG")
  fileprivate static let alerts = Option("--alert", .text("'COMMAND'"), isRepeatable: true).says(
    ca: "una ordre que rep a l'entrada estàndard les alarmes que ningú no ha agafat en 5 min; una "
      + "segona, les de 10 min, etc.",
    es: "una orden que recibe en la entrada estándar las alarmas que nadie ha tomado en 5 min; una "
      + "segunda, las de 10 min, etc.",
    en: "a command that gets on standard input the alarms that nobody has taken within 5 min; a "
      + "second one, those of 10 min, and so on",
    fr: "une commande qui reçoit sur l'entrée standard les alarmes que personne n'a prises en 5 "
      + "min ; une deuxième, celles de 10 min, etc.")
  fileprivate static let emergencyPatience = Option(
    "--emergency-patience", .number(1...60, "MINUTES"), usual: "5", needs: ["--alert"]
  ).says(
    ca: "quant de temps té cada persona de --alert per llegir una emergència; després de l'última "
      + "torna la primera",
    es: "cuánto tiempo tiene cada persona de --alert para leer una emergencia; tras la última "
      + "vuelve la primera",
    en: "how long each person of --alert has to read an emergency; after the last one comes the "
      + "first again",
    fr: "combien de temps chaque personne de --alert a pour lire une urgence ; après la dernière "
      + "revient la première")
  fileprivate static let modem = Option("--modem", .like("/dev/ttyUSB2", "PORT")).says(
    ca: "el port d'un mòdem amb SIM: les crides SOS dels rastrejadors arriben per missatge de "
      + "text, i la resposta torna així [cap]",
    es: "el puerto de un módem con SIM: las llamadas SOS de los rastreadores llegan por mensaje de "
      + "texto, y la respuesta vuelve así [ninguno]",
    en: "the port of a modem with a SIM: SOS calls of trackers come in by text message, and the "
      + "answer goes back that way [none]",
    fr: "le port d'un modem avec SIM : les appels SOS des traceurs arrivent par SMS, et la réponse "
      + "repart ainsi [aucun]")
  fileprivate static let textPerson = Option(
    "--text-person", .like("'+34600000001 Marta'", "'NUMBER NAME'"), isRepeatable: true,
    needs: ["--modem"]
  ).says(
    ca: "qui pot confirmar una emergència responent OK des d'aquest telèfon; es pot repetir",
    es:
      "quién puede confirmar una emergencia respondiendo OK desde este teléfono; se puede repetir",
    en: "who may confirm an emergency by a text message OK from this telephone; may be given "
      + "several times",
    fr: "qui peut confirmer une urgence en répondant OK depuis ce téléphone ; peut être répétée")
  private static let itsPassword = Texts(
    ca: "la seva contrasenya, en un fitxer de mode 0600",
    es: "su contraseña, en un fichero de modo 0600",
    en: "that user's password, in a file of mode 0600",
    fr: "son mot de passe, dans un fichier de mode 0600")
  fileprivate static let follow = Option(
    "--follow", .like("https://host/…/FeatureServer/0", "URL")
  ).says(
    ca: "una capa d'un altre servidor, d'ArcGIS per exemple: les seves captures també arriben aquí",
    es: "una capa de otro servidor, de ArcGIS por ejemplo: sus capturas también llegan aquí",
    en: "another server's layer, of ArcGIS for example: its captures come here, too",
    fr: "une couche d'un autre serveur, d'ArcGIS par exemple : ses captures arrivent ici aussi")
  fileprivate static let followUser = Option(
    "--follow-user", .name, needs: ["--follow", "--follow-password-file"]
  ).says(
    ca: "l'usuari amb què es llegeix", es: "el usuario con el que se lee",
    en: "the user it is read as", fr: "l'utilisateur qui la lit")
  fileprivate static let followPasswordFile = Option(
    "--follow-password-file", .file, needs: ["--follow-user"]
  ).says(itsPassword)
  fileprivate static let followTokenURL = Option(
    "--follow-token-url", .text("URL"), needs: ["--follow-user"]
  ).says(
    ca: "on es demanen els tokens [el mateix servidor]",
    es: "donde se piden los tokens [el mismo servidor]",
    en: "where to get tokens [the server's own site]",
    fr: "où demander les jetons [le même serveur]")
  fileprivate static let mqtt = Option("--mqtt", .like("mqtts://host:8883", "URL")).says(
    ca: "un broker MQTT 5 on els rastrejadors publiquen captures: també arriben aquí",
    es: "un broker MQTT 5 donde los rastreadores publican capturas: también llegan aquí",
    en: "an MQTT 5 broker on which trackers publish captures: they come here, too",
    fr: "un broker MQTT 5 où les traceurs publient des captures : elles arrivent ici aussi")
  fileprivate static let mqttUser = Option(
    "--mqtt-user", .name, needs: ["--mqtt", "--mqtt-password-file"]
  ).says(
    ca: "l'usuari amb què s'hi entra", es: "el usuario con el que se entra",
    en: "the user it is entered as", fr: "l'utilisateur qui y entre")
  fileprivate static let mqttPasswordFile = Option(
    "--mqtt-password-file", .file, needs: ["--mqtt-user"]
  ).says(itsPassword)
  fileprivate static let mqttAuthorities = Option("--mqtt-ca", .file, needs: ["--mqtt"]).says(
    ca: "certificats d'autoritats (PEM) per a mqtts [les del sistema]",
    es: "certificados de autoridades (PEM) para mqtts [las del sistema]",
    en: "CA certificates (PEM) for mqtts [the system's]",
    fr: "certificats d'autorités (PEM) pour mqtts [ceux du système]")
  fileprivate static let followerDelay = Option(
    "--follower-delay", .number(0...1440, "MINUTES"), usual: "15"
  ).says(
    ca: "quants minuts més tard veuen els equips els seguidors",
    es: "cuántos minutos más tarde ven los equipos los seguidores",
    en: "how many minutes later followers see the teams",
    fr: "combien de minutes plus tard les suiveurs voient les équipes")
  fileprivate static let courseFields = Option("--course-fields").says(
    ca: "la capa té camps per als metres fets (Fets) i per fer (PerFer) i el lloc (Lloc)",
    es: "la capa tiene campos para los metros hechos (Fets) y por hacer (PerFer) y el lugar (Lloc)",
    en: "the layer has fields for metres done (Fets) and to go (PerFer), and place (Lloc)",
    fr: "la couche a des champs pour les mètres faits (Fets) et à faire (PerFer) et le lieu (Lloc)")
  fileprivate static let user = Option("--user", .name, needs: ["--password-file"]).says(
    ca: "l'únic usuari [tothom]", es: "el único usuario [todos]", en: "the only user [everybody]",
    fr: "le seul utilisateur [tous]")
  fileprivate static let passwordFile = Option("--password-file", .file, needs: ["--user"]).says(
    ca: "la seva contrasenya, a la primera línia d'un fitxer de mode 0600",
    es: "su contraseña, en la primera línea de un fichero de modo 0600",
    en: "that user's password, in the first line of a file of mode 0600",
    fr: "son mot de passe, sur la première ligne d'un fichier de mode 0600")
  fileprivate static let owner = Option("--owner", .name, needs: ["--owner-password-file"]).says(
    ca: "l'únic que pot canviar i esborrar captures [ningú]",
    es: "el único que puede cambiar y borrar capturas [nadie]",
    en: "who alone may change and delete captures [nobody]",
    fr: "qui seul peut changer et effacer des captures [personne]")
  fileprivate static let ownerPasswordFile = Option(
    "--owner-password-file", .file, needs: ["--owner"]
  ).says(
    ca: "la seva contrasenya, en un altre fitxer així", es: "su contraseña, en otro fichero así",
    en: "the owner's password, in another such file", fr: "son mot de passe, dans un autre fichier")
  fileprivate static let certificate = Option("--certificate", .file, needs: ["--key"]).says(
    ca: "parla TLS amb aquests certificats (PEM, primer el del servidor) [HTTP]",
    es: "habla TLS con estos certificados (PEM, primero el del servidor) [HTTP]",
    en: "speak TLS with these certificates (PEM, the server's first) [plain HTTP]",
    fr: "parle TLS avec ces certificats (PEM, d'abord celui du serveur) [HTTP]")
  fileprivate static let key = Option("--key", .file, needs: ["--certificate"]).says(
    ca: "la clau privada del certificat, en un fitxer de mode 0600",
    es: "la clave privada del certificado, en un fichero de modo 0600",
    en: "the certificate's private key, in a file of mode 0600",
    fr: "la clé privée du certificat, dans un fichier de mode 0600")
  fileprivate static let tokenSeconds = Option(
    "--token-seconds", .number(1...86_400), usual: "3600"
  ).says(
    ca: "la vida més llarga d'un token", es: "la vida más larga de un token",
    en: "the longest lifetime of a token", fr: "la plus longue vie d'un jeton")
  fileprivate static let noGlobalIDs = Option("--no-global-ids").says(
    ca: "una capa sense GlobalIDs, com en servidors antics",
    es: "una capa sin GlobalIDs, como en servidores antiguos",
    en: "a layer without GlobalIDs, as on older servers",
    fr: "une couche sans GlobalIDs, comme sur d'anciens serveurs")
  fileprivate static let maxRecords = Option(
    "--max-records", .number(1...100_000), usual: "2000"
  ).says(
    ca: "elements en una resposta", es: "elementos en una respuesta", en: "features in one answer",
    fr: "éléments dans une réponse")
  fileprivate static let fault = Option("--fault", .text("'SPEC'"), isRepeatable: true).says(
    ca: "una fallada que s'hi injecta; es pot repetir",
    es: "un fallo que se inyecta; se puede repetir",
    en: "a fault to inject; may be given several times",
    fr: "une panne à injecter ; peut être répétée")
  fileprivate static let faultSeed = Option(
    "--fault-seed", .number(0...Int64.max), usual: "1"
  ).says(
    ca: "llavor de les fallades a l'atzar", es: "semilla de los fallos al azar",
    en: "seed of the random faults", fr: "graine des pannes au hasard")
  fileprivate static let origin = Option(
    "--origin", .like("https://map.example.org", "URL"), isRepeatable: true
  ).says(
    ca: "només pàgines d'aquest origen el poden fer servir, i desar-hi captures; es pot repetir "
      + "[totes poden llegir]",
    es: "solo páginas de este origen pueden usarlo, y guardar capturas; se puede repetir [todas "
      + "pueden leer]",
    en: "only web pages of this origin may use it, and store captures; may be given several times "
      + "[any may read]",
    fr: "seules les pages de cette origine peuvent l'utiliser, et y mettre des captures ; peut "
      + "être répétée [toutes peuvent lire]")
  fileprivate static let keepDays = Option("--keep-days", .number(7...36_500)).says(
    ca: "esborra a cada arrencada les captures i el diari de fa més dies [mai]",
    es: "borra en cada arranque las capturas y el diario de hace más días [nunca]",
    en: "erase captures and diary that are older, at each start [never]",
    fr: "efface à chaque démarrage les captures et le journal plus anciens [jamais]")
  fileprivate static let trustedProxy = Option(
    "--trusted-proxy", .like("127.0.0.1", "ADDRESS"), isRepeatable: true
  ).says(
    ca: "l'adreça d'un proxy que diu de qui són les peticions (X-Forwarded-For); es pot repetir "
      + "[cap]",
    es: "la dirección de un proxy que dice de quién son las peticiones (X-Forwarded-For); se puede "
      + "repetir [ninguna]",
    en: "the address of a proxy that tells whom requests are from (X-Forwarded-For); may be given "
      + "several times [none]",
    fr: "l'adresse d'un proxy qui dit de qui viennent les requêtes (X-Forwarded-For) ; peut être "
      + "répétée [aucune]")
  fileprivate static let pageLanguage = Option("--language", .oneOf(["ca", "es", "en", "fr"])).says(
    ca: "de les seves pàgines [la que demana el navegador, o la de l'entorn]",
    es: "de sus páginas [el que pide el navegador, o el del entorno]",
    en: "of its pages for people [what the browser asks for, or the environment's]",
    fr: "de ses pages [celle que demande le navigateur, ou l'environnement]")
}

extension Program {
  /// All that can be told to basecamp.
  static let table = ProgramTable(
    "basecamp",
    main: CommandTable(
      ca: "rep captures com un FeatureServer d'ArcGIS, per a assajos i proves, i les mostra a "
        + "qualsevol client de FeatureServer",
      es: "recibe capturas como un FeatureServer de ArcGIS, para ensayos y pruebas, y las muestra "
        + "a cualquier cliente de FeatureServer",
      en: "receives captures like an ArcGIS FeatureServer, for rehearsals and tests, and shows "
        + "them to any FeatureServer client",
      fr: "reçoit des captures comme un FeatureServer d'ArcGIS, pour les essais, et les montre à "
        + "tout client de FeatureServer",
      options: [
        .database, .race, .listen, .course, .timetable.with(needs: ["--course"]),
        .coverage.with(needs: ["--course"]), .teams, .tiles, .alerts, .emergencyPatience,
        .modem, .textPerson, .followerDelay, .follow, .followUser, .followPasswordFile,
        .followTokenURL, .mqtt, .mqttUser, .mqttPasswordFile, .mqttAuthorities, .keepDays,
        .courseFields, .user, .passwordFile, .owner,
        .ownerPasswordFile, .certificate, .key, .tokenSeconds, .noGlobalIDs, .maxRecords,
        .fault, .faultSeed, .origin, .trustedProxy, .pageLanguage,
      ], required: [["--database"]],
      notes: [
        .heading(
          ca: "una fallada: què, cada quant, i on (si no es diu: edits)",
          es: "un fallo: qué, cada cuánto, y dónde (si no se dice: edits)",
          en: "a fault: what, how often, and on what (by default: edits)",
          fr: "une panne : quoi, à quelle fréquence, et sur quoi (sans rien dire : edits)"),
        .terms(
          faults.map { (term: $0.texts, meaning: $1.texts) }
            + [
              (
                term: "  every 5th | 10%".texts,
                meaning: "above 2048 on edits|queries|both|all".texts
              )
            ]),
        .paragraph(
          ca: "Quan és a punt en mostra l'adreça, on un navegador troba enllaços a tot. SIGINT o "
            + "SIGTERM l'atura. Cada captura té una línia a la sortida d'errors.",
          es: "Cuando está listo muestra su dirección, donde un navegador halla enlaces a todo. "
            + "SIGINT o SIGTERM lo para. Cada captura tiene una línea en la salida de errores.",
          en: "When it is ready it prints its address, where a browser finds links to everything. "
            + "SIGINT or SIGTERM stops it. Each capture has a line on standard error.",
          fr: "Une fois prêt il montre son adresse, où un navigateur trouve des liens vers tout. "
            + "SIGINT ou SIGTERM l'arrête. Chaque capture a une ligne sur la sortie d'erreur."),
        .exitCodes(),
      ]),
    commands: [
      StaffCommand.table, TeamDataCommands.exportTable, TeamDataCommands.eraseTable,
      WatchCommand.table,
    ])

  private static let faults: [(String, CampPhrase)] = [
    ("503", .status), ("504-after", .statusAfter), ("late 2s", .late), ("reset", .reset),
    ("timeout", .timeout), ("lose-acknowledgement", .lose), ("cut-answer", .cut),
    ("unauthorised", .unauthorised), ("reject-request 400", .reject), ("portal", .portal),
    ("partial", .partial),
  ]
}

/// What basecamp says of its command line, beside what every program says.
enum CampPhrase: String, Catalogue {
  case sameUser, samePhone, raceOfFolder, raceName, status, statusAfter, late, reset, timeout, lose,
    cut
  case unauthorised, reject, portal, partial

  var texts: Texts {
    switch self {
    case .sameUser:
      Texts(
        ca: "--owner i --user són el mateix; doneu un altre nom al primer",
        es: "--owner y --user son el mismo; dé otro nombre al primero",
        en: "--owner and --user are the same; give the owner another name",
        fr: "--owner et --user sont le même ; donnez un autre nom au premier")
    case .raceOfFolder:
      Texts(
        ca: "--race va amb una base de PostgreSQL; una carpeta té una sola cursa",
        es: "--race va con una base de PostgreSQL; una carpeta tiene una sola carrera",
        en: "--race goes with a PostgreSQL database; a folder has one race",
        fr: "--race va avec une base PostgreSQL ; un dossier n'a qu'une course")
    case .raceName:
      Texts(
        ca: "--race {1}: ha de tenir d'1 a 40 lletres minúscules sense accent, xifres, - o _",
        es: "--race {1}: debe tener de 1 a 40 letras minúsculas sin acento, cifras, - o _",
        en: "--race {1}: must have 1 to 40 lower-case letters without accents, digits, - or _",
        fr: "--race {1} : doit avoir de 1 à 40 lettres minuscules sans accent, chiffres, - ou _")
    case .samePhone:
      Texts(
        ca: "--text-person: {1} i {2} tenen el mateix telèfon; doneu-lo un sol cop",
        es: "--text-person: {1} y {2} tienen el mismo teléfono; délo una sola vez",
        en: "--text-person: {1} and {2} have the same telephone; give it once",
        fr: "--text-person : {1} et {2} ont le même téléphone ; donnez-le une seule fois")
    case .status:
      Texts(
        ca: "un codi HTTP (400 a 599) en lloc de fer res",
        es: "un código HTTP (400 a 599) en vez de hacer nada",
        en: "an HTTP status (400 to 599) instead of doing anything",
        fr: "un code HTTP (400 à 599) au lieu de faire quoi que ce soit")
    case .statusAfter:
      Texts(
        ca: "un codi HTTP quan tot és fet", es: "un código HTTP cuando todo está hecho",
        en: "an HTTP status after everything was done", fr: "un code HTTP quand tout est fait")
    case .late:
      Texts(
        ca: "tot es fa, tan tard", es: "todo se hace, así de tarde",
        en: "everything is done, this much later", fr: "tout se fait, avec ce retard")
    case .reset:
      Texts(
        ca: "la connexió es talla abans de fer res", es: "la conexión se corta antes de hacer nada",
        en: "the connection reset before anything was done",
        fr: "la connexion coupée avant de rien faire")
    case .timeout:
      Texts(
        ca: "no es fa res, i no hi ha resposta", es: "no se hace nada, y no hay respuesta",
        en: "nothing is done, and no answer comes", fr: "rien n'est fait, et aucune réponse")
    case .lose:
      Texts(
        ca: "tot es fa, i no hi ha resposta", es: "todo se hace, y no hay respuesta",
        en: "everything is done, and no answer comes", fr: "tout est fait, et aucune réponse")
    case .cut:
      Texts(
        ca: "el mateix, i la connexió es tanca de seguida",
        es: "lo mismo, y la conexión se cierra enseguida",
        en: "the same, and the connection closed at once",
        fr: "pareil, et la connexion se ferme aussitôt")
    case .unauthorised:
      Texts(
        ca: "error 498, sigui quin sigui el token", es: "error 498, sea cual sea el token",
        en: "error 498, whatever the token", fr: "erreur 498, quel que soit le jeton")
    case .reject:
      Texts(
        ca: "es refusa tota la petició, amb aquest error",
        es: "se rechaza toda la petición, con este error",
        en: "the whole request is refused, with this error",
        fr: "toute la requête est refusée, avec cette erreur")
    case .portal:
      Texts(
        ca: "la pàgina d'un portal captiu amb el codi 200",
        es: "la página de un portal cautivo con el código 200",
        en: "a captive portal's page under status 200",
        fr: "la page d'un portail captif avec le code 200")
    case .partial:
      Texts(
        ca: "es refusa un element del lot", es: "se rechaza un elemento del lote",
        en: "one feature of the batch is refused", fr: "un élément du lot est refusé")
    }
  }
}
