traza           race.nmea, 26:37:57, 101,6 km
ejecución       placa pi-zero-2w-sim7600, semilla 1, huella 3603f55ec3a3fc8a
final           todo enviado, 0:06:31 después de la traza

receptor        31.926 sentencias, 15.963 informes, 15.877 posiciones
  no usadas       sin posición 78, velocidad imposible 8

capturas        161 hechas, 161 confirmadas, 0 pendientes, 0 apartadas
envíos          161 de 161 con éxito en 161 contactos
contactos       cada 0:10:00, según transmit.interval
por radio       162 peticiones, 211.922 bytes enviados, 477.647 recibidos
servidor        161 capturas recibidas, 0 por duplicado; 0 de 160 promesas
                incumplidas
entrega         la mitad en 29,8 s, el 95 % en 44,7 s, todas en 0:06:15

energía         19457,210 mWh, 435,07 J por captura entregada
  por parte, mWh  placa 10054,734, receptor 5193,704, módem 1290,191,
                  conversión 2918,581
batería         queda el 46 % (34-58)

Silencios de un minuto o más:
    20:00:27 -  20:03:45  no capturado  sin posición del receptor
    26:37:58 -  26:43:45  no enviado    demasiado pronto para reconectar
