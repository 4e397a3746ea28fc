import TrackerCore

/// What `trackerctl setup --help` prints. At most 80 columns.
enum SetupHelp {
  static func text(in language: Language) -> String {
    switch language {
    case .catalan: catalan
    case .spanish: spanish
    case .english: english
    case .french: french
    }
  }

  static let english = """
    trackerctl setup makes a tracker of a computer with the package installed.

    usage:
      sudo trackerctl setup [options]

    In a terminal it asks for what is not given, and Enter takes what is in
    brackets: what the files have, or what it found. It shows what it is going to
    change, and asks once more. Before that nothing is changed. Run again, it
    changes only what has to be. It writes the settings, the secret and the board;
    it frees the receiver's port from the login console and enables it in
    config.txt; it keeps ModemManager away from the modem; then it starts trackerd
    and prints the self-test, or says that a reboot is needed first.

    options:
      --board NAME      as in trackerctl boards; parts joined by +
      --receiver PORT   board (its own), auto (listen), a device or gpsd://...
      --team NAME       --number N   the team, and its name for the server
      --kind K          arcgis, osmand, owntracks or json             [arcgis]
      --server URL      the server's address; --user NAME
      --secret-file F   a file with the password or token; --secret - reads it
                        from standard input
      --finish TIME     2027-04-18T14:00, or 32 h from the start
      --time-zone ZONE  of the finish                          [this computer's]
      --language L      of the tracker: ca, es, en or fr
      --bearer B        interface, modem or none               [interface]
      --interface NAME  of the data; --apn NAME of the modem; - is none
      --yes             ask nothing; what is missing is an error
      --dry-run         show what would change, and change nothing
      --no-start        do not start trackerd
      --root FOLDER     set up the system in this folder, such as an image's

    exit code: 0 done, or nothing to do; 1 stopped, or trackerd did not start;
    2 wrong use, or a file that cannot be read or written.

    """

  private static let catalan = """
    trackerctl setup fa un equip d'un ordinador amb el paquet instal·lat.

    ús:
      sudo trackerctl setup [opcions]

    En un terminal demana el que no se li dona, i Retorn pren el que hi ha entre
    claudàtors: el que diuen els fitxers, o el que ha trobat. Mostra què canviarà i
    ho pregunta un cop més. Abans no canvia res. Si es repeteix, només canvia el que
    cal. Escriu la configuració, el secret i la placa; treu la consola d'entrada del
    port del receptor i l'activa a config.txt; aparta ModemManager del mòdem; i
    engega trackerd i mostra self-test, o diu que abans cal reiniciar.

    opcions:
      --board NOM       com a trackerctl boards; parts unides amb +
      --receiver PORT   board (el seu), auto (escolta), un dispositiu o gpsd://...
      --team NOM        --number N   l'equip, i el seu nom per al servidor
      --kind K          arcgis, osmand, owntracks o json              [arcgis]
      --server URL      l'adreça del servidor; --user NOM
      --secret-file F   un fitxer amb la contrasenya o el token; --secret - el
                        llegeix de l'entrada estàndard
      --finish HORA     2027-04-18T14:00, o 32 h des de l'inici
      --time-zone ZONA  del final                          [la de l'ordinador]
      --language L      de l'equip: ca, es, en o fr
      --bearer B        interface, modem o none                [interface]
      --interface NOM   de les dades; --apn NOM del mòdem; - és cap
      --yes             no pregunta res; el que falta és un error
      --dry-run         mostra què canviaria, i no canvia res
      --no-start        no engega trackerd
      --root CARPETA    configura el sistema d'aquesta carpeta, com una imatge

    codi de sortida: 0 fet, o res a fer; 1 interromput, o trackerd no s'ha engegat;
    2 mal ús, o un fitxer que no es pot llegir o escriure.

    """

  private static let spanish = """
    trackerctl setup hace un equipo de un ordenador con el paquete instalado.

    uso:
      sudo trackerctl setup [opciones]

    En un terminal pregunta lo que no se le da, e Intro toma lo que hay entre
    corchetes: lo que dicen los ficheros, o lo que ha encontrado. Muestra qué va a
    cambiar y lo pregunta una vez más. Antes no cambia nada. Si se repite, solo
    cambia lo necesario. Escribe la configuración, el secreto y la placa; quita la
    consola de entrada del puerto del receptor y lo activa en config.txt; aparta
    ModemManager del módem; después arranca trackerd y muestra self-test, o dice que
    antes hay que reiniciar.

    opciones:
      --board NOMBRE    como en trackerctl boards; partes unidas con +
      --receiver PUERTO board (el suyo), auto (escucha), un dispositivo o gpsd://...
      --team NOMBRE     --number N   el equipo, y su nombre para el servidor
      --kind K          arcgis, osmand, owntracks o json              [arcgis]
      --server URL      la dirección del servidor; --user NOMBRE
      --secret-file F   un fichero con la contraseña o el token; --secret - lo lee
                        de la entrada estándar
      --finish HORA     2027-04-18T14:00, o 32 h desde el inicio
      --time-zone ZONA  del fin                            [la del ordenador]
      --language L      del equipo: ca, es, en o fr
      --bearer B        interface, modem o none                [interface]
      --interface NOMBRE de los datos; --apn NOMBRE del módem; - es ninguno
      --yes             no pregunta nada; lo que falta es un error
      --dry-run         muestra qué cambiaría, y no cambia nada
      --no-start        no arranca trackerd
      --root CARPETA    configura el sistema de esta carpeta, como una imagen

    código de salida: 0 hecho, o nada que hacer; 1 interrumpido, o trackerd no ha
    arrancado; 2 mal uso, o un fichero que no se puede leer o escribir.

    """

  private static let french = """
    trackerctl setup fait une balise d'un ordinateur où le paquet est installé.

    usage :
      sudo trackerctl setup [options]

    Dans un terminal, il demande ce qui n'est pas donné, et Entrée prend ce qui est
    entre crochets : ce que disent les fichiers, ou ce qu'il a trouvé. Il montre ce
    qu'il va changer et le demande une fois de plus. Avant cela, rien ne change.
    Relancé, il ne change que ce qu'il faut. Il écrit les réglages, le secret et la
    carte ; il retire la console de connexion du port du récepteur et l'active dans
    config.txt ; il écarte ModemManager du modem ; puis il lance trackerd et montre
    self-test, ou dit qu'il faut d'abord redémarrer.

    options :
      --board NOM       comme dans trackerctl boards ; parties jointes par +
      --receiver PORT   board (le sien), auto (écoute), un appareil ou gpsd://...
      --team NOM        --number N   l'équipe, et son nom pour le serveur
      --kind K          arcgis, osmand, owntracks ou json             [arcgis]
      --server URL      l'adresse du serveur ; --user NOM
      --secret-file F   un fichier avec le mot de passe ou le jeton ; --secret - le
                        lit sur l'entrée standard
      --finish HEURE    2027-04-18T14:00, ou 32 h depuis le départ
      --time-zone ZONE  de la fin                         [celui de l'ordinateur]
      --language L      de la balise : ca, es, en ou fr
      --bearer B        interface, modem ou none               [interface]
      --interface NOM   des données ; --apn NOM du modem ; - pour aucun
      --yes             ne demande rien ; ce qui manque est une erreur
      --dry-run         montre ce qui changerait, et ne change rien
      --no-start        ne lance pas trackerd
      --root DOSSIER    configure le système de ce dossier, comme une image

    code de sortie : 0 fait, ou rien à faire ; 1 interrompu, ou trackerd n'a pas
    démarré ; 2 mauvais usage, ou fichier illisible ou non inscriptible.

    """
}
