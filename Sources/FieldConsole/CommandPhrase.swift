public import Wording

/// The help: one line for each verb.
extension ConsoleCommand.Verb {
  /// How it is written, the same in every language.
  public var usage: String {
    switch self {
    case .status: "status"
    case .captures: "captures [N] [STATE]"
    case .show: "show N"
    case .why: "why"
    case .proof: "proof [server]"
    case .stats: "stats [N] [every M]"
    case .events: "events [N]"
    case .log: "log [N]"
    case .start: "start"
    case .stop: "stop"
    case .send: "send now"
    case .capture: "capture now"
    case .set: "set KEY VALUE"
    case .get: "get"
    case .undo: "undo [KEY]"
    case .unset: "unset team"
    case .retry: "retry [N|all]"
    case .pin: "pin try"
    case .attempt: "try [now]"
    case .selfTest: "self-test"
    case .watch: "watch"
    case .report: "report FILE"
    case .export: "export"
    case .help: "help [verdict]"
    case .version: "version"
    case .exit: "exit"
    }
  }

  public var meaning: Texts {
    switch self {
    case .status:
      Texts(
        ca: "GO, WAIT o NO-GO, i per què", es: "GO, WAIT o NO-GO, y por qué",
        en: "GO, WAIT or NO-GO, and why", fr: "GO, WAIT ou NO-GO, et pourquoi")
    case .captures:
      Texts(
        ca: "les darreres; STATE: pending, sent, aside; N: all",
        es: "las últimas; STATE: pending, sent, aside; N: all",
        en: "the last ones; STATE: pending, sent or aside; N: all",
        fr: "les dernières ; STATE : pending, sent, aside ; N : all")
    case .show:
      Texts(
        ca: "tot sobre una captura", es: "todo sobre una captura", en: "everything about one",
        fr: "tout sur une capture")
    case .why:
      Texts(
        ca: "per què no captura o no envia", es: "por qué no captura o no envía",
        en: "why nothing is captured or sent", fr: "pourquoi rien n'est capturé ou envoyé")
    case .proof:
      Texts(
        ca: "prova que no en falta cap", es: "prueba de que no falta ninguna",
        en: "proof that none is missing", fr: "preuve qu'il n'en manque aucune")
    case .stats:
      Texts(
        ca: "distància, temps; N marques de M m; sessions: llista",
        es: "distancia, tiempo; N marcas de M m; sessions: lista",
        en: "distance, times; N marks, M metres; sessions: list",
        fr: "distance, temps ; N marques de M m ; sessions : liste")
    case .events:
      Texts(
        ca: "què ha passat darrerament", es: "qué ha pasado últimamente",
        en: "what has happened recently", fr: "ce qui s'est passé")
    case .log:
      Texts(
        ca: "les darreres línies del registre", es: "las últimas líneas del registro",
        en: "the last lines of the log", fr: "les dernières lignes du journal")
    case .start:
      Texts(
        ca: "comença una sessió", es: "empieza una sesión", en: "begin a session",
        fr: "commence une session")
    case .stop:
      Texts(
        ca: "l'acaba; no s'esborra res", es: "la termina; no se borra nada",
        en: "end it; nothing is erased", fr: "la termine ; rien n'est effacé")
    case .send:
      Texts(
        ca: "envia ara el que espera", es: "envía ahora lo que espera",
        en: "send what waits now", fr: "envoie maintenant ce qui attend")
    case .capture:
      Texts(
        ca: "pren una posició ara", es: "toma una posición ahora", en: "take a position now",
        fr: "prend une position maintenant")
    case .set:
      Texts(
        ca: "canvia un valor dels que diu get", es: "cambia un valor de los de get",
        en: "change one of the values of get", fr: "change une des valeurs de get")
    case .get:
      Texts(
        ca: "els valors, i qui els ha canviat", es: "los valores, y quién los cambió",
        en: "the values, and who changed them", fr: "les valeurs, et qui les a changées")
    case .undo:
      Texts(
        ca: "desfà un canvi, o el darrer", es: "deshace un cambio, o el último",
        en: "take back a change, or the last one", fr: "annule un changement, ou le dernier")
    case .unset:
      Texts(
        ca: "torna al nom configurat", es: "vuelve al nombre configurado",
        en: "return to the configured name", fr: "revient au nom configuré")
    case .retry:
      Texts(
        ca: "torna a enviar les apartades", es: "reenvía las apartadas",
        en: "send again what was set aside", fr: "renvoie ce qui était mis de côté")
    case .pin:
      Texts(
        ca: "entra el PIN, també al darrer intent",
        es: "da el PIN, también al último intento",
        en: "enter the PIN, even on the last try", fr: "entre le PIN, même au dernier essai")
    case .attempt:
      Texts(
        ca: "envia una posició i mostra cada pas", es: "envía una posición y muestra cada paso",
        en: "send a position and show each step", fr: "envoie une position, étape par étape")
    case .selfTest:
      Texts(
        ca: "prova cada part, amb el remei", es: "prueba cada parte, con el remedio",
        en: "check each part, with the cure", fr: "vérifie chaque partie, avec le remède")
    case .watch:
      Texts(
        ca: "l'estat, una vegada i una altra", es: "el estado, una y otra vez",
        en: "the status, again and again", fr: "l'état, encore et encore")
    case .report:
      Texts(
        ca: "tot plegat en un fitxer per enviar", es: "todo en un fichero para enviar",
        en: "all of this in one file to send", fr: "le tout dans un fichier à envoyer")
    case .export:
      Texts(
        ca: "tot plegat a una memòria USB", es: "todo a una memoria USB",
        en: "everything to a USB stick", fr: "le tout sur une clé USB")
    case .help:
      Texts(
        ca: "això; help verdict: quan és NO-GO", es: "esto; help verdict: cuándo es NO-GO",
        en: "this; help verdict: when it is NO-GO", fr: "ceci ; help verdict : quand c'est NO-GO")
    case .version: Texts(ca: "la versió", es: "la versión", en: "the version", fr: "la version")
    case .exit: Texts(ca: "surt", es: "sale", en: "leave", fr: "quitte")
    }
  }
}
