extension Help {
  static let spanish = """
    trackerctl controla un equipo en marcha, y lista, envía y exporta capturas.

    uso:
      trackerctl status una línea con GO, WAIT o NO-GO, y debajo por qué; también
                        de un equipo que no funciona, por su almacén
      trackerctl captures [N|all] [pending|sent|aside] | show N | proof
                        las capturas, todo sobre una, y si falta alguna;
                        solo necesitan el almacén
      trackerctl stats [N|all] [--every METROS] [--course FICHERO] [--session N]
      trackerctl stats --sessions
                        distancia, tiempos, velocidades y desnivel de una sesión
                        [la última], y sus marcas [10, cada 1000 m], también las
                        de un recorrido (GeoJSON o GPX); las sesiones del almacén
      trackerctl compare A B --course FICHERO [--every METROS] [--json]
      trackerctl compare A --plan FICHERO.csv --course FICHERO [--json]
                        quién iba delante y dónde en un recorrido (GeoJSON o GPX),
                        o contra un horario; A y B son almacenes, o ficheros de
                        export o GPX
      trackerctl why | events [N] | log [N] | self-test
                        por qué no se captura o no se envía nada, qué ha pasado,
                        y cada parte con su remedio
      trackerctl start | stop | send now | capture now | pin try
                        lo ordena a un equipo en marcha; start y stop se
                        recuerdan al reiniciar (stop: seis horas)
      trackerctl set CLAVE VALOR | get | undo [CLAVE] | unset team
                        cambia un valor, como set team "Els Senglars", set
                        interval 5min, set finish 2027-04-18T12:00; los lista
                        todos, y quién los cambió; deshace un cambio, o el último
      trackerctl help [verdict]
                        todas estas en su idioma, o cuándo es NO-GO
      trackerctl console [--socket RUTA] [--store FICHERO] [--read-only]
                        [--serial] [--idle 10min]
                        lo mismo en un terminal, con historial y compleción
                        (TAB); --idle 0: nunca termina sola; --serial: espera una
                        tecla, como en una línea serie. Por una tubería: una
                        orden por línea
      trackerctl push --store FICHERO --server URL [opciones]
      trackerctl push --config FICHERO [--store FICHERO]
                        envía a un servidor las capturas pendientes de un almacén
      trackerctl retry [N | EQUIPO4:N | all] [--socket RUTA | --store FICHERO]
                        devuelve a la cola capturas apartadas [todas, en un equipo
                        en marcha]; EQUIPO4: las primeras cifras, como 6F1C:17
      trackerctl export --store FICHERO --format gpx|kml|geojson|csv
                        [--output FICHERO]
                        las escribe para un mapa o una memoria USB; el fichero
                        aparece cuando está completo         [salida estándar]
      trackerctl export --stick [--device DISPOSITIVO] [--store FICHERO]
                        las escribe en todos los formatos, con un informe, en una
                        memoria USB, que solo se monta para eso (como root)
      trackerctl import FICHERO --server URL [opciones]
                        envía a un servidor un fichero de export (GeoJSON o CSV)
      sudo trackerctl setup [opciones]
                        la primera configuración de un equipo; vea
                        trackerctl setup --help
      trackerctl boards
                        lista las placas, y las partes que se pueden combinar
      trackerctl fleet FICHERO.csv --output DIRECTORIO [--config FICHERO]
                        [--board NOMBRE] [--replace]
                        los ficheros de muchos equipos, para las particiones de
                        arranque de las tarjetas: columnas team, number, secret,
                        y user, language, board, apn, server, receiver,
                        interface, pin, consolePin; --config: lo que comparten
      trackerctl first-boot [--root DIRECTORIO]
                        los toma de la partición (en cada arranque)
      trackerctl bench --server URL [--captures N] [--yes] [opciones]
                        mide lo rápido que llegan N capturas inventadas a un
                        basecamp de esta máquina     [17280: 48 h cada 10 s]

    opciones de las órdenes a un equipo:
      --socket RUTA     su socket de control [/run/trailtracker/control]
      --store FICHERO   su almacén [/var/lib/trailtracker/captures.db]; sin
                        --socket solo se mira el almacén
      --config FICHERO  su configuración, que indica ambos
                        [/etc/trailtracker/trackerd.json5]
      --json            para programas, igual en todos los idiomas
      --language L      ca, es, en o fr [el del equipo, o el del entorno]
      --yes             no preguntar antes de stop y pin try
      --color, --no-color                                 [en un terminal]

    opciones de push, import y bench:
      --store FICHERO   el almacén del equipo (push); el equipo debe estar parado
      --config FICHERO  la configuración del equipo (push, import): su servidor,
                        sea del tipo que sea, campos, secretos y almacén
      --server URL      una capa de un FeatureServer de ArcGIS, como
                        https://host/arcgis/rest/services/Walk/FeatureServer/0
      --secrets FICHERO credenciales, modo 0600: una línea "token = ...", o
                        "password = ..." con --user NOMBRE, o
                        "clientSecret = ..." con --client-id ID --token-url URL
      --token-url URL   donde se piden los tokens          [el mismo servidor]
      --ca FICHERO      certificados de confianza en vez de los del sistema (PEM)
      --help, --version

    Cada captura llega una sola vez a una capa de ArcGIS, por mucho que push se
    interrumpa y se repita, y llegue por donde llegue: import pregunta al servidor
    cuáles tiene antes de enviar, y una capa con GlobalIDs rechaza una segunda
    copia. Sin GlobalIDs, push espera antes de preguntar por lo que quizá ha
    llegado: 10 min, o server: { mayActFor: ... } en la configuración. La copia de
    un almacén no sabe qué se envió desde el original: entonces esa capa lo recibe
    dos veces. Un fichero cortado se rechaza antes de enviar nada; las capturas con
    posiciones u horas editadas cuentan como capturas distintas.

    código de salida: 0 todo está entregado; 1 queda algo, o apartado; 2 mal uso o
    entrada ilegible. De status: 0 GO, 1 NO-GO, 3 WAIT.

    """
}
