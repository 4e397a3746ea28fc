public import Wording

/// The help: one line for each verb.
extension ConsoleCommand.Verb {
  /// How to write it, the same in every language.
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
    case .messages: "messages [N]"
    case .notes: "notes [N]"
    case .note: "note [N] \"TEXT\""
    case .start: "start"
    case .stop: "stop"
    case .send: "send now"
    case .capture: "capture now"
    case .emergency: "emergency [TEXT]"
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
        ca: "darreres; STATE: pending, sent, aside, server; N: all",
        es: "últimas; STATE: pending, sent, aside, server; N: all",
        en: "the last; STATE: pending, sent, aside, server; N: all",
        fr: "STATE : pending, sent, aside, server ; N : all")
    case .show:
      Texts(
        ca: "tot sobre una captura", es: "todo sobre una captura", en: "everything about a capture",
        fr: "tout sur une capture")
    case .why:
      Texts(
        ca: "per què no captura o no envia", es: "por qué no captura o no envía",
        en: "why nothing is captured or sent", fr: "pourquoi rien n'est capturé ou envoyé")
    case .proof:
      Texts(
        ca: "prova que no falta cap captura", es: "prueba de que no falta ninguna captura",
        en: "proof that no capture is missing", fr: "preuve qu'aucune capture ne manque")
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
    case .messages:
      Texts(
        ca: "què us han dit els organitzadors", es: "qué han dicho los organizadores",
        en: "what the organisers have told you", fr: "ce que les organisateurs ont dit")
    case .notes:
      Texts(
        ca: "les notes vostres i dels organitzadors", es: "sus notas y las de los organizadores",
        en: "the team's and the organisers' notes", fr: "vos notes et celles des organisateurs")
    case .note:
      Texts(
        ca: "nova, canvi o tota la nota N; N delete",
        es: "nueva, cambio o toda la nota N; N delete",
        en: "a new one, an edit, all of note N; N delete",
        fr: "nouvelle, retouche, toute la note N ; N delete")
    case .start:
      Texts(
        ca: "comença una sessió", es: "empieza una sesión", en: "begin a session",
        fr: "commence une session")
    case .stop:
      Texts(
        ca: "acaba la sessió; no s'esborra res", es: "termina la sesión; no se borra nada",
        en: "end the session; nothing is erased", fr: "termine la session ; rien n'est effacé")
    case .send:
      Texts(
        ca: "envia ara el que espera", es: "envía ahora lo que espera",
        en: "send what waits now", fr: "envoie maintenant ce qui attend")
    case .capture:
      Texts(
        ca: "pren una posició ara", es: "toma una posición ahora", en: "take a position now",
        fr: "prend une position maintenant")
    case .emergency:
      Texts(
        ca: "demana ajuda, amb una nota; over: ja no cal",
        es: "pide ayuda, con una nota; over: ya no hace falta",
        en: "call for help, with a note; over: no longer needed",
        fr: "appelle à l'aide, avec une note ; over : plus besoin")
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
        ca: "totes les respostes en un fitxer per enviar",
        es: "todas las respuestas en un fichero para enviar",
        en: "all answers in one file to send", fr: "toutes les réponses dans un fichier à envoyer")
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
