import TrackerCore
import Wording

// The table's texts: what each cause is and when it applies.

extension Cause {
  var title: Texts {
    switch self {
    case .notInstalled:
      Texts(
        ca: "trackerd no està instal·lat", es: "trackerd no está instalado",
        en: "trackerd is not installed", fr: "trackerd n'est pas installé")
    case .dead:
      Texts(
        ca: "trackerd no funciona", es: "trackerd no funciona", en: "trackerd does not run",
        fr: "trackerd ne tourne pas")
    case .hung:
      Texts(
        ca: "trackerd no respon", es: "trackerd no responde", en: "trackerd does not answer",
        fr: "trackerd ne répond pas")
    case .callAsked:
      Texts(
        ca: "el centre de control demana una trucada",
        es: "el centro de control pide una llamada",
        en: "the control room asks for a call", fr: "le centre de contrôle demande un appel")
    case .emergency:
      Texts(ca: "EMERGÈNCIA", es: "EMERGENCIA", en: "\(ConsoleWords.emergency)", fr: "URGENCE")
    case .sessionStopped:
      Texts(
        ca: "sessió aturada", es: "sesión parada", en: "session stopped", fr: "session arrêtée")
    case .storeFailed:
      Texts(
        ca: "no es poden desar captures", es: "no se pueden guardar capturas",
        en: "captures cannot be stored", fr: "captures impossibles à enregistrer")
    case .diskFull:
      Texts(ca: "disc ple", es: "disco lleno", en: "disk full", fr: "disque plein")
    case .batteryShort:
      Texts(
        ca: "la bateria no arriba al final", es: "la batería no llega a la meta",
        en: "battery does not reach the finish", fr: "la batterie n'atteint pas l'arrivée")
    case .batteryLow:
      Texts(
        ca: "bateria a la reserva", es: "batería en reserva", en: "battery in its reserve",
        fr: "batterie sur la réserve")
    case .receiverUnplugged:
      Texts(
        ca: "receptor GPS desconnectat", es: "receptor GPS desconectado",
        en: "receiver not connected", fr: "récepteur GPS débranché")
    case .receiverSilent:
      Texts(
        ca: "receptor GPS mut", es: "receptor GPS mudo", en: "receiver silent",
        fr: "récepteur GPS muet")
    case .receiverNoise:
      Texts(
        ca: "només soroll del receptor GPS", es: "solo ruido del receptor GPS",
        en: "only noise from the receiver", fr: "du bruit au lieu du récepteur GPS")
    case .noFix:
      Texts(ca: "sense posició", es: "sin posición", en: "no position", fr: "pas de position")
    case .poorFix:
      Texts(
        ca: "cap posició prou bona", es: "ninguna posición bastante buena",
        en: "no position good enough", fr: "aucune position assez bonne")
    case .modemPortTaken:
      Texts(
        ca: "un altre programa usa el port del mòdem",
        es: "otro programa usa el puerto del módem",
        en: "another program uses the modem's port",
        fr: "un autre programme utilise le port du modem")
    case .modemUnplugged:
      Texts(
        ca: "mòdem desconnectat", es: "módem desconectado", en: "modem not connected",
        fr: "modem débranché")
    case .modemSilent:
      Texts(
        ca: "el mòdem no respon", es: "el módem no responde", en: "modem does not answer",
        fr: "le modem ne répond pas")
    case .noSIM:
      Texts(ca: "no hi ha SIM", es: "no hay SIM", en: "no SIM card", fr: "pas de carte SIM")
    case .simLocked:
      Texts(
        ca: "la SIM vol el PIN", es: "la SIM pide el PIN", en: "SIM needs its PIN",
        fr: "la SIM demande son PIN")
    case .simLastTry:
      Texts(
        ca: "a la SIM li queda un sol intent de PIN",
        es: "a la SIM le queda un solo intento de PIN",
        en: "SIM has one PIN try left", fr: "plus qu'un essai de PIN")
    case .simUncertain:
      Texts(
        ca: "no se sap quants intents de PIN queden",
        es: "no se sabe cuántos intentos de PIN quedan",
        en: "PIN tries left unknown", fr: "nombre d'essais de PIN inconnu")
    case .simBlocked:
      Texts(
        ca: "la SIM vol el PUK", es: "la SIM pide el PUK", en: "SIM needs its PUK",
        fr: "la SIM demande son PUK")
    case .operatorLocked:
      Texts(
        ca: "mòdem blocat per a un altre operador", es: "módem bloqueado para otro operador",
        en: "modem locked to another operator", fr: "modem verrouillé, autre opérateur")
    case .simRefused:
      Texts(
        ca: "la SIM rebutja el PIN", es: "la SIM rechaza el PIN", en: "SIM refuses the PIN",
        fr: "la SIM refuse le PIN")
    case .networkDenies:
      Texts(
        ca: "la xarxa rebutja la SIM", es: "la red rechaza la SIM",
        en: "the network refuses the SIM", fr: "le réseau refuse la SIM")
    case .unauthorised:
      Texts(
        ca: "el servidor no accepta les credencials",
        es: "el servidor no acepta las credenciales",
        en: "the server refuses the credentials", fr: "le serveur refuse les identifiants")
    case .serverRefuses:
      Texts(
        ca: "el servidor rebutja les captures", es: "el servidor rechaza las capturas",
        en: "the server refuses the captures", fr: "le serveur refuse les captures")
    case .portal:
      Texts(
        ca: "la xarxa demana identificar-se (portal captiu)",
        es: "la red pide identificarse (portal cautivo)",
        en: "the network wants a login (captive portal)",
        fr: "le réseau exige une connexion (portail captif)")
    case .accessPointRefused:
      Texts(
        ca: "el mòdem rebutja el punt d'accés", es: "el módem rechaza el punto de acceso",
        en: "modem refuses the access point", fr: "le modem refuse le point d'accès")
    case .noDataConnection:
      Texts(
        ca: "la xarxa no dona connexió de dades", es: "la red no da conexión de datos",
        en: "network gives no data connection", fr: "le réseau ne donne pas de données")
    case .noInterface:
      Texts(
        ca: "la interfície de xarxa no s'activa", es: "la interfaz de red no se activa",
        en: "network interface does not come up", fr: "l'interface réseau ne s'active pas")
    case .otherAddressFamily:
      Texts(
        ca: "la xarxa no arriba a una adreça numèrica així",
        es: "la red no llega a una dirección numérica así",
        en: "network cannot reach a numeric address of this kind",
        fr: "réseau sans accès à ce type d'adresse")
    case .nameNotFound:
      Texts(
        ca: "no es troba el nom del servidor", es: "no se encuentra el nombre del servidor",
        en: "the server's name is not found", fr: "nom du serveur introuvable")
    case .tlsFailed:
      Texts(
        ca: "el certificat o TLS del servidor falla", es: "falla el certificado o TLS del servidor",
        en: "the server's certificate or TLS fails", fr: "échec du certificat ou de TLS")
    case .modemTLSFailed:
      Texts(
        ca: "el mòdem no fa TLS amb el servidor", es: "el módem no hace TLS con el servidor",
        en: "TLS fails between modem and server", fr: "échec de TLS entre modem et serveur")
    case .proxyRefuses:
      Texts(
        ca: "el proxy no deixa passar", es: "el proxy no deja pasar",
        en: "the proxy lets nothing through", fr: "le proxy bloque")
    case .foreignServer:
      Texts(
        ca: "respon un altre servidor", es: "responde otro servidor",
        en: "another kind of server answers", fr: "un autre serveur répond")
    case .settingsUnusable:
      Texts(
        ca: "l'adreça o les claus del servidor no serveixen",
        es: "la dirección o las claves del servidor no sirven",
        en: "the server's address or secrets cannot be used",
        fr: "adresse ou secrets du serveur inutilisables")
    case .weakSupply:
      Texts(
        ca: "el mòdem es reinicia sol", es: "el módem se reinicia solo",
        en: "the modem restarts by itself", fr: "le modem redémarre seul")
    case .noConnection:
      Texts(
        ca: "cap connexió amb el servidor", es: "ninguna conexión con el servidor",
        en: "no connection to the server", fr: "pas de connexion au serveur")
    case .serverBusy:
      Texts(
        ca: "el servidor no pot ara", es: "el servidor no puede ahora",
        en: "the server cannot take captures now", fr: "le serveur n'est pas en état")
    case .serverSilent:
      Texts(
        ca: "el servidor no respon", es: "el servidor no responde",
        en: "the server does not answer", fr: "le serveur ne répond pas")
    case .noNetwork:
      Texts(
        ca: "no es troba cap xarxa", es: "no se encuentra ninguna red",
        en: "no network found", fr: "aucun réseau trouvé")
    case .neverReached:
      Texts(
        ca: "cap servidor des de l'inici", es: "ningún servidor desde el inicio",
        en: "\(ConsoleWords.neverReached)", fr: "aucun serveur depuis le démarrage")
    case .radioStuck:
      Texts(
        ca: "la ràdio del mòdem no s'apaga", es: "la radio del módem no se apaga",
        en: "the modem's radio stays on", fr: "la radio du modem reste allumée")
    case .setAside:
      Texts(
        ca: "captures apartades", es: "capturas apartadas", en: "\(ConsoleWords.capturesSetAside)",
        fr: "captures mises de côté")
    case .clockUntrusted:
      Texts(
        ca: "hora no fiable", es: "hora no fiable", en: "date not trusted",
        fr: "date pas fiable")
    case .sharedIdentity:
      Texts(
        ca: "un altre equip té la mateixa identitat",
        es: "otro equipo tiene la misma identidad",
        en: "another tracker has this one's identity", fr: "identité d'une autre balise")
    case .starting:
      Texts(ca: "engegant", es: "arrancando", en: "starting", fr: "démarrage")
    case .firstFix:
      Texts(
        ca: "buscant posició", es: "buscando posición", en: "finding its position",
        fr: "recherche de la position")
    case .firstDate:
      Texts(
        ca: "esperant l'hora", es: "esperando la hora", en: "waiting for the date",
        fr: "attente de la date")
    case .modemStarting:
      Texts(
        ca: "connectant", es: "conectando", en: "modem connecting", fr: "connexion du modem")
    case .firstContact:
      Texts(
        ca: "esperant el primer contacte", es: "esperando el primer contacto",
        en: "\(ConsoleWords.firstContact)", fr: "attente du premier contact")
    }
  }

