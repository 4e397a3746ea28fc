import Wording

/// The README.txt beside the cards' folders.
enum FleetReadme {
  static let texts = Texts(ca: catalan, es: spanish, en: english, fr: french)

  private static let english = """
    The settings of trackers: {1}, in a folder each.

    For each tracker:
    1. Put its card, with Raspberry Pi OS and trailtracker on it, into this computer.
       A small drive appears, "bootfs" or "boot".
    2. Open the folder of the team, as in 07-els-senglars, and copy the folder
       "trailtracker" that is in it to that drive, beside config.txt.
    3. Eject the drive, put the card into the tracker and switch it on.

    At that start the tracker takes the settings, deletes the secrets from the card and
    renames the folder to "trailtracker.done". If it cannot use them it changes nothing,
    and writes why to the file ERROR.txt in the folder "trailtracker" on the card.

    To give a tracker to another team, copy that team's folder to the card.

    These folders have passwords in them that anybody can read who has the files. Delete
    them when the cards are done.
    """

  private static let catalan = """
    La configuració dels equips: {1}, cadascun en un directori.

    Per a cada equip:
    1. Poseu la seva targeta, amb Raspberry Pi OS i trailtracker, en aquest ordinador.
       Hi apareix una unitat petita, «bootfs» o «boot».
    2. Obriu el directori de l'equip, com ara 07-els-senglars, i copieu el directori
       «trailtracker» que hi ha a dins a aquella unitat, al costat de config.txt.
    3. Expulseu la unitat, poseu la targeta al dispositiu i engegueu-lo.

    En engegar-se, el dispositiu agafa la configuració, esborra els secrets de la targeta i
    canvia el nom del directori a «trailtracker.done». Si no la pot fer servir no canvia res,
    i escriu per què al fitxer ERROR.txt del directori «trailtracker» de la targeta.

    Per donar un dispositiu a un altre equip, copieu a la targeta el directori d'aquell equip.

    Aquests directoris tenen contrasenyes que pot llegir tothom qui tingui els fitxers.
    Esborreu-los quan les targetes estiguin fetes.
    """

  private static let spanish = """
    La configuración de los equipos: {1}, cada uno en un directorio.

    Para cada equipo:
    1. Ponga su tarjeta, con Raspberry Pi OS y trailtracker, en este ordenador.
       Aparece una unidad pequeña, «bootfs» o «boot».
    2. Abra el directorio del equipo, como 07-els-senglars, y copie el directorio
       «trailtracker» que hay dentro a esa unidad, al lado de config.txt.
    3. Expulse la unidad, ponga la tarjeta en el dispositivo y enciéndalo.

    Al encenderse, el dispositivo toma la configuración, borra los secretos de la tarjeta y
    cambia el nombre del directorio a «trailtracker.done». Si no la puede usar no cambia nada,
    y escribe por qué en el fichero ERROR.txt del directorio «trailtracker» de la tarjeta.

    Para dar un dispositivo a otro equipo, copie a la tarjeta el directorio de ese equipo.

    Estos directorios tienen contraseñas que puede leer cualquiera que tenga los ficheros.
    Bórrelos cuando las tarjetas estén hechas.
    """

  private static let french = """
    Les réglages des balises : {1}, chacune dans un répertoire.

    Pour chaque balise :
    1. Mettez sa carte, avec Raspberry Pi OS et trailtracker, dans cet ordinateur.
       Un petit lecteur apparaît, « bootfs » ou « boot ».
    2. Ouvrez le répertoire de l'équipe, comme 07-els-senglars, et copiez le répertoire
       « trailtracker » qui s'y trouve sur ce lecteur, à côté de config.txt.
    3. Éjectez le lecteur, mettez la carte dans la balise et allumez-la.

    À ce démarrage, la balise prend les réglages, efface les secrets de la carte et renomme
    le répertoire en « trailtracker.done ». Si elle ne peut pas s'en servir, elle ne change
    rien et écrit pourquoi dans le fichier ERROR.txt du répertoire « trailtracker » de la carte.

    Pour donner une balise à une autre équipe, copiez sur la carte le répertoire de celle-ci.

    Ces répertoires contiennent des mots de passe que peut lire quiconque a les fichiers.
    Effacez-les quand les cartes sont faites.
    """
}
