import CommandLineSupport
import Wording

/// The command line.
struct Options {
  let board: String
  let config: String
  let record: String?
  /// The root below which the board's serial numbers and its sensors are; not `/` in tests.
  let machine: String
  /// The socket of the helper that runs the link's commands; `nil`: the daemon does.
  let linkHelper: String?
  /// The socket of the helper that sets the machine's date; `nil`: the daemon does.
  let clockHelper: String?
  let speed: Int64

  init(_ arguments: Arguments) {
    board = arguments.text(.board) ?? ""
    config = arguments.text(.config) ?? ""
    record = arguments.text(.record)
    machine = arguments.text(.machine) ?? "/"
    linkHelper = arguments.text(.linkHelper)
    clockHelper = arguments.text(.clockHelper)
    speed = arguments.number(.speed) ?? 1
  }
}

extension Option {
  static let board = Option(
    "--board", .board,
    ca: "una carpeta de boards/, o el camí d'un fitxer; o parts unides amb +, com "
      + "pi-4b+waveshare-sim7600+ina219",
    es: "una carpeta de boards/, o la ruta de un fichero; o partes unidas con +, como "
      + "pi-4b+waveshare-sim7600+ina219",
    en: "a folder in boards/, or the path of a board file; or parts joined by +, as in "
      + "pi-4b+waveshare-sim7600+ina219",
    fr: "un dossier de boards/, ou le chemin d'un fichier ; ou des parties jointes par +, comme "
      + "pi-4b+waveshare-sim7600+ina219")
  static let config = Option(
    "--config", .file,
    ca: "configuració (JSON5): equip, intervals, servidor, ports",
    es: "configuración (JSON5): equipo, intervalos, servidor, puertos",
    en: "settings (JSON5): team, intervals, server, ports",
    fr: "réglages (JSON5) : équipe, intervalles, serveur, ports")
  static let record = Option(
    "--record", .file,
    ca: "enregistra l'execució, per a tracker-sim replay",
    es: "graba la ejecución, para tracker-sim replay",
    en: "record the run, for tracker-sim replay",
    fr: "enregistre l'exécution, pour tracker-sim replay")
  static let speed = Option(
    "--speed", .number(1...1000), usual: "1",
    ca: "per a assajos: el temps passa N vegades més de pressa; el receptor ha de seguir",
    es: "para ensayos: el tiempo pasa N veces más rápido; el receptor debe seguir",
    en: "for rehearsals: time passes N times as fast; the receiver has to keep up",
    fr: "pour les essais : le temps passe N fois plus vite ; le récepteur doit suivre")
  static let linkHelper = Option(
    "--link-helper", .file,
    ca: "el sòcol de trackerd link (de root), que executa network.up i down en lloc del servei",
    es: "el socket de trackerd link (de root), que ejecuta network.up y down en vez del servicio",
    en:
      "the socket of trackerd link (root's), which runs network.up and down instead of the daemon",
    fr: "le socket de trackerd link (de root), qui lance network.up et down au lieu du service")
  static let clockHelper = Option(
    "--clock-helper", .file,
    ca: "el sòcol de trackerd clock (amb CAP_SYS_TIME), que posa la data de la màquina",
    es: "el socket de trackerd clock (con CAP_SYS_TIME), que pone la fecha de la máquina",
    en: "the socket of trackerd clock (with CAP_SYS_TIME), which sets the machine's date",
    fr: "le socket de trackerd clock (avec CAP_SYS_TIME), qui règle la date de la machine")
  static let check = Option(
    "--check",
    ca: "comprova tota la configuració, en diu el primer error i surt; només això refusa un final "
      + "que ja ha passat",
    es: "comprueba toda la configuración, dice el primer error y sale; solo esto rechaza un fin ya "
      + "pasado",
    en: "check all settings, report the first mistake, and exit; only this refuses a finish in the "
      + "past",
    fr: "vérifie tous les réglages, dit la première erreur et sort ; seul ceci refuse une fin "
      + "passée")
  static let machine = Option(
    "--machine", .folder, usual: "/",
    ca: "els números de sèrie i els sensors de la placa són sota aquesta carpeta",
    es: "los números de serie y los sensores de la placa están bajo esta carpeta",
    en: "the board's serial numbers and sensors are below this folder",
    fr: "les numéros de série et les capteurs de la carte sont sous ce dossier")
  static let settings = Option(
    "--settings", isAlone: true,
    ca: "llista totes les claus del fitxer de configuració",
    es: "lista todas las claves del fichero de configuración",
    en: "list every key of the settings file", fr: "liste toutes les clés du fichier de réglages")

  // MARK: Of trackerd link

  static let helped = Option(
    "--user", .name,
    ca: "l'usuari del servei", es: "el usuario del servicio", en: "the daemon's user",
    fr: "l'utilisateur du service")
  static let memory = Option(
    "--memory", .file,
    ca: "on recorda un enllaç obert", es: "donde recuerda un enlace abierto",
    en: "where it remembers an open link", fr: "où il se souvient d'un lien ouvert")
}

