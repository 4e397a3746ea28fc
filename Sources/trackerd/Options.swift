import CommandLineSupport
import Wording

/// The command line.
struct Options {
  let arguments: Arguments

  var board: String { arguments.text(.board) ?? "" }
  var config: String { arguments.text(.config) ?? "" }
  var record: String? { arguments.text(.record) }
  /// The root below which the board's serial numbers and its sensors are; not `/` in tests.
  var machine: String { arguments.text(.machine) ?? "/" }
  /// The socket of the helper that runs the link's commands; `nil`: the daemon does.
  var linkHelper: String? { arguments.text(.linkHelper) }
  /// The socket of the helper that sets the machine's date; `nil`: the daemon does.
  var clockHelper: String? { arguments.text(.clockHelper) }
  /// The socket of the helper that halts the machine; `nil`: the daemon does.
  var haltHelper: String? { arguments.text(.haltHelper) }
  var speed: Int64 { arguments.number(.speed) ?? 1 }
}

extension Option {
  static let config = Option("--config", .file).says(
    ca: "configuració (JSON5): equip, intervals, servidor, ports",
    es: "configuración (JSON5): equipo, intervalos, servidor, puertos",
    en: "settings (JSON5): team, intervals, server, ports",
    fr: "réglages (JSON5) : équipe, intervalles, serveur, ports")
  static let record = Option("--record", .file).says(
    ca: "enregistra l'execució, per a tracker-sim replay",
    es: "graba la ejecución, para tracker-sim replay", en: "record the run, for tracker-sim replay",
    fr: "enregistre l'exécution, pour tracker-sim replay")
  static let speed = Option("--speed", .number(1...1000), usual: "1").says(
    ca: "per a assajos: el temps passa N vegades més de pressa; el receptor ha de seguir",
    es: "para ensayos: el tiempo pasa N veces más rápido; el receptor debe seguir",
    en: "for rehearsals: time passes N times as fast; the receiver has to keep up",
    fr: "pour les essais : le temps passe N fois plus vite ; le récepteur doit suivre")
  static let linkHelper = Option("--link-helper", .file).says(
    ca: "el sòcol de trackerd link (de root), que executa network.up i down en lloc del servei",
    es: "el socket de trackerd link (de root), que ejecuta network.up y down en vez del servicio",
    en: "the socket of trackerd link (root's), which runs network.up and down instead of the "
      + "daemon",
    fr: "le socket de trackerd link (de root), qui lance network.up et down au lieu du service")
  static let clockHelper = Option("--clock-helper", .file).says(
    ca: "el sòcol de trackerd clock (amb CAP_SYS_TIME), que posa la data de la màquina",
    es: "el socket de trackerd clock (con CAP_SYS_TIME), que pone la fecha de la máquina",
    en: "the socket of trackerd clock (with CAP_SYS_TIME), which sets the machine's date",
    fr: "le socket de trackerd clock (avec CAP_SYS_TIME), qui règle la date de la machine")
  static let haltHelper = Option("--halt-helper", .file).says(
    ca: "el sòcol de trackerd halt (de root), que posa l'alarma i atura la màquina",
    es: "el socket de trackerd halt (de root), que pone la alarma y para la máquina",
    en: "the socket of trackerd halt (root's), which sets the alarm and halts the machine",
    fr: "le socket de trackerd halt (de root), qui met le réveil et arrête la machine")
  static let check = Option("--check").says(
    ca: "comprova tota la configuració, en diu el primer error i surt; només això refusa un final "
      + "que ja ha passat",
    es: "comprueba toda la configuración, dice el primer error y sale; solo esto rechaza un fin ya "
      + "pasado",
    en: "check all settings, report the first mistake, and exit; only this refuses a finish in the "
      + "past",
    fr: "vérifie tous les réglages, dit la première erreur et sort ; seul ceci refuse une fin "
      + "passée")
  static let machine = Option("--machine", .folder, usual: "/").says(
    ca: "els números de sèrie i els sensors de la placa són sota aquesta carpeta",
    es: "los números de serie y los sensores de la placa están bajo esta carpeta",
    en: "the board's serial numbers and sensors are below this folder",
    fr: "les numéros de série et les capteurs de la carte sont sous ce dossier")
  static let settings = Option("--settings", isAlone: true).says(
    ca: "llista totes les claus del fitxer de configuració",
    es: "lista todas las claves del fichero de configuración",
    en: "list every key of the settings file", fr: "liste toutes les clés du fichier de réglages")

