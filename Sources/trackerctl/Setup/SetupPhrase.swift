import Wording

/// What `trackerctl setup` says beside its questions.
enum SetupPhrase: String, Catalogue {
  case needsRoot, missing, cancelled, again, needed, secretForm, secretWord
  case oneLine, leadsOut, notAFolder, notText, model, listening, heard, heardGpsd, silent, noise
  case unchanged, changes, notShown, noBoot, noUser, rehearsed, halfway, done
  case failed, silentService, reboot, next, image

  var texts: Texts {
    switch self {
    case .needsRoot:
      Texts(
        ca: "només root pot configurar l'equip; escriviu: sudo trackerctl setup",
        es: "solo root puede configurar el equipo; escriba: sudo trackerctl setup",
        en: "only root may set up the tracker; type: sudo trackerctl setup",
        fr: "seul root peut configurer la balise ; tapez : sudo trackerctl setup")
    case .missing:
      Texts(
        ca: "falta {1}; doneu-ho, o executeu-ho en un terminal",
        es: "falta {1}; délo, o ejecútelo en un terminal",
        en: "{1} missing; give it, or run this in a terminal",
        fr: "il manque {1} ; donnez-le, ou lancez ceci dans un terminal")
    case .cancelled:
      Texts(
        ca: "interromput; no s'ha canviat res", es: "interrumpido; no se ha cambiado nada",
        en: "stopped; nothing has been changed", fr: "interrompu ; rien n'a été changé")
    case .again:
      Texts(
        ca: "torneu-ho a escriure", es: "escríbalo de nuevo", en: "type it again", fr: "retapez-le")
    case .needed:
      Texts(
        ca: "cal una resposta", es: "hace falta una respuesta", en: "an answer is needed",
        fr: "il faut une réponse")
    case .secretForm:
      Texts(
        ca: "no pot ser un secret; ha de ser una línia, sense espais als extrems",
        es: "no puede ser un secreto; debe ser una línea, sin espacios en los extremos",
        en: "cannot be a secret; it must be one line, without blanks around it",
        fr: "ne peut pas être un secret ; il doit tenir sur une ligne, sans espaces autour")
    case .secretWord:
      Texts(
        ca: "{1} a la línia d'ordres el podria llegir qualsevol; doneu un fitxer, o - per a "
          + "l'entrada estàndard",
        es: "{1} en la línea de órdenes lo podría leer cualquiera; dé un fichero, o - para la "
          + "entrada estándar",
        en: "{1} on the command line could be read by anybody; give a file, or - for standard "
          + "input",
        fr: "{1} sur la ligne de commande pourrait être lu par tous ; donnez un fichier, ou - pour "
          + "l'entrée standard")
    case .oneLine:
      Texts(
        ca: "{1} té un caràcter que no hi pot ser",
        es: "{1} tiene un carácter que no puede estar ahí",
        en: "{1} has a character that cannot be there",
        fr: "{1} a un caractère qui ne peut pas y être")
    case .leadsOut:
      Texts(
        ca: "{1} és un enllaç que surt de {2}; canvieu-lo per un fitxer",
        es: "{1} es un enlace que sale de {2}; cámbielo por un fichero",
        en: "{1} is a link that leads out of {2}; replace it by a file",
        fr: "{1} est un lien qui sort de {2} ; remplacez-le par un fichier")
    case .notAFolder:
      Texts(
        ca: "{1} no és una carpeta", es: "{1} no es una carpeta", en: "{1} is not a folder",
        fr: "{1} n'est pas un dossier")
    case .notText:
      Texts(
        ca: "{1} no és text; mireu què hi ha", es: "{1} no es texto; mire qué hay",
        en: "{1} is not text; look what is in it",
        fr: "{1} n'est pas du texte ; regardez ce qu'il contient")
    case .model:
      Texts(
        ca: "Aquest ordinador: {1}", es: "Este ordenador: {1}", en: "This computer: {1}",
        fr: "Cet ordinateur : {1}")
    case .listening:
      Texts(
        ca: "Escolto el receptor …", es: "Escucho el receptor …",
        en: "Listening for the receiver …", fr: "J'écoute le récepteur …")
    case .heard:
      Texts(
        ca: "{1} a {2} bauds: {3} sentències en {4} s",
        es: "{1} a {2} baudios: {3} sentencias en {4} s",
        en: "{1} at {2} baud: {3} sentences in {4} s", fr: "{1} à {2} bauds : {3} phrases en {4} s")
    case .heardGpsd:
      Texts(
        ca: "gpsd ({1}): {3} sentències en {4} s", es: "gpsd ({1}): {3} sentencias en {4} s",
        en: "gpsd ({1}): {3} sentences in {4} s", fr: "gpsd ({1}) : {3} phrases en {4} s")
    case .silent:
      Texts(
        ca: "{1}: silenci", es: "{1}: silencio", en: "{1}: silent", fr: "{1} : silence")
    case .noise:
      Texts(
        ca: "{1}: només soroll", es: "{1}: solo ruido", en: "{1}: only noise",
        fr: "{1} : que du bruit")
    case .unchanged:
      Texts(
        ca: "Tot és com ha de ser; no es canvia res.",
        es: "Todo es como debe ser; no se cambia nada.",
        en: "Everything is as it should be; nothing is changed.",
        fr: "Tout est comme il faut ; rien n'est changé.")
    case .changes:
      Texts(
        ca: "Canvien aquests fitxers (l'anterior queda com a FITXER.old):",
        es: "Cambian estos ficheros (el anterior queda como FICHERO.old):",
        en: "These files change (the old one stays as FILE.old):",
        fr: "Ces fichiers changent (l'ancien reste sous FICHIER.old) :")
    case .notShown:
      Texts(
        ca: "(el secret no es mostra)", es: "(el secreto no se muestra)",
        en: "(the secret is not shown)", fr: "(le secret n'est pas affiché)")
    case .noBoot:
      Texts(
        ca: "no hi ha ni boot/firmware/config.txt ni boot/config.txt; afegiu-hi vosaltres: {1}",
        es: "no hay ni boot/firmware/config.txt ni boot/config.txt; añada usted: {1}",
        en: "there is neither boot/firmware/config.txt nor boot/config.txt; add yourself: {1}",
        fr: "il n'y a ni boot/firmware/config.txt ni boot/config.txt ; ajoutez vous-même : {1}")
    case .noUser:
      Texts(
        ca: "encara no hi ha l'usuari trailtracker; després d'instal·lar el paquet: chown "
          + "trailtracker {1}",
        es: "todavía no hay usuario trailtracker; después de instalar el paquete: chown "
          + "trailtracker {1}",
        en: "there is no user trailtracker yet; after the package is installed: chown trailtracker "
          + "{1}",
        fr: "il n'y a pas encore d'utilisateur trailtracker ; après l'installation du paquet : "
          + "chown trailtracker {1}")
    case .rehearsed:
      Texts(
        ca: "Era un assaig; no s'ha canviat res.", es: "Era un ensayo; no se ha cambiado nada.",
        en: "This was a rehearsal; nothing has been changed.",
        fr: "C'était un essai ; rien n'a été changé.")
    case .halfway:
      Texts(
        ca: "{1}; arregleu-ho i torneu a executar setup, que continua des d'aquí",
        es: "{1}; arréglelo y ejecute setup de nuevo, que sigue desde aquí",
        en: "{1}; repair that and run setup again; it goes on from here",
        fr: "{1} ; réparez cela et relancez setup, qui reprend ici")
    case .done:
      Texts(
        ca: "Fet.", es: "Hecho.", en: "Done.", fr: "C'est fait.")
    case .failed:
      Texts(
        ca: "{1} ha fallat", es: "{1} ha fallado", en: "{1} has failed", fr: "{1} a échoué")
    case .silentService:
      Texts(
        ca: "trackerd no respon encara; mireu: trackerctl status",
        es: "trackerd no responde todavía; mire: trackerctl status",
        en: "trackerd does not answer yet; see: trackerctl status",
        fr: "trackerd ne répond pas encore ; voir : trackerctl status")
    case .reboot:
      Texts(
        ca: "Ara: sudo reboot; després: trackerctl status",
        es: "Ahora: sudo reboot; después: trackerctl status",
        en: "Now: sudo reboot; then: trackerctl status",
        fr: "Maintenant : sudo reboot ; puis : trackerctl status")
    case .next:
      Texts(
        ca: "Ara: trackerctl status", es: "Ahora: trackerctl status", en: "Now: trackerctl status",
        fr: "Maintenant : trackerctl status")
    case .image:
      Texts(
        ca: "Aquesta imatge és a punt; l'equip comença quan s'engega.",
        es: "Esta imagen está lista; el equipo empieza al encenderse.",
        en: "This image is ready; the tracker starts when it boots.",
        fr: "Cette image est prête ; la balise démarre avec elle.")
    }
  }
}
