import Wording

/// What people are told about the machine around a tracker.
enum HostPhrase: String, Catalogue {
  case linkDown, reloaded, notBroughtUp, upWithoutConnection, noInterface, noAddress, otherFamily
  case noRoute, overdue, endedWithCode
  case endedBySignal, endedSomehow, cannotBeRun, pinsNotUsed, noChip, chipDenied, noChips
  case noSuchChip, pinPlace
  case noPin, pinTwice, pinUsedBy, pinUsed, chipGone, pinFlooding, noTiming, sensorAbsent
  case sensorSeveral, severalBatteries, sensorLacks, sensorBusy, sensorJunk, sensorImplausible
  case othersRun, helperUnreached, helperDeaf, helperEnded, helperOther, portShared, anotherUsers

  var texts: Texts {
    switch self {
    case .linkDown:
      Texts(
        ca: "la xarxa ha caigut o s'ha tancat",
        es: "la red ha caído o se ha cerrado",
        en: "the link went down or was closed",
        fr: "la liaison est tombée ou a été fermée")
    case .reloaded:
      Texts(
        ca: "s'ha tornat a llegir la configuració",
        es: "se ha vuelto a leer la configuración",
        en: "the settings were reloaded",
        fr: "la configuration a été relue")
    case .notBroughtUp:
      Texts(
        ca: "network.up no ha activat {1} en {2} s; comproveu què engega",
        es: "network.up no ha activado {1} en {2} s; compruebe qué arranca",
        en: "network.up has not brought {1} up within {2} s; check what it starts",
        fr: "network.up n'a pas activé {1} en {2} s ; vérifiez ce qu'il lance")
    case .upWithoutConnection:
      Texts(
        ca: "network.up ha acabat amb codi 0, però {1} no té connexió; comproveu què engega",
        es: "network.up ha acabado con código 0, pero {1} no tiene conexión; compruebe qué arranca",
        en: "network.up ended with code 0, but {1} has no connection; check what it starts",
        fr: "network.up a fini avec le code 0, mais {1} n'a pas de connexion ; vérifiez ce qu'il "
          + "lance")
    case .noInterface:
      Texts(
        ca: "no hi ha cap interfície {1}; comproveu el maquinari i network.interface",
        es: "no hay ninguna interfaz {1}; compruebe el hardware y network.interface",
        en: "there is no interface {1}; check the hardware and network.interface",
        fr: "il n'y a pas d'interface {1} ; vérifiez le matériel et network.interface")
    case .noAddress:
      Texts(
        ca: "la interfície {1} no està activa o no té adreça; comproveu què l'activa",
        es: "la interfaz {1} no está activa o no tiene dirección; compruebe qué la activa",
        en: "interface {1} is down or has no address; check what brings it up",
        fr: "l'interface {1} est inactive ou sans adresse ; vérifiez ce qui l'active")
    case .otherFamily:
      Texts(
        ca: "{1} no té {2}, i l'adreça del servidor n'és; poseu-hi el nom del servidor",
        es: "{1} no tiene {2}, y la dirección del servidor lo es; ponga el nombre del servidor",
        en: "{1} has no {2}, but the server's address is one; set the server's name instead",
        fr: "{1} n'a pas d'{2}, mais l'adresse du serveur en est une ; mettez le nom du serveur")
    case .noRoute:
      Texts(
        ca: "{1} no té cap ruta cap al servidor; comproveu què l'activa",
        es: "{1} no tiene ninguna ruta al servidor; compruebe qué la activa",
        en: "{1} has no route to the server; check what brings it up",
        fr: "{1} n'a pas de route vers le serveur ; vérifiez ce qui l'active")
    case .overdue:
      Texts(
        ca: "{1} no ha acabat en {2} s; comproveu què espera",
        es: "{1} no ha acabado en {2} s; compruebe qué espera",
        en: "{1} did not end within {2} s; check what it waits for",
        fr: "{1} n'a pas fini en {2} s ; vérifiez ce qu'il attend")
    case .endedWithCode:
      Texts(
        ca: "{1} ha acabat amb codi {2}",
        es: "{1} ha acabado con código {2}",
        en: "{1} ended with code {2}",
        fr: "{1} a fini avec le code {2}")
    case .endedBySignal:
      Texts(
        ca: "{1} l'ha acabat el senyal {2}",
        es: "a {1} lo ha terminado la señal {2}",
        en: "{1} was ended by signal {2}",
        fr: "{1} a été terminé par le signal {2}")
    case .endedSomehow:
      Texts(
        ca: "{1} ha acabat i se n'ha perdut el codi; executeu-la a mà per veure què diu",
        es: "{1} ha acabado y se ha perdido su código; ejecútela a mano para ver qué dice",
        en: "{1} ended and its code is lost; run it by hand to see what it says",
        fr: "{1} a fini et son code est perdu ; lancez-la à la main pour voir ce qu'elle dit")
    case .cannotBeRun:
      Texts(
        ca: "{1}: no es pot executar: {2}; comproveu {3}",
        es: "{1}: no se puede ejecutar: {2}; compruebe {3}",
        en: "{1}: cannot be run: {2}; check {3}",
        fr: "{1} : exécution impossible : {2} ; vérifiez {3}")
    case .othersRun:
      Texts(
        ca: "{1}: encara n'hi ha d'altres en marxa; comproveu {2}",
        es: "{1}: aún hay otras en marcha; compruebe {2}",
        en: "{1}: others still run; check {2}",
        fr: "{1} : d'autres tournent encore ; vérifiez {2}")
    case .helperUnreached:
      Texts(
        ca: "{1}: no s'arriba a l'ajudant de l'enllaç: {2}; engegueu trackerd-link.socket",
        es: "{1}: no se llega al ayudante del enlace: {2}; arranque trackerd-link.socket",
        en: "{1}: the link's helper cannot be reached: {2}; start trackerd-link.socket",
        fr: "{1} : l'assistant de la liaison est injoignable : {2} ; lancez trackerd-link.socket")
    case .helperDeaf:
      Texts(
        ca: "{1}: l'ajudant de l'enllaç no escolta; mireu-ne el registre",
        es: "{1}: el ayudante del enlace no escucha; mire su registro",
        en: "{1}: the link's helper does not listen; look at its log",
        fr: "{1} : l'assistant de la liaison n'écoute pas ; consultez son journal")
    case .helperEnded:
      Texts(
        ca: "{1}: l'ajudant de l'enllaç s'ha acabat; mireu-ne el registre",
        es: "{1}: el ayudante del enlace ha terminado; mire su registro",
        en: "{1}: the link's helper has ended; look at its log",
        fr: "{1} : l'assistant de la liaison s'est arrêté ; consultez son journal")
    case .helperOther:
      Texts(
        ca: "{1}: l'ajudant de l'enllaç és d'una altra versió; reinicieu-lo",
        es: "{1}: el ayudante del enlace es de otra versión; reinícielo",
        en: "{1}: the link's helper is of another version; restart it",
        fr: "{1} : l'assistant de la liaison est d'une autre version ; redémarrez-le")
    case .pinsNotUsed:
      Texts(
        ca: "no s'usen: {1}",
        es: "no se usan: {1}",
        en: "not used: {1}",
        fr: "pas utilisées : {1}")
    case .noChip:
      Texts(
        ca: "la placa no indica cap xip GPIO; afegiu pins.chip al seu fitxer",
        es: "la placa no indica ningún chip GPIO; añada pins.chip a su fichero",
        en: "the board names no GPIO chip; add pins.chip to its file",
        fr: "la carte n'indique aucune puce GPIO ; ajoutez pins.chip à son fichier")
    case .chipDenied:
      Texts(
        ca: "{1} no es pot obrir; afegiu l'usuari de trackerd al grup gpio",
        es: "{1} no se puede abrir; añada el usuario de trackerd al grupo gpio",
        en: "{1} may not be opened; add trackerd's user to the group gpio",
        fr: "{1} ne peut être ouvert ; ajoutez l'utilisateur de trackerd au groupe gpio")
    case .noChips:
      Texts(
        ca: "cap xip GPIO no té l'etiqueta {1}, no n'hi ha cap; corregiu pins.chip",
        es: "ningún chip GPIO tiene la etiqueta {1}, no hay ninguno; corrija pins.chip",
        en: "no GPIO chip has the label {1}, none is; correct pins.chip",
        fr: "aucune puce GPIO n'a l'étiquette {1}, il n'y en a pas ; corrigez pins.chip")
    case .noSuchChip:
      Texts(
        ca: "cap xip GPIO no té l'etiqueta {1}, hi ha {2}; corregiu pins.chip",
        es: "ningún chip GPIO tiene la etiqueta {1}, hay {2}; corrija pins.chip",
        en: "no GPIO chip has the label {1}, there are {2}; correct pins.chip",
        fr: "aucune puce GPIO n'a l'étiquette {1}, il y a {2} ; corrigez pins.chip")
    case .pinPlace:
      Texts(
        ca: "{1}: la línia {2} de {3}",
        es: "{1}: la línea {2} de {3}",
        en: "{1}: line {2} of {3}",
        fr: "{1} : la ligne {2} de {3}")
    case .noPin:
      Texts(
        ca: "{1} no existeix; corregiu pins.{2}",
        es: "{1} no existe; corrija pins.{2}",
        en: "{1} does not exist; correct pins.{2}",
        fr: "{1} n'existe pas ; corrigez pins.{2}")
    case .pinTwice:
      Texts(
        ca: "{1} també és la de {2}; corregiu-ne una",
        es: "{1} es también la de {2}; corrija una de las dos",
        en: "{1} is also that of {2}; correct one of the two",
        fr: "{1} est aussi celle de {2} ; corrigez l'une des deux")
    case .pinUsedBy:
      Texts(
        ca: "{1} la usa «{2}»; atureu-lo, o corregiu pins.{3}",
        es: "{1} la usa «{2}»; párelo, o corrija pins.{3}",
        en: "{1} is used by \"{2}\"; stop that, or correct pins.{3}",
        fr: "{1} est utilisée par « {2} » ; arrêtez-le, ou corrigez pins.{3}")
    case .pinUsed:
      Texts(
        ca: "{1} la usa un altre programa; atureu-lo, o corregiu pins.{2}",
        es: "{1} la usa otro programa; párelo, o corrija pins.{2}",
        en: "{1} is used by another program; stop that, or correct pins.{2}",
        fr: "{1} est utilisée par un autre programme ; arrêtez-le, ou corrigez pins.{2}")
    case .chipGone:
      Texts(
        ca: "{1}: el seu xip ha desaparegut",
        es: "{1}: su chip ha desaparecido",
        en: "{1}: its chip is gone",
        fr: "{1} : sa puce a disparu")
    case .pinFlooding:
      Texts(
        ca: "{1}: canvia massa sovint i no s'hi fa cas; connecteu-lo, o doneu-li un bias",
        es: "{1}: cambia demasiado a menudo y se ignora; conéctelo, o dele un bias",
        en: "{1}: changes too often and is ignored; connect it, or give it a bias",
        fr: "{1} : change trop souvent et est ignorée ; branchez-la, ou donnez-lui un bias")
    case .noTiming:
      Texts(
        ca: "els pins no es poden temporitzar: {1}",
        es: "los pines no se pueden temporizar: {1}",
        en: "pins cannot be timed: {1}",
        fr: "les broches ne peuvent être minutées : {1}")
    case .sensorAbsent:
      Texts(
        ca: "{1}: no hi ha aquest dispositiu a {2}; comproveu-ne el cablejat i el controlador",
        es: "{1}: no hay tal dispositivo en {2}; compruebe su cableado y su controlador",
        en: "{1}: there is no such device in {2}; check its wiring and driver",
        fr: "{1} : périphérique absent de {2} ; vérifiez son câblage et son pilote")
    case .sensorSeveral:
      Texts(
        ca: "{1}: n'hi ha diversos, a {2}; escriviu battery.sensor.place al fitxer de la placa",
        es: "{1}: hay varios, en {2}; escriba battery.sensor.place en el fichero de la placa",
        en: "{1}: there are several, at {2}; write battery.sensor.place in the board file",
        fr: "{1} : il y en a plusieurs, à {2} ; écrivez battery.sensor.place dans le fichier de "
          + "la carte")
    case .severalBatteries:
      Texts(
        ca: "hi ha diverses bateries, {1}; escriviu battery.sensor.name al fitxer de la placa",
        es: "hay varias baterías, {1}; escriba battery.sensor.name en el fichero de la placa",
        en: "there are several batteries, {1}; write battery.sensor.name in the board file",
        fr: "il y a plusieurs batteries, {1} ; écrivez battery.sensor.name dans le fichier de la "
          + "carte")
    case .sensorLacks:
      Texts(
        ca: "{1}: no té {2}; comproveu battery.sensor al fitxer de la placa",
        es: "{1}: no tiene {2}; compruebe battery.sensor en el fichero de la placa",
        en: "{1}: has no {2}; check battery.sensor in the board file",
        fr: "{1} : n'a pas de {2} ; vérifiez battery.sensor dans le fichier de la carte")
    case .sensorBusy:
      Texts(
        ca: "un altre programa n'usa els avisos o la memòria",
        es: "otro programa usa sus avisos o su memoria",
        en: "another program uses its events or its buffer",
        fr: "un autre programme utilise ses événements ou son tampon")
    case .sensorJunk:
      Texts(
        ca: "{1}: {2} no té cap número sinó \"{3}\"",
        es: "{1}: {2} no tiene ningún número sino \"{3}\"",
        en: "{1}: {2} has no number but \"{3}\"",
        fr: "{1} : {2} n'a pas de nombre mais \"{3}\"")
    case .sensorImplausible:
      Texts(
        ca: "{1}: {2} mV no és plausible, la bateria té de {3} a {4} mV",
        es: "{1}: {2} mV no es plausible, la batería tiene de {3} a {4} mV",
        en: "{1}: {2} mV is implausible, the battery has {3} to {4} mV",
        fr: "{1} : {2} mV n'est pas plausible, la batterie a de {3} à {4} mV")
    case .portShared:
      Texts(
        ca: "{1} també l'usa {2}; atureu-lo",
        es: "{1} también lo usa {2}; párelo",
        en: "{1} is also used by {2}; stop it",
        fr: "{1} est aussi utilisé par {2} ; arrêtez-le")
    case .anotherUsers:
      Texts(
        ca: "un programa d'un altre usuari (sudo fuser {1})",
        es: "un programa de otro usuario (sudo fuser {1})",
        en: "a program of another user (sudo fuser {1})",
        fr: "un programme d'un autre utilisateur (sudo fuser {1})")
    }
  }
}
