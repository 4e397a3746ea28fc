import Wording

/// What is wrong with a value of a setting, and what to write instead.
enum FilePhrase: String, Catalogue {
  case whatIsIt, object, list, text, number, example, write, noUnitNumber, notOne, noUnit, comma
  case tooFine, tooManyDigits, negative, outOfRange, because, notAChoice, nearChoice, missing
  case orSet, notADate, noSuchTime, whichZone, skipped, repeated, otherPolicy, dutyCycle
  case sleepByTime, noWaking, deadButton
  case withFinish, needsFinish, past, current, voltage, resistance, charge, duration, distance
  case speed, percentage, temperature, oneFix, raceLength, notShorter, aRace, orNever, mustBeLeft
  case aGamble, costsMoney, warning, notMeasured, noMessages, noReaders, byBroker

  var texts: Texts {
    switch self {
    case .whatIsIt:
      Texts(
        ca: "és {1}; {2}",
        es: "es {1}; {2}",
        en: "is {1}; {2}",
        fr: "est {1} ; {2}")
    case .object:
      Texts(
        ca: "un objecte { … }",
        es: "un objeto { … }",
        en: "an object { … }",
        fr: "un objet { … }")
    case .list:
      Texts(
        ca: "una llista [ … ]",
        es: "una lista [ … ]",
        en: "a list [ … ]",
        fr: "une liste [ … ]")
    case .text: Texts(ca: "el text {1}", es: "el texto {1}", en: "the text {1}", fr: "le texte {1}")
    case .number:
      Texts(
        ca: "el nombre {1}",
        es: "el número {1}",
        en: "the number {1}",
        fr: "le nombre {1}")
    case .example:
      Texts(
        ca: "escriviu per exemple {1}",
        es: "escriba por ejemplo {1}",
        en: "write for example {1}",
        fr: "écrivez par exemple {1}")
    case .write: Texts(ca: "escriviu {1}", es: "escriba {1}", en: "write {1}", fr: "écrivez {1}")
    case .noUnitNumber:
      Texts(
        ca: "és un nombre sense unitat",
        es: "es un número sin unidad",
        en: "is a number without a unit",
        fr: "est un nombre sans unité")
    case .notOne:
      Texts(
        ca: "{1} no és {2}",
        es: "{1} no es {2}",
        en: "{1} is not a {2}",
        fr: "{1} n'est pas {2}")
    case .noUnit:
      Texts(
        ca: "{1} no té unitat",
        es: "{1} no tiene unidad",
        en: "{1} has no unit",
        fr: "{1} n'a pas d'unité")
    case .comma:
      Texts(
        ca: "{1} té una coma en lloc d'un punt decimal",
        es: "{1} tiene una coma en vez de un punto decimal",
        en: "{1} has a comma instead of a decimal point",
        fr: "{1} a une virgule au lieu d'un point décimal")
    case .tooFine:
      Texts(
        ca: "{1} té més xifres que la unitat del programa ({2})",
        es: "{1} tiene más cifras que la unidad del programa ({2})",
        en: "{1} has more digits than the program's unit ({2})",
        fr: "{1} a plus de chiffres que l'unité du programme ({2})")
    case .tooManyDigits:
      Texts(
        ca: "{1} té massa xifres",
        es: "{1} tiene demasiadas cifras",
        en: "{1} has too many digits",
        fr: "{1} a trop de chiffres")
    case .negative:
      Texts(
        ca: "{1} és negatiu; escriviu {2} de {3} a {4}",
        es: "{1} es negativo; escriba {2} de {3} a {4}",
        en: "{1} is negative; write a {2} from {3} to {4}",
        fr: "{1} est négatif ; écrivez {2} de {3} à {4}")
    case .outOfRange:
      Texts(
        ca: "{1} és fora de marge; escriviu {2} de {3} a {4}",
        es: "{1} está fuera de rango; escriba {2} de {3} a {4}",
        en: "{1} is out of range; write a {2} from {3} to {4}",
        fr: "{1} est hors limites ; écrivez {2} de {3} à {4}")
    case .because: Texts(ca: "{1} ({2})", es: "{1} ({2})", en: "{1} ({2})", fr: "{1} ({2})")
    case .notAChoice:
      Texts(
        ca: "{1} no és cap dels valors; escriviu {2}",
        es: "{1} no es ninguno de los valores; escriba {2}",
        en: "{1} is not a valid choice; write {2}",
        fr: "{1} n'est pas un choix possible ; écrivez {2}")
    case .nearChoice:
      Texts(
        ca: "{1} no és cap dels valors; volíeu dir {2}?",
        es: "{1} no es ninguno de los valores; ¿quería decir {2}?",
        en: "{1} is not a valid choice; did you mean {2}?",
        fr: "{1} n'est pas un choix possible ; vouliez-vous dire {2} ?")
    case .missing:
      Texts(
        ca: "hi falta; afegiu per exemple {1}: {2}",
        es: "falta; añada por ejemplo {1}: {2}",
        en: "is missing; add for example {1}: {2}",
        fr: "manque ; ajoutez par exemple {1} : {2}")
    case .orSet:
      Texts(
        ca: "amb timeZone o amb una diferència d'UTC",
        es: "con timeZone o con una diferencia de UTC",
        en: "with timeZone or with an offset",
        fr: "avec timeZone ou avec un décalage")
    case .notADate:
      Texts(
        ca: "{1} no és una data i hora",
        es: "{1} no es una fecha y hora",
        en: "{1} is not a date and time",
        fr: "{1} n'est pas une date et heure")
    case .noSuchTime:
      Texts(
        ca: "{1}: no existeix aquesta hora",
        es: "{1}: no existe esa hora",
        en: "{1}: there is no such time",
        fr: "{1} : cette heure n'existe pas")
    case .whichZone:
      Texts(
        ca: "{1}: en quin fus horari? Afegiu per exemple timeZone: \"Europe/Madrid\", o "
          + "escriviu-lo com {2} o amb Z per a UTC",
        es: "{1}: ¿en qué huso horario? Añada por ejemplo timeZone: \"Europe/Madrid\", o "
          + "escríbalo como {2} o con Z para UTC",
        en: "{1}: in which time zone? Add for example timeZone: \"Europe/Madrid\", or write it "
          + "as {2} or with Z for UTC",
        fr: "{1} : dans quel fuseau ? Ajoutez par exemple timeZone: \"Europe/Madrid\", ou "
          + "écrivez-la {2} ou avec Z pour UTC")
    case .skipped:
      Texts(
        ca: "{1} no existeix a {2}: llavors s'avancen els rellotges; escriviu una hora més tardana",
        es: "{1} no existe en {2}: entonces se adelantan los relojes; escriba una hora posterior",
        en: "{1} does not exist in {2}: the clocks go forward then; write a later time",
        fr: "{1} n'existe pas à {2} : on avance alors les horloges ; écrivez une heure plus "
          + "tardive")
    case .repeated:
      Texts(
        ca: "{1} es dona dues vegades a {2}: llavors s'endarrereixen els rellotges; escriviu {3}",
        es: "{1} se da dos veces en {2}: entonces se retrasan los relojes; escriba {3}",
        en: "{1} occurs twice in {2}: the clocks go back then; write {3}",
        fr: "{1} arrive deux fois à {2} : on recule alors les horloges ; écrivez {3}")
    case .otherPolicy:
      Texts(
        ca: "no és de la política {1}; traieu-lo, o trieu {2}",
        es: "no es de la política {1}; quítelo, o elija {2}",
        en: "does not belong to the policy {1}; remove it, or choose {2}",
        fr: "n'appartient pas à la politique {1} ; retirez-le, ou choisissez {2}")
    case .dutyCycle:
      Texts(
        ca: "\"dutyCycle\" necessita una política per temps, perquè un receptor adormit no "
          + "mesura distàncies; escriviu \"always\", o la política \"standard\" o \"adaptive\"",
        es: "\"dutyCycle\" necesita una política por tiempo, porque un receptor dormido no mide "
          + "distancias; escriba \"always\", o la política \"standard\" o \"adaptive\"",
        en: "\"dutyCycle\" needs a policy by time, as a sleeping receiver measures no distance; "
          + "write \"always\", or policy \"standard\" or \"adaptive\"",
        fr: "\"dutyCycle\" exige une politique par temps, car un récepteur en veille ne mesure "
          + "pas de distance ; écrivez \"always\", ou la politique \"standard\" ou \"adaptive\"")
    case .noMessages:
      Texts(
        ca: "necessita un servidor que pugui dir alguna cosa: \"arcgis\" amb una taula de "
          + "missatges, \"json\" o \"owntracks\"; traieu-ho, o traieu messages: false",
        es: "necesita un servidor que pueda decir algo: \"arcgis\" con una tabla de mensajes, "
          + "\"json\" u \"owntracks\"; quítelo, o quite messages: false",
        en: "needs a server that can say something: \"arcgis\" with a table of messages, "
          + "\"json\" or \"owntracks\"; remove it, or remove messages: false",
        fr: "exige un serveur qui puisse dire quelque chose : \"arcgis\" avec une table de "
          + "messages, \"json\" ou \"owntracks\" ; retirez-le, ou retirez messages: false")
    case .byBroker:
      Texts(
        ca: "una captura val com a entregada quan el broker diu que la té, potser només a la "
          + "memòria; treballeu amb basecamp --mqtt i acknowledgedBy: \"receiver\"",
        es: "una captura vale como entregada cuando el broker dice que la tiene, quizá solo en la "
          + "memoria; trabaje con basecamp --mqtt y acknowledgedBy: \"receiver\"",
        en: "a capture counts as delivered when the broker says that it has it, perhaps in its "
          + "memory only; basecamp --mqtt and acknowledgedBy: \"receiver\" are better",
        fr: "une capture compte comme livrée quand le broker dit l'avoir, peut-être en mémoire "
          + "seulement ; mieux valent basecamp --mqtt et acknowledgedBy: \"receiver\"")
    case .noReaders:
      Texts(
        ca: "no pot dir que algú ha llegit una emergència: l'equip només veurà que hi ha arribat, "
          + "i textTo és l'únic camí per a una resposta; \"arcgis\" i \"json\" ho poden dir",
        es: "no puede decir que alguien ha leído una emergencia: el equipo solo verá que ha "
          + "llegado, y textTo es el único camino de una respuesta; \"arcgis\" y \"json\" pueden",
        en: "cannot say that somebody has read an emergency: the team will only see that it has "
          + "arrived, and textTo is the only way for an answer; \"arcgis\" and \"json\" can",
        fr: "ne peut dire que quelqu'un a lu une urgence : l'équipe verra seulement qu'elle est "
          + "arrivée, et textTo est la seule voie d'une réponse ; \"arcgis\" et \"json\" le "
          + "peuvent")
    case .sleepByTime:
      Texts(
        ca: "\"halt\" necessita una política per temps, perquè un ordinador aturat no mesura "
          + "distàncies; escriviu \"never\", o la política \"standard\" o \"adaptive\"",
        es: "\"halt\" necesita una política por tiempo, porque un ordenador parado no mide "
          + "distancias; escriba \"never\", o la política \"standard\" o \"adaptive\"",
        en: "\"halt\" needs a policy by time, as a halted computer measures no distance; write "
          + "\"never\", or policy \"standard\" or \"adaptive\"",
        fr: "\"halt\" exige une politique par temps, car un ordinateur arrêté ne mesure pas de "
          + "distance ; écrivez \"never\", ou la politique \"standard\" ou \"adaptive\"")
    case .noWaking:
      Texts(
        ca: "res no engega l'ordinador aturat de la placa {1}; escriviu \"never\", o afegiu-hi una "
          + "peça amb rellotge: trackerctl boards",
        es: "nada arranca el ordenador parado de la placa {1}; escriba \"never\", o añada una "
          + "pieza con reloj: trackerctl boards",
        en: "nothing starts the halted computer of the board {1}; write \"never\", or add a part "
          + "with a clock: trackerctl boards",
        fr: "rien ne démarre l'ordinateur arrêté de la carte {1} ; écrivez \"never\", ou ajoutez "
          + "une pièce à horloge : trackerctl boards")
    case .deadButton:
      Texts(
        ca: "el botó de la placa {1} no engega l'ordinador aturat; escriviu \"never\", o "
          + "connecteu-lo també al rellotge i poseu halt.button al fitxer de la placa",
        es: "el botón de la placa {1} no arranca el ordenador parado; escriba \"never\", o "
          + "conéctelo también al reloj y ponga halt.button en el fichero de la placa",
        en: "the button of the board {1} does not start the halted computer; write \"never\", or "
          + "wire it to the clock's line, too, and set halt.button in the board's file",
        fr: "le bouton de la carte {1} ne démarre pas l'ordinateur arrêté ; écrivez \"never\", ou "
          + "reliez-le aussi à l'horloge et mettez halt.button dans le fichier de la carte")
    case .withFinish:
      Texts(
        ca: "no es pot combinar amb finish; traieu-ne un dels dos",
        es: "no se puede combinar con finish; quite uno de los dos",
        en: "cannot be combined with finish; remove one of the two",
        fr: "ne se combine pas avec finish ; retirez l'un des deux")
    case .needsFinish:
      Texts(
        ca: "no fa res sense arribada; afegiu per exemple finish: {1}",
        es: "no tiene efecto sin llegada; añada por ejemplo finish: {1}",
        en: "has no effect without a finish; add for example finish: {1}",
        fr: "est sans effet sans arrivée ; ajoutez par exemple finish: {1}")
    case .past:
      Texts(
        ca: "ja ha passat; escriviu la de la pròxima cursa, o traieu-la",
        es: "ya ha pasado; escriba la de la próxima carrera, o quítela",
        en: "is in the past; write that of the next race, or remove it",
        fr: "est passée ; écrivez celle de la prochaine course, ou retirez-la")
    case .current: Texts(ca: "un corrent", es: "una corriente", en: "current", fr: "un courant")
    case .voltage: Texts(ca: "una tensió", es: "una tensión", en: "voltage", fr: "une tension")
    case .resistance:
      Texts(
        ca: "una resistència",
        es: "una resistencia",
        en: "resistance",
        fr: "une résistance")
    case .charge: Texts(ca: "una càrrega", es: "una carga", en: "charge", fr: "une charge")
    case .duration:
      Texts(
        ca: "una durada",
        es: "una duración",
        en: "length of time",
        fr: "une durée")
    case .distance:
      Texts(
        ca: "una distància",
        es: "una distancia",
        en: "distance",
        fr: "une distance")
    case .speed: Texts(ca: "una velocitat", es: "una velocidad", en: "speed", fr: "une vitesse")
    case .percentage:
      Texts(
        ca: "un percentatge",
        es: "un porcentaje",
        en: "percentage",
        fr: "un pourcentage")
    case .temperature:
      Texts(
        ca: "una temperatura",
        es: "una temperatura",
        en: "temperature",
        fr: "une température")
    case .oneFix:
      Texts(
        ca: "un receptor dona una posició per segon",
        es: "un receptor da una posición por segundo",
        en: "a receiver gives one fix per second",
        fr: "un récepteur donne une position par seconde")
    case .raceLength:
      Texts(
        ca: "la cursa té 100 km",
        es: "la carrera tiene 100 km",
        en: "the race has 100 km",
        fr: "la course a 100 km")
    case .notShorter:
      Texts(
        ca: "no més curt que l'interval",
        es: "no más corto que el intervalo",
        en: "not shorter than the interval",
        fr: "pas plus court que l'intervalle")
    case .aRace:
      Texts(
        ca: "una cursa, no una temporada",
        es: "una carrera, no una temporada",
        en: "a race, not a season",
        fr: "une course, pas une saison")
    case .orNever:
      Texts(
        ca: "o \"never\"",
        es: "o \"never\"",
        en: "or \"never\"",
        fr: "ou \"never\"")
    case .mustBeLeft:
      Texts(
        ca: "alguna cosa ha de quedar per gastar",
        es: "algo debe quedar para gastar",
        en: "something must be left to spend",
        fr: "il doit rester de quoi dépenser")
    case .aGamble:
      Texts(
        ca: "menys és una aposta, i del tot segur no ho està ningú",
        es: "menos es una apuesta, y del todo seguro no lo está nadie",
        en: "less is a gamble, and nobody can be certain",
        fr: "moins est un pari, et nul ne peut être certain")
    case .costsMoney:
      Texts(
        ca: "cada missatge costa diners",
        es: "cada mensaje cuesta dinero",
        en: "each message costs money",
        fr: "chaque message coûte de l'argent")
    case .warning:
      Texts(ca: "avís: {1}", es: "aviso: {1}", en: "warning: {1}", fr: "avertissement : {1}")
    case .notMeasured:
      Texts(
        ca: "\"adaptive\" no s'adapta a res, perquè cap sensor mesura la bateria de {1}: els "
          + "intervals queden com estan configurats; afegiu-hi un sensor, com {2}",
        es: "\"adaptive\" no se adapta a nada, porque ningún sensor mide la batería de {1}: los "
          + "intervalos quedan como están configurados; añádale un sensor, como {2}",
        en: "\"adaptive\" adapts to nothing, as no sensor measures the battery of {1}: the "
          + "intervals stay as configured; add a sensor to the board, as in {2}",
        fr: "\"adaptive\" ne s'adapte à rien, car aucun capteur ne mesure la batterie de {1} : les "
          + "intervalles restent tels que configurés ; ajoutez un capteur à la carte, comme {2}")
    }
  }

  /// A reason that is given with a range. The references of settings have them in English; one
  /// that is not among these is shown as it is.
  static func reason(_ english: String) -> Texts {
    allCases.map(\.texts).first { $0.english == english } ?? english.texts
  }
}
