public import Wording

/// What people are told about a request without an answer.
public enum HTTPPhrase: String, Catalogue {
  case cureAddress, cureName, curePort, cureInterface, cureProxy, cureCertificate, cureTLS
  case cureTime, cureSize, cureNotWeb, cureAsk, cureBug, answerTooLarge, connectionLost, timedOut
  case answerUnreadable, unusable, nameNotFound, notConnected, interfaceMissing, proxyRefused
  case certificateRefused, tlsFailed, timedOutQuoted, failed, proxyAnswered, cancelled, notWeb
  case addressCharacter, badHeader, checkConfiguration, noMemory, tooMany, curlRefuses, curlSetUp
  case authorities, badProxy, badInterface, controlCharacter

  public var texts: Texts {
    switch self {
    case .cureAddress:
      Texts(
        ca: "corregiu l'adreça",
        es: "corrija la dirección",
        en: "correct the address",
        fr: "corrigez l'adresse")
    case .cureName:
      Texts(
        ca: "comproveu el nom del servidor i la xarxa",
        es: "compruebe el nombre del servidor y la red",
        en: "check the server's name and the link",
        fr: "vérifiez le nom du serveur et la liaison")
    case .curePort:
      Texts(
        ca: "comproveu l'adreça, el port i la xarxa",
        es: "compruebe la dirección, el puerto y la red",
        en: "check the address, the port and the link",
        fr: "vérifiez l'adresse, le port et la liaison")
    case .cureInterface:
      Texts(
        ca: "comproveu-ne el nom i que està activa",
        es: "compruebe su nombre y que está activa",
        en: "check its name and that it is up",
        fr: "vérifiez son nom et qu'elle est active")
    case .cureProxy:
      Texts(
        ca: "comproveu l'adreça del proxy i què permet",
        es: "compruebe la dirección del proxy y qué permite",
        en: "check the proxy's address and what it allows",
        fr: "vérifiez l'adresse du proxy et ce qu'il permet")
    case .cureCertificate:
      Texts(
        ca: "comproveu la data, el nom del servidor i el fitxer d'autoritats",
        es: "compruebe la fecha, el nombre del servidor y el fichero de autoridades",
        en: "check the date, the server's name and the authorities' file",
        fr: "vérifiez la date, le nom du serveur et le fichier d'autorités")
    case .cureTLS:
      Texts(
        ca: "comproveu que el port parla TLS 1.2 o posterior",
        es: "compruebe que el puerto habla TLS 1.2 o posterior",
        en: "check that the port speaks TLS 1.2 or later",
        fr: "vérifiez que le port parle TLS 1.2 ou plus récent")
    case .cureTime:
      Texts(
        ca: "torneu-ho a provar, o doneu-hi més temps",
        es: "vuelva a probar, o dele más tiempo",
        en: "try again, or allow more time",
        fr: "réessayez, ou laissez plus de temps")
    case .cureSize:
      Texts(
        ca: "demaneu menys",
        es: "pida menos",
        en: "ask for less",
        fr: "demandez moins")
    case .cureNotWeb:
      Texts(
        ca: "comproveu que l'adreça és d'un servidor web",
        es: "compruebe que la dirección es de un servidor web",
        en: "check that the address is a web server's",
        fr: "vérifiez que l'adresse est celle d'un serveur web")
    case .cureAsk:
      Texts(
        ca: "pregunteu al servidor abans de tornar a enviar",
        es: "pregunte al servidor antes de volver a enviar",
        en: "ask the server before sending again",
        fr: "interrogez le serveur avant de renvoyer")
    case .cureBug:
      Texts(
        ca: "aviseu-ne, és un error del programa",
        es: "avise, es un error del programa",
        en: "report this as a bug",
        fr: "signalez cette anomalie")
    case .answerTooLarge:
      Texts(
        ca: "la resposta és més gran del que es permet",
        es: "la respuesta es mayor de lo permitido",
        en: "the answer is larger than allowed",
        fr: "la réponse est plus grande que permis")
    case .connectionLost:
      Texts(
        ca: "la connexió s'ha acabat abans de la resposta completa",
        es: "la conexión ha terminado antes de la respuesta completa",
        en: "the connection ended before the answer was complete",
        fr: "la connexion a fini avant la réponse complète")
    case .timedOut:
      Texts(
        ca: "la resposta ha trigat massa",
        es: "la respuesta ha tardado demasiado",
        en: "the answer took too long",
        fr: "la réponse a mis trop de temps")
    case .answerUnreadable:
      Texts(
        ca: "la resposta no és HTTP",
        es: "la respuesta no es HTTP",
        en: "the answer is not HTTP",
        fr: "la réponse n'est pas du HTTP")
    case .unusable:
      Texts(
        ca: "la petició no és vàlida: «{1}»",
        es: "la petición no es válida: «{1}»",
        en: "{1}",
        fr: "la requête n'est pas valide : « {1} »")
    case .nameNotFound:
      Texts(
        ca: "no s'ha trobat el nom del servidor: «{1}»",
        es: "no se ha encontrado el nombre del servidor: «{1}»",
        en: "{1}",
        fr: "le nom du serveur est introuvable : « {1} »")
    case .notConnected:
      Texts(
        ca: "no s'hi ha pogut connectar: «{1}»",
        es: "no se ha podido conectar: «{1}»",
        en: "{1}",
        fr: "connexion impossible : « {1} »")
    case .interfaceMissing:
      Texts(
        ca: "la interfície de xarxa no es pot usar: «{1}»",
        es: "la interfaz de red no se puede usar: «{1}»",
        en: "{1}",
        fr: "l'interface réseau est inutilisable : « {1} »")
    case .proxyRefused:
      Texts(
        ca: "el proxy ha fallat: «{1}»",
        es: "el proxy ha fallado: «{1}»",
        en: "{1}",
        fr: "le proxy a échoué : « {1} »")
    case .certificateRefused:
      Texts(
        ca: "el certificat del servidor no és de confiança: «{1}»",
        es: "el certificado del servidor no es de confianza: «{1}»",
        en: "{1}",
        fr: "le certificat du serveur n'est pas fiable : « {1} »")
    case .tlsFailed:
      Texts(
        ca: "ha fallat TLS: «{1}»",
        es: "ha fallado TLS: «{1}»",
        en: "{1}",
        fr: "TLS a échoué : « {1} »")
    case .timedOutQuoted:
      Texts(
        ca: "s'ha esgotat el temps: «{1}»",
        es: "se ha agotado el tiempo: «{1}»",
        en: "{1}",
        fr: "délai dépassé : « {1} »")
    case .failed:
      Texts(
        ca: "la petició ha fallat: «{1}»",
        es: "la petición ha fallado: «{1}»",
        en: "{1}",
        fr: "la requête a échoué : « {1} »")
    case .proxyAnswered:
      Texts(
        ca: "el proxy ha respost {1}",
        es: "el proxy ha respondido {1}",
        en: "the proxy answered {1}",
        fr: "le proxy a répondu {1}")
    case .cancelled:
      Texts(
        ca: "anul·lada abans de la resposta",
        es: "anulada antes de la respuesta",
        en: "cancelled before the answer came",
        fr: "annulée avant la réponse")
    case .notWeb:
      Texts(
        ca: "no és una adreça web; comenceu-la per https:// o http://",
        es: "no es una dirección web; empiécela por https:// o http://",
        en: "is not a web address; begin it with https:// or http://",
        fr: "n'est pas une adresse web ; commencez-la par https:// ou http://")
    case .addressCharacter:
      Texts(
        ca: "l'adreça té un espai o un caràcter de control; codifiqueu-lo amb %",
        es: "la dirección tiene un espacio o un carácter de control; codifíquelo con %",
        en: "the address has a space or a control character; percent-encode it",
        fr: "l'adresse a une espace ou un caractère de contrôle ; codez-le avec %")
    case .badHeader:
      Texts(
        ca: "una capçalera té un salt de línia o no té nom; no s'envia",
        es: "una cabecera tiene un salto de línea o no tiene nombre; no se envía",
        en: "a header has a line break or no name; it is not sent",
        fr: "un en-tête a un saut de ligne ou pas de nom ; il n'est pas envoyé")
    case .checkConfiguration:
      Texts(
        ca: "comproveu la configuració",
        es: "compruebe la configuración",
        en: "check the configuration",
        fr: "vérifiez la configuration")
    case .noMemory:
      Texts(
        ca: "libcurl no té memòria; torneu-ho a provar",
        es: "libcurl no tiene memoria; vuelva a probar",
        en: "libcurl has no memory; try again",
        fr: "libcurl n'a plus de mémoire ; réessayez")
    case .tooMany:
      Texts(
        ca: "hi ha {1} peticions en curs; espereu-ne alguna",
        es: "hay {1} peticiones en curso; espere alguna",
        en: "{1} requests are in progress; wait for some",
        fr: "{1} requêtes sont en cours ; attendez")
    case .curlRefuses:
      Texts(
        ca: "libcurl rebutja la petició; torneu-ho a provar",
        es: "libcurl rechaza la petición; vuelva a probar",
        en: "libcurl refuses the request; try again",
        fr: "libcurl refuse la requête ; réessayez")
    case .curlSetUp:
      Texts(
        ca: "libcurl no es pot preparar; comproveu la memòria",
        es: "libcurl no se puede preparar; compruebe la memoria",
        en: "libcurl cannot be set up; check the memory",
        fr: "libcurl ne peut être préparé ; vérifiez la mémoire")
    case .authorities:
      Texts(
        ca: "{1}: els certificats d'autoritat no es poden llegir; comproveu camí i permisos",
        es: "{1}: los certificados de autoridad no se pueden leer; compruebe ruta y permisos",
        en: "{1}: the CA certificates cannot be read; check path and permissions",
        fr: "{1} : certificats d'autorité illisibles ; vérifiez chemin et droits")
    case .badProxy:
      Texts(
        ca: "el proxy no és una adreça sense contrasenya; escriviu http://host:port",
        es: "el proxy no es una dirección sin contraseña; escriba http://host:port",
        en: "the proxy is not an address without a password; write http://host:port",
        fr: "le proxy n'est pas une adresse sans mot de passe ; écrivez http://host:port")
    case .badInterface:
      Texts(
        ca: "el nom de la interfície no és vàlid a Linux; escriviu per exemple wwan0",
        es: "el nombre de la interfaz no es válido en Linux; escriba por ejemplo wwan0",
        en: "the interface's name is not valid on Linux; write for example wwan0",
        fr: "le nom de l'interface n'est pas valide sous Linux ; écrivez par exemple wwan0")
    case .controlCharacter:
      Texts(
        ca: "un paràmetre de xarxa té un caràcter de control; traieu-lo",
        es: "un parámetro de red tiene un carácter de control; quítelo",
        en: "a network setting has a control character; remove it",
        fr: "un réglage réseau a un caractère de contrôle ; retirez-le")
    }
  }
}
