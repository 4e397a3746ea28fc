extension Help {
  static let catalan = """
    trackerctl controla un equip en marxa, i llista, envia i exporta captures.

    ús:
      trackerctl status una línia amb GO, WAIT o NO-GO, i a sota per què; també
                        d'un equip que no funciona, pel seu magatzem
      trackerctl captures [N|all] [pending|sent|aside] | show N | proof
                        les captures, tot sobre una, i si en falta cap;
                        només els cal el magatzem
      trackerctl stats [N|all] [--every METRES] [--course FITXER] [--session N]
      trackerctl stats --sessions
                        distància, temps, velocitats i desnivell d'una sessió
                        [la darrera], i les marques [10, cada 1000 m], també les
                        d'un recorregut (GeoJSON o GPX); les sessions del magatzem
      trackerctl compare A B --course FITXER [--every METRES] [--json]
      trackerctl compare A --plan FITXER.csv --course FITXER [--json]
                        qui anava al davant i on en un recorregut (GeoJSON o GPX),
                        o contra un horari; A i B són magatzems, o fitxers
                        d'export o GPX
      trackerctl why | events [N] | log [N] | self-test
                        per què no es captura o no s'envia res, què ha passat,
                        i cada part amb el seu remei
      trackerctl start | stop | send now | capture now | pin try
                        ho mana a un equip en marxa; start i stop es recorden
                        després de reengegar (stop: sis hores)
      trackerctl set CLAU VALOR | get | undo [CLAU] | unset team
                        canvia un valor, com set team "Els Senglars", set
                        interval 5min, set finish 2027-04-18T12:00; els llista
                        tots, i qui els ha canviat; desfà un canvi, o el darrer
      trackerctl help [verdict]
                        totes aquestes en el vostre idioma, o quan és NO-GO
      trackerctl console [--socket CAMÍ] [--store FITXER] [--read-only]
                        [--serial] [--idle 10min]
                        el mateix en un terminal, amb historial i compleció
                        (TAB); --idle 0: no s'acaba mai sola; --serial: espera
                        una tecla, com en una línia sèrie. Per una canonada: una
                        ordre per línia
      trackerctl push --store FITXER --server URL [opcions]
      trackerctl push --config FITXER [--store FITXER]
                        envia a un servidor les captures pendents d'un magatzem
      trackerctl retry [N | EQUIP4:N | all] [--socket CAMÍ | --store FITXER]
                        torna a la cua captures apartades [totes, en un equip en
                        marxa]; EQUIP4: les primeres xifres, com 6F1C:17
      trackerctl export --store FITXER --format gpx|kml|geojson|csv
                        [--output FITXER]
                        les escriu per a un mapa o un llapis USB; el fitxer
                        apareix quan és complet          [sortida estàndard]
      trackerctl export --stick [--device DISPOSITIU] [--store FITXER]
                        les escriu en tots els formats, amb un informe, en un
                        llapis USB, que només es munta per a això (cal ser root)
      trackerctl import FITXER --server URL [opcions]
                        envia a un servidor un fitxer d'export (GeoJSON o CSV)
      sudo trackerctl setup [opcions]
                        la primera configuració d'un equip; vegeu
                        trackerctl setup --help
      trackerctl boards
                        llista les plaques, i les parts que es poden combinar
      trackerctl fleet FITXER.csv --output DIRECTORI [--config FITXER]
                        [--board NOM] [--replace]
                        els fitxers de molts equips, per a les particions
                        d'arrencada de les targetes: columnes team, number,
                        secret, i user, language, board, apn, server, receiver,
                        interface, pin, consolePin; --config: el que tenen en comú
      trackerctl first-boot [--root DIRECTORI]
                        els agafa de la partició (a cada arrencada)
      trackerctl bench --server URL [--captures N] [--yes] [opcions]
                        mesura com de ràpid arriben N captures inventades a un
                        basecamp d'aquesta màquina   [17280: 48 h cada 10 s]

    opcions de les ordres a un equip:
      --socket CAMÍ     el seu sòcol de control [/run/trailtracker/control]
      --store FITXER    el seu magatzem [/var/lib/trailtracker/captures.db];
                        sense --socket només es mira el magatzem
      --config FITXER   la seva configuració, que els indica tots dos
                        [/etc/trailtracker/trackerd.json5]
      --json            per a programes, igual en tots els idiomes
      --language L      ca, es, en o fr [el de l'equip, o el de l'entorn]
      --yes             no preguntis abans de stop i pin try
      --color, --no-color                                  [en un terminal]

    opcions de push, import i bench:
      --store FITXER    el magatzem de l'equip (push); cal aturar l'equip
      --config FITXER   la configuració de l'equip (push, import): el servidor,
                        sigui del tipus que sigui, camps, secrets i magatzem
      --server URL      una capa d'un FeatureServer d'ArcGIS, com
                        https://host/arcgis/rest/services/Walk/FeatureServer/0
      --secrets FITXER  credencials, mode 0600: una línia "token = ...", o
                        "password = ..." amb --user NOM, o
                        "clientSecret = ..." amb --client-id ID --token-url URL
      --token-url URL   on es demanen els tokens        [el mateix servidor]
      --ca FITXER       certificats de confiança en lloc dels del sistema (PEM)
      --help, --version

    Cada captura arriba un sol cop a una capa d'ArcGIS, per molt que push
    s'interrompi i es repeteixi, i arribi per on arribi: import pregunta al
    servidor quines té abans d'enviar, i una capa amb GlobalIDs refusa una segona
    còpia. Sense GlobalIDs, push espera abans de preguntar pel que potser ha
    arribat: 10 min, o server: { mayActFor: ... } a la configuració. La còpia d'un
    magatzem no sap què s'ha enviat des de l'original: llavors aquesta capa ho rep
    dues vegades. Un fitxer tallat es refusa abans d'enviar res; les captures amb
    posicions o hores editades compten com a captures diferents.

    codi de sortida: 0 tot és lliurat; 1 en queda alguna, o d'apartada; 2 mal ús o
    entrada il·legible. De status: 0 GO, 1 NO-GO, 3 WAIT.

    """
}
