import Wording

/// What people are told about a modem.
enum ModemPhrase: String, Catalogue {
  case restarted, accessPointRefused, radioStaysOn, simGone, needed, lineLost, tooSlow
  case acceptsNoData, doesNotTake, silent, unreadableAnswer, lostAnswer, refusesParameter
  case opensNothing, refuses, noRequest, unreadableReport, answerTooLarge, code, bodyTooLong
  case addressTooLong, notAnAddress, headersTooLong, unsendable, noConnection, nameNotFound
  case closed, noAnswer, broke, noServer, tlsFailed, noAuthority, serverTooSlow, failed

  /// The cause behind a failure with this text; `nil`: there may be several.
  var cause: FailureCause? {
    switch self {
    case .restarted: .supply
    case .accessPointRefused: .accessPoint
    case .opensNothing, .noConnection: .dataConnection
    case .nameNotFound: .name
    case .noServer: .connection
    case .noAnswer, .serverTooSlow: .silence
    case .tlsFailed, .noAuthority: .modemCertificate
    case .addressTooLong, .notAnAddress, .headersTooLong, .unsendable: .settings
    case .radioStaysOn, .simGone, .needed, .lineLost, .tooSlow, .acceptsNoData, .doesNotTake,
      .silent,
      .unreadableAnswer, .lostAnswer, .refusesParameter, .refuses, .noRequest, .unreadableReport,
      .answerTooLarge, .code, .bodyTooLong, .closed, .broke, .failed:
      nil
    }
  }

