extension Help {
  static let french = """
    trackerctl commande une balise en marche, et liste, envoie et exporte des
    captures.

    usage :
      trackerctl status une ligne avec GO, WAIT ou NO-GO, et dessous pourquoi ;
                        aussi d'une balise à l'arrêt, d'après son stockage
      trackerctl captures [N|all] [pending|sent|aside] | show N | proof
                        les captures, tout sur l'une d'elles, et s'il en manque ;
                        seul le stockage est nécessaire
      trackerctl stats [N|all] [--every MÈTRES] [--course FICHIER] [--session N]
      trackerctl stats --sessions
                        distance, temps, vitesses et dénivelé d'une session [la
                        dernière], et ses marques [10, tous les 1000 m], aussi
                        d'un parcours (GeoJSON ou GPX) ; les sessions du stockage
      trackerctl compare A B --course FICHIER [--every MÈTRES] [--json]
      trackerctl compare A --plan FICHIER.csv --course FICHIER [--json]
                        qui était devant et où sur un parcours (GeoJSON ou GPX),
                        ou contre un horaire ; A et B sont des stockages, ou des
                        fichiers d'export ou GPX
      trackerctl why | events [N] | log [N] | self-test
                        pourquoi rien n'est capturé ou envoyé, ce qui s'est
                        passé, et chaque partie avec son remède
      trackerctl start | stop | send now | capture now | pin try
                        l'ordonne à une balise en marche ; start et stop
                        survivent à un redémarrage (stop : six heures)
      trackerctl set CLÉ VALEUR | get | undo [CLÉ] | unset team
                        change une valeur, comme set team "Els Senglars", set
                        interval 5min, set finish 2027-04-18T12:00 ; les liste
                        toutes, et qui les a changées ; annule un changement, ou
                        le dernier
      trackerctl help [verdict]
                        toutes celles-ci dans votre langue, ou quand c'est NO-GO
      trackerctl console [--socket CHEMIN] [--store FICHIER] [--read-only]
                        [--serial] [--idle 10min]
                        la même chose dans un terminal, avec historique et
                        complétion (TAB) ; --idle 0 : sans fin ; --serial :
                        attend une touche, comme sur une ligne série. D'un tube :
                        une commande par ligne
      trackerctl push --store FICHIER --server URL [options]
      trackerctl push --config FICHIER [--store FICHIER]
                        envoie à un serveur les captures en attente d'un stockage
      trackerctl retry [N | APPAREIL4:N | all] [--socket CHEMIN | --store FICHIER]
                        remet dans la file des captures mises de côté [toutes,
                        d'une balise en marche] ; APPAREIL4 : les premiers
                        chiffres, comme 6F1C:17
      trackerctl export --store FICHIER --format gpx|kml|geojson|csv
                        [--output FICHIER]
                        les écrit pour une carte ou une clé USB ; le fichier
                        apparaît une fois complet           [sortie standard]
      trackerctl export --stick [--device PÉRIPHÉRIQUE] [--store FICHIER]
                        les écrit dans tous les formats, avec un rapport, sur une
                        clé USB, montée pour cela seulement (il faut être root)
      trackerctl import FICHIER --server URL [options]
                        envoie à un serveur un fichier d'export (GeoJSON ou CSV)
      sudo trackerctl setup [options]
                        la première configuration d'une balise ; voir
                        trackerctl setup --help
      trackerctl boards
                        liste les cartes, et les parties qui se combinent
      trackerctl fleet FICHIER.csv --output REPERTOIRE [--config FICHIER]
                        [--board NOM] [--replace]
                        les fichiers de plusieurs balises, pour les partitions
                        d'amorçage des cartes : colonnes team, number, secret,
                        et user, language, board, apn, server, receiver,
                        interface, pin, consolePin ; --config : le commun
      trackerctl first-boot [--root REPERTOIRE]
                        les prend de la partition (à chaque démarrage)
      trackerctl bench --server URL [--captures N] [--yes] [options]
                        mesure la vitesse d'envoi de N captures inventées à un
                        basecamp de cette machine   [17280 : 48 h toutes les 10 s]

    options des commandes à une balise :
      --socket CHEMIN   son socket de contrôle [/run/trailtracker/control]
      --store FICHIER   son stockage [/var/lib/trailtracker/captures.db] ; sans
                        --socket seul le stockage est consulté
      --config FICHIER  sa configuration, qui indique les deux
                        [/etc/trailtracker/trackerd.json5]
      --json            pour des programmes, pareil dans toutes les langues
      --language L      ca, es, en ou fr [de la balise, ou de l'environnement]
      --yes             ne pas demander avant stop et pin try
      --color, --no-color                               [sur un terminal]

    options de push, import et bench :
      --store FICHIER   le stockage de la balise (push), qui doit être arrêtée
      --config FICHIER  la configuration de la balise (push, import) : serveur,
                        de tout genre, champs, secrets et stockage
      --server URL      une couche d'un FeatureServer d'ArcGIS, comme
                        https://host/arcgis/rest/services/Walk/FeatureServer/0
      --secrets FICHIER identifiants, mode 0600 : une ligne "token = ...", ou
                        "password = ..." avec --user NOM, ou
                        "clientSecret = ..." avec --client-id ID --token-url URL
      --token-url URL   où demander les jetons             [le même serveur]
      --ca FICHIER      certificats fiables au lieu de ceux du système (PEM)
      --help, --version

    Chaque capture arrive une seule fois dans une couche d'ArcGIS, même si push est
    interrompu et répété, et par quelque voie que ce soit : import demande au
    serveur lesquelles il a avant d'envoyer, et une couche à GlobalIDs refuse une
    seconde copie. Sans GlobalIDs, push attend avant de demander ce qui est
    peut-être arrivé : 10 min, ou server: { mayActFor: ... } dans la configuration.
    La copie d'un stockage ignore ce que l'original a envoyé : une telle couche le
    reçoit alors deux fois. Un fichier tronqué est refusé avant tout envoi ; les
    captures aux positions ou heures modifiées comptent comme d'autres captures.

    code de sortie : 0 tout est livré ; 1 il en reste, ou mis de côté ; 2 mauvais
    usage ou entrée illisible. De status : 0 GO, 1 NO-GO, 3 WAIT.

    """
}