  /// When it applies.
  var threshold: Texts {
    switch self {
    case .notInstalled:
      Texts(
        ca: "ni programa ni servei", es: "ni programa ni servicio",
        en: "neither program nor service found", fr: "ni programme ni service")
    case .dead:
      Texts(
        ca: "ningú no escolta al sòcol", es: "nadie escucha en el socket",
        en: "nobody listens on its socket", fr: "personne n'écoute sur son socket")
    case .hung:
      Texts(
        ca: "cap resposta en 2 s", es: "sin respuesta en 2 s", en: "no answer within 2 s",
        fr: "pas de réponse en 2 s")
    case .emergency:
      Texts(
        ca: "l'equip ha demanat ajuda", es: "el equipo ha pedido ayuda",
        en: "the team has called for help", fr: "l'équipe a appelé à l'aide")
    case .callAsked:
      Texts(
        ca: "ningú no ho ha vist", es: "nadie lo ha visto", en: "nobody has seen that",
        fr: "personne ne l'a vu")
    case .sessionStopped:
      Texts(
        ca: "aturada per algú, o mai iniciada", es: "parada por alguien, o nunca iniciada",
        en: "stopped by a person, or never begun", fr: "arrêtée par quelqu'un, ou jamais lancée")
    case .storeFailed:
      Texts(
        ca: "l'última escriptura ha fallat", es: "la última escritura ha fallado",
        en: "the last write failed", fr: "la dernière écriture a échoué")
    case .diskFull:
      Texts(
        ca: "menys de 8 MB lliures, o magatzem provisional",
        es: "menos de 8 MB libres, o almacén provisional",
        en: "less than 8 MB free, or a second store in use",
        fr: "moins de 8 Mo libres, ou stockage provisoire")
    case .batteryShort:
      Texts(
        ca: "amb la confiança configurada (confidence)",
        es: "con la confianza configurada (confidence)",
        en: "at the configured confidence", fr: "avec la confiance configurée (confidence)")
    case .batteryLow:
      Texts(
        ca: "reserve (normalment 10 %) o menys, si no arriba al final",
        es: "reserve (normalmente 10 %) o menos, si no llega a la meta",
        en: "reserve (usually 10 %) or less, unless it reaches the finish",
        fr: "reserve (10 % en général) ou moins, sauf si l'arrivée est atteinte")
    case .receiverUnplugged:
      Texts(
        ca: "el seu port no es pot obrir", es: "su puerto no se puede abrir",
        en: "its port cannot be opened", fr: "son port ne s'ouvre pas")
    case .receiverSilent:
      Texts(
        ca: "30 s sense cap byte", es: "30 s sin ningún byte", en: "no byte for 30 s",
        fr: "aucun octet pendant 30 s")
    case .receiverNoise:
      Texts(
        ca: "en un minut, més brossa que frases", es: "en un minuto, más basura que frases",
        en: "in a minute more rubbish than sentences",
        fr: "en une minute, plus de déchets que de phrases")
    case .noFix:
      Texts(
        ca: "3 min, o el doble de l'arrencada en fred",
        es: "3 min, o el doble del arranque en frío",
        en: "for 3 min, or twice its cold start if longer",
        fr: "3 min, ou deux fois le démarrage à froid")
    case .poorFix:
      Texts(
        ca: "cap captura en dos intervals, ni en el temps d'abans",
        es: "ninguna captura en dos intervalos, ni en el tiempo anterior",
        en: "no capture for two intervals, and for that long",
        fr: "aucune capture en deux intervalles, ni en ce temps")
    case .modemPortTaken:
      Texts(
        ca: "el té obert, o el té bloquejat", es: "lo tiene abierto, o bloqueado",
        en: "it has it open, or locked", fr: "il l'a ouvert ou verrouillé")
    case .modemUnplugged:
      Texts(
        ca: "el seu port no es pot obrir", es: "su puerto no se puede abrir",
        en: "its port cannot be opened", fr: "son port ne s'ouvre pas")
    case .modemSilent:
      Texts(
        ca: "mut també després d'apagar-lo i engegar-lo",
        es: "mudo también tras apagarlo y encenderlo",
        en: "silent even after a power cycle", fr: "muet même après un redémarrage")
    case .noSIM, .simBlocked, .operatorLocked:
      Texts(
        ca: "el mòdem ho diu", es: "lo dice el módem", en: "the modem says so",
        fr: "le modem le dit")
    case .simLocked:
      Texts(
        ca: "i no n'hi ha cap als secrets", es: "y no hay ninguno en los secretos",
        en: "and the secrets have none", fr: "et les secrets n'en ont pas")
    case .simLastTry, .simUncertain:
      Texts(
        ca: "no es gasta sense ordre", es: "no se gasta sin orden",
        en: "it is not used up without an order", fr: "pas d'essai sans ordre")
    case .simRefused:
      Texts(ca: "PIN incorrecte", es: "PIN incorrecto", en: "wrong PIN", fr: "PIN faux")
    case .networkDenies:
      Texts(
        ca: "si no ha lliurat res en 6 h", es: "si no ha entregado nada en 6 h",
        en: "if nothing was delivered in the last 6 h", fr: "si rien n'est livré depuis 6 h")
    case .unauthorised:
      Texts(
        ca: "resposta 401, 403, o codi 498 o 499", es: "respuesta 401, 403, o código 498 o 499",
        en: "answer 401 or 403, or code 498 or 499", fr: "réponse 401, 403, ou code 498, 499")
    case .serverRefuses:
      Texts(
        ca: "rebutja totes les captures provades", es: "rechaza todas las capturas probadas",
        en: "it refuses every capture that was tried",
        fr: "il refuse toutes les captures essayées")
    case .portal, .otherAddressFamily, .settingsUnusable:
      Texts(
        ca: "de seguida; 20 min si ha lliurat en les 6 h d'abans",
        es: "en seguida; 20 min si ha entregado en las 6 h anteriores",
        en: "at once; 20 min if it delivered in the 6 h before",
        fr: "aussitôt ; 20 min si livré dans les 6 h d'avant")
    case .accessPointRefused, .nameNotFound, .tlsFailed, .modemTLSFailed, .proxyRefuses,
      .foreignServer, .weakSupply, .noConnection:
      Texts(
        ca: "5 min; 20 min si ha lliurat en les 6 h d'abans",
        es: "5 min; 20 min si ha entregado en las 6 h anteriores",
        en: "for 5 min; 20 min if it delivered in the 6 h before",
        fr: "5 min ; 20 min si livré dans les 6 h d'avant")
    case .noDataConnection, .noInterface:
      Texts(
        ca: "5 min, si no ha lliurat res en 6 h", es: "5 min, si no ha entregado nada en 6 h",
        en: "for 5 min, if nothing was delivered in the 6 h before",
        fr: "5 min, si rien n'est livré depuis 6 h")
    case .serverBusy, .serverSilent:
      Texts(
        ca: "20 min en xarxa sense lliurar res", es: "20 min en red sin entregar nada",
        en: "for 20 min in the network, nothing delivered",
        fr: "20 min dans le réseau sans rien livrer")
    case .noNetwork, .neverReached:
      Texts(
        ca: "20 min, si no ha lliurat res en 6 h", es: "20 min, si no ha entregado nada en 6 h",
        en: "for 20 min, if nothing was delivered in the 6 h before",
        fr: "20 min, si rien n'est livré depuis 6 h")
    case .radioStuck:
      Texts(
        ca: "rebutja cada ordre d'apagar-la, i gasta la bateria",
        es: "rechaza cada orden de apagarla, y gasta la batería",
        en: "it refuses each order to switch it off, which drains the battery",
        fr: "il refuse chaque ordre de l'éteindre, ce qui vide la batterie")
    case .setAside:
      Texts(ca: "una o més", es: "una o más", en: "one or more", fr: "une ou plus")
    case .clockUntrusted:
      Texts(
        ca: "igual que «sense posició»", es: "igual que «sin posición»",
        en: "as long as for no position", fr: "comme « pas de position »")
    case .sharedIdentity:
      Texts(
        ca: "el servidor en té d'altres amb els mateixos noms",
        es: "el servidor tiene otras con los mismos nombres",
        en: "the server has others under the same names",
        fr: "le serveur en a d'autres aux mêmes noms")
    case .starting:
      Texts(ca: "els primers 5 s", es: "los primeros 5 s", en: "the first 5 s", fr: "5 s")
    case .firstFix:
      Texts(
        ca: "fins al límit de «sense posició»", es: "hasta el límite de «sin posición»",
        en: "up to the limit for no position", fr: "jusqu'à la limite de « pas de position »")
    case .firstDate:
      Texts(ca: "el mateix", es: "lo mismo", en: "the same", fr: "de même")
    case .modemStarting, .firstContact:
      Texts(
        ca: "els primers 20 min", es: "los primeros 20 min", en: "the first 20 min",
        fr: "les 20 premières min")
    }
  }
}
