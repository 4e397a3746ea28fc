import Wording

/// What `trackerctl first-boot` says, in the journal and on the card.
enum FirstBootPhrase: String, Catalogue {
  case needsRoot, readOnly, incomplete, taken, noUser

  var texts: Texts {
    switch self {
    case .needsRoot:
      Texts(
        ca: "first-boot canvia el sistema; feu sudo trackerctl first-boot",
        es: "first-boot cambia el sistema; use sudo trackerctl first-boot",
        en: "first-boot changes the system; run it with sudo",
        fr: "first-boot modifie le système ; lancez-le avec sudo")
    case .readOnly:
      Texts(
        ca: "no s'hi pot escriure, i els secrets hi quedarien; munteu-la amb escriptura i "
          + "reinicieu",
        es: "no se puede escribir, y los secretos quedarían ahí; móntela con escritura y reinicie",
        en: "cannot be written, so that the secrets would stay there; mount it for writing and "
          + "start again",
        fr: "on ne peut pas y écrire, et les secrets y resteraient ; montez-la en écriture et "
          + "redémarrez")
    case .incomplete:
      Texts(
        ca: "no té el fitxer {1}; torneu a copiar tot el directori",
        es: "no tiene el fichero {1}; vuelva a copiar todo el directorio",
        en: "has no file {1}; copy the whole folder again",
        fr: "n'a pas de fichier {1} ; copiez de nouveau tout le répertoire")
    case .taken:
      Texts(
        ca: "la configuració de la targeta és al seu lloc, per a l'equip «{1}»; els secrets s'han "
          + "esborrat de la targeta",
        es: "la configuración de la tarjeta está en su sitio, para el equipo «{1}»; los secretos "
          + "se han borrado de la tarjeta",
        en: "the card's settings are in place, for the team \"{1}\"; the secrets were deleted from "
          + "the card",
        fr: "les réglages de la carte sont en place, pour l'équipe « {1} » ; les secrets ont été "
          + "effacés de la carte")
    case .noUser:
      Texts(
        ca: "no té l'usuari trailtracker; instal·leu el paquet",
        es: "no tiene el usuario trailtracker; instale el paquete",
        en: "has no user trailtracker; install the package",
        fr: "n'a pas d'utilisateur trailtracker ; installez le paquet")
    }
  }
}
