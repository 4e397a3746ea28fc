import Wording

/// What trackerctl says about its own commands.
enum CommandPhrase: String, Catalogue {
  case lacksSecret, noUser, clientAlone, notAside, orAskTracker, notANumber, noStick
  case severalSticks, noFolder, noSuchStore, partOfStore
  case noQuestion, serverSilent, noMailbox, noNotes, noHistory, repeatToGoOn, heldAsked, twoSessions
  case noFirmware, firmwareWritten

  var texts: Texts {
    switch self {
    case .lacksSecret:
      Texts(
        ca: "{1}: no té {2}; afegiu-hi una línia: {2} = …",
        es: "{1}: no tiene {2}; añada una línea: {2} = …",
        en: "{1}: has no {2}; add a line: {2} = …",
        fr: "{1} : n'a pas de {2} ; ajoutez une ligne : {2} = …")
    case .noUser:
      Texts(
        ca: "{1}: té una contrasenya sense usuari; doneu --user NOM",
        es: "{1}: tiene una contraseña sin usuario; dé --user NOMBRE",
        en: "{1}: has a password without a user; give --user NAME",
        fr: "{1} : a un mot de passe sans utilisateur ; donnez --user NOM")
    case .clientAlone:
      Texts(
        ca: "--client-id necessita l'adreça on es demanen els tokens; doneu --token-url URL",
        es: "--client-id necesita la dirección donde se piden los tokens; dé --token-url URL",
        en: "--client-id needs the address to get tokens from; give --token-url URL",
        fr: "--client-id exige l'adresse où demander les jetons ; donnez --token-url URL")
    case .notAside:
      Texts(
        ca: "{1}: no està apartada; trackerctl captures mostra les que ho estan",
        es: "{1}: no está apartada; trackerctl captures muestra las que lo están",
        en: "{1}: is not set aside; trackerctl captures shows what is",
        fr: "{1} : n'est pas mise de côté ; trackerctl captures montre lesquelles le sont")
    case .orAskTracker:
      Texts(
        ca: "{1}; o demaneu-ho a l'equip: retry sense --store",
        es: "{1}; o pídalo al equipo: retry sin --store",
        en: "{1}; or ask the tracker: retry without --store",
        fr: "{1} ; ou demandez à la balise : retry sans --store")
    case .notANumber:
      Texts(
        ca: "la resposta de trackerd '{1}' no és un nombre; és d'una altra versió?",
        es: "la respuesta de trackerd '{1}' no es un número; ¿es de otra versión?",
        en: "the tracker's answer '{1}' is not a number; is it another version?",
        fr: "la réponse de trackerd '{1}' n'est pas un nombre ; est-ce une autre version ?")
    case .noStick:
      Texts(
        ca: "no hi ha cap llapis USB; endolleu-ne un, espereu 5 s i torneu-ho a provar",
        es: "no hay ninguna memoria USB; conecte una, espere 5 s y vuelva a probar",
        en: "no stick is plugged in; plug one in, wait 5 s and try again",
        fr: "aucune clé USB ; branchez-en une, attendez 5 s et réessayez")
    case .severalSticks:
      Texts(
        ca: "n'hi ha diversos: {1}; deixeu-ne només un, o doneu --device",
        es: "hay varias: {1}; deje solo una, o dé --device",
        en: "there are several: {1}; pull all but one out, or give --device",
        fr: "il y en a plusieurs : {1} ; n'en laissez qu'une, ou donnez --device")
    case .noFolder:
      Texts(
        ca: "no es pot fer cap directori a /run ni a /tmp: {1}; feu-hi lloc",
        es: "no se puede crear un directorio en /run ni en /tmp: {1}; libere espacio",
        en: "no folder can be made in /run or /tmp: {1}; make room",
        fr: "aucun répertoire possible dans /run ou /tmp : {1} ; faites de la place")
    case .noSuchStore:
      Texts(
        ca: "{1}: no existeix; comproveu el camí", es: "{1}: no existe; compruebe la ruta",
        en: "{1}: does not exist; check the path", fr: "{1} : n'existe pas ; vérifiez le chemin")
    case .partOfStore:
      Texts(
        ca: "{1}: és part del mateix magatzem; doneu un altre --output",
        es: "{1}: es parte del propio almacén; dé otro --output",
        en: "{1}: is part of the store itself; give another --output",
        fr: "{1} : fait partie du stockage ; donnez un autre --output")
    case .noQuestion:
      Texts(
        ca: "el seu protocol no té aquesta pregunta", es: "su protocolo no tiene esa pregunta",
        en: "its protocol has no such question", fr: "son protocole n'a pas cette question")
    case .noMailbox:
      Texts(
        ca: "no té cap taula de missatges al costat de la capa: el rastrejador no pot saber que "
          + "algú ha llegit la seva emergència; feu-la (README de basecamp), o server.messages",
        es: "no tiene una tabla de mensajes junto a la capa: el rastreador no puede saber que "
          + "alguien ha leído su emergencia; créela (README de basecamp), o server.messages",
        en: "has no table of messages beside the layer: the tracker cannot learn that a human has "
          + "read its emergency; make it (basecamp's README), or set server.messages",
        fr: "n'a pas de table de messages à côté de la couche : le traceur ne peut savoir qu'on a "
          + "lu son urgence ; créez-la (README de basecamp), ou server.messages")
    case .noNotes:
      Texts(
        ca: "no té cap taula de notes després de la de missatges: les notes queden al rastrejador; "
          + "feu-la (README de basecamp), o server.notes",
        es: "no tiene una tabla de notas tras la de mensajes: las notas quedan en el rastreador; "
          + "créela (README de basecamp), o server.notes",
        en: "has no table of notes after that of messages: notes stay on the tracker; make it "
          + "(basecamp's README), or set server.notes",
        fr: "n'a pas de table de notes après celle des messages : les notes restent sur le traceur "
          + "; créez-la (README de basecamp), ou server.notes")
    case .noHistory:
      Texts(
        ca: "no té cap taula Historia després de la de notes: no es pot demanar cap historial; "
          + "feu-la (README de basecamp), o traieu history de remote",
        es: "no tiene una tabla Historia tras la de notas: no se puede pedir ningún historial; "
          + "créela (README de basecamp), o quite history de remote",
        en: "has no table Historia after that of notes: nobody can ask for a history; make it "
          + "(basecamp's README), or take history out of remote",
        fr: "n'a pas de table Historia après celle des notes : aucun historique ne peut être "
          + "demandé ; créez-la (README de basecamp), ou ôtez history de remote")
    case .serverSilent:
      Texts(
        ca: "no respon; torneu-ho a provar", es: "no responde; vuelva a probar",
        en: "it does not answer; try again", fr: "il ne répond pas ; réessayez")
    case .repeatToGoOn:
      Texts(
        ca: "{1} captures esperen, repetiu l'ordre per continuar",
        es: "{1} capturas esperan, repita la orden para seguir",
        en: "{1} captures wait, repeat the command to go on",
        fr: "{1} captures attendent, répétez la commande pour continuer")
    case .twoSessions:
      Texts(
        ca: "doneu dues sessions (magatzems, fitxers d'export o GPX), o una i --plan",
        es: "dé dos sesiones (almacenes, ficheros de export o GPX), o una y --plan",
        en: "give two sessions (stores, files of export or GPX), or one and --plan",
        fr: "donnez deux sessions (stockages, fichiers d'export ou GPX), ou une et --plan")
    case .noFirmware:
      Texts(
        ca: "{1}: no és cap controlador amb firmware; trackerctl boards els mostra",
        es: "{1}: no es un controlador con firmware; trackerctl boards los muestra",
        en: "{1}: is no controller with firmware; trackerctl boards lists them",
        fr: "{1} : n'est pas un contrôleur avec micrologiciel ; trackerctl boards les montre")
    case .firmwareWritten:
      Texts(
        ca: "{1}: els paràmetres de '{2}' per a {3}, a {4} de la seva memòria flaix",
        es: "{1}: los ajustes de '{2}' para {3}, en {4} de su memoria flash",
        en: "{1}: the settings of '{2}' for {3}, at {4} of its flash",
        fr: "{1} : les réglages de '{2}' pour {3}, à {4} de sa mémoire flash")
    case .heldAsked:
      Texts(
        ca: "{1} potser han arribat, i es pregunten primer",
        es: "{1} quizá han llegado, y se preguntan primero",
        en: "{1} may have arrived and are asked about first",
        fr: "{1} sont peut-être arrivées, et sont vérifiées d'abord")
    }
  }
}