  // MARK: Of trackerd link

  static let helped = Option("--user", .name).says(
    ca: "l'usuari del servei", es: "el usuario del servicio", en: "the daemon's user",
    fr: "l'utilisateur du service")
  static let memory = Option("--memory", .file).says(
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
      es: "toma capturas de un receptor, las guarda hasta que un servidor las confirma, y "
        + "despierta el módem cuando hay algo que enviar",
      en: "takes captures from a receiver, keeps them on disk until a server has acknowledged "
        + "them, and wakes the modem when there is something to send",
      fr: "prend les captures d'un récepteur, les garde jusqu'à ce qu'un serveur les confirme, et "
        + "réveille le modem quand il y a quelque chose à envoyer",
      options: [
        .board, .config, .record, .speed, .linkHelper, .clockHelper, .haltHelper, .check, .machine,
        .settings,
      ], required: [["--board"], ["--config"]],
      notes: [
        .heading(
          ca: "el receptor (receiverPort)", es: "el receptor (receiverPort)",
          en: "the receiver (receiverPort)", fr: "le récepteur (receiverPort)"),
        .terms(
          [
            (term: "/dev/ttyAMA0".texts, meaning: DaemonPhrase.plainPort.texts),
            (term: "/dev/ttyAMA0@9600".texts, meaning: DaemonPhrase.portSpeed.texts),
            (term: "usb:1e0e:9001:2".texts, meaning: DaemonPhrase.usbPort.texts),
            (term: "gpsd://127.0.0.1:2947".texts, meaning: DaemonPhrase.gpsdPort.texts),
          ]),
        .paragraph(
          ca: "Registra a la sortida d'errors, per al journal de systemd. SIGTERM i SIGINT "
            + "l'acaben, SIGHUP torna a llegir la configuració; trackerctl status en mostra "
            + "l'estat.",
          es: "Registra en la salida de errores, para el journal de systemd. SIGTERM y SIGINT lo "
            + "terminan, SIGHUP vuelve a leer la configuración; trackerctl status muestra su "
            + "estado.",
          en: "It logs to standard error, for systemd's journal. SIGTERM and SIGINT end it within "
            + "a second, SIGHUP reloads the settings; trackerctl status shows its state.",
          fr: "Il écrit son journal sur la sortie d'erreur, pour systemd. SIGTERM et SIGINT le "
            + "terminent, SIGHUP relit les réglages ; trackerctl status montre son état."),
        .exitCodes(),
      ]),
    commands: [
      CommandTable(
        "link",
        ca: "executa per a un usuari les ordres d'enllaç d'una configuració que només root pot "
          + "canviar; l'engega trackerd-link.service",
        es: "ejecuta para un usuario las órdenes de enlace de una configuración que solo root "
          + "puede cambiar; lo arranca trackerd-link.service",
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
      CommandTable(
        "halt",
        ca: "posa l'alarma del rellotge i atura la màquina per a un usuari; l'engega "
          + "trackerd-halt.service",
        es: "pone la alarma del reloj y para la máquina para un usuario; lo arranca "
          + "trackerd-halt.service",
        en: "set the clock's alarm and halt the machine for a user; trackerd-halt.service starts "
          + "it",
        fr: "met le réveil de l'horloge et arrête la machine pour un utilisateur ; "
          + "trackerd-halt.service le démarre",
        options: [.helped], required: [["--user"]]),
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
