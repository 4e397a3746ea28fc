import Wording

/// What `trackerctl setup` asks.
enum SetupQuestion: String, Catalogue {
  case language, board, receiver, team, number, kind, server, user, secret, timeZone, finish
  case bearer, interface, accessPoint, goOn

  var texts: Texts {
    switch self {
    case .language:
      Texts(
        ca: "Llengua de l'equip (ca, es, en, fr)", es: "Idioma del equipo (ca, es, en, fr)",
        en: "Language of the tracker (ca, es, en, fr)", fr: "Langue de la balise (ca, es, en, fr)")
    case .board:
      Texts(
        ca: "Placa, o parts unides amb + (? les llista)",
        es: "Placa, o partes unidas con + (? las lista)",
        en: "Board, or parts joined by + (? lists them)",
        fr: "Carte, ou parties jointes par + (? les liste)")
    case .receiver:
      Texts(
        ca: "Port del receptor: board (el de la placa), un dispositiu o gpsd://…",
        es: "Puerto del receptor: board (el de la placa), un dispositivo o gpsd://…",
        en: "Port of the receiver: board (the board's own), a device, or gpsd://…",
        fr: "Port du récepteur : board (celui de la carte), un périphérique ou gpsd://…")
    case .team:
      Texts(
        ca: "Nom de l'equip de marxa", es: "Nombre del equipo de marcha", en: "Name of the team",
        fr: "Nom de l'équipe")
    case .number:
      Texts(
        ca: "Número o nom curt per al servidor (- per a cap)",
        es: "Número o nombre corto para el servidor (- para ninguno)",
        en: "Number or short name for the server (- for none)",
        fr: "Numéro ou nom court pour le serveur (- pour aucun)")
    case .kind:
      Texts(
        ca: "Tipus de servidor (arcgis, osmand, owntracks, json)",
        es: "Tipo de servidor (arcgis, osmand, owntracks, json)",
        en: "Kind of server (arcgis, osmand, owntracks, json)",
        fr: "Type de serveur (arcgis, osmand, owntracks, json)")
    case .server:
      Texts(
        ca: "Adreça del servidor", es: "Dirección del servidor", en: "Address of the server",
        fr: "Adresse du serveur")
    case .user:
      Texts(
        ca: "Usuari al servidor (- per a cap)", es: "Usuario en el servidor (- para ninguno)",
        en: "User at the server (- for none)", fr: "Utilisateur sur le serveur (- pour aucun)")
    case .secret:
      Texts(
        ca: "Contrasenya o token (no es mostra; Retorn: cap de nou)",
        es: "Contraseña o token (no se muestra; Intro: ninguno nuevo)",
        en: "Password or token (not shown; Enter: no new one)",
        fr: "Mot de passe ou jeton (non affiché ; Entrée : pas de nouveau)")
    case .timeZone:
      Texts(
        ca: "Zona horària", es: "Zona horaria", en: "Time zone", fr: "Fuseau horaire")
    case .finish:
      Texts(
        ca: "Final de la marxa: data i hora (2027-04-18T14:00), o des de l'inici (32 h)",
        es: "Fin de la marcha: fecha y hora (2027-04-18T14:00), o desde el inicio (32 h)",
        en: "End of the race: date and time (2027-04-18T14:00), or from the start (32 h)",
        fr: "Fin de la marche : date et heure (2027-04-18T14:00), ou depuis le départ (32 h)")
    case .bearer:
      Texts(
        ca: "Què porta les dades: interface o modem (del mòdem), none (Wi-Fi, NetworkManager)",
        es: "Qué lleva los datos: interface o modem (del módem), none (Wi-Fi, NetworkManager)",
        en: "What carries the data: interface or modem (the modem's), none (Wi-Fi, NetworkManager)",
        fr: "Ce qui porte les données : interface ou modem (du modem), none (Wi-Fi, "
          + "NetworkManager)")
    case .interface:
      Texts(
        ca: "Interfície de xarxa de les dades (- per a qualsevol)",
        es: "Interfaz de red de los datos (- para cualquiera)",
        en: "Network interface of the data (- for any)",
        fr: "Interface réseau des données (- pour n'importe laquelle)")
    case .accessPoint:
      Texts(
        ca: "Punt d'accés, APN (- per al que té el mòdem)",
        es: "Punto de acceso, APN (- para el que tiene el módem)",
        en: "Access point, APN (- for the modem's own)",
        fr: "Point d'accès, APN (- pour celui du modem)")
    case .goOn:
      Texts(
        ca: "Ho canvio? (s/n)", es: "¿Lo cambio? (s/n)", en: "Change this? (y/n)",
        fr: "Je le change ? (o/n)")
    }
  }
}