  var texts: Texts {
    switch self {
    case .restarted:
      Texts(
        ca: "el mòdem s'ha reiniciat sol: l'alimentació deu ser massa feble; comproveu bateria i "
          + "cable",
        es: "el módem se ha reiniciado solo: su alimentación será demasiado débil; compruebe "
          + "batería y cable",
        en: "the modem restarted by itself: its supply is probably too weak; check battery and "
          + "cable",
        fr: "le modem a redémarré seul : son alimentation est sans doute trop faible ; vérifiez "
          + "batterie et câble")
    case .accessPointRefused:
      Texts(
        ca: "el mòdem rebutja el punt d'accés; corregiu apn",
        es: "el módem rechaza el punto de acceso; corrija apn",
        en: "the modem refuses the access point; correct apn",
        fr: "le modem refuse le point d'accès ; corrigez apn")
    case .radioStaysOn:
      Texts(
        ca: "el mòdem es nega a apagar la ràdio; actualitzeu-ne el microprogramari o canvieu-lo",
        es: "el módem se niega a apagar la radio; actualice su firmware o cámbielo",
        en: "the modem refuses to switch its radio off; update its firmware or exchange it",
        fr: "le modem refuse de couper sa radio ; mettez à jour son micrologiciel ou changez-le")
    case .simGone:
      Texts(
        ca: "la targeta SIM ha desaparegut; comproveu que està ben posada",
        es: "la tarjeta SIM ha desaparecido; compruebe que está bien puesta",
        en: "the SIM card is gone; check that it is seated",
        fr: "la carte SIM a disparu ; vérifiez qu'elle est bien en place")
    case .needed:
      Texts(
        ca: "el mòdem calia per a una altra cosa",
        es: "el módem hacía falta para otra cosa",
        en: "the modem was needed for something else",
        fr: "il fallait le modem pour autre chose")
    case .lineLost:
      Texts(
        ca: "s'ha perdut la línia del mòdem",
        es: "se ha perdido la línea del módem",
        en: "the modem's line was lost",
        fr: "la ligne du modem est perdue")
    case .tooSlow:
      Texts(
        ca: "el mòdem era massa lent per a una altra petició seguida",
        es: "el módem era demasiado lento para otra petición seguida",
        en: "the modem was too slow for another request at once",
        fr: "le modem était trop lent pour une autre requête aussitôt")
    case .acceptsNoData:
      Texts(
        ca: "la línia del mòdem no accepta dades",
        es: "la línea del módem no acepta datos",
        en: "the modem's line accepts no data",
        fr: "la ligne du modem n'accepte pas de données")
    case .doesNotTake:
      Texts(
        ca: "el mòdem no agafa la petició",
        es: "el módem no toma la petición",
        en: "the modem does not take the request",
        fr: "le modem ne prend pas la requête")
    case .silent:
      Texts(
        ca: "el mòdem no respon",
        es: "el módem no responde",
        en: "the modem does not answer",
        fr: "le modem ne répond pas")
    case .unreadableAnswer:
      Texts(
        ca: "la resposta del mòdem és massa gran, o no es pot llegir",
        es: "la respuesta del módem es demasiado grande, o no se puede leer",
        en: "the modem's answer is too large, or cannot be read",
        fr: "la réponse du modem est trop grande, ou illisible")
    case .lostAnswer:
      Texts(
        ca: "el mòdem ha perdut la resposta",
        es: "el módem ha perdido la respuesta",
        en: "the modem lost the answer",
        fr: "le modem a perdu la réponse")
    case .refusesParameter:
      Texts(
        ca: "el mòdem rebutja un paràmetre de la petició",
        es: "el módem rechaza un parámetro de la petición",
        en: "the modem refuses a parameter of the request",
        fr: "le modem refuse un paramètre de la requête")
    case .opensNothing:
      Texts(
        ca: "el mòdem no obre la connexió de dades; comproveu el punt d'accés (apn)",
        es: "el módem no abre la conexión de datos; compruebe el punto de acceso (apn)",
        en: "the modem opens no data connection; check the access point (apn)",
        fr: "le modem n'ouvre pas de connexion de données ; vérifiez le point d'accès (apn)")
    case .refuses:
      Texts(
        ca: "el mòdem rebutja la petició",
        es: "el módem rechaza la petición",
        en: "the modem refuses the request",
        fr: "le modem refuse la requête")
    case .noRequest:
      Texts(
        ca: "no hi ha cap petició",
        es: "no hay ninguna petición",
        en: "there is no request",
        fr: "il n'y a pas de requête")
    case .unreadableReport:
      Texts(
        ca: "l'avís del mòdem no es pot llegir",
        es: "el aviso del módem no se puede leer",
        en: "the modem's report cannot be read",
        fr: "le compte rendu du modem est illisible")
    case .answerTooLarge:
      Texts(
        ca: "la resposta de {1} bytes és massa gran; demaneu menys",
        es: "la respuesta de {1} bytes es demasiado grande; pida menos",
        en: "the answer of {1} bytes is too large; ask for less",
        fr: "la réponse de {1} octets est trop grande ; demandez moins")
    case .code:
      Texts(
        ca: "{1} (codi del mòdem {2})",
        es: "{1} (código del módem {2})",
        en: "{1} (modem code {2})",
        fr: "{1} (code du modem {2})")
    case .bodyTooLong:
      Texts(
        ca: "{1} bytes són massa per al mòdem; envieu menys d'un cop",
        es: "{1} bytes son demasiados para el módem; envíe menos de una vez",
        en: "{1} bytes are too many for the modem; send less at once",
        fr: "{1} octets sont trop pour le modem ; envoyez moins à la fois")
    case .addressTooLong:
      Texts(
        ca: "l'adreça és massa llarga per al mòdem",
        es: "la dirección es demasiado larga para el módem",
        en: "the address is too long for the modem",
        fr: "l'adresse est trop longue pour le modem")
    case .notAnAddress:
      Texts(
        ca: "l'adreça no és una adreça web; corregiu-la",
        es: "la dirección no es una dirección web; corríjala",
        en: "the address is not a web address; correct it",
        fr: "l'adresse n'est pas une adresse web ; corrigez-la")
    case .headersTooLong:
      Texts(
        ca: "les capçaleres són massa llargues per al mòdem; useu un token més curt",
        es: "las cabeceras son demasiado largas para el módem; use un token más corto",
        en: "the headers are too long for the modem; use a shorter token",
        fr: "les en-têtes sont trop longs pour le modem ; utilisez un jeton plus court")
    case .unsendable:
      Texts(
        ca: "una adreça o una capçalera té caràcters que un mòdem no pot enviar",
        es: "una dirección o una cabecera tiene caracteres que un módem no puede enviar",
        en: "an address or a header has characters that a modem cannot send",
        fr: "une adresse ou un en-tête a des caractères qu'un modem ne peut envoyer")
    case .noConnection:
      Texts(
        ca: "no hi ha connexió de dades; comproveu la cobertura i el punt d'accés (apn)",
        es: "no hay conexión de datos; compruebe la cobertura y el punto de acceso (apn)",
        en: "no data connection; check the coverage and the access point (apn)",
        fr: "pas de connexion de données ; vérifiez la couverture et le point d'accès (apn)")
    case .nameNotFound:
      Texts(
        ca: "no s'ha trobat el nom del servidor",
        es: "no se ha encontrado el nombre del servidor",
        en: "the server's name was not found",
        fr: "le nom du serveur est introuvable")
    case .closed:
      Texts(
        ca: "s'ha tancat la connexió",
        es: "se ha cerrado la conexión",
        en: "the connection was closed",
        fr: "la connexion a été fermée")
    case .noAnswer:
      Texts(
        ca: "sense resposta a temps",
        es: "sin respuesta a tiempo",
        en: "no answer in time",
        fr: "pas de réponse à temps")
    case .broke:
      Texts(
        ca: "la connexió s'ha tallat mentre s'enviava",
        es: "la conexión se ha cortado al enviar",
        en: "the connection broke while sending",
        fr: "la connexion a été coupée pendant l'envoi")
    case .noServer:
      Texts(
        ca: "sense connexió amb el servidor",
        es: "sin conexión con el servidor",
        en: "no connection to the server",
        fr: "pas de connexion au serveur")
    case .tlsFailed:
      Texts(
        ca: "ha fallat TLS",
        es: "ha fallado TLS",
        en: "TLS failed",
        fr: "TLS a échoué")
    case .noAuthority:
      Texts(
        ca: "el certificat de l'autoritat no és al mòdem",
        es: "el certificado de la autoridad no está en el módem",
        en: "the authority's certificate is not in the modem",
        fr: "le certificat de l'autorité n'est pas dans le modem")
    case .serverTooSlow:
      Texts(
        ca: "el servidor ha trigat massa",
        es: "el servidor ha tardado demasiado",
        en: "the server took too long",
        fr: "le serveur a mis trop de temps")
    case .failed:
      Texts(
        ca: "el mòdem ha fallat",
        es: "el módem ha fallado",
        en: "the modem failed",
        fr: "le modem a échoué")
    }
  }
}