extension Program {
  /// All that can be told to trackerd.
  static let table = ProgramTable(
    "trackerd", section: 8,
    main: CommandTable(
      ca: "pren captures d'un receptor, les desa fins que un servidor les confirma, i desperta el "
        + "mòdem quan hi ha res a enviar",
      es:
        "toma capturas de un receptor, las guarda hasta que un servidor las confirma, y despierta "
        + "el módem cuando hay algo que enviar",
      en:
        "takes captures from a receiver, keeps them on disk until a server has acknowledged them, "
        + "and wakes the modem when there is something to send",
      fr: "prend les captures d'un récepteur, les garde jusqu'à ce qu'un serveur les confirme, et "
        + "réveille le modem quand il y a quelque chose à envoyer",
      options: [
        .board, .config, .record, .speed, .linkHelper, .clockHelper, .check, .machine, .settings,
      ], required: [["--board"], ["--config"]],
      notes: [
        .heading(
          ca: "on és el receptor, si no és al port de la placa (receiverPort a la configuració)",
          es: "dónde está el receptor, si no en el puerto de la placa (receiverPort en el fichero)",
          en: "where the receiver is, if not on the board's port (receiverPort in the settings)",
          fr: "où est le récepteur, sinon sur le port de la carte (receiverPort des réglages)"),
        .terms(
          [
            (term: "/dev/ttyAMA0".texts, meaning: DaemonPhrase.plainPort.texts),
            (term: "/dev/ttyAMA0@9600".texts, meaning: DaemonPhrase.portSpeed.texts),
            (term: "usb:1e0e:9001:2".texts, meaning: DaemonPhrase.usbPort.texts),
            (term: "gpsd://127.0.0.1:2947".texts, meaning: DaemonPhrase.gpsdPort.texts),
          ]),
        .paragraph(
          ca: "Registra a la sortida d'errors, amb prioritats que llegeix el journal de systemd. "
            + "SIGTERM i SIGINT l'acaben en un segon, SIGHUP torna a llegir la configuració. "
            + "trackerctl status en mostra l'estat.",
          es: "Registra en la salida de errores, con prioridades que lee el journal de systemd. "
            + "SIGTERM y SIGINT lo terminan en un segundo, SIGHUP vuelve a leer la configuración. "
            + "trackerctl status muestra su estado.",
          en: "It logs to standard error, with priorities that systemd's journal reads. SIGTERM "
            + "and SIGINT end it within a second, SIGHUP reloads the settings. trackerctl status "
            + "shows its state.",
          fr: "Il écrit son journal sur la sortie d'erreur, avec des priorités que lit systemd. "
            + "SIGTERM et SIGINT le terminent en une seconde, SIGHUP relit les réglages. "
            + "trackerctl status montre son état."),
        .paragraph(
          ca: "codi de sortida: 0 acabat per un senyal; 2 mal ús, o configuració o maquinari "
            + "inservibles.",
          es: "código de salida: 0 terminado por una señal; 2 mal uso, o configuración o hardware "
            + "inservibles.",
          en: "exit code: 0 ended by a signal; 2 wrong use, unusable settings or hardware.",
          fr: "code de sortie : 0 terminé par un signal ; 2 mauvais usage, réglages ou matériel "
            + "inutilisables."),
      ]),
    commands: [
      CommandTable(
        "link",
        ca: "executa per a un usuari les ordres d'enllaç d'una configuració que només root pot "
          + "canviar; l'engega trackerd-link.service",
        es:
          "ejecuta para un usuario las órdenes de enlace de una configuración que solo root puede "
          + "cambiar; lo arranca trackerd-link.service",
        en: "run for a user the link's commands of settings that nobody but root may be able to "
          + "change; trackerd-link.service starts it",
        fr: "lance pour un utilisateur les commandes de lien de réglages que seul root peut "
          + "changer ; trackerd-link.service le démarre",
        options: [.config, .helped, .memory], required: [["--config"], ["--user"], ["--memory"]]),
      CommandTable(
        "clock",
        ca: "posa la data per a un usuari; l'engega trackerd-clock.service",
        es: "pone la fecha para un usuario; lo arranca trackerd-clock.service",
        en: "set the date for a user; trackerd-clock.service starts it",
        fr: "règle la date pour un utilisateur ; trackerd-clock.service le démarre"),
    ])
}

/// What trackerd says of its command line, beside what every program says.
enum DaemonPhrase: String, Catalogue {
  case plainPort, portSpeed, usbPort, gpsdPort, recordTaken, recordExists

  var texts: Texts {
    switch self {
    case .plainPort:
      Texts(
        ca: "un fitxer de dispositiu, a la velocitat de la placa",
        es: "un fichero de dispositivo, a la velocidad de la placa",
        en: "a device file, at the board's speed",
        fr: "un fichier de périphérique, à la vitesse de la carte")
    case .portSpeed:
      Texts(
        ca: "a aquesta velocitat; @auto la troba provant",
        es: "a esa velocidad; @auto la halla probando",
        en: "at that speed; @auto finds the speed by trying",
        fr: "à cette vitesse ; @auto la trouve en essayant")
    case .usbPort:
      Texts(
        ca: "un dispositiu USB i la seva interfície, es digui com es digui",
        es: "un dispositivo USB y su interfaz, se llame como se llame",
        en: "a USB device and its interface, whatever its name",
        fr: "un périphérique USB et son interface, quel que soit son nom")
    case .gpsdPort:
      Texts(
        ca: "un receptor que té gpsd", es: "un receptor que tiene gpsd",
        en: "a receiver that gpsd owns", fr: "un récepteur que gpsd possède")
    case .recordTaken:
      Texts(
        ca: "--record {1}: l'equip fa servir {2}; doneu un altre nom",
        es: "--record {1}: el equipo usa {2}; dé otro nombre",
        en: "--record {1}: {2} is used by the tracker; give another name",
        fr: "--record {1} : la balise utilise {2} ; donnez un autre nom")
    case .recordExists:
      Texts(
        ca: "--record {1}: {2} ja existeix i no és un enregistrament; doneu un altre nom",
        es: "--record {1}: {2} ya existe y no es una grabación; dé otro nombre",
        en: "--record {1}: {2} exists and is not a recording; give another name",
        fr: "--record {1} : {2} existe et n'est pas un enregistrement ; donnez un autre nom")
    }
  }
}
